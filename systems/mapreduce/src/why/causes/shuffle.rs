//! Reduces copy map outputs for long after the last map.
//!
//! # What it looks at
//! The copy phase of reduces after the last map was done, and fetch failures in the text of
//! attempts.
//!
//! # The bound
//! The job without that part of the copy phase.
//!
//! # What would confirm it
//! Reducers' logs (`fetcher#`): the rate of each fetch; curves of nodes: NIC, and the disks that
//! serve map outputs.
use super::super::job::Attempt;
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, counter, interval, middle, part, s, words};
use crate::log::kinds;

/// The name of the cause.
const NAME: &str = "shuffle";

/// Copying after the last map \[s\].
fn copying(view: &View<'_>, a: &Attempt) -> f64 {
    let last = view.shape.last_map;
    a.phase(kinds::interval::COPY).map_or(0.0, |p| (p.to - p.from.max(last)).max(0.0))
}

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all = view.good("REDUCE");
    let failures = |a: &&Attempt| {
        let text = a.error.to_lowercase();
        text.contains("fetch failure") || text.contains("error in shuffle")
    };
    let failed: Vec<&Attempt> = view.job.attempts().filter(failures).collect();
    let longest = all.iter().map(|a| copying(view, a)).fold(0.0, f64::max);
    if longest <= 1.0 && failed.is_empty() {
        return Vec::new();
    }
    let without = |a: &Attempt, work: f64| {
        let good = a.outcome == trace::Outcome::Ok && a.kind == "REDUCE";
        let again = failures(&a);
        if again { None } else { Some(if good { work - copying(view, a) } else { work }) }
    };
    let typical = middle(&all, |a| copying(view, a));
    let bytes: f64 = all.iter().map(|a| a.number("REDUCE_SHUFFLE_BYTES")).sum();
    let sum: f64 = all.iter().map(|a| copying(view, a)).sum();
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
        n => format!("{n} attempts broke off since map outputs could not be fetched"),
    };
    let found = Found {
        cause: NAME,
        by: format!("the shuffle: {what}"),
        holder: format!("{what}; which disk or link is not logged"),
        gain: view.gain(&without),
        bound: view.on_path(&without),
        certainty: "high",
        surer: "node curves (sadf -j, or tenbin monitor): disks and NICs while reduces copy",
        evidence,
        ..Found::default()
    };
    vec![found.verdict(view)]
}
