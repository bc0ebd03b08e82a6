//! `tenbin relay ls`, `stat` and `rm`.
use super::args::{RelayCluster, RelayName, RelayRm};
use super::heal::out_of_reach;
use super::reach::{all, connect, failure, hexadecimal, node_json, print};
use page::words::count;
use serde_json::{Value, json};
use system::Failure;
use xor_protocol::commit::ReplicaState;
use xor_relay::client::{Availability, Client, Foreign, FoundVersion, Survey, availability};

fn health(found: &FoundVersion) -> String {
    match found.lacking().len() {
        0 => "good".into(),
        nodes => format!("missing on {}", count(nodes as u64, "node")),
    }
}

/// Lists the objects. Unreadable and foreign ones are marked.
pub(super) fn ls(args: &RelayCluster) -> Result<(), Failure> {
    let mut client = connect(args)?;
    let survey = client.survey_all().map_err(failure)?;
    let out = survey.out_of_reach();
    print(args.json, &listed_json(&client, &survey, &out), &listed(&client, &survey))?;
    out_of_reach(&client, &out).map_or(Ok(()), |why| Err(Failure::Failed(why)))
}

fn listed(client: &Client, survey: &Survey) -> String {
    let mut text = String::new();
    for (name, all) in &survey.objects {
        let (bytes, health) = match availability(all) {
            Availability::Readable(at) => (all[at].entry.length.to_string(), health(&all[at])),
            Availability::BeingWritten => ("–".into(), "being written".into()),
            Availability::Unavailable => ("–".into(), "OUT OF REACH".into()),
            Availability::Absent => continue,
        };
        text += &format!("{bytes:>14}  {health:<16}  {name}\n")
    }
    if survey.foreign.is_empty() {
        return text;
    }
    text += "foreign, written to another list of nodes (tenbin relay rm NAME --foreign):\n";
    for Foreign { node, entry } in &survey.foreign {
        let (bytes, of, index) = (entry.length, entry.nodes, entry.index);
        let here = client.named(*node);
        text += &format!("{bytes:>14}  {here}, as node {index} of {of}  {}\n", entry.name)
    }
    text
}

fn listed_json(client: &Client, survey: &Survey, out: &[String]) -> Value {
    let foreign = |f: &Foreign| {
        json!({
            "name": f.entry.name, "bytes": f.entry.length, "node": f.node,
            "address": client.address(f.node), "nodes": f.entry.nodes, "index": f.entry.index,
        })
    };
    let missing = |(node, why): (usize, String)| {
        let address = client.address(node);
        json!({ "node": node, "address": address, "why": why })
    };
    json!({
        "objects": survey.whole().iter().map(as_json).collect::<Vec<_>>(),
        "out_of_reach": out,
        "foreign": survey.foreign.iter().map(foreign).collect::<Vec<_>>(),
        "missing": client.missing().into_iter().map(missing).collect::<Vec<_>>(),
    })
}

fn as_json(found: &FoundVersion) -> Value {
    json!({
        "name": found.entry.name, "bytes": found.entry.length, "block": found.entry.block,
        "sha256": hexadecimal(&found.entry.sha256), "generation": found.entry.version.generation,
        "nodes": found.entry.nodes, "lacking": found.lacking(),
    })
}

pub(super) fn stat(args: &RelayName) -> Result<(), Failure> {
    let mut client = connect(&args.cluster)?;
    let found = client.find(&args.name).map_err(failure)?;
    let mut text = format!(
        "{}\n{} bytes in blocks of {}, sha256 {}\nwrite {} of this name\n",
        found.entry.name,
        found.entry.length,
        found.entry.block,
        hexadecimal(&found.entry.sha256),
        found.entry.version.generation
    );
    let addresses = all(&args.cluster)?;
    for (node, (held, address)) in found.states.iter().zip(addresses).enumerate() {
        let what = match held {
            ReplicaState::Committed => "complete",
            ReplicaState::Prepared { .. } => "prepared, not yet committed",
            ReplicaState::Nothing => "missing: tenbin relay repair",
            ReplicaState::Unreadable => "unreadable record: tenbin relay scrub",
            ReplicaState::Removed { .. } => "removed",
            ReplicaState::Unknown => "no answer",
        };
        text += &format!("node {node} ({address}) {what}\n")
    }
    print(args.cluster.json, &as_json(&found), &text)
}

pub(super) fn rm(args: &RelayRm) -> Result<(), Failure> {
    let mut client = connect(&args.cluster)?;
    if args.foreign {
        let parts = client.remove_foreign(&args.name).map_err(failure)?;
        let told = json!({ "name": args.name, "removed": true, "foreign_parts": parts });
        let parts = count(parts as u64, "foreign part");
        return print(args.cluster.json, &told, &format!("{}: {parts} removed\n", args.name));
    }
    let away = client.remove(&args.name).map_err(failure)?;
    let value = json!({
        "name": args.name, "removed": true, "foreign_parts": null,
        "away": away.iter().map(|node| node_json(&client, *node)).collect::<Vec<_>>(),
    });
    let mut text = format!("{} is removed\n", args.name);
    for node in away {
        let node = client.named(node);
        text += &format!("{node} was absent: run `tenbin relay scrub` once the node is back\n")
    }
    print(args.cluster.json, &value, &text)
}
