//! Operations that are chains of steps, recorded when they are complete.
use super::{Operations, Plan, Rows};
use crate::builder::TraceBuilder;
use crate::ids::IntervalKind;
use crate::kinds::IntervalRole;
use crate::reading::Reading;
use crate::schema::{Cause, Interval, ObjectiveRow, Trace};
use units::Nanos;

/// A step of a chain: role, name in tables, label for users, and cause.
pub type Step<'a> = (IntervalRole, &'a str, &'a str, Cause);

/// Writes operations of one kind, each a chain of the same steps. Their rate is the objective.
///
/// ```
/// use trace::operations::Chains;
/// use trace::{IntervalRole, ResourceRole, TraceBuilder};
/// use units::Nanos;
///
/// let mut trace = TraceBuilder::new();
/// let server = trace.sole_resource(ResourceRole::Store, "server", "Server").into();
/// let turn = (IntervalRole::Wait, "turn", "waits for its turn", server);
/// let service = (IntervalRole::Work, "service", "is served", server);
/// let mut requests = Chains::new(trace, "request", [turn, service], 1);
/// for number in 0..1_000 {
///     let asked = Nanos::millis(2) * number;
///     requests.add(asked, [asked + Nanos::millis(1), asked + Nanos::millis(2)])
/// }
/// let (trace, reading) = requests.finish();
/// assert_eq!(reading.value, Some(500.0));
/// assert_eq!(trace.last(), Nanos::secs(2));
/// ```
pub struct Chains<const STEPS: usize> {
    trace: TraceBuilder,
    operations: Operations,
    rows: Rows,
    kind: IntervalKind,
    steps: [(IntervalKind, Cause); STEPS],
    through: u64,
    last: Nanos,
}

impl<const STEPS: usize> Chains<STEPS> {
    /// For a trace that has all its resources. `name`: kind of the operations; `seed`: of the run.
    pub fn new(
        mut trace: TraceBuilder,
        name: &str,
        steps: [Step<'_>; STEPS],
        seed: u64,
    ) -> Chains<STEPS> {
        let kind = trace.interval_kind(IntervalRole::Operation, name, name).id();
        let steps = steps
            .map(|(role, name, label, cause)| (trace.interval_kind(role, name, label).id(), cause));
        let operations = Operations::new(trace.so_far(), Plan { seed, ..Plan::default() });
        let (rows, through, last) = (Rows::default(), 0, Nanos::ZERO);
        Chains { trace, operations, rows, kind, steps, through, last }
    }

    /// Adds a complete operation: its start, and the end of each step. Steps of length 0 are
    /// omitted.
    pub fn add(&mut self, began: Nanos, ends: [Nanos; STEPS]) {
        let end = ends.last().map_or(began, |end| *end);
        self.rows.clear();
        let whole = Some(self.rows.add(Interval::new(self.kind, began, end)));
        let mut from = began;
        for ((kind, cause), to) in self.steps.into_iter().zip(ends) {
            if from < to {
                self.rows.add(Interval { parent: whole, cause, ..Interval::new(kind, from, to) });
                from = to
            }
        }
        self.operations.take(self.through, &self.rows);
        (self.through, self.last) = (self.through + 1, self.last.max(end))
    }

    /// The trace until the last end, and its reading: `operations_per_s`, the number of operations,
    /// and percentiles of their latency.
    pub fn finish(self) -> (Trace, Reading) {
        let Chains { mut trace, operations, kind, through, last, .. } = self;
        operations.finish(&mut trace, last);
        let rate = through as f64 / last.as_secs().max(1e-9);
        let of = trace.so_far().interval_kind(kind).name.clone();
        trace.objective(ObjectiveRow::rate("operations_per_s", Some(&of), last, rate));
        let trace = trace.finish(last);
        let mut reading = Reading::of(&trace);
        reading.metrics.insert("operations".into(), through as f64);
        for latency in &reading.latencies {
            reading.metrics.insert("latency_ms_p50".into(), latency.p50_s * 1e3);
            reading.metrics.insert("latency_ms_p99".into(), latency.p99_s * 1e3);
        }
        (trace, reading)
    }
}
