//! Who is there, and the run.
use crate::{
    Carries, Lp, Message, Model, Outcome, Progress, Recorder, Scheduler, Sink, Stamp, Topology,
    auto, check,
    commit::{self, Records},
    conservative::{self, Lead},
    cx::Frame,
    draw::mix,
    optimistic,
    outcome::{Effort, Tally, Verdict},
    own::Own,
    parallel::{
        merge::{Direct, Merge, Outlet},
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
        self.run_with(scheduler, sink, |_| ControlFlow::Continue(())).0
    }

    /// As [`run`](Self::run), with a hook that is called every 64 Ki events or 100 ms and can break
    /// the run off. Tells, too, what the run took.
    pub fn run_with(
        self,
        scheduler: Scheduler,
        mut sink: impl FnMut(Stamp, M::Record),
        progress: impl FnMut(Progress) -> Verdict,
    ) -> (Outcome, Effort) {
        let Some(threads) = self.start.threads_of(scheduler) else {
            return end(alone(self.start, scheduler, &mut sink, progress), &mut sink);
        };
        let (mut merge, trays) = Merge::new(threads);
        let mut watch = Watch::new(progress);
        let lead = |lead: Lead| {
            merge.deliver(lead.frontier, &mut sink);
            watch.look(lead)
        };
        let (ended, _) = together(self.start, scheduler, trays, lead);
        merge.deliver(ended.1, &mut sink);
        end(ended, &mut sink)
    }

    /// As [`run_with`](Self::run_with), with a sink for each thread: which records come to which
    /// is not said, but each sink's come in the order of events. For sinks that need no order among
    /// them, or merge later.
    pub fn run_each<S: Sink<M::Record> + Send>(
        self,
        scheduler: Scheduler,
        mut sink: impl FnMut(usize) -> S,
        progress: impl FnMut(Progress) -> Verdict,
    ) -> (Outcome, Effort, Vec<S>) {
        let Some(threads) = self.start.threads_of(scheduler) else {
            let mut only = sink(0);
            let mut take = |stamp, record| only.take(stamp, record);
            let ended = alone(self.start, scheduler, &mut take, progress);
            let (outcome, effort) = end(ended, &mut take);
            return (outcome, effort, vec![only]);
        };
        let sinks = (0..threads).map(|i| Direct(sink(i))).collect();
        let mut watch = Watch::new(progress);
        let (ended, mut sinks) = together(self.start, scheduler, sinks, |l| watch.look(l));
        let (outcome, effort) = end(ended, &mut |stamp, r| sinks[0].put(stamp, r));
        (outcome, effort, sinks.into_iter().map(|Direct(sink)| sink).collect())
    }
}

impl<M: Model> Start<M> {
    /// How many threads a scheduler gets, no more than there are LPs; `None` of one that works on
    /// the caller's alone.
    fn threads_of(&self, scheduler: Scheduler) -> Option<usize> {
        match scheduler {
            Scheduler::Sequential | Scheduler::RollbackCheck { .. } => None,
            Scheduler::Auto { threads }
            | Scheduler::Conservative { threads }
            | Scheduler::Optimistic { threads }
            | Scheduler::Stress { threads, .. } => {
                Some(threads.min(self.lps.len()).clamp(1, MOST_THREADS))
            }
        }
    }
}

/// What a scheduler gives back: counts, the end, the final states.
pub(crate) type Ended<M> = (Tally, u64, Vec<Slot<M>>);

/// On the caller's thread.
fn alone<M: Model>(
    start: Start<M>,
    scheduler: Scheduler,
    sink: &mut impl FnMut(Stamp, M::Record),
    progress: impl FnMut(Progress) -> Verdict,
) -> Ended<M>
where
    M::Event: Message<Out = M::Event>,
{
    match scheduler {
        Scheduler::RollbackCheck { depth } => check::run(start, depth, sink, progress),
        _ => sequential::run(start, sink, progress),
    }
}

/// On a thread for each outlet.
fn together<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    scheduler: Scheduler,
    outlets: Vec<O>,
    lead: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    match scheduler {
        Scheduler::Optimistic { .. } => optimistic::run(start, None, outlets, lead),
        Scheduler::Stress { stress, .. } => optimistic::run(start, Some(stress), outlets, lead),
        Scheduler::Auto { .. } => auto::run(start, outlets, lead),
        _ => conservative::run(start, Tally::default(), outlets, lead),
    }
}

/// What a run came to, after the last words of all LPs.
fn end<M: Model>(
    (tally, end, lps): Ended<M>,
    sink: &mut impl FnMut(Stamp, M::Record),
) -> (Outcome, Effort) {
    let Tally { events, hash, last, interrupted, effort } = tally;
    let said = if interrupted { 0 } else { finish(&lps, Nanos(end), sink) };
    let trace_hash = hash.wrapping_add(said);
    (Outcome { events, trace_hash, end: Nanos(end), last: Nanos(last), interrupted }, effort)
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
