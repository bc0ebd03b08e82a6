//! Large numbers of operations. Each is walked when it ends. Exact sums and histograms cover all
//! operations; a sample is kept whole.
//!
//! ```
//! use trace::operations::{Operations, Plan, Rows};
//! use trace::{Cause, Interval, IntervalRole, ResourceRole, TraceBuilder};
//! use units::Nanos;
//!
//! let mut trace = TraceBuilder::new();
//! let stat = trace.interval_kind(IntervalRole::Operation, "stat", "stat").id();
//! let serve = trace.interval_kind(IntervalRole::Work, "serve", "is served").id();
//! let store = trace.resource_kind(ResourceRole::Store, "store", "Store").id();
//! let store = trace.resource(store, "server 0 store").add();
//! let mut operations = Operations::new(trace.so_far(), Plan::default());
//! for number in 0..1_000 {
//!     let start = Nanos::micros(number);
//!     let rows = operations.open(number);
//!     let whole = rows.add(Interval::new(stat, start, Nanos::MAX));
//!     let mut served = Interval::new(serve, start, start + Nanos::micros(50));
//!     (served.parent, served.cause) = (Some(whole), Cause::Resource(store));
//!     rows.add(served);
//!     rows.close(whole, start + Nanos::micros(60));
//!     operations.ended(number);
//! }
//! operations.finish(&mut trace, Nanos::millis(2));
//! let trace = trace.finish(Nanos::millis(2));
//! let total: u64 = trace.sums.iter().map(|sum| sum.total).sum();
//! assert_eq!(Nanos(total), Nanos::micros(60) * 1_000, "every nanosecond is charged");
//! ```
mod bins;
mod chains;
pub mod histogram;
mod rows;
mod sample;
pub use chains::{Chains, Step};
pub use rows::Rows;

use crate::builder::TraceBuilder;
use crate::ids::{IntervalId, IntervalKind, ResourceId, ResourceKind, SettingId, ShortageId};
use crate::kinds::IntervalRole;
use crate::schema::{ChargeTarget, Histogram, Outcome, Sum, Trace};
use crate::walk::{Holder, Lanes, Piece, follow, operation_into, roles};
use bins::{Bins, Key};
use sample::OperationSample;
use std::collections::BTreeMap;
use units::{Nanos, u32_of};

/// Kinds with more resources than this are summed as a whole.
const MANY: usize = 1_000;

/// Limits of what is kept.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Seed of the sample; the run's.
    pub seed: u64,
    /// Maximum rows of operations that are kept whole.
    pub rows: usize,
    /// Initial width of a time bin; it doubles if there are too many bins.
    pub bin: Nanos,
    /// Maximum number of time bins.
    pub bins: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { seed: 0, rows: 200_000, bin: Nanos::millis(1), bins: 512 }
    }
}

/// Records operations. The result does not depend on the order in which they end.
pub struct Operations {
    roles: Vec<IntervalRole>,
    /// By resource: the kind under which it is summed. `None`: it is summed alone.
    together: Vec<Option<ResourceKind>>,
    open: BTreeMap<u64, Rows>,
    /// Reused memory of ended operations.
    spare: Vec<Rows>,
    lanes: Lanes,
    pieces: Vec<Piece>,
    sums: Bins,
    latencies: Bins,
    sample: OperationSample,
}

impl Operations {
    /// For a trace that has all its kinds and resources.
    pub fn new(trace: &Trace, plan: Plan) -> Operations {
        let mut of_kind: BTreeMap<ResourceKind, usize> = BTreeMap::new();
        trace.resources.iter().for_each(|r| *of_kind.entry(r.kind).or_default() += 1);
        let together = |r: &crate::Resource| (of_kind[&r.kind] > MANY).then_some(r.kind);
        Operations {
            roles: roles(trace),
            together: trace.resources.iter().map(together).collect(),
            open: BTreeMap::new(),
            spare: Vec::new(),
            lanes: Lanes::default(),
            pieces: Vec::new(),
            sums: Bins::new(plan.bin, plan.bins),
            latencies: Bins::new(plan.bin, plan.bins),
            sample: OperationSample::new(plan.seed, plan.rows),
        }
    }

    /// The rows of an operation in progress. `number` is unique in the run.
    pub fn open(&mut self, number: u64) -> &mut Rows {
        self.open.entry(number).or_insert_with(|| self.spare.pop().unwrap_or_default())
    }

    /// The operation has ended, with all its parts.
    pub fn ended(&mut self, number: u64) {
        let Some(mut rows) = self.open.remove(&number) else { return };
        self.take(number, &rows);
        rows.clear();
        self.spare.push(rows)
    }

    /// Takes the rows of an ended operation; without rows it is ignored.
    pub fn take(&mut self, number: u64, rows: &Rows) {
        let Some(whole) = rows.intervals.first() else { return };
        let (end, length) = (whole.end, whole.end.saturating_sub(whole.start));
        self.charge(rows, end);
        if whole.outcome != Outcome::Cut {
            let key = [u32_of(whole.kind.at()), histogram::bucket(length.0), 0, 0];
            self.latencies.add(end, key, 0)
        }
        self.sample.take(number, length, rows)
    }

    /// Walks the operation and adds its pieces to the sums of the bin in which it ended.
    fn charge(&mut self, rows: &Rows, end: Nanos) {
        self.pieces.clear();
        if !follow(&rows.intervals, &self.roles, &mut self.pieces) {
            self.lanes.refill(&rows.intervals, &self.roles);
            operation_into(&self.lanes, IntervalId::of(0), &mut self.pieces)
        }
        let operation = u32_of(rows.intervals[0].kind.at());
        for piece in &self.pieces {
            let under_way = piece.interval.map_or(0, IntervalId::at);
            let kind = u32_of(rows.intervals[under_way].kind.at());
            let [tag, id] = self.charged(piece.holder);
            self.sums.add(end, [operation, kind, tag, id], piece.length().0)
        }
    }

    /// Encodes a holder as two numbers.
    fn charged(&self, holder: Holder) -> [u32; 2] {
        match holder {
            Holder::Resource(id) => match self.together.get(id.at()).copied().flatten() {
                Some(kind) => [RESOURCES, u32_of(kind.at())],
                None => [RESOURCE, u32_of(id.at())],
            },
            Holder::Setting(id) => [SETTING, u32_of(id.at())],
            Holder::Shortage(id) => [LACK, u32_of(id.at())],
            Holder::Interval(kind) => [INTERVALS, u32_of(kind.at())],
            Holder::Phase(kind) => [PHASE, u32_of(kind.at())],
            Holder::Idle | Holder::Unexplained => [UNEXPLAINED, 0],
        }
    }

    /// Puts sums, histograms and the sample into the trace. Open operations are cut at `end`: their
    /// time counts, but not their latency.
    pub fn finish(mut self, trace: &mut TraceBuilder, end: Nanos) {
        for (number, mut rows) in std::mem::take(&mut self.open) {
            for row in rows.intervals.iter_mut().filter(|row| row.end == Nanos::MAX) {
                (row.end, row.outcome) = (end.max(row.start), Outcome::Cut)
            }
            if let Some(whole) = rows.intervals.first_mut() {
                whole.outcome = Outcome::Cut
            }
            self.take(number, &rows)
        }
        trace.sums(self.sums.rows().map(sum_of));
        trace.histograms(self.latencies.rows().map(|(at, [kind, bucket, ..], times, _)| {
            let operation = IntervalKind::of(kind as usize);
            Histogram { at, operation, node: None, bucket, times }
        }));
        self.sample.kept(|rows| trace.add_rows(&rows.intervals, &rows.depends))
    }
}

const RESOURCE: u32 = 0;
const RESOURCES: u32 = 1;
const SETTING: u32 = 2;
const LACK: u32 = 3;
const INTERVALS: u32 = 4;
const PHASE: u32 = 5;
const UNEXPLAINED: u32 = 6;

fn sum_of((at, [operation, kind, tag, id], times, total): (Nanos, Key, u64, u64)) -> Sum {
    let id = id as usize;
    let charged = match tag {
        RESOURCE => ChargeTarget::Resource(ResourceId::of(id)),
        RESOURCES => ChargeTarget::Resources(ResourceKind::of(id)),
        SETTING => ChargeTarget::Setting(SettingId::of(id)),
        LACK => ChargeTarget::Shortage(ShortageId::of(id)),
        INTERVALS => ChargeTarget::Intervals(IntervalKind::of(id)),
        PHASE => ChargeTarget::Phase(IntervalKind::of(id)),
        _ => ChargeTarget::Unexplained,
    };
    let [operation, kind] = [operation, kind].map(|at| IntervalKind::of(at as usize));
    Sum { at, operation, kind, charged, times, total }
}
