//! Few reduces do the work of all.
//!
//! # What it looks at
//! The number of reduces compared with the containers that the job had at once. How long they work
//! after the last map, how much of that is CPU, and how many keys they have: one key cannot be
//! shared. Several reduces are few if they compute for most of their time, or copy a gigabyte each.
//! A single reduce is few if its time matters.
//!
//! # The bound
//! The job with the reduces' work spread over as many as it had containers. The estimate spreads it
//! over half of these, or over one per gigabyte. The start of a reduce and its garbage collection
//! are not shared. Each container needs its own core.
//!
//! # What to do
//! A larger `mapreduce.job.reduces` (default 1). If one reduce must see all data (a total, one
//! sorted file), a combiner or a range partitioner reduces its work.
//!
//! # What would confirm it
//! A run with a larger `mapreduce.job.reduces`.
use super::rule::{Finding, Rule, TimePart, counter, settings, timed};
use super::shuffle;
use super::view::View;
use crate::plain::{bytes, count, duration, num, when};
use crate::why::stats::{longest, middle, sum};
use crate::why::{Attempt, Evidence, FLOOR_DISK, Remedy};

pub(super) const RULE: Rule = Rule {
    name: "few reduces",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "low",
    confirm: "a run with more reduces",
    remedy: ("", ""),
    source: include_str!("few_reduces.rs"),
};

/// Bytes that one reduce should process at most.
const EACH: f64 = 1e9;

/// Several reduces are few if the job had at least this many containers for each.
const TIMES: usize = 4;

/// Several reduces that compute for this fraction of their work do not wait for shared resources.
const COMPUTE: f64 = 0.5;

/// The longest work is at most this many times the mean.
const EVEN: f64 = 2.0;

const KEY: &str = "mapreduce.job.reduces";

/// So few reduces leave containers idle.
pub(super) fn leave_idle(reduces: usize, containers: usize) -> bool {
    match reduces {
        0 => false,
        1 => containers >= 2,
        n => TIMES * n <= containers,
    }
}

/// Work of a reduce that more reduces do not shorten \[s\]: start, waits while copying, garbage
/// collection.
fn unshared(view: &View<'_>, a: &Attempt) -> f64 {
    let copying = shuffle::copying(view, a) - a.number("REDUCE_SHUFFLE_BYTES") / FLOOR_DISK;
    copying.max(0.0) + a.gc()
}

/// Estimates the gain if `to` reduces share the work of `n`. The bound shares all of it, over all
/// containers.
pub(super) fn estimate_split(view: &View<'_>, found: Finding, n: usize, to: f64) -> Finding {
    let gain_of = |stays: &dyn Fn(&Attempt, f64) -> f64, to: f64| {
        view.gain(&|a, work| {
            let stays = if a.is_ok("REDUCE") { stays(a, work) } else { work };
            Some(stays + (work - stays) * n as f64 / to)
        })
    };
    let gain = gain_of(&|a, work| unshared(view, a).min(work), to);
    found.replayed(gain).at_most(gain_of(&|_, _| 0.0, view.shape.at_once as f64))
}

pub(super) fn describe_reduces(view: &View<'_>, all: &[&Attempt]) -> String {
    match all {
        [one] => format!("{} does all the work", view.task(one)),
        all => format!("{} do all the work", count(all.len(), "reduce")),
    }
}

pub(super) fn each(view: &View<'_>, all: &[&Attempt]) -> Evidence {
    timed(format!(
        "{} each after the last map; the job had {} containers at once",
        duration(middle(all, |a| view.work(a))),
        view.shape.at_once
    ))
}

struct Sums {
    copied: f64,
    keys: f64,
    cpu: f64,
    work: f64,
    /// Longest work over the mean: more reduces do not help if one has most of the work.
    uneven: f64,
}

impl Sums {
    fn of(view: &View<'_>, all: &[&Attempt]) -> Sums {
        let work = sum(all, |a| view.work(a));
        Sums {
            copied: sum(all, |a| a.number("REDUCE_SHUFFLE_BYTES")),
            keys: sum(all, |a| a.number("REDUCE_INPUT_GROUPS")),
            cpu: sum(all, Attempt::cpu),
            work,
            uneven: longest(all, |a| view.work(a)) * all.len() as f64 / work.max(f64::MIN_POSITIVE),
        }
    }

    fn is_shareable(&self, n: usize) -> bool {
        let few_keys = self.keys > 0.0 && self.keys < 2.0 * n as f64;
        let computes = self.keys > 0.0 && self.cpu >= COMPUTE * self.work;
        !few_keys && self.uneven <= EVEN && (n == 1 || computes || self.copied >= EACH * n as f64)
    }

    /// Suggested number of reduces.
    fn wanted(&self, n: usize, containers: usize) -> f64 {
        let least = 2.0 * n as f64;
        let keys = if self.keys > 0.0 { self.keys / 2.0 } else { f64::INFINITY };
        let most = keys.min(containers as f64).max(least);
        (self.copied / EACH).ceil().max((containers / 2) as f64).clamp(least, most)
    }
}

fn find(view: &View<'_>) -> Option<Finding> {
    let all = view.successful("REDUCE");
    let (n, containers, sums) = (all.len(), view.shape.at_once, Sums::of(view, all));
    if !leave_idle(n, containers) || !sums.is_shareable(n) {
        return None;
    }
    let (wanted, what) = (sums.wanted(n, containers), what(view, all, &sums));
    let todo = format!(
        "Set {} reduces; if all data must go to one, combine in the maps first",
        num(wanted, 0)
    );
    let found = Finding::new(format!("few reduces: {what}"), format!("{KEY} = {n}: {what}"))
        .certainty(if sums.keys > 0.0 { "medium" } else { "low" })
        .remedy(Remedy::new(todo, KEY))
        .tasks(all.iter().map(|a| a.task))
        .with(evidence(view, all, &sums));
    Some(estimate_split(view, found, n, wanted))
}

fn what(view: &View<'_>, all: &[&Attempt], sums: &Sums) -> String {
    let each = duration(middle(all, |a| view.work(a)));
    let size = when(sums.copied > 0.0, || format!("{} in ", bytes(sums.copied / all.len() as f64)));
    let computes = sums.cpu >= COMPUTE * sums.work && sums.cpu > 0.0;
    let cpu = when(computes, || format!(", {} of it CPU", duration(middle(all, Attempt::cpu))));
    let who = describe_reduces(view, all);
    match all.len() {
        1 => format!("{who}: {size}{each} after the last map{cpu}"),
        _ => format!("{who}, {size}{each} each{cpu}"),
    }
}

fn evidence(view: &View<'_>, all: &[&Attempt], sums: &Sums) -> Vec<Evidence> {
    let size = || format!("{} each", bytes(sums.copied / all.len() as f64));
    let cpu = || format!("CPU of a reduce {}", duration(middle(all, Attempt::cpu)));
    let keys = || format!("{} keys in total", num(sums.keys, 0));
    [each(view, all)]
        .into_iter()
        .chain((sums.copied > 0.0).then(|| counter("REDUCE_SHUFFLE_BYTES", size())))
        .chain((sums.cpu > 0.0).then(|| counter("CPU_MILLISECONDS", cpu())))
        .chain((sums.keys > 0.0).then(|| counter("REDUCE_INPUT_GROUPS", keys())))
        .chain(settings(view, &[KEY]))
        .collect()
}
