//! Consistency of each input, and between inputs.
use super::fsck::{Fsck, SummarySection, Tally};
use super::inputs::Inputs;
use super::sniff::Kind;
use import::{ImportError, Issue, issue};

/// Blocks must be unique, and their number must match fsck's summary; other differences become
/// notes.
pub(super) fn fsck(name: &str, fsck: &Fsck) -> Result<Vec<String>, ImportError> {
    duplicates(fsck).map_err(|(bad, line)| bad.at(name, Some(line)))?;
    let files = fsck.replicated.files + fsck.coded.files;
    let total = |half, key| fsck.summary.get(half, key);
    let mut notes = Vec::new();
    let halves = [
        (SummarySection::Replicated, &fsck.replicated, "Total blocks (validated)"),
        (SummarySection::ErasureCoded, &fsck.coded, "Total block groups (validated)"),
    ];
    for (half, tally, key) in halves {
        let Some(said) = total(half, key).filter(|said| *said != tally.blocks) else { continue };
        let problem = match files {
            0 => without_files(&format!("no file is listed, but {said} blocks are counted")),
            _ => issue(
                format!("{} blocks are listed", tally.blocks),
                format!("{said}, fsck's {key}"),
            )
            .advice("Lines are missing: copy or make the listing again."),
        };
        return Err(problem.at(name, fsck.suspect));
    }
    let said = halves.map(|(half, ..)| total(half, "Total files").unwrap_or(0));
    if let (0, said @ 1..) = (files, said[0] + said[1]) {
        let seen = format!("no file is listed, but {said} are counted");
        return Err(without_files(&seen).at(name, None));
    }
    for (half, tally) in [
        (SummarySection::Replicated, &fsck.replicated),
        (SummarySection::ErasureCoded, &fsck.coded),
    ] {
        for (key, listed) in others(half, tally) {
            if let Some(said) = total(half, key).filter(|said| *said != listed) {
                notes
                    .push(format!("fsck's summary says \"{key}\" {said}, its listing has {listed}"))
            }
        }
    }
    Ok(notes)
}

/// The error for a listing without files; `seen`: the evidence.
fn without_files(seen: &str) -> Issue {
    issue(format!("fsck was run without `-files`: {seen}"), "a listing of all files")
        .advice(format!("Run `{}`.", Kind::Fsck.command()))
}

/// Other keys of the summary, with the listing's values.
fn others(half: SummarySection, tally: &Tally) -> [(&'static str, u64); 6] {
    match half {
        SummarySection::Replicated => [
            ("Total size", tally.bytes),
            ("Total files", tally.files),
            ("Under-replicated blocks", tally.under),
            ("Mis-replicated blocks", tally.misplaced),
            ("Missing blocks", tally.missing),
            ("Corrupt blocks", tally.corrupt),
        ],
        SummarySection::ErasureCoded => [
            ("Total size", tally.bytes),
            ("Total files", tally.files),
            ("Under-erasure-coded block groups", tally.under),
            ("Unsatisfactory placement block groups", tally.misplaced),
            ("Missing block groups", tally.missing),
            ("Corrupt block groups", tally.corrupt),
        ],
    }
}

fn duplicates(fsck: &Fsck) -> Result<(), (Issue, u64)> {
    // Allocated at full length: growth would need 1.5 times the memory.
    let mut ids = Vec::with_capacity(fsck.blocks.len());
    ids.extend(fsck.blocks.ids());
    ids.sort_unstable();
    let Some(twice) = ids.windows(2).find(|w| w[0] == w[1]).map(|w| w[0]) else { return Ok(()) };
    let all = fsck.blocks.ids().zip(fsck.lines.numbers());
    let mut lines = all.filter(|(id, _)| *id == twice).map(|(_, line)| line);
    let mut line = || lines.next().expect("is listed twice");
    let (first, second) = (line(), line());
    let found = format!("block blk_{twice} again (line {first})");
    Err((issue(found, "each block once").advice("Is the listing in the file twice?"), second))
}

pub(super) fn report(inputs: &Inputs) -> Vec<String> {
    let (_, fsck) = &inputs.fsck;
    let Some((_, report)) = &inputs.report else { return Vec::new() };
    let mut notes = Vec::new();
    let live = report.nodes.iter().filter(|n| n.alive).count() as u64;
    let said = fsck.summary.get(SummarySection::Replicated, "Number of data-nodes");
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
    let nodes = fsck.locations.nodes.iter();
    let listed: std::collections::BTreeMap<&str, u64> =
        nodes.map(|node| (node.address.as_str(), node.replicas)).collect();
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
         {most} ({node}): open files, or a time between the two outputs",
        differ.len()
    ))
}
