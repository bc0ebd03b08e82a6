//! Reads a run for reports: its value, bottlenecks, curves and latencies.
mod completions;
mod holder_shares;
mod hotspots;
mod label;
mod last;
mod latency;
mod loads;
mod path;
mod stall;
mod uses;
pub use completions::Completions;
pub use holder_shares::{HolderInterval, HolderShare, Role, charged};
pub use hotspots::Hotspot;
pub use label::label;
pub use latency::Latency;
pub use loads::{End, Load, loads};
pub use path::Step;
pub use stall::Stall;
pub use uses::{Curve, Uses};

use crate::schema::{Aggregation, ObjectiveRow, Trace};
use crate::walk::{Idle, Lane, Lanes, Start, at_most, operation, path as walk_path};
use crate::{Better, EntityId, EntityRole, IntervalId, IntervalRole, KindRole, Outcome};
use holder_shares::Charges;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::Nanos;

/// The measure of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Objective {
    /// Its name: "job time".
    pub metric: String,
    /// Its unit: "s", "1/s".
    pub unit: String,
    /// The direction of improvement.
    pub better: Better,
}

/// The reading of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reading {
    /// The main objective.
    pub objective: Objective,
    /// The explained time \[ns\].
    pub window: (Nanos, Nanos),
    /// The objective's value in its unit.
    pub value: Option<f64>,
    /// The run's result.
    pub outcome: Outcome,
    /// Bottlenecks: largest first, unexplained last, then settings with only `at_most`. The shares
    /// sum to 1 unless the list is empty.
    pub held: Vec<HolderShare>,
    /// The critical path by time; empty if sums over operations explain the run.
    pub path: Vec<Step>,
    /// The values of all objectives.
    pub metrics: BTreeMap<String, f64>,
    /// Use of resources, then counters.
    pub curves: Vec<Curve>,
    /// Overloaded resources, at most one a kind.
    pub hotspots: Vec<Hotspot>,
    /// Latencies of operations, by kind.
    pub latencies: Vec<Latency>,
    /// The longest time without an ended operation, if it is significant.
    pub stall: Option<Stall>,
    /// Ended operations over time.
    pub completions: Option<Completions>,
    /// The load of each node.
    pub loads: Vec<Load>,
}

impl Reading {
    /// For the first objective; without one, for operations a second.
    pub fn of(trace: &Trace) -> Reading {
        Reading::with(trace, None)
    }

    /// With a system's own knowledge of idle times; see [`Idle`].
    pub fn with(trace: &Trace, idle: Option<Idle<'_>>) -> Reading {
        let lanes = Lanes::of(trace);
        let objective = trace.objectives.first().cloned().unwrap_or_else(operations_per_second);
        let to = objective.to.filter(|to| *to != Nanos::MAX).unwrap_or_else(|| trace.last());
        let window = (objective.from.min(to), to);
        let uses = Uses::of(trace, window, uses::POINTS);
        let mut reading = Reading {
            objective: Objective {
                metric: objective.metric.clone(),
                unit: objective.unit.clone(),
                better: objective.better,
            },
            window,
            value: objective.value,
            outcome: objective.outcome,
            held: Vec::new(),
            path: Vec::new(),
            metrics: metrics(trace),
            curves: uses::curves(trace, &uses),
            hotspots: Vec::new(),
            latencies: latency::latencies(trace, window),
            stall: stall::stall(trace, window),
            completions: completions::completions(trace, &objective, window),
            loads: loads::loads(trace),
        };
        match objective.how {
            Aggregation::Last => reading.by_path(trace, &lanes, &objective, idle),
            Aggregation::Mean | Aggregation::Rate => {
                reading.held = by_operations(trace, &lanes, &objective, window)
            }
        }
        reading.hotspots = hotspots::hotspots(trace, &uses, &reading.held);
        reading
    }

    fn by_path(
        &mut self,
        trace: &Trace,
        lanes: &Lanes,
        objective: &ObjectiveRow,
        idle: Option<Idle<'_>>,
    ) {
        let (from, to) = self.window;
        let there = |id: &EntityId| id.at() < trace.entities.len();
        let named = objective.subject.filter(there);
        let of = objective.of.as_deref();
        let Some(subject) = named.or_else(|| last::last_of(trace, lanes, of?, to)) else { return };
        let tree = job_over(trace, lanes, subject);
        let lane = Some(Lane::Subject(subject));
        let path = walk_path(lanes, Start { lane, top: to, floor: from, tree, idle });
        let mut charges = Charges::new(trace);
        path.pieces.iter().for_each(|piece| charges.piece(piece, 1.0));
        self.held = charges.held(&at_most(trace, &path.wanted), to - from);
        self.path = path::steps(trace, &path.pieces)
    }
}

/// The job whose tree the path stays in. Time of others is charged to the wait for them.
fn job_over(trace: &Trace, lanes: &Lanes, subject: EntityId) -> Option<EntityId> {
    let top = lanes.root(subject);
    let kind = trace.kinds.get(trace.entities[top.at()].kind.at());
    kind.is_some_and(|kind| kind.role == KindRole::Entity(EntityRole::Job)).then_some(top)
}

/// Blocked time of operations: exact if the trace has sums, else from the weighted operations in
/// the trace.
fn by_operations(
    trace: &Trace,
    lanes: &Lanes,
    objective: &ObjectiveRow,
    window: (Nanos, Nanos),
) -> Vec<HolderShare> {
    let mut charges = Charges::new(trace);
    let meant = |kind: usize| is_meant(trace, objective, kind);
    if trace.sums.is_empty() {
        for (at, row) in trace.intervals.iter().enumerate() {
            let inside = window.0 <= row.end && row.end <= window.1 && row.start < row.end;
            if inside && is_operation(trace, at) && meant(row.kind.at()) {
                let pieces = operation(lanes, IntervalId::of(at));
                pieces.iter().for_each(|piece| charges.piece(piece, row.weight))
            }
        }
    } else {
        let inside = |at: Nanos| window.0 <= at && at <= window.1;
        let sums = trace.sums.iter().filter(|sum| inside(sum.at) && meant(sum.operation.at()));
        sums.for_each(|sum| charges.sum(sum))
    }
    charges.held(&BTreeMap::new(), window.1 - window.0)
}

/// The objective includes operations of this kind.
fn is_meant(trace: &Trace, objective: &ObjectiveRow, kind: usize) -> bool {
    let kind = trace.kinds.get(kind);
    kind.is_some_and(|kind| objective.of.as_ref().is_none_or(|of| *of == kind.name))
}

fn is_operation(trace: &Trace, at: usize) -> bool {
    let kind = trace.kinds.get(trace.intervals[at].kind.at());
    kind.is_some_and(|kind| kind.role == KindRole::Interval(IntervalRole::Operation))
}

fn metrics(trace: &Trace) -> BTreeMap<String, f64> {
    let value = |row: &ObjectiveRow| row.value.map(|value| (row.metric.clone(), value));
    trace.objectives.iter().filter_map(value).collect()
}

fn operations_per_second() -> ObjectiveRow {
    ObjectiveRow {
        metric: "operations_per_s".into(),
        unit: "1/s".into(),
        better: Better::More,
        how: Aggregation::Rate,
        of: None,
        subject: None,
        from: Nanos::ZERO,
        to: None,
        value: None,
        outcome: Outcome::Ok,
    }
}
