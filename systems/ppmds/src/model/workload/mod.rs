//! A client's operations. Policies and settings do not change them.
mod first;
pub mod mdtest;
mod mix;
pub mod names;
mod next;
pub mod rates;
pub mod trace;
use super::message::{Event, Record};
use cluster::Sheet;
use engine::*;
pub use first::{DIRECTORY, FILE, First};
pub use mix::SHARES;
use names::Namespace;
pub use next::Next;
use ppmds_protocol::{OperationKind, Outcome};
use std::sync::Arc;

enum Kind {
    Creates,
    Mix(Vec<(f64, OperationKind)>),
    Mdtest(Box<mdtest::Plan>),
    Trace(Arc<trace::Trace>),
}

pub struct Workload {
    kind: Kind,
    namespace: Namespace,
    /// Operations of each client in a closed loop.
    operations: u64,
    /// Open loop: mean time between a client's operations, and the time of the last one.
    pub open: Option<(Nanos, Nanos)>,
    /// Closed loop: mean pause between two operations of a client.
    pub think: Nanos,
}

impl Workload {
    /// The scenario must be checked.
    pub fn of(sheet: &Sheet) -> Workload {
        let kind = match sheet.text("workload.kind") {
            "mix" => Kind::Mix(mix::shares(sheet)),
            "mdtest" => Kind::Mdtest(Box::new(mdtest::Plan::of(sheet))),
            "trace" => Kind::Trace(Arc::new(trace::Trace::of(sheet).expect("it was read before"))),
            _ => Kind::Creates,
        };
        let is_open = sheet.text("workload.loop") == "open" && !matches!(kind, Kind::Trace(_));
        let clients = f64::from(sheet.count32("cluster.clients"));
        let gap = Nanos::from_secs(clients / sheet.number("workload.rate"));
        Workload {
            kind,
            namespace: Namespace::of(sheet),
            operations: sheet.count("workload.creates_per_client"),
            open: is_open.then(|| (gap, sheet.time("workload.duration"))),
            think: sheet.time("workload.think"),
        }
    }

    pub fn is_creates_in_root(&self) -> bool {
        matches!(self.kind, Kind::Creates) && self.namespace.is_root()
    }

    pub fn trace(&self) -> Option<&Arc<trace::Trace>> {
        match &self.kind {
            Kind::Trace(trace) => Some(trace),
            _ => None,
        }
    }

    pub fn plan(&self) -> Option<&mdtest::Plan> {
        match &self.kind {
            Kind::Mdtest(plan) => Some(plan),
            _ => None,
        }
    }

    /// Estimated operations of a run.
    pub fn expected(&self, clients: u32) -> u64 {
        let clients = u64::from(clients);
        match (&self.kind, self.open) {
            (Kind::Mdtest(plan), _) => plan.expected(),
            (Kind::Trace(trace), _) => trace.len(),
            (_, None) => self.operations * clients,
            (_, Some((gap, duration))) => duration.0 / gap.0.max(1) * clients + clients,
        }
    }

    pub fn first(&self) -> Box<dyn Iterator<Item = First> + '_> {
        match &self.kind {
            Kind::Trace(trace) => Box::new(trace.paths.first()),
            Kind::Mdtest(plan) => Box::new(plan.before()),
            _ => Box::new(self.namespace.first()),
        }
    }
}

#[derive(Rewind)]
pub struct State {
    issued: u64,
    mix: mix::State,
    phases: mdtest::State,
    replay: trace::State,
}

impl State {
    pub fn new(workload: &Workload) -> State {
        let phases = mdtest::State::new(workload.plan().map_or(0, |plan| plan.items));
        State { issued: 0, mix: mix::State::default(), phases, replay: trace::State::new() }
    }

    pub fn issued(&self) -> u64 {
        self.issued
    }

    pub fn next(
        &mut self,
        workload: &Workload,
        cx: &impl Context<Event, Record>,
        me: u32,
        at: Nanos,
    ) -> Next {
        let names = &workload.namespace;
        let is_over = workload.open.is_none() && self.issued == workload.operations;
        let operation = match &workload.kind {
            Kind::Mdtest(plan) => return self.phases.next(plan, me, at),
            Kind::Trace(trace) => return self.replay.next(trace, me, at),
            _ if is_over => return Next::Nothing,
            Kind::Mix(shares) => self.mix.next(shares, names, cx, (me, self.issued)),
            Kind::Creates => self.mix.create(names, cx, me),
        };
        self.issued += 1;
        Next::Operation(operation, at)
    }

    /// Ends an operation; returns what to record.
    pub fn on_outcome(
        &mut self,
        workload: &Workload,
        me: u32,
        op: OperationKind,
        outcome: &Outcome,
    ) -> Option<Record> {
        match &workload.kind {
            Kind::Mdtest(_) => self.phases.on_outcome(op, outcome),
            Kind::Trace(trace) => {
                let new = self.replay.on_outcome(trace, me, op, outcome);
                return new.map(|(ino, path)| Record::Named { ino, path });
            }
            _ => {}
        }
        None
    }

    pub fn start_phase(&mut self, workload: &Workload, phase: (u32, u32), at: Nanos) {
        if let Some(plan) = workload.plan() {
            self.phases.start_phase(plan, phase, at)
        }
    }

    pub fn items(&self) -> u32 {
        self.phases.made()
    }

    /// Counts a client at the end of its phase; returns the next phase and its items after the
    /// last.
    pub fn arrived(&mut self, workload: &Workload, items: u32) -> Option<(u32, u32)> {
        workload.plan().and_then(|plan| self.phases.arrived(plan, items))
    }
}
