//! Reduces copy map outputs long after the last map.
//!
//! # What it looks at
//! The copy phase of reduces after the last map, and fetch failures in messages of reduces that
//! broke off. Maps that ran again because of these are `lost map outputs`. With reducer logs
//! (`--syslog`): how long each host takes to serve a map output, from the fetcher's assignment to
//! the last byte, and how long fetchers stay there (`freed by fetcher`).
//!
//! # The bound
//! The job without that part of the copy phase. The estimate leaves 3 s to reduces that start after
//! the last map, for their start.
//!
//! # What to do
//! One slow host: check its NodeManager (ShuffleHandler: `mapreduce.shuffle.max.threads`), its
//! local disks and its NIC; exclude it until then. All hosts slow: copy fewer bytes (a combiner,
//! `mapreduce.map.output.compress`), or more outputs at once
//! (`mapreduce.reduce.shuffle.parallelcopies`). Reduces that start after the last map: set a
//! smaller `mapreduce.job.reduce.slowstart.completedmaps`, so that they copy while maps run.
//!
//! # What would confirm it
//! Reducer logs (`--syslog userlogs/`): which host is slow. Node curves: the NIC, and the disks
//! that serve map outputs.
use super::rule::{Finding, Rule, TimePart, counter, errors, interval};
use super::view::View;
use crate::import::conf::SLOW_START;
use crate::log::kinds::interval::COPY;
use crate::plain::{bytes, count, duration, percent, when};
use crate::why::stats::{longest, middle, sum};
use crate::why::{Attempt, FLOOR_DISK, Remedy, ServingTimes};

pub(super) const RULE: Rule = Rule {
    name: "shuffle",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "high",
    confirm: "node curves (sadf -j, or tenbin monitor): disks and NICs at that time",
    remedy: (
        "Copy fewer bytes (a combiner, compressed map outputs), or more of them at once",
        "mapreduce.map.output.compress",
    ),
    source: include_str!("shuffle.rs"),
};

/// Copy time after the last map \[s\].
pub(super) fn copying(view: &View<'_>, a: &Attempt) -> f64 {
    let last = view.shape.last_map;
    a.phase(COPY).map_or(0.0, |p| (p.to - p.from.max(last)).max(0.0))
}

/// Start of a reduce that starts after the last map \[s\].
const START: f64 = 3.0;

/// Interval at which reduces request newly finished maps \[s\].
const POLL: f64 = 10.0;

/// The reduce broke off because it could not fetch map outputs.
pub(super) fn is_fetch_failure(a: &Attempt) -> bool {
    a.kind == "REDUCE" && a.error_says(&["fetch failure", "error in shuffle"])
}

fn is_late(view: &View<'_>, a: &Attempt) -> bool {
    a.run.is_some_and(|run| run.0 >= view.shape.last_map)
}

fn find(view: &View<'_>) -> Option<Finding> {
    let all = view.successful("REDUCE");
    let failed: Vec<&Attempt> = view.job.attempts().filter(|a| is_fetch_failure(a)).collect();
    let each = |a: &Attempt| copying(view, a);
    let (most, copied) = (longest(all, each), sum(all, |a| a.number("REDUCE_SHUFFLE_BYTES")));
    // So few bytes: the reduces waited for their next poll.
    let polls = most <= POLL && copied > 0.0 && copied / FLOOR_DISK < 0.01 * sum(all, each);
    if (most <= 1.0 || polls) && failed.is_empty() {
        return None;
    }
    let without = |start: f64| {
        move |a: &Attempt, work: f64| {
            let stays = if is_late(view, a) { start } else { 0.0 };
            let copying = if a.is_ok("REDUCE") { (copying(view, a) - stays).max(0.0) } else { 0.0 };
            (!is_fetch_failure(a)).then_some(work - copying)
        }
    };
    let what = match failed.len() {
        0 => format!("reduces copy map outputs for up to {} after the last map", duration(most)),
        n => format!("{} broke off after failed fetches of map outputs", count(n, "attempt")),
    };
    let served = ServingTimes::of(view.job);
    let found = match &served {
        Some(served) => by_host(served, &what),
        None => by_all(view, &what, failed.is_empty()),
    };
    let all_copied = format!("{} copied in total", bytes(copied));
    let found = found
        .replayed(view.gain(&without(START)))
        .at_most(view.on_path(&without(0.0)))
        .with([interval("shuffleFinishTime", copies(view, all))])
        .with(served.map(|served| interval("reducers' logs", logged(&served))))
        .with((copied > 0.0).then(|| counter("REDUCE_SHUFFLE_BYTES", all_copied)))
        .with(errors(&failed, 2));
    Some(found)
}

fn by_host(served: &ServingTimes, what: &str) -> Finding {
    let (serves, slow) = (serves(served), served.slow.join(", "));
    let remedy = format!(
        "Check the NodeManager (ShuffleHandler), the local disks and the NIC of {slow}; exclude \
         the host until then"
    );
    Finding::new(format!("the shuffle: {serves}"), format!("{serves}; {what}"))
        .confirm("that host's NodeManager log, and its node curves (sadf -j)")
        .remedy(Remedy::new(remedy, "mapreduce.shuffle.max.threads"))
}

/// No host is slow, or the logs name no hosts.
fn by_all(view: &View<'_>, what: &str, none_failed: bool) -> Finding {
    // All reduces started after the last map, though they could have copied during the maps.
    let late = none_failed && view.successful("REDUCE").iter().all(|a| is_late(view, a));
    let set = view.set(SLOW_START).map(|set| format!(", {SLOW_START} = {set}"));
    let said = when(late, || format!("; none started before that{}", set.unwrap_or_default()));
    let holder = format!("{what}{said}; the host is not logged");
    let found = Finding::new(format!("the shuffle: {what}"), holder);
    let found = match view.job.fetches.is_empty() {
        true => {
            found.confirm("the reducers' logs (--syslog): which host serves map outputs slowly")
        }
        false => found,
    };
    let remedy =
        "Let reduces start while maps run, so that copying overlaps the maps; and copy fewer bytes";
    if late { found.remedy(Remedy::new(remedy, SLOW_START)) } else { found }
}

/// "worker4 serves a map output in 6 s (24 s a visit), the others in 0.05 s".
fn serves(served: &ServingTimes) -> String {
    let slow = match served.slow.as_slice() {
        [one] => format!("{one} serves"),
        [first, ..] => format!("{first} and {} more serve", served.slow.len() - 1),
        [] => String::new(),
    };
    let visit =
        when(served.longest > served.output, || format!(" ({} a visit)", duration(served.longest)));
    let (output, usual) = (duration(served.output), duration(served.usual));
    format!("{slow} a map output in {output}{visit}, the others in {usual}")
}

fn copies(view: &View<'_>, all: &[&Attempt]) -> String {
    let each = |a: &Attempt| copying(view, a);
    let work = sum(all, |a| view.work(a)).max(1e-9);
    format!(
        "reduces copy for {} (median) after the last map; the longest {}: {} of their work",
        duration(middle(all, each)),
        duration(longest(all, each)),
        percent(sum(all, each) / work)
    )
}

fn logged(served: &ServingTimes) -> String {
    let visits = when(served.longest > 0.0, || {
        format!(
            "; freed by a fetcher after up to {}, the others after up to {}",
            duration(served.longest),
            duration(served.usual_longest)
        )
    });
    format!(
        "{}: an output in {}, of the others in {} (median){visits}",
        served.slow.join(", "),
        duration(served.output),
        duration(served.usual)
    )
}
