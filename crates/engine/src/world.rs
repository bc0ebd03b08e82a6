//! Who is there, and the run.
use crate::{
    Carries, Lp, Message, Model, Outcome, Progress, Recorder, Scheduler, Stamp, Topology, check,
    commit::{self, Records},
    cx::Frame,
    draw::mix,
    outcome::Verdict,
    own::Own,
    pending::Pending,
    rank::Ranks,
    sequential,
};
use rewind::Shared;
use std::{cell::Cell, ops::ControlFlow};
use units::Nanos;

/// An LP in cache lines of its own: its state, and the key of the last message it sent.
#[repr(align(64))]
pub(crate) struct Slot<M> {
    pub(crate) state: M,
    pub(crate) sent: u64,
}

/// What every scheduler begins with.
pub(crate) struct Start<M: Model> {
    pub(crate) lps: Vec<Slot<M>>,
    pub(crate) pending: Pending<M::Event>,
    pub(crate) frame: Frame,
    pub(crate) ranks: Ranks,
}

/// All LPs, and the events that the scenario starts with.
///
/// A run is a pure function of the topology, the seed, the horizon, the states and these events.
pub struct World<M: Model> {
    start: Start<M>,
    /// How many events the scenario has started.
    starts: u64,
}

impl<M: Model> World<M>
where
    M::Event: Message<Out = M::Event>,
{
    /// All LPs of the topology, each made by `build` from its id. No event at or after `horizon` is
    /// run.
    pub fn new(
        topology: Shared<Topology>,
        seed: u64,
        horizon: Nanos,
        build: impl Fn(u32) -> M,
    ) -> Self {
        let count = topology.len();
        let ranks = Ranks::new(count, seed);
        let lps = (0..count).map(|id| Slot { state: build(id), sent: ranks.first(id) }).collect();
        let frame = Frame {
            now: 0,
            me: 0,
            tie: 0,
            sent: Cell::new(0),
            draws: Cell::new(0),
            seed: mix(seed),
            horizon: horizon.0,
            lps: count,
            uniform: topology.uniform().map_or(0, |bound| bound.0),
            topology,
        };
        World { start: Start { lps, pending: Pending::new(), frame, ranks }, starts: 0 }
    }

    /// An event of the scenario: its sender is rank 0, its sequence its place in the list.
    ///
    /// # Panics
    /// Where there is no such LP.
    pub fn start<T>(&mut self, to: Lp<T>, at: Nanos, message: T)
    where
        M::Event: Carries<T>,
    {
        let Start { pending, frame, ranks, .. } = &mut self.start;
        assert!(to.id() < frame.lps, "an event for {to:?}, which does not exist");
        self.starts += 1;
        ranks.check(0, self.starts, 0);
        if at.0 < frame.horizon {
            pending.push(at.0, self.starts, to.id(), M::Event::carry(message))
        }
    }

    /// Runs to the end; what is recorded goes to `sink`, in the order of events.
    pub fn run(self, scheduler: Scheduler, sink: impl FnMut(Stamp, M::Record)) -> Outcome {
        self.run_with(scheduler, sink, |_| ControlFlow::Continue(()))
    }

    /// As [`run`](Self::run), with a hook that is called every 64 Ki events or 100 ms and can break
    /// the run off.
    pub fn run_with(
        self,
        scheduler: Scheduler,
        mut sink: impl FnMut(Stamp, M::Record),
        progress: impl FnMut(Progress) -> Verdict,
    ) -> Outcome {
        let start = self.start;
        let (tally, end, lps) = match scheduler {
            Scheduler::Sequential => sequential::run(start, &mut sink, progress),
            Scheduler::RollbackCheck { depth } => check::run(start, depth, &mut sink, progress),
        };
        let mut outcome = Outcome {
            events: tally.events,
            trace_hash: tally.hash,
            end: Nanos(end),
            last: Nanos(tally.last),
            interrupted: tally.interrupted,
        };
        if !outcome.interrupted {
            outcome.trace_hash =
                outcome.trace_hash.wrapping_add(finish(&lps, Nanos(end), &mut sink))
        }
        outcome
    }
}

/// The last words of every LP, in the order of ids.
fn finish<M: Model>(lps: &[Slot<M>], end: Nanos, sink: &mut impl FnMut(Stamp, M::Record)) -> u128 {
    let mut notes = Notes { now: end, records: Own::new(Records::new()) };
    let mut hash = 0u128;
    for (id, lp) in lps.iter().enumerate() {
        lp.state.finish(&notes);
        let records = notes.records.get_mut();
        hash = hash.wrapping_add(commit::finish(end, id as u32, &lp.state, records, sink))
    }
    hash
}

/// Where `finish` records.
struct Notes<R> {
    now: Nanos,
    records: Own<Records<R>>,
}

impl<R> Recorder<R> for Notes<R> {
    fn now(&self) -> Nanos {
        self.now
    }
    fn record(&self, record: R) {
        self.records.with(|all| all.push(record))
    }
}
