//! Operations that are chains of steps, told when they are through.
use super::{Operations, Plan, Rows};
use crate::builder::TraceBuilder;
use crate::ids::IntervalKind;
use crate::reading::Reading;
use crate::schema::{Cause, Interval, ObjectiveRow, Trace};
use units::Nanos;

/// A step of a chain: its kind, its end, and what limited it or what it waited for.
pub type Step = (IntervalKind, Nanos, Cause);

/// Writes operations of one kind, each a chain of steps, and reads the run by how many a second
/// were through.
pub struct Chains {
    operations: Operations,
    rows: Rows,
    kind: IntervalKind,
    through: u64,
    last: Nanos,
}

impl Chains {
    /// With the kinds and resources of this trace, which must all be there; `seed` is the run's.
    pub fn new(trace: &TraceBuilder, kind: IntervalKind, seed: u64) -> Chains {
        Chains {
            operations: Operations::new(trace.so_far(), Plan { seed, ..Plan::default() }),
            rows: Rows::default(),
            kind,
            through: 0,
            last: Nanos::ZERO,
        }
    }

    /// One is through: when it began, and its steps in their order. A step of no length is none.
    pub fn add(&mut self, began: Nanos, steps: &[Step]) {
        let end = steps.last().map_or(began, |step| step.1);
        self.rows.clear();
        let whole = Some(self.rows.add(Interval::new(self.kind, began, end)));
        let mut from = began;
        for &(kind, to, cause) in steps.iter().filter(|step| step.1 > began) {
            if from < to {
                self.rows.add(Interval { parent: whole, cause, ..Interval::new(kind, from, to) });
            }
            from = to
        }
        self.operations.take(self.through, &mut self.rows);
        (self.through, self.last) = (self.through + 1, self.last.max(end))
    }

    /// The trace up to the last one's end, and its reading: `operations_per_s`, how many there
    /// were, and percentiles of how long they took.
    pub fn finish(self, mut trace: TraceBuilder) -> (Trace, Reading) {
        self.operations.finish(&mut trace, self.last);
        let rate = self.through as f64 / self.last.as_secs().max(1e-9);
        let of = trace.so_far().interval_kind(self.kind).name.clone();
        trace.objective(ObjectiveRow::rate("operations_per_s", Some(&of), self.last, rate));
        let trace = trace.finish(self.last);
        let mut reading = Reading::of(&trace);
        reading.metrics.insert("operations".into(), self.through as f64);
        for latency in &reading.latencies {
            reading.metrics.insert("latency_ms_p50".into(), latency.p50_s * 1e3);
            reading.metrics.insert("latency_ms_p99".into(), latency.p99_s * 1e3);
        }
        (trace, reading)
    }
}
