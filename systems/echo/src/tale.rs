//! The trace of a run: each request is an operation of two hops, a wait for its turn, and its
//! service.
use crate::model::Answered;
use cluster::Sheet;
use engine::{Effort, Outcome};
use system::Simulated;
use trace2::operations::{Operations, Plan, Rows};
use trace2::reading::Reading;
use trace2::{
    Cause, Interval, IntervalKind, IntervalRole, ObjectiveRow, ResourceId, ResourceRole, SettingId,
    TraceBuilder,
};
use units::Nanos;

/// Gathers what is recorded.
pub struct Tale {
    trace: TraceBuilder,
    operations: Operations,
    rows: Rows,
    /// Request, hop, turn, service.
    kinds: [IntervalKind; 4],
    server: ResourceId,
    hop: SettingId,
    answered: u64,
    last: Nanos,
}

impl Tale {
    /// Of a run of this scenario.
    pub fn new(sheet: &Sheet, seed: u64) -> Tale {
        let mut trace = TraceBuilder::new();
        let mut kind = |role, name, label| trace.interval_kind(role, name, label).id();
        let kinds = [
            kind(IntervalRole::Operation, "request", "request"),
            kind(IntervalRole::Work, "hop", "is under way"),
            kind(IntervalRole::Wait, "turn", "waits for its turn"),
            kind(IntervalRole::Work, "service", "is served"),
        ];
        let hop = trace.setting("latency", crate::model::HOP.to_string());
        let store = trace.resource_kind(ResourceRole::Store, "server", "Server").id();
        let node = trace.node("server").role("server").add();
        let server = trace.resource(store, "server").node(node).add();
        trace.about("clients", sheet.text("cluster.clients"));
        let operations = Operations::new(trace.so_far(), Plan { seed, ..Plan::default() });
        Tale {
            trace,
            operations,
            rows: Rows::default(),
            kinds,
            server,
            hop,
            answered: 0,
            last: Nanos::ZERO,
        }
    }

    /// One request is through, at `now`.
    pub fn add(&mut self, now: Nanos, record: Answered) {
        let Answered { asked, came, began, done } = record;
        let [request, hop, turn, service] = self.kinds;
        let rows = &mut self.rows;
        rows.intervals.clear();
        rows.depends.clear();
        let whole = rows.add(Interval::new(request, asked, now));
        let (server, latency) = (Cause::Resource(self.server), Cause::Setting(self.hop));
        for (kind, from, to, cause) in [
            (hop, asked, came, latency),
            (turn, came, began, server),
            (service, began, done, server),
            (hop, done, now, latency),
        ] {
            if from < to {
                rows.add(Interval { parent: Some(whole), cause, ..Interval::new(kind, from, to) });
            }
        }
        self.operations.take(self.answered, rows);
        (self.answered, self.last) = (self.answered + 1, now)
    }

    /// What the run comes to.
    pub fn finish(mut self, outcome: Outcome, effort: Effort) -> Simulated {
        // Nothing happens after the last answer.
        let end = self.last;
        self.operations.finish(&mut self.trace, end);
        let rate = self.answered as f64 / end.as_secs().max(1e-9);
        self.trace.objective(ObjectiveRow::rate("operations_per_s", Some("request"), end, rate));
        let trace = self.trace.finish(end);
        let mut reading = Reading::of(&trace);
        reading.metrics.insert("operations".into(), self.answered as f64);
        for latency in &reading.latencies {
            reading.metrics.insert("latency_ms_p50".into(), latency.p50_s * 1e3);
            reading.metrics.insert("latency_ms_p99".into(), latency.p99_s * 1e3);
        }
        Simulated { simulated: end, ..Simulated::of(trace, reading, outcome, effort) }
    }
}
