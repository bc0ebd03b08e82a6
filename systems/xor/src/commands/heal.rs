//! Repair of lost nodes, and scrubs.
use super::args::{RelayCluster, RelayRepair};
use super::findings;
use super::reach::{
    all, connect, connect_to_fill, failure, node_json, place_of, print, stopped, watched,
};
use page::words::count;
use serde_json::{Value, json};
use system::Failure;
use xor_relay::client::{Client, Damage, RepairReport, Unreadable};

pub(super) fn repair(args: &RelayRepair) -> Result<(), Failure> {
    let addresses = all(&args.cluster)?;
    let lost = args.lost.iter().map(|address| {
        let address = address.trim();
        place_of(&addresses, address, &format!("--lost {address}"))
    });
    let lost = lost.collect::<Result<Vec<usize>, Failure>>()?;
    let mut client = connect_to_fill(&args.cluster, &lost)?;
    if args.give_up {
        client.accept_loss()
    }
    let found = client.look_before_repairing(&lost).map_err(failure)?;
    let nodes: Vec<String> = lost.iter().map(|&node| client.named(node)).collect();
    let nodes = nodes.join(" and ");
    let would = format!("rebuild {} on {nodes}", count(found.parts as u64, "part"));
    findings::say(&client, &found, &would, args.dry_run, args.cluster.json)?;
    if args.give_up {
        findings::say_given_up(&found)
    }
    if args.dry_run {
        let refusal = client.refusal_of(&found, &lost);
        let refusal = refusal.filter(|_| !args.give_up || found.given_up != found.out_of_reach);
        return refusal.map_or(Ok(()), |e| Err(failure(e)));
    }
    let healed = watched("repairing", |watch| client.repair(&lost, watch)).map_err(stopped)?;
    let value = json!({
        "objects": healed.objects, "rebuilt": healed.rebuilt, "bytes": healed.bytes,
        "failed": healed.failed, "out_of_reach": healed.out_of_reach,
        "restored": healed.restored.len(), "given_up": healed.given_up,
    });
    let (objects, parts) = (healed.objects as u64, healed.rebuilt as u64);
    let (objects, parts) = (count(objects, "object"), count(parts, "part"));
    let text = format!("{objects}: {parts} rebuilt, {} bytes\n", healed.bytes);
    print(args.cluster.json, &value, &text)?;
    let mut wrong = unhealed(&healed.failed);
    wrong.extend(out_of_reach(&client, &healed.out_of_reach));
    if !healed.is_complete() {
        wrong.push(format!("{nodes}: incomplete and excluded: run the repair again"))
    }
    fail(wrong)
}

pub(super) fn scrub(args: &RelayCluster) -> Result<(), Failure> {
    let mut client = connect(args)?;
    let found = watched("scrubbing", |watch| client.scrub(watch)).map_err(failure)?;
    print(args.json, &as_json(&client, &found), &summary(&client, &found))?;
    let mut wrong = unhealed(&found.failed);
    if found.inconsistent > 0 {
        let count = found.inconsistent;
        wrong.push(format!("{count} parities do not match their data although no block is damaged"))
    }
    wrong.extend(out_of_reach(&client, &found.out_of_reach));
    wrong.extend(found.unexplained.iter().map(|u| {
        let (node, id) = (client.named(u.node), u.id);
        format!(
            "{node}: the record {id:032x} cannot be read, and no other node explains it: the \
             record is kept"
        )
    }));
    let unverified: Vec<String> = found.unverified.iter().map(|&node| why(&client, node)).collect();
    if !unverified.is_empty() {
        wrong.push(format!("blocks were not verified: {}", unverified.join("; ")))
    }
    fail(wrong)
}

fn summary(client: &Client, found: &RepairReport) -> String {
    let restored = found.restored.iter().map(|(object, node)| {
        format!("{object:?}, {}: its record could not be read, healed\n", client.named(*node))
    });
    let mut text: String = restored.collect();
    for damage in &found.damage {
        let Damage { object, node, bad, wrong_with_valid_checksum: wrong, is_healed } = damage;
        let what = match (bad, wrong) {
            (None, _) => "had no part".into(),
            (Some(bad), 0) => count(*bad, "bad block"),
            (Some(0), wrong) => wrong_blocks(*wrong),
            (Some(bad), wrong) => {
                format!("{} and {}", count(*bad, "bad block"), wrong_blocks(*wrong))
            }
        };
        let fate = if *is_healed { "healed" } else { "NOT healed" };
        text += &format!("{object:?}, {}: {what}, {fate}\n", client.named(*node))
    }
    text + &format!(
        "{}, {} verified: {} bad, {} missing; {} bytes written\n",
        count(found.objects as u64, "object"),
        count(found.blocks, "block"),
        found.bad,
        count(found.rebuilt as u64, "part"),
        found.bytes
    )
}

fn wrong_blocks(blocks: u64) -> String {
    format!("{} wrong with valid checksums", count(blocks, "block"))
}

fn as_json(client: &Client, found: &RepairReport) -> Value {
    let damage = |d: &Damage| {
        json!({
            "object": d.object, "node": d.node, "address": client.address(d.node),
            "bad": d.bad, "wrong": d.wrong_with_valid_checksum, "lacking": d.bad.is_none(),
            "healed": d.is_healed,
        })
    };
    let restored = |(object, node): &(String, usize)| {
        let address = client.address(*node);
        json!({ "object": object, "node": node, "address": address })
    };
    let unexplained = |u: &Unreadable| {
        let (address, id) = (client.address(u.node), format!("{:032x}", u.id));
        json!({ "node": u.node, "address": address, "id": id })
    };
    let unverified = found.unverified.iter().map(|node| node_json(client, *node));
    json!({
        "objects": found.objects, "blocks": found.blocks, "bad": found.bad,
        "inconsistent": found.inconsistent, "rebuilt": found.rebuilt,
        "healed_bytes": found.bytes, "failed": found.failed,
        "damage": found.damage.iter().map(damage).collect::<Vec<_>>(),
        "unverified": unverified.collect::<Vec<_>>(),
        "out_of_reach": found.out_of_reach,
        "restored": found.restored.iter().map(restored).collect::<Vec<_>>(),
        "unexplained": found.unexplained.iter().map(unexplained).collect::<Vec<_>>(),
    })
}

fn why(client: &Client, node: usize) -> String {
    let missing = client.missing().into_iter().find(|(gone, _)| *gone == node);
    missing.map_or_else(|| format!("{} did not answer", client.named(node)), |(_, why)| why)
}

pub(super) fn unhealed(failed: &[String]) -> Vec<String> {
    match failed.is_empty() {
        true => Vec::new(),
        false => vec![format!("not all parts could be repaired: {}", failed.join("; "))],
    }
}

/// The message for objects that too few nodes can supply; `None` if there are none.
pub(super) fn out_of_reach(client: &Client, names: &[String]) -> Option<String> {
    let shortage = client.shortage();
    let why = || shortage.clone().map_or(String::new(), |why| format!(": {why}"));
    match (names, &shortage) {
        ([], None) => None,
        ([], Some(why)) => Some(format!("objects may be out of reach: {why}")),
        ([one], _) => Some(format!("{one:?} is out of reach{}", why())),
        (names, _) => {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            let (count, names) = (names.len(), names.join(", "));
            Some(format!("{count} objects are out of reach ({names}){}", why()))
        }
    }
}

pub(super) fn fail(wrong: Vec<String>) -> Result<(), Failure> {
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed(wrong.join("; "))),
    }
}
