//! Do the inputs agree with themselves and with each other?
use super::error::{Bad, ImportError, bad};
use super::fsck::{Fsck, Half, Tally};
use super::inputs::Inputs;
use super::sniff::Kind;
use cluster::{BlockMap, Replica, ReplicaState};

/// Blocks must be unique, and as many as fsck says; anything else that differs is a note.
pub(super) fn fsck(name: &str, fsck: &Fsck) -> Result<Vec<String>, ImportError> {
    duplicates(fsck).map_err(|(bad, line)| bad.at(name, Some(line)))?;
    let files = fsck.replicated.files + fsck.coded.files;
    let total = |half, key| fsck.summary.get(half, key);
    let mut notes = Vec::new();
    let halves = [
        (Half::Replicated, &fsck.replicated, "Total blocks (validated)"),
        (Half::ErasureCoded, &fsck.coded, "Total block groups (validated)"),
    ];
    for (half, tally, key) in halves {
        let Some(said) = total(half, key).filter(|said| *said != tally.blocks) else { continue };
        let problem = match files {
            0 => bad(format!("no file is listed and fsck counts {said} blocks"), "all files")
                .advice(format!("Was `-files` missing? Run `{}`.", Kind::Fsck.command())),
            _ => {
                bad(format!("{} blocks are listed", tally.blocks), format!("{said}, fsck's {key}"))
                    .advice("Lines are missing: copy or make the listing again.")
            }
        };
        return Err(problem.at(name, fsck.suspect));
    }
    for (half, tally) in [(Half::Replicated, &fsck.replicated), (Half::ErasureCoded, &fsck.coded)] {
        for (key, listed) in others(half, tally) {
            if let Some(said) = total(half, key).filter(|said| *said != listed) {
                notes
                    .push(format!("fsck's summary says \"{key}\" {said}, its listing has {listed}"))
            }
        }
    }
    Ok(notes)
}

/// The summary's other keys and what the listing has.
fn others(half: Half, tally: &Tally) -> [(&'static str, u64); 6] {
    match half {
        Half::Replicated => [
            ("Total size", tally.bytes),
            ("Total files", tally.files),
            ("Under-replicated blocks", tally.under),
            ("Mis-replicated blocks", tally.misplaced),
            ("Missing blocks", tally.missing),
            ("Corrupt blocks", tally.corrupt),
        ],
        Half::ErasureCoded => [
            ("Total size", tally.bytes),
            ("Total files", tally.files),
            ("Under-erasure-coded block groups", tally.under),
            ("Unsatisfactory placement block groups", tally.misplaced),
            ("Missing block groups", tally.missing),
            ("Corrupt block groups", tally.corrupt),
        ],
    }
}

fn duplicates(fsck: &Fsck) -> Result<(), (Bad, u64)> {
    let ids = &fsck.blocks.id;
    let mut order: Vec<u32> = (0..ids.len() as u32).collect();
    order.sort_unstable_by_key(|&at| (ids[at as usize], at));
    let twice = order.windows(2).find(|w| ids[w[0] as usize] == ids[w[1] as usize]);
    match twice {
        Some(&[first, second]) => {
            let line = |at: u32| u64::from(fsck.lines[at as usize]);
            let found = format!("block blk_{} again (line {})", ids[first as usize], line(first));
            Err((
                bad(found, "each block once").advice("Is the same listing in it twice?"),
                line(second),
            ))
        }
        _ => Ok(()),
    }
}

/// What the report counts against what the listing has.
pub(super) fn report(inputs: &Inputs) -> Vec<String> {
    let (_, fsck) = &inputs.fsck;
    let Some((_, report)) = &inputs.report else { return Vec::new() };
    let mut notes = Vec::new();
    let live = report.nodes.iter().filter(|n| n.alive).count() as u64;
    let said = fsck.summary.get(Half::Replicated, "Number of data-nodes");
    if let Some(said) = said.filter(|said| report.has_live && *said != live) {
        notes.push(format!("the report lists {live} live nodes, fsck counts {said}"))
    }
    notes.extend(blocks_per_node(fsck, report));
    if let Some(under) = report.under.filter(|under| *under != fsck.replicated.under && fsck.root) {
        let counts = format!("the report counts {under} under-replicated blocks");
        let why = "fsck takes decommissioning replicas as live, the report does not";
        notes.push(format!("{counts}, fsck {}: {why}", fsck.replicated.under))
    }
    notes
}

fn blocks_per_node(fsck: &Fsck, report: &super::report::Report) -> Option<String> {
    if !fsck.root {
        return Some("fsck was run on a part of the file system: the nodes hold more".into());
    }
    let mut listed = vec![0u64; fsck.locations.nodes.len()];
    fsck.blocks.replica.iter().for_each(|r| listed[r.node.at()] += 1);
    let counts = fsck.locations.nodes.iter().zip(listed);
    let listed: std::collections::BTreeMap<&str, u64> =
        counts.map(|(node, n)| (node.address.as_str(), n)).collect();
    let differ: Vec<(u64, &str)> = report
        .nodes
        .iter()
        .filter_map(|node| {
            let has = listed.get(node.address.as_str()).copied().unwrap_or(0);
            node.blocks.map(|said| (said.abs_diff(has), node.address.as_str()))
        })
        .filter(|(by, _)| *by > 0)
        .collect();
    let (most, node) = *differ.iter().max()?;
    let of = report.nodes.len();
    Some(format!(
        "the report's \"Num of Blocks\" differs from fsck's listing on {} of {of} nodes, by up to \
         {most} ({node}): open files, or time passed between the two",
        differ.len()
    ))
}

/// Replicas that fsck does not count as live and nothing explains: without `-replicaDetails`, some
/// are corrupt or excess, and which is not told.
pub(super) fn unexplained(blocks: &BlockMap, live: &[u16]) -> Option<String> {
    let mut unexplained = 0;
    for (at, said) in live.iter().enumerate().filter(|(at, _)| blocks.id[*at] >= 0) {
        let replicas = &blocks.replica[blocks.first[at] as usize..blocks.first[at + 1] as usize];
        let counts = |r: &&Replica| matches!(r.state, ReplicaState::Live | ReplicaState::Stale);
        let ours = replicas.iter().filter(counts).count() as u64;
        unexplained += ours.saturating_sub(u64::from(*said))
    }
    (unexplained > 0).then(|| {
        let taken = "taken as live, for nothing tells what they are";
        format!("{unexplained} listed replicas are not live by fsck's count: {taken}")
    })
}
