//! Tasks on one node are slow.
//!
//! # What it looks at
//! Time per byte of maps, and work per record of reduces, by node. The node's fastest quarter is
//! slower than the slowest quarter of all others. CPU time shows whether the node computes slowly.
//!
//! # The bound
//! The job with the node's tasks as fast as the others.
//!
//! # What to do
//! Check the disks, cores and NIC of the node; exclude it until then
//! (`yarn.resourcemanager.nodes.exclude-path`). Speculation (`mapreduce.map.speculative`,
//! `mapreduce.reduce.speculative`) also starts its tasks elsewhere.
//!
//! # What would confirm it
//! The node's curves: a saturated disk, stolen or busy cores, a NIC that fell back to a lower rate.
use super::rule::{Finding, Rule, TimePart, counter, timed};
use super::slow_source::{comparable, seconds_per_byte, slow};
use super::straggler;
use super::view::View;
use crate::plain::{count, duration};
use crate::why::Attempt;
use crate::why::stats::{grouped, middle};

pub(super) const NAME: &str = "slow node";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "medium",
    confirm: "node curves of that node (sadf -j, or tenbin monitor)",
    remedy: ("", ""),
    source: include_str!("slow_node.rs"),
};

/// CPU time above this many times the others' is much.
const TIMES: f64 = 1.5;

fn find(view: &View<'_>) -> Option<Finding> {
    let maps = slowest(view, "MAP", &comparable(view), &seconds_per_byte);
    // Work per record \[s\].
    let by_record = |a: &Attempt| view.work(a) / a.number("REDUCE_INPUT_RECORDS").max(1.0);
    maps.or_else(|| slowest(view, "REDUCE", view.successful("REDUCE"), &by_record))
}

fn slowest(
    view: &View<'_>,
    kind: &str,
    all: &[&Attempt],
    pace: &dyn Fn(&Attempt) -> f64,
) -> Option<Finding> {
    let by = grouped(all.iter().copied(), |a| Some((&a.host, a.node?)));
    let found = by.values().filter_map(|own| of_node(view, kind, all, own, pace));
    found.max_by(|a, b| a.gain.total_cmp(&b.gain))
}

fn of_node(
    view: &View<'_>,
    kind: &str,
    all: &[&Attempt],
    own: &[&Attempt],
    pace: &dyn Fn(&Attempt) -> f64,
) -> Option<Finding> {
    let (others, usual) = slow(own, all, pace)?;
    let (times, word) = (middle(own, pace) / usual, super::view::word(kind));
    let (node, host) = (own[0].node, &own[0].host);
    let fast = |a: &Attempt, work: f64| {
        // If only the node's reduces are slow, its maps stay.
        let here = a.node == node && a.outcome == trace::Outcome::Ok;
        let here = here && (kind == "MAP" || a.kind == "REDUCE");
        Some(if here { work / times } else { work })
    };
    let cpu = (middle(own, Attempt::cpu), middle(&others, Attempt::cpu));
    let why = match cpu.0 >= TIMES * cpu.1 {
        true => "its cores are slow or shared",
        false => "they wait and do not compute more",
    };
    let what = format!(
        "{} there take {}, the others {}",
        count(own.len(), word),
        duration(middle(own, |a| view.work(a))),
        duration(middle(&others, |a| view.work(a)))
    );
    let (here, elsewhere) = (duration(cpu.0), duration(cpu.1));
    let says = format!("CPU of a {word} {here} there, {elsewhere} elsewhere: {why}");
    let found = Finding::new(format!("node {host}: {what}"), format!("{host}: {what}"))
        .without(view, &fast)
        .remedy(straggler::speculate(view, kind, host))
        .tasks(own.iter().map(|a| a.task))
        .with([timed(what), counter("CPU_MILLISECONDS", says)]);
    Some(found)
}
