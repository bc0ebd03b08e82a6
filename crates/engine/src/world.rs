//! `World`: the LPs and first events of a run, and how each scheduler runs it.
use crate::{
    Carries, Cores, Effort, Execution, Lp, Message, Model, Outcome, Peers, Profile, Progress,
    Recorder, Scheduler, Sink, Stamp, Topology, Wire, auto, check,
    commit::{self, Records},
    conservative::{self, ConservativeOptions},
    cx::Frame,
    draw::mix,
    exclusive::Exclusive,
    livelock::Livelock,
    optimistic::{self, OptimisticOptions},
    outcome::{Lead, Tally, Verdict},
    parallel::{
        balance::Balance,
        exchange::{Exchange, NoPayload},
        front::{DirectFront, Front, MergedFront},
        merge::{Direct, Merge, Outlet},
        pace::Pace,
        partition::{MOST_THREADS, Partition},
    },
    pending::Pending,
    population::{Build, Population},
    profile::Profiler,
    rank::Ranks,
    sequential,
    start::{RunState, Start, Team},
    watch::Watch,
    watchdog::{Heartbeats, Watchdog},
};
use rewind::Shared;
use std::{cell::Cell, ops::ControlFlow};
use units::Nanos;

/// All LPs, and the events that the scenario starts with.
///
/// A run is a pure function of topology, seed, horizon, states and these events.
pub struct World<'a, M: Model> {
    /// Builds an LP from its id, when the run begins; each process builds only its own.
    build: Box<Build<'a, M>>,
    pending: Pending<M::Event>,
    frame: Frame,
    ranks: Ranks,
    starts: u64,
}

impl<'a, M: Model> World<'a, M>
where
    M::Event: Message<Out = M::Event>,
{
    /// A world with all LPs of the topology, built by `build` from their ids. Events at or after
    /// `horizon` are dropped.
    pub fn new(
        topology: Shared<Topology>,
        seed: u64,
        horizon: Nanos,
        build: impl Fn(u32) -> M + Sync + 'a,
    ) -> Self {
        let (lps, heartbeats) = (topology.len(), Heartbeats::default());
        let ranks = Ranks::new(lps, seed);
        let frame = Frame {
            now: 0,
            me: 0,
            tie: 0,
            sent: Cell::new(0),
            draws: Cell::new(0),
            seed: mix(seed),
            horizon: horizon.0,
            lps,
            shift: ranks.shift,
            uniform: topology.uniform().map_or(0, |bound| bound.0),
            topology,
            heartbeat: heartbeats.add(),
            heartbeats,
            livelock: Livelock::new(lps),
        };
        World { build: Box::new(build), pending: Pending::new(), frame, ranks, starts: 0 }
    }

    /// Adds a first event. Its sender is rank 0, its sequence number the count of `start` calls.
    ///
    /// # Panics
    /// If the LP does not exist.
    pub fn start<T>(&mut self, to: Lp<T>, at: Nanos, message: T)
    where
        M::Event: Carries<T>,
    {
        let World { pending, frame, ranks, .. } = self;
        assert!(to.id() < frame.lps, "an event for {to:?}, which does not exist");
        self.starts += 1;
        ranks.check(0, self.starts, 0);
        if at.0 < frame.horizon {
            pending.push(at.0, self.starts, to.id(), M::Event::carry(message))
        }
    }

    /// Runs to the end. `sink` receives the records in the order of events.
    pub fn run(self, scheduler: Scheduler, sink: impl FnMut(Stamp, M::Record)) -> Outcome {
        self.run_with(scheduler, sink, |_| ControlFlow::Continue(())).0
    }

    /// As [`run`](Self::run), with a hook that is called every 64 Ki events or 100 ms and can
    /// interrupt the run. Also returns the costs of the run.
    ///
    /// With several processes the sink of the first receives all records.
    ///
    /// # Panics
    /// If a handler panics; with [`PeerLost`](crate::PeerLost) if another process is gone; with
    /// [`ThreadStartError`](crate::ThreadStartError) if the system cannot start a thread.
    pub fn run_with<'p>(
        self,
        execution: impl Into<Execution<'p>>,
        mut sink: impl FnMut(Stamp, M::Record),
        progress: impl FnMut(Progress) -> Verdict,
    ) -> (Outcome, Effort) {
        let Execution { scheduler, peers, in_turn } = execution.into();
        if let Some(cores) = in_turn {
            let (outcome, profile) = self.profile(scheduler, cores, sink);
            return (outcome, Effort { profile: Some(profile), ..Effort::default() });
        }
        let Some(threads) = self.threads_of(scheduler, &peers) else {
            return end(alone(self.all(1), scheduler, &mut sink, progress), &mut sink);
        };
        let (rank, count) = place(&peers);
        let here = rank * threads..(rank + 1) * threads;
        let (mut merge, trays) = Merge::new(count * threads, here);
        let mut exchange = peers
            .map(|peers| Exchange::new(peers, threads, Box::new(merge.carriage(rank, threads))));
        let (is_first, watch) = (rank == 0, Watch::new(progress));
        let front = MergedFront { merge: &mut merge, sink: &mut sink, watch, is_first };
        let (ended, mut trays) = self.together(scheduler, exchange.as_mut(), trays, front);
        let Some(exchange) = &mut exchange else {
            merge.deliver(ended.1, &mut sink);
            return end(ended, &mut sink);
        };
        let (outcome, effort) = end_among(ended, exchange, &mut trays[0]);
        merge.deliver_all(&mut sink);
        (outcome, effort)
    }

    /// As [`run_with`](Self::run_with), with a sink for each thread. Which sink receives a record
    /// is undefined, but each receives its records in the order of events. For sinks that need no
    /// order among them, or merge later. Each process keeps its own.
    pub fn run_each<'p, S: Sink<M::Record> + Send>(
        self,
        execution: impl Into<Execution<'p>>,
        mut sink: impl FnMut(usize) -> S,
        progress: impl FnMut(Progress) -> Verdict,
    ) -> (Outcome, Effort, Vec<S>) {
        let Execution { scheduler, peers, in_turn } = execution.into();
        if let Some(cores) = in_turn {
            let (outcome, profile, sinks) = self.profile_each(scheduler, cores, sink);
            return (outcome, Effort { profile: Some(profile), ..Effort::default() }, sinks);
        }
        let Some(threads) = self.threads_of(scheduler, &peers) else {
            let mut only = sink(0);
            let mut take = |stamp, record| only.take(stamp, record);
            let ended = alone(self.all(1), scheduler, &mut take, progress);
            let (outcome, effort) = end(ended, &mut take);
            return (outcome, effort, vec![only]);
        };
        let sinks = (0..threads).map(|i| Direct(sink(i))).collect();
        let mut exchange = peers.map(|peers| Exchange::new(peers, threads, Box::new(NoPayload)));
        let front = DirectFront(Watch::new(progress));
        let (ended, mut sinks) = self.together(scheduler, exchange.as_mut(), sinks, front);
        let (outcome, effort) = match &mut exchange {
            None => end(ended, &mut |stamp, r| sinks[0].put(stamp, r)),
            Some(exchange) => end_among(ended, exchange, &mut sinks[0]),
        };
        (outcome, effort, sinks.into_iter().map(|Direct(sink)| sink).collect())
    }

    /// Predicts the run time of the scheduler's threads on `cores`. The calling thread does the
    /// work of all in turn. LPs are not rebalanced, and an optimistic thread always speculates.
    /// Records go to `sink` as in [`run_with`](Self::run_with).
    pub fn profile(
        self,
        scheduler: Scheduler,
        cores: Cores,
        mut sink: impl FnMut(Stamp, M::Record),
    ) -> (Outcome, Profile) {
        let threads = self.threads_of(scheduler, &None).unwrap_or(1);
        let (mut merge, trays) = Merge::new(threads, 0..threads);
        let lead = |lead: Lead| {
            merge.deliver(lead.frontier, &mut sink);
            ControlFlow::Continue(())
        };
        let (ended, profiler, _) = self.in_turn(scheduler, cores, trays, lead);
        merge.deliver(ended.1, &mut sink);
        let (outcome, effort) = end(ended, &mut sink);
        (outcome, profiler.profile(outcome.events, effort.rolled_back))
    }

    /// As [`profile`](Self::profile), with a sink for each thread, as in
    /// [`run_each`](Self::run_each).
    pub fn profile_each<S: Sink<M::Record> + Send>(
        self,
        scheduler: Scheduler,
        cores: Cores,
        sink: impl FnMut(usize) -> S,
    ) -> (Outcome, Profile, Vec<S>) {
        let threads = self.threads_of(scheduler, &None).unwrap_or(1);
        let sinks = (0..threads).map(sink).map(Direct).collect();
        let go_on = |_| ControlFlow::Continue(());
        let (ended, profiler, mut sinks) = self.in_turn(scheduler, cores, sinks, go_on);
        let (outcome, effort) = end(ended, &mut |stamp, r| sinks[0].put(stamp, r));
        let profile = profiler.profile(outcome.events, effort.rolled_back);
        (outcome, profile, sinks.into_iter().map(|Direct(sink)| sink).collect())
    }

    /// Does the work of all threads on the calling thread, and times it.
    fn in_turn<O: Outlet<M::Record>>(
        self,
        scheduler: Scheduler,
        cores: Cores,
        outlets: Vec<O>,
        lead: impl FnMut(Lead) -> Verdict,
    ) -> (RunState<M>, Profiler, Vec<O>) {
        let threads = outlets.len();
        let partition = Partition::new(&self.frame.topology, threads, 0, |_| 1);
        let team = Team { partition, here: 0..threads, exchange: None };
        let mut profiler = Profiler::start(threads, cores);
        let start = self.all(1);
        profiler.made();
        let profile = Some(&mut profiler);
        let (ended, outlets) = match scheduler {
            Scheduler::Optimistic { .. } => {
                let options =
                    OptimisticOptions { profiler: profile, ..OptimisticOptions::default() };
                optimistic::run(start, team, options, outlets, lead)
            }
            _ => {
                let (before, pace) = (Tally::default(), Some(Pace::alone()));
                let begin = ConservativeOptions { before, pace, balance: None, profiler: profile };
                conservative::run(start, team, begin, outlets, lead)
            }
        };
        profiler.end();
        (ended, profiler, outlets)
    }

    /// The same world with every LP wrapped.
    pub(crate) fn map<N: Model<Event = M::Event>>(
        self,
        wrap: impl Fn(u32, M) -> N + Sync + 'a,
    ) -> World<'a, N>
    where
        M: 'a,
    {
        let World { build, pending, frame, ranks, starts } = self;
        World { build: Box::new(move |id| wrap(id, build(id))), pending, frame, ranks, starts }
    }

    /// Threads in each process, at most one per LP; `None` if the scheduler uses the calling thread
    /// only.
    fn threads_of(&self, scheduler: Scheduler, peers: &Option<&mut dyn Peers>) -> Option<usize> {
        let (_, count) = place(peers);
        let threads = match scheduler {
            Scheduler::RollbackCheck { .. } => return None,
            Scheduler::Sequential if peers.is_none() => return None,
            Scheduler::Sequential => 1,
            Scheduler::Auto { threads }
            | Scheduler::Conservative { threads }
            | Scheduler::Optimistic { threads }
            | Scheduler::Stress { threads, .. } => threads,
        };
        Some(threads.min(self.frame.lps as usize).min(MOST_THREADS / count).max(1))
    }

    /// Builds all LPs in this process, on at most `threads` threads.
    pub(crate) fn all(self, threads: usize) -> Start<M> {
        let World { build, pending, frame, ranks, .. } = self;
        Start { lps: Population::all(frame.lps, &ranks, &*build, threads), pending, frame, ranks }
    }

    /// Runs on a thread for each outlet, in each process.
    fn together<O: Outlet<M::Record>>(
        self,
        scheduler: Scheduler,
        mut exchange: Option<&mut Exchange<'_>>,
        outlets: Vec<O>,
        mut front: impl Front<M::Record, O>,
    ) -> (RunState<M>, Vec<O>) {
        let _watchdog = Watchdog::start(&self.frame.heartbeats);
        let here = exchange.as_ref().map_or(0..outlets.len(), |c| c.here());
        let threads = exchange.as_ref().map_or(outlets.len(), |c| c.all());
        if let Some(exchange) = &mut exchange {
            exchange.compare(&self.identity(scheduler, outlets.len()))
        }
        let partition = Partition::new(&self.frame.topology, threads, 0, |_| 1);
        let start = match here.len() < threads {
            false => self.all(threads),
            true => self.some(|lp| here.contains(&partition.owner(lp))),
        };
        let is_alone = exchange.is_none();
        let team = Team { partition, here, exchange };
        if let (Scheduler::Auto { .. }, true) = (scheduler, is_alone) {
            return auto::run(start, team, outlets, front);
        }
        let lead = |lead: Lead| front.lead(lead);
        match scheduler {
            Scheduler::Optimistic { .. } | Scheduler::Auto { .. } => {
                let (pace, alone) =
                    (is_alone.then(Pace::without_trial), is_alone.then(Pace::unknown));
                let balance = is_alone.then(Balance::new);
                let options =
                    OptimisticOptions { pace, alone, balance, ..OptimisticOptions::default() };
                optimistic::run(start, team, options, outlets, lead)
            }
            Scheduler::Stress { stress, .. } => {
                let options =
                    OptimisticOptions { stress: Some(stress), ..OptimisticOptions::default() };
                optimistic::run(start, team, options, outlets, lead)
            }
            _ => {
                // Members of other processes can be neither borrowed nor rebalanced.
                let (pace, balance) = (is_alone.then(Pace::unknown), is_alone.then(Balance::new));
                let begin =
                    ConservativeOptions { before: Tally::default(), pace, balance, profiler: None };
                conservative::run(start, team, begin, outlets, lead)
            }
        }
    }

    /// Builds the LPs of this process only.
    fn some(self, is_here: impl Fn(u32) -> bool) -> Start<M> {
        let World { build, pending, frame, ranks, .. } = self;
        let lps = Population::some(frame.lps, &ranks, &*build, is_here);
        Start { lps, pending, frame, ranks }
    }

    /// Values that must be equal in all processes.
    fn identity(&self, scheduler: Scheduler, threads: usize) -> [(&'static str, u64); 8] {
        let is_optimistic =
            !matches!(scheduler, Scheduler::Conservative { .. } | Scheduler::Sequential);
        [
            ("version of the program", M::Event::SCHEMA),
            ("version of the program", M::Record::SCHEMA),
            ("seed", self.frame.seed),
            ("end of the run", self.frame.horizon),
            ("number of LPs", self.frame.lps as u64),
            ("number of events to start with", self.starts),
            ("number of threads", threads as u64),
            ("scheduler", is_optimistic as u64),
        ]
    }
}

/// Rank of this process, and the number of processes.
fn place(peers: &Option<&mut dyn Peers>) -> (usize, usize) {
    peers.as_ref().map_or((0, 1), |peers| (peers.rank(), peers.count()))
}

/// Runs on the calling thread only.
fn alone<M: Model>(
    start: Start<M>,
    scheduler: Scheduler,
    sink: &mut impl FnMut(Stamp, M::Record),
    progress: impl FnMut(Progress) -> Verdict,
) -> RunState<M>
where
    M::Event: Message<Out = M::Event>,
{
    let _watchdog = Watchdog::start(&start.frame.heartbeats);
    match scheduler {
        Scheduler::RollbackCheck { depth } => check::run(start, depth, sink, progress),
        _ => sequential::run(start, sink, progress),
    }
}

/// Calls `finish` of all LPs and returns the outcome.
pub(crate) fn end<M: Model>(
    (tally, end, lps): RunState<M>,
    sink: &mut impl FnMut(Stamp, M::Record),
) -> (Outcome, Effort) {
    let said = if tally.interrupted { 0 } else { finish(&lps, Nanos(end), sink) };
    outcome(tally, said, end)
}

/// As `end`, with the sums over all processes; equal in each.
fn end_among<M: Model, O: Outlet<M::Record>>(
    (mut tally, end, lps): RunState<M>,
    exchange: &mut Exchange<'_>,
    outlet: &mut O,
) -> (Outcome, Effort) {
    // An interrupt in one process interrupts all.
    if !tally.interrupted {
        let said = finish(&lps, Nanos(end), &mut |stamp, record| outlet.put(stamp, record));
        tally.hash = tally.hash.wrapping_add(said)
    }
    outlet.flush();
    outcome(exchange.sum(tally), 0, end)
}

fn outcome(tally: Tally, said: u128, end: u64) -> (Outcome, Effort) {
    let Tally { events, hash, last, interrupted, effort } = tally;
    let (trace_hash, end, last) = (hash.wrapping_add(said), Nanos(end), Nanos(last));
    (Outcome { events, trace_hash, end, last, interrupted }, effort)
}

/// Calls `finish` of every LP, in the order of ids. Returns the sum of their hashes.
fn finish<M: Model>(
    lps: &Population<M>,
    end: Nanos,
    sink: &mut impl FnMut(Stamp, M::Record),
) -> u128 {
    let mut notes = Notes { now: end, records: Exclusive::new(Records::new()) };
    let mut hash = 0u128;
    for (id, state) in lps.iter() {
        state.finish(&notes);
        let records = notes.records.get_mut();
        hash = hash.wrapping_add(commit::finish(end, id, state, records, sink))
    }
    hash
}

struct Notes<R> {
    now: Nanos,
    records: Exclusive<Records<R>>,
}

impl<R> Recorder<R> for Notes<R> {
    fn now(&self) -> Nanos {
        self.now
    }
    fn record(&self, record: R) {
        self.records.with(|all| all.push(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phold::{self, Setting};

    /// The first thread borrows the others' members, works alone and returns them, over and over.
    #[test]
    fn working_alone_for_a_while_changes_nothing() {
        let setting = Setting { lps: 300, population: 2, ..Setting::default() };
        let setting = setting.for_events(if cfg!(miri) { 3_000 } else { 60_000 });
        let outcome = phold::run(&setting, Scheduler::Sequential).outcome;
        for threads in [1, 2, 3] {
            let world = phold::one::world(&setting);
            let partition = Partition::new(&world.frame.topology, threads, 0, |_| 1);
            let team = Team { partition, here: 0..threads, exchange: None };
            let sinks = (0..threads).map(|_| Direct(|_, _| ())).collect();
            let (before, pace) = (Tally::default(), Some(Pace::always_changing()));
            let begin = ConservativeOptions { before, pace, balance: None, profiler: None };
            let go_on = |_| ControlFlow::Continue(());
            let (ended, _) = conservative::run(world.all(1), team, begin, sinks, go_on);
            assert_eq!(end(ended, &mut |_, _| ()).0, outcome, "{threads} threads")
        }
    }

    /// A thread that starts several threads clears its heartbeat. Otherwise the watchdog would
    /// report its last event.
    #[test]
    fn who_has_gone_over_to_several_threads_rests() {
        if std::thread::available_parallelism().map_or(1, usize::from) < 2 || cfg!(miri) {
            return;
        }
        // Windows of some 3 000 events.
        let setting = Setting { lps: 4096, population: 8, ..Setting::default() };
        let world = phold::one::world(&setting.for_events(400_000));
        let heartbeats = world.frame.heartbeats.clone();
        let go_on = |_| ControlFlow::Continue(());
        let (_, effort) = world.run_with(Scheduler::Auto { threads: 2 }, |_, _| (), go_on);
        assert!(effort.choice.is_some_and(|choice| choice.threads == 2), "{effort:?}");
        assert!(heartbeats.are_all_idle(), "a thread is still at an event")
    }
}
