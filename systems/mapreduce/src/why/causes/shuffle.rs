//! Reduces copy map outputs for long after the last map.
//!
//! # What it looks at
//! The copy phase of reduces after the last map was done, and fetch failures in the text of
//! reduces that broke off. Maps that ran again for them are `lost map outputs`.
//!
//! # The bound
//! The job without that part of the copy phase.
//!
//! # What would confirm it
//! Reducers' logs (`fetcher#`): the rate of each fetch; curves of nodes: NIC, and the disks that
//! serve map outputs.
use super::super::job::Attempt;
use super::super::verdicts::{FLOOR_DISK, Verdict};
use super::Found;
use super::view::{View, count, counter, interval, middle, part, s, words};
use crate::import::conf::SLOW_START;
use crate::log::kinds;

/// The name of the cause.
const NAME: &str = "shuffle";

/// Copying after the last map \[s\].
fn copying(view: &View<'_>, a: &Attempt) -> f64 {
    let last = view.shape.last_map;
    a.phase(kinds::interval::COPY).map_or(0.0, |p| (p.to - p.from.max(last)).max(0.0))
}

/// Reduces ask for maps that are done every few seconds \[s\].
const POLL: f64 = 10.0;

/// Whether a reduce broke off since it could not fetch map outputs.
pub(super) fn broke_off(a: &Attempt) -> bool {
    let text = a.error.to_lowercase();
    a.kind == "REDUCE" && (text.contains("fetch failure") || text.contains("error in shuffle"))
}

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all = view.good("REDUCE");
    let failed: Vec<&Attempt> = view.job.attempts().filter(|a| broke_off(a)).collect();
    let longest = all.iter().map(|a| copying(view, a)).fold(0.0, f64::max);
    let bytes: f64 = all.iter().map(|a| a.number("REDUCE_SHUFFLE_BYTES")).sum();
    let sum: f64 = all.iter().map(|a| copying(view, a)).sum();
    // A few bytes wait for the next poll of what is done.
    let polls = longest <= POLL && bytes > 0.0 && bytes / FLOOR_DISK < 0.01 * sum;
    if (longest <= 1.0 || polls) && failed.is_empty() {
        return Vec::new();
    }
    let without = |a: &Attempt, work: f64| {
        let good = a.outcome == trace::Outcome::Ok && a.kind == "REDUCE";
        if broke_off(a) { None } else { Some(if good { work - copying(view, a) } else { work }) }
    };
    let typical = middle(&all, |a| copying(view, a));
    let work: f64 = all.iter().map(|a| view.work(a)).sum();
    let mut evidence = vec![interval(
        "shuffleFinishTime",
        format!(
            "reduces copy for {} after the last map, in the median; the longest {}: {} of \
             their work",
            s(typical),
            s(longest),
            part(sum / work.max(1e-9))
        ),
    )];
    if bytes > 0.0 {
        let all = super::super::verdicts::plain(page::words::bytes(bytes));
        evidence.push(counter("REDUCE_SHUFFLE_BYTES", format!("{all} copied in all")))
    }
    for a in failed.iter().take(2) {
        evidence.push(words("error", format!("{}: {}", a.name, a.error)))
    }
    let what = match failed.len() {
        0 => format!("reduces copy map outputs for up to {} after the last map", s(longest)),
        n => format!("{} broke off since map outputs could not be fetched", count(n, "attempt")),
    };
    let late = if failed.is_empty() { late(view, &all) } else { String::new() };
    let found = Found {
        cause: NAME,
        by: format!("the shuffle: {what}"),
        holder: format!("{what}{late}; which disk or link is not logged"),
        gain: view.gain(&without),
        bound: view.on_path(&without),
        certainty: "high",
        surer: "node curves (sadf -j, or tenbin monitor): disks and NICs while reduces copy",
        evidence,
        ..Found::default()
    };
    vec![found.verdict(view)]
}

/// That all reduces started after the last map, though they could copy beside maps.
fn late(view: &View<'_>, all: &[&Attempt]) -> String {
    let after = |a: &&Attempt| a.run.is_some_and(|run| run.0 >= view.shape.last_map);
    if !all.iter().all(after) {
        return String::new();
    }
    let set = view.job.conf.get(SLOW_START);
    let set = set.map_or_else(String::new, |set| format!(", {SLOW_START} = {set}"));
    format!("; none started before that{set}")
}
