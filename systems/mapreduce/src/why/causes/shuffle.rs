//! Reduces copy map outputs for long after the last map.
//!
//! # What it looks at
//! The copy phase of reduces after the last map was done, and fetch failures in the text of reduces
//! that broke off. Maps that ran again for them are `lost map outputs`. Where reducers' logs were
//! given (`--syslog`): what each host takes to serve a map output, from the fetcher's assignment to
//! the last byte, and how long fetchers stay there (`freed by fetcher`).
//!
//! # The bound
//! The job without that part of the copy phase; the estimate leaves 3 s of a reduce that started
//! after the last map, in which it starts.
//!
//! # What to do
//! One slow host: look at its NodeManager (ShuffleHandler: `mapreduce.shuffle.max.threads`), its
//! local disks and its NIC, and leave it out until then. All slow: fewer bytes (a combiner,
//! `mapreduce.map.output.compress`), more copies at once
//! (`mapreduce.reduce.shuffle.parallelcopies`). Reduces that start after the last map: a smaller
//! `mapreduce.job.reduce.slowstart.completedmaps`, so that they copy beside maps.
//!
//! # What would confirm it
//! Reducers' logs (`--syslog userlogs/`): which host serves slowly. Curves of nodes: NIC, and the
//! disks that serve map outputs.
use super::super::Served;
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Evidence, FLOOR_DISK, Verdict};
use super::Found;
use super::view::{View, count, counter, interval, middle, part, s, words};
use crate::import::conf::SLOW_START;
use crate::log::kinds;

/// The name of the cause.
const NAME: &str = "shuffle";

/// Copying after the last map \[s\].
pub(super) fn copying(view: &View<'_>, a: &Attempt) -> f64 {
    let last = view.shape.last_map;
    a.phase(kinds::interval::COPY).map_or(0.0, |p| (p.to - p.from.max(last)).max(0.0))
}

/// What a reduce takes to start, where it starts after the last map \[s\].
const START: f64 = 3.0;

/// Reduces ask for maps that are done every few seconds \[s\].
const POLL: f64 = 10.0;

/// Whether a reduce broke off since it could not fetch map outputs.
pub(super) fn broke_off(a: &Attempt) -> bool {
    let text = a.error.to_lowercase();
    a.kind == "REDUCE" && (text.contains("fetch failure") || text.contains("error in shuffle"))
}

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
    let without = |start: f64| {
        move |a: &Attempt, work: f64| {
            let late = a.run.is_some_and(|run| run.0 >= view.shape.last_map);
            let stays = if late { start } else { 0.0 };
            let good = a.outcome == trace::Outcome::Ok && a.kind == "REDUCE";
            let copying = if good { (copying(view, a) - stays).max(0.0) } else { 0.0 };
            if broke_off(a) { None } else { Some(work - copying) }
        }
    };
    let what = match failed.len() {
        0 => format!("reduces copy map outputs for up to {} after the last map", s(longest)),
        n => format!("{} broke off since map outputs could not be fetched", count(n, "attempt")),
    };
    let served = Served::of(view.job);
    let late = if failed.is_empty() { late(view, &all) } else { String::new() };
    let (by, holder) = match &served {
        Some(served) => {
            let serves = serves(served);
            (format!("the shuffle: {serves}"), format!("{serves}; {what}"))
        }
        None => (format!("the shuffle: {what}"), format!("{what}{late}; which host is not logged")),
    };
    let found = Found {
        cause: NAME,
        by,
        holder,
        gain: view.gain(&without(START)),
        bound: view.on_path(&without(0.0)),
        certainty: "high",
        surer: match (&served, view.job.fetches.is_empty()) {
            (Some(_), _) => "that host's NodeManager log, and its node curves (sadf -j)",
            (None, true) => "the reducers' logs (--syslog): which host serves map outputs slowly",
            (None, false) => "node curves (sadf -j, or tenbin monitor): disks and NICs meanwhile",
        },
        cure: cure(served.as_ref(), !late.is_empty()),
        evidence: evidence(view, &all, &failed, served.as_ref()),
        ..Found::default()
    };
    vec![found.verdict(view)]
}

/// "worker4 serves a map output in 6 s, and up to 24 s in one go, the others in 0.05 s".
fn serves(served: &Served) -> String {
    let slow = match served.slow.as_slice() {
        [one] => format!("{one} serves"),
        [first, ..] => format!("{first} and {} more serve", served.slow.len() - 1),
        [] => String::new(),
    };
    let visit = match served.longest > served.output {
        true => format!(" ({} a visit)", s(served.longest)),
        false => String::new(),
    };
    format!("{slow} a map output in {}{visit}, the others in {}", s(served.output), s(served.usual))
}

fn cure(served: Option<&Served>, late: bool) -> Cure {
    match served {
        Some(served) => Cure::new(
            format!(
                "Look at the NodeManager (ShuffleHandler), the local disks and the NIC of {}; \
                 leave it out until then",
                served.slow.join(", ")
            ),
            "mapreduce.shuffle.max.threads",
        ),
        None if late => Cure::new(
            "Let reduces start while maps run, so that they copy beside them; and copy fewer bytes",
            SLOW_START,
        ),
        None => Cure::new(
            "Copy fewer bytes (a combiner, compressed map outputs), or more of them at once",
            "mapreduce.map.output.compress",
        ),
    }
}

fn evidence(
    view: &View<'_>,
    all: &[&Attempt],
    failed: &[&Attempt],
    served: Option<&Served>,
) -> Vec<Evidence> {
    let each = |a: &Attempt| copying(view, a);
    let longest = all.iter().map(|a| each(a)).fold(0.0, f64::max);
    let sum: f64 = all.iter().map(|a| each(a)).sum();
    let work: f64 = all.iter().map(|a| view.work(a)).sum();
    let bytes: f64 = all.iter().map(|a| a.number("REDUCE_SHUFFLE_BYTES")).sum();
    let mut evidence = vec![interval(
        "shuffleFinishTime",
        format!(
            "reduces copy for {} after the last map, in the median; the longest {}: {} of \
             their work",
            s(middle(all, each)),
            s(longest),
            part(sum / work.max(1e-9))
        ),
    )];
    evidence.extend(served.map(|served| interval("reducers' logs", logged(served))));
    if bytes > 0.0 {
        let all = super::super::verdicts::plain(page::words::bytes(bytes));
        evidence.push(counter("REDUCE_SHUFFLE_BYTES", format!("{all} copied in all")))
    }
    for a in failed.iter().take(2) {
        evidence.push(words("error", format!("{}: {}", a.name, a.error)))
    }
    evidence
}

fn logged(served: &Served) -> String {
    let visits = match served.longest > 0.0 {
        true => format!(
            "; freed by a fetcher after up to {}, the others after up to {}",
            s(served.longest),
            s(served.usual_longest)
        ),
        false => String::new(),
    };
    format!(
        "{}: an output in {}, of the others in {}, in the median{visits}",
        served.slow.join(", "),
        s(served.output),
        s(served.usual)
    )
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
