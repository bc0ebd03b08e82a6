//! Speed of `Operations` with five rows each, on one core. `cargo bench -p trace`.
//!
//! 4 096 clients each have one request in progress at 128 servers: a message, a queue at the store,
//! the store, a message back. "taken": the caller has gathered the rows; "gathered": rows arrive by
//! number, interleaved.
#![allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
use std::time::Instant;
use trace::operations::{Operations, Plan, Rows};
use trace::{Cause, Interval, IntervalId, IntervalKind, IntervalRole, ResourceId, ResourceRole};
use trace::{Trace, TraceBuilder};
use units::Nanos;

const SERVERS: u64 = 128;
const CLIENTS: u64 = 4_096;

struct Kinds {
    stat: IntervalKind,
    there: IntervalKind,
    line: IntervalKind,
    store: IntervalKind,
    back: IntervalKind,
}

fn kinds() -> (TraceBuilder, Kinds) {
    let mut trace = TraceBuilder::new();
    let mut work = |name: &str, role| trace.interval_kind(role, name, name).id();
    let kinds = Kinds {
        stat: work("stat", IntervalRole::Operation),
        there: work("there", IntervalRole::Work),
        line: work("line", IntervalRole::Wait),
        store: work("store", IntervalRole::Work),
        back: work("back", IntervalRole::Work),
    };
    let store = trace.resource_kind(ResourceRole::Store, "store", "Store").id();
    let nic = trace.resource_kind(ResourceRole::Network, "nic", "NIC").id();
    for server in 0..SERVERS {
        trace.resource(store, &format!("server {server} store")).add();
        trace.resource(nic, &format!("server {server} NIC")).add();
    }
    (trace, kinds)
}

fn fill(rows: &mut Rows, kinds: &Kinds, number: u64) {
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let server = (mixed >> 57) as usize;
    let resource = |at: usize| Cause::Resource(ResourceId::of(2 * server + at));
    let line = mixed >> 40 & 0xFFFF;
    let mut at = Nanos(number * 400);
    let whole = rows.add(Interval::new(kinds.stat, at, Nanos::MAX));
    let parts = [
        (kinds.there, 40_000, resource(1)),
        (kinds.line, 1 + line, resource(0)),
        (kinds.store, 100_000, resource(0)),
        (kinds.back, 36_000, resource(1)),
    ];
    for (kind, length, cause) in parts {
        let end = at + Nanos(length);
        let mut row = Interval::new(kind, at, end);
        (row.parent, row.cause) = (Some(whole), cause);
        rows.add(row);
        at = end
    }
    rows.close(IntervalId::of(0), at)
}

fn main() {
    // `cargo test --benches` runs this, too: a few operations are enough then.
    let many = std::env::args().any(|a| a == "--bench");
    let count = if many { 10_000_000 } else { 20_000 };
    let (_, kinds) = kinds();
    let mut rows = Rows::default();
    measure("taken", count, |operations| {
        for number in 0..count {
            rows.intervals.clear();
            fill(&mut rows, &kinds, number);
            operations.take(number, &rows)
        }
    });
    measure("gathered", count, |operations| {
        for number in 0..count + CLIENTS {
            if number < count {
                fill(operations.open(number), &kinds, number)
            }
            if let Some(done) = number.checked_sub(CLIENTS) {
                operations.ended(done)
            }
        }
    })
}

fn measure(form: &str, count: u64, run: impl FnOnce(&mut Operations)) {
    let (mut trace, _) = kinds();
    let mut operations = Operations::new(trace.so_far(), Plan::default());
    let start = Instant::now();
    run(&mut operations);
    let rate = count as f64 / start.elapsed().as_secs_f64() / 1e6;
    operations.finish(&mut trace, Nanos(count * 400));
    let Trace { intervals, sums, histograms, .. } = trace.finish(Nanos(count * 400));
    let charged: u64 = sums.iter().map(|sum| sum.times).sum();
    assert_eq!(charged, 4 * count, "every part of every operation is charged");
    print!("{count} operations of 5 rows, {form}: {rate:.2} M/s; kept {} rows, ", intervals.len());
    println!("{} of sums, {} of histograms", sums.len(), histograms.len())
}
