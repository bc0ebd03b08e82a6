//! Prints the findings of an operator's command before it changes anything.
use page::words::count;
use serde_json::{Value, json};
use system::{Failure, console};
use xor_relay::client::{Client, Findings, Unreadable};

/// On standard output in a dry run, otherwise on standard error.
pub(super) fn say(
    client: &Client,
    found: &Findings,
    would: &str,
    is_dry: bool,
    is_json: bool,
) -> Result<(), Failure> {
    let lines = lines(client, found);
    match (is_dry, is_json) {
        (true, true) => console::json(&as_json(client, found, would)),
        (true, false) => {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            console::text(&format!("{text}would {would}\nno changes were made: --dry-run\n"))
        }
        (false, _) => {
            lines.iter().for_each(|line| console::note(line));
            Ok(())
        }
    }
}

fn lines(client: &Client, found: &Findings) -> Vec<String> {
    let mut all =
        vec![format!("cluster {}, list {}: {}", found.cluster, found.epoch, found.known.join(","))];
    all.extend(found.away.iter().map(|why| format!("! {why}")));
    for Unreadable { node, id, object } in &found.unreadable {
        let node = client.named(*node);
        all.push(match object {
            Some(name) => {
                format!("! {node}: the record of {name:?} cannot be read: restored first")
            }
            None => format!(
                "! {node}: the record {id:032x} cannot be read, and no other node has this \
                 version: the record is kept"
            ),
        })
    }
    let objects = count(found.objects as u64, "object");
    all.push(match found.lacking {
        0 => format!("{objects} in reach"),
        lacking => format!("{objects} in reach, {} lacking", count(lacking as u64, "part")),
    });
    all.extend(found.out_of_reach.iter().map(|name| format!("! {name:?} is out of reach")));
    all
}

/// Prints the objects to discard if the loss is accepted.
pub(super) fn say_given_up(found: &Findings) {
    for name in &found.given_up {
        console::note(&format!("! {name:?} is given up: its remains are discarded"))
    }
}

fn as_json(client: &Client, found: &Findings, would: &str) -> Value {
    let unreadable = |u: &Unreadable| {
        json!({
            "node": u.node, "address": client.address(u.node), "id": format!("{:032x}", u.id),
            "object": u.object,
        })
    };
    json!({
        "dry_run": true, "cluster": found.cluster, "epoch": found.epoch, "list": found.known,
        "away": found.away,
        "unreadable": found.unreadable.iter().map(unreadable).collect::<Vec<_>>(),
        "objects": found.objects, "lacking": found.lacking, "out_of_reach": found.out_of_reach,
        "given_up": found.given_up, "would": would,
    })
}
