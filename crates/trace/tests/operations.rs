//! Many operations: sums are exact, the sample does not depend on the order, memory is bounded.
use crate::dice::Dice;
use std::collections::BTreeMap;
use trace::operations::{Operations, Plan, Rows};
use trace::walk::{Holder, Lanes, operation};
use trace::*;
use units::Nanos;

/// Kinds and resources, with more clients' NICs than are summed singly.
fn begin() -> TraceBuilder {
    let mut trace = TraceBuilder::new();
    trace.interval_kind(IntervalRole::Operation, "write", "write").id();
    trace.interval_kind(IntervalRole::Work, "branch", "asks").other("another branch").id();
    trace.interval_kind(IntervalRole::Wait, "votes", "waits for votes").id();
    trace.interval_kind(IntervalRole::Work, "store", "is stored").id();
    let store = trace.resource_kind(ResourceRole::Store, "store", "Store").id();
    let nic = trace.resource_kind(ResourceRole::Network, "nic", "NIC").id();
    for at in 0..4 {
        trace.resource(store, &format!("store {at}")).add();
    }
    for at in 0..1_001 {
        trace.resource(nic, &format!("NIC {at}")).add();
    }
    trace
}

/// Two parallel branches; both or one of them are needed.
fn drawn(dice: &mut Dice) -> Rows {
    let [write, branch, votes, store] = [0, 1, 2, 3].map(IntervalKind::of);
    let mut rows = Rows::default();
    let start = Nanos(dice.below(1_000_000) as u64);
    let whole = rows.add(Interval::new(write, start, Nanos::MAX));
    let part = |kind, parent, from, to| {
        let mut row = Interval::new(kind, from, to);
        row.parent = Some(parent);
        row
    };
    let branches: Vec<IntervalId> = (0..2)
        .map(|_| {
            let length = 1 + dice.below(50) as u64 * dice.below(50) as u64;
            let end = start + Nanos(length);
            let id = rows.add(part(branch, whole, start, end));
            let mut served = part(store, id, start + Nanos(length / 3), end);
            let resource = ResourceId::of(dice.below(1_005));
            (served.resource, served.cause) = (Some(resource), Cause::Resource(resource));
            rows.add(served);
            id
        })
        .collect();
    let need = 1 + dice.below(2);
    let mut ends: Vec<Nanos> = branches.iter().map(|id| rows.intervals[id.at()].end).collect();
    ends.sort();
    rows.join(part(votes, whole, start, ends[need - 1]), need, &branches);
    rows.close(whole, ends[need - 1] + Nanos(dice.below(5) as u64));
    rows
}

fn written(operations: &[(u64, Rows)], plan: Plan) -> Trace {
    let mut trace = begin();
    let mut writer = Operations::new(trace.so_far(), plan);
    operations.iter().for_each(|(number, rows)| writer.take(*number, rows));
    writer.finish(&mut trace, Nanos(1_100_000));
    trace.finish(Nanos(1_100_000))
}

/// Blocked time by kind of cause, from all operations in the trace.
fn walked(trace: &Trace, weights: bool) -> BTreeMap<String, f64> {
    let lanes = Lanes::of(trace);
    let mut sums = BTreeMap::new();
    for (at, row) in trace.intervals.iter().enumerate().filter(|(_, row)| row.kind.at() == 0) {
        for piece in operation(&lanes, IntervalId::of(at)) {
            let name = match piece.holder {
                Holder::Resource(id) if id.at() >= 4 => "nic".into(),
                holder => holder.name(trace),
            };
            let weight = if weights { row.weight } else { 1.0 };
            *sums.entry(name).or_default() += weight * piece.length().0 as f64
        }
    }
    sums
}

fn summed(trace: &Trace) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for sum in &trace.sums {
        let name = match sum.charged {
            ChargeTarget::Resource(id) => trace.resources[id.at()].name.clone(),
            ChargeTarget::Resources(kind) => trace.kinds[kind.at()].name.clone(),
            ChargeTarget::Unexplained => "unexplained".into(),
            ChargeTarget::Intervals(kind) => Holder::Interval(kind).name(trace),
            other => panic!("{other:?}"),
        };
        *sums.entry(name).or_default() += sum.total as f64
    }
    sums
}

fn many(count: u64) -> Vec<(u64, Rows)> {
    let mut dice = Dice::new(7);
    (0..count).map(|number| (number, drawn(&mut dice))).collect()
}

#[test]
fn sums_are_those_of_a_walk_of_all_rows() {
    let operations = many(2_000);
    let trace = written(&operations, Plan::default());
    assert_eq!(trace.intervals.len(), 6 * 2_000, "nothing was dropped");
    assert!(trace.intervals.iter().all(|row| row.weight == 1.0));
    assert_eq!(walked(&trace, false), summed(&trace));
    let lengths: u64 =
        operations.iter().map(|(_, r)| (r.intervals[0].end - r.intervals[0].start).0).sum();
    assert_eq!(trace.sums.iter().map(|sum| sum.total).sum::<u64>(), lengths);
    assert_eq!(trace.histograms.iter().map(|row| row.times).sum::<u64>(), 2_000)
}

/// A chain of steps. Some have length 0, a gap before the next, or an overlap with it; one may be a
/// part of another.
fn chained(dice: &mut Dice) -> Rows {
    let mut rows = Rows::default();
    let start = Nanos(dice.below(1_000_000) as u64);
    let whole = rows.add(Interval::new(IntervalKind::of(0), start, Nanos::MAX));
    let mut at = start + Nanos((dice.below(8) == 0).into());
    for step in 0..dice.below(6) {
        let end = at + Nanos(dice.below(5) as u64 * dice.below(50) as u64);
        let mut row = Interval::new(IntervalKind::of(1 + dice.below(3)), at, end);
        row.parent = Some(if dice.below(16) == 0 { IntervalId::of(step) } else { whole });
        row.cause = match dice.below(8) {
            0 => Cause::Unexplained,
            1 => Cause::Interval(IntervalId::of(dice.below(step + 2))),
            _ => Cause::Resource(ResourceId::of(dice.below(1_005))),
        };
        rows.add(row);
        at = match dice.below(16) {
            0 => end + Nanos(1),
            1 => end.max(start + Nanos(1)) - Nanos(1),
            _ => end,
        }
    }
    rows.close(whole, at + Nanos((dice.below(8) == 0).into()));
    rows
}

#[test]
fn sums_of_chains_are_those_of_a_walk_of_all_rows() {
    let mut dice = Dice::new(11);
    let operations: Vec<(u64, Rows)> = (0..4_000).map(|n| (n, chained(&mut dice))).collect();
    for operation in &operations {
        let trace = written(std::slice::from_ref(operation), Plan::default());
        let mut walked = walked(&trace, false);
        walked.retain(|_, total| *total > 0.0);
        assert_eq!(walked, summed(&trace), "{operation:?}")
    }
}

#[test]
fn what_is_written_does_not_depend_on_the_order() {
    let mut operations = many(3_000);
    let plan = Plan { seed: 3, rows: 600, bin: Nanos(10), bins: 16 };
    let trace = written(&operations, plan);
    assert!((550..=600).contains(&trace.intervals.len()), "{}", trace.intervals.len());
    operations.reverse();
    assert_eq!(written(&operations, plan), trace);
    operations.sort_by_key(|(number, _)| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    assert_eq!(written(&operations, plan), trace);
    assert_eq!(summed(&trace), summed(&written(&operations, Plan::default())), "bins add up");
    assert_ne!(written(&operations, Plan { seed: 4, ..plan }).intervals, trace.intervals)
}

/// Over many seeds the sample's weighted time is the exact one.
#[test]
fn the_sample_is_without_bias() {
    let operations = many(1_000);
    let exact = summed(&written(&operations, Plan::default()));
    let mut mean: BTreeMap<String, f64> = BTreeMap::new();
    for seed in 0..200 {
        let trace = written(&operations, Plan { seed, rows: 300, ..Plan::default() });
        for (name, time) in walked(&trace, true) {
            *mean.entry(name).or_default() += time / 200.0
        }
    }
    for name in ["nic", "another branch"].iter().filter(|name| exact.contains_key(**name)) {
        let off = mean[*name] / exact[*name] - 1.0;
        assert!(off.abs() < 0.03, "{name} is off by {off}")
    }
    assert!(exact["nic"] > 0.0)
}

#[test]
fn what_never_ends_is_cut() {
    let mut trace = begin();
    let mut writer = Operations::new(trace.so_far(), Plan::default());
    let rows = writer.open(9);
    let whole = rows.add(Interval::new(IntervalKind::of(0), Nanos(10), Nanos::MAX));
    let mut part = Interval::new(IntervalKind::of(3), Nanos(20), Nanos::MAX);
    (part.parent, part.cause) = (Some(whole), Cause::Resource(ResourceId::of(2)));
    rows.add(part);
    writer.finish(&mut trace, Nanos(100));
    let trace = trace.finish(Nanos(100));
    assert!(trace.intervals.iter().all(|row| (row.end, row.outcome) == (Nanos(100), Outcome::Cut)));
    let of = |name: &str, time| (name.to_string(), time);
    assert_eq!(summed(&trace), BTreeMap::from([of("store 2", 80.0), of("unexplained", 10.0)]));
    assert!(trace.histograms.is_empty(), "its latency is unknown")
}
