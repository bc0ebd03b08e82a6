//! Who is there, and the run.
use crate::{
    Carries, Lp, Message, Model, Outcome, Progress, Recorder, Scheduler, Sink, Stamp, Topology,
    check,
    commit::{self, Records},
    conservative::{self, Lead},
    cx::Frame,
    draw::mix,
    outcome::{Tally, Verdict},
    own::Own,
    parallel::{
        merge::{Direct, Merge},
        partition::MOST_THREADS,
    },
    pending::Pending,
    rank::Ranks,
    sequential,
    watch::Watch,
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
        let (start, sink) = (self.start, &mut sink);
        let ended = match scheduler {
            Scheduler::Sequential => sequential::run(start, sink, progress),
            Scheduler::RollbackCheck { depth } => check::run(start, depth, sink, progress),
            Scheduler::Conservative { threads } => {
                let (mut merge, trays) = Merge::new(start.most_threads(threads));
                let mut watch = Watch::new(progress);
                let lead = |lead: Lead| {
                    merge.deliver(lead.frontier, sink);
                    watch.look(lead)
                };
                let (tally, end, lps, _) = conservative::run(start, trays, lead);
                merge.deliver(end, sink);
                (tally, end, lps)
            }
        };
        end(ended, sink)
    }

    /// As [`run_with`](Self::run_with), with a sink for each thread: which records come to which
    /// is not said, but each sink's come in the order of events. For sinks that need no order among
    /// them, or merge later.
    pub fn run_each<S: Sink<M::Record> + Send>(
        self,
        scheduler: Scheduler,
        mut sink: impl FnMut(usize) -> S,
        progress: impl FnMut(Progress) -> Verdict,
    ) -> (Outcome, Vec<S>) {
        let Scheduler::Conservative { threads } = scheduler else {
            let mut first = sink(0);
            let outcome = self.run_with(scheduler, |stamp, r| first.take(stamp, r), progress);
            return (outcome, vec![first]);
        };
        let sinks = (0..self.start.most_threads(threads)).map(|i| Direct(sink(i))).collect();
        let mut watch = Watch::new(progress);
        let (tally, at, lps, sinks) = conservative::run(self.start, sinks, |l| watch.look(l));
        let mut sinks: Vec<S> = sinks.into_iter().map(|Direct(sink)| sink).collect();
        let outcome = end((tally, at, lps), &mut |stamp, r| sinks[0].take(stamp, r));
        (outcome, sinks)
    }
}

impl<M: Model> Start<M> {
    /// No more threads than LPs.
    fn most_threads(&self, threads: usize) -> usize {
        threads.min(self.lps.len()).clamp(1, MOST_THREADS)
    }
}

/// What a run came to, after the last words of all LPs.
fn end<M: Model>(
    (tally, end, lps): (Tally, u64, Vec<Slot<M>>),
    sink: &mut impl FnMut(Stamp, M::Record),
) -> Outcome {
    let Tally { events, hash, last, interrupted } = tally;
    let said = if interrupted { 0 } else { finish(&lps, Nanos(end), sink) };
    let trace_hash = hash.wrapping_add(said);
    Outcome { events, trace_hash, end: Nanos(end), last: Nanos(last), interrupted }
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
