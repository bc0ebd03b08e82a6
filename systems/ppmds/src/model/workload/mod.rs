//! What a client does next: the same whatever a policy or a setting changes.
pub mod mdtest;
mod mix;
pub mod names;
pub mod rates;
pub mod trace;
use super::message::{Event, Record};
use super::settings::{SHARES, Settings};
use cluster::Sheet;
use engine::*;
use ppmds_protocol::{Doing, Operation, Outcome};
use rewind::Queue;
use std::sync::Arc;

pub enum Workload {
    /// Creates, so many of each.
    Creates,
    /// Operations by their shares, each with those before it.
    Mix(Vec<(f64, Doing)>),
    /// Phases, with barriers between them.
    Mdtest(Box<mdtest::Plan>),
    /// Operations as they were recorded.
    Trace(Arc<trace::Trace>),
}

/// Of a scenario that was checked.
pub fn of(sheet: &Sheet) -> Workload {
    match sheet.text("workload.kind") {
        "mix" => {
            let total: f64 = SHARES.iter().map(|(key, _)| sheet.number(key)).sum();
            let mut sum = 0.0;
            let of = |(key, op): (&str, Doing)| {
                sum += sheet.number(key) / total;
                (sum, op)
            };
            Workload::Mix(SHARES.into_iter().map(of).collect())
        }
        "mdtest" => Workload::Mdtest(Box::new(mdtest::Plan::of(sheet))),
        "trace" => Workload::Trace(Arc::new(trace::Trace::of(sheet).expect("it was read before"))),
        _ => Workload::Creates,
    }
}

pub enum Next {
    Operation(Operation, Nanos),
    Later(Nanos),
    /// Nothing before all clients are here, too; what the phase came to.
    Barrier(Option<Record>),
    Nothing,
}

#[derive(Rewind)]
pub struct State {
    issued: u64,
    /// Names that it has made, or tried to.
    created: u32,
    /// Names of its directories that it has not removed.
    made: Queue<u32>,
    phases: mdtest::State,
    replay: trace::State,
}

impl State {
    pub fn new(settings: &Settings, me: u32) -> State {
        let phases = mdtest::State::new(settings, me);
        State { issued: 0, created: 0, made: Queue::new(), phases, replay: trace::State::new() }
    }

    /// Operations that it has issued.
    pub fn issued(&self) -> u64 {
        self.issued
    }

    /// What a client does at `at`.
    pub fn next(
        &mut self,
        settings: &Settings,
        cx: &impl Context<Event, Record>,
        me: u32,
        at: Nanos,
    ) -> Next {
        match &settings.workload {
            Workload::Mdtest(plan) => return self.phases.next(plan, settings, me, at),
            Workload::Trace(trace) => return self.replay.next(trace, me, at),
            _ => {}
        }
        if settings.open.is_none() && self.issued == settings.operations {
            return Next::Nothing;
        }
        let operation = match &settings.workload {
            Workload::Mix(shares) => self.of_mix(shares, settings, cx, me),
            _ => self.create(settings, cx, me),
        };
        self.issued += 1;
        Next::Operation(operation, at)
    }

    /// An operation is over; what is to be recorded of it.
    pub fn over(
        &mut self,
        settings: &Settings,
        me: u32,
        op: Doing,
        outcome: &Outcome,
    ) -> Option<Record> {
        match &settings.workload {
            Workload::Mdtest(_) => self.phases.over(op, outcome),
            Workload::Trace(trace) => {
                let new = self.replay.over(trace, me, op, outcome);
                return new.map(|(ino, path)| Record::Named { ino, path });
            }
            _ => {}
        }
        None
    }

    /// To a phase of all clients, with so many items each.
    pub fn go(&mut self, settings: &Settings, phase: (u32, u32), at: Nanos) {
        if let Workload::Mdtest(plan) = &settings.workload {
            self.phases.go(plan, phase, at)
        }
    }

    /// Items that this client has made in its phase.
    pub fn items(&self) -> u32 {
        self.phases.made()
    }

    /// One client more is at the end of its phase with so many items; what follows, if it is the
    /// last.
    pub fn arrived(&mut self, settings: &Settings, items: u32) -> Option<(u32, u32)> {
        match &settings.workload {
            Workload::Mdtest(plan) => self.phases.arrived(plan, items, settings.clients),
            _ => None,
        }
    }
}
