//! `tenbin relay status`.
use super::args::RelayCluster;
use super::heal;
use super::reach::{failure, print, reach};
use page::words::{bytes, count};
use serde_json::{Value, json};
use system::Failure;
use xor_relay::client::ClusterStatus;
use xor_relay::wire::{NodeStatus, REPLACED};

/// Fails if the cluster has any problem.
pub(super) fn status(args: &RelayCluster) -> Result<(), Failure> {
    let mut client = reach(args)?;
    let (status, identified) = client.status();
    let addresses: Vec<String> =
        (0..status.nodes.len()).map(|node| client.address(node).to_string()).collect();
    print(args.json, &as_json(&status, &addresses), &summary(&status, &addresses))?;
    identified.map_err(failure)?;
    heal::fail(status.wrong)
}

fn summary(status: &ClusterStatus, addresses: &[String]) -> String {
    let (all, losses) = (count(addresses.len() as u64, "node"), status.losses);
    let mut text = match &status.cluster {
        Some(number) => format!("cluster {number}, list {}, {all}", status.epoch),
        None if has_cluster(status) => format!("{all}, not one cluster in its order"),
        None => format!("no cluster yet: the first put makes one of these {all}"),
    };
    text += &format!(", any {losses} of them may be lost\n");
    if !status.list.is_empty() && status.list != addresses {
        text += &format!("list of its nodes: {}\n", status.list.join(","))
    }
    if let Some(operator) = &status.operator {
        text += &format!("an operator's command is running: {operator}\n")
    }
    for (node, (said, address)) in status.nodes.iter().zip(addresses).enumerate() {
        let what = match said {
            Ok(said) if status.filling.contains(&node) => format!("being filled, {}", held(said)),
            Ok(said) => held(said),
            Err(why) => format!("DOES NOT ANSWER: {why}"),
        };
        text += &format!("node {node} ({address}): {what}\n")
    }
    text
}

/// A node knows a cluster, although the given list is not one.
fn has_cluster(status: &ClusterStatus) -> bool {
    status.nodes.iter().flatten().any(|said| said.member.cluster != 0)
}

fn held(said: &NodeStatus) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let mut text = count(said.versions, "version");
    if said.disk_total > 0 {
        let (free, total) = (bytes(said.disk_free as f64), bytes(said.disk_total as f64));
        text += &format!(", {free} of {total} free")
    }
    text += &format!(
        ", rings {} of {} MiB, {} of {} writers, {} waiting, {}, {}",
        mib(said.rings),
        mib(said.most_rings),
        said.writers,
        said.most_writers,
        said.waiting,
        count(said.readers.into(), "reader"),
        count(said.connections.into(), "connection"),
    );
    for (number, what) in [
        (said.unidentified.into(), "without a hello"),
        (said.refused, "rejected since the start"),
        (said.unreadable, "UNREADABLE"),
    ] {
        if number > 0 {
            text += &format!(", {number} {what}")
        }
    }
    text
}

fn as_json(status: &ClusterStatus, addresses: &[String]) -> Value {
    let nodes = status.nodes.iter().zip(addresses).enumerate();
    json!({
        "cluster": status.cluster, "list": status.epoch, "addresses": status.list,
        "may_lose": status.losses, "filling": status.filling, "wrong": status.wrong,
        "operator": status.operator,
        "nodes": nodes.map(|(node, (said, address))| node_json(node, address, said))
            .collect::<Vec<_>>(),
    })
}

fn node_json(node: usize, address: &str, said: &Result<NodeStatus, String>) -> Value {
    let said = match said {
        Ok(said) => said,
        Err(why) => {
            return json!({ "node": node, "address": address, "answers": false, "why": why });
        }
    };
    let member = &said.member;
    json!({
        "node": node, "address": address, "answers": true, "list": member.epoch,
        "filling": member.is_filling(), "replaced": member.index == REPLACED,
        "versions": said.versions, "unreadable": said.unreadable,
        "unreadable_files": said.unreadable_files,
        "disk_free_bytes": said.disk_free, "disk_bytes": said.disk_total,
        "ring_bytes": said.rings, "most_ring_bytes": said.most_rings,
        "writers": said.writers, "most_writers": said.most_writers, "waiting": said.waiting,
        "readers": said.readers, "connections": said.connections,
        "without_hello": said.unidentified, "refused": said.refused,
    })
}
