//! The conservative scheduler: a thread stops at its safe time, the earliest time at which another
//! thread can still send to it.
//!
//! ```text
//!               next events          limits                       next round
//!   thread 0    ──■────────────      ──■■■■■■■■|                  ──────────■──
//!   thread 1    ────■──────────  ►   ────■■■■|          ► meet    ────────■────
//!                 └ 30 ns ┘          no event sends here sooner
//! ```
//!
//! Each thread owns LPs and has a ladder for their events. In a round, all threads publish the time
//! of their next event. With the least delays between threads, each computes its safe time
//! (Lubachevsky's bounded lag, 1989). It handles events up to this time and posts its messages. A
//! round has one barrier and no other locks. The committed events, and their order at each LP, are
//! those of a sequential run.
use crate::{
    Message, Model, PeerLost, Share,
    effort::Timing,
    outcome::{Lead, Tally, Verdict},
    parallel::{
        balance::{Balance, LoadVerdict},
        barrier::RoundSummary,
        batch_limit::BatchLimit,
        density::Moment,
        exchange::Exchange,
        idle::Idle,
        loan::Loans,
        mail::{OutgoingMail, Parcel},
        merge::Outlet,
        pace::Pace,
        partition::Partition,
        rebalance::Rebalance,
        shared::Shared,
        slots::Slots,
        speculation::{keeping_panic_message, take_panic_message},
        threads::run_all,
    },
    pending::Pending,
    profile::Profiler,
    start::{RunState, Start, Team},
    worker::{Post, Worker},
};
use rewind::Wire;
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, atomic::Ordering::Relaxed},
};

struct ThreadPost<E> {
    me: usize,
    partition: Arc<Partition>,
    outgoing: OutgoingMail<E>,
}

impl<E> Post<E> for ThreadPost<E> {
    #[inline(always)]
    fn is_here(&self, lp: u32) -> bool {
        self.partition.owner(lp) == self.me
    }
    #[inline(always)]
    fn send(&mut self, t: u64, tie: u64, dst: u32, event: E) {
        self.outgoing.put(self.partition.owner(dst), Parcel { t, tie, dst, event })
    }
}

/// A handler that panicked: key of its event, payload of the panic, and text for stderr.
struct Fault {
    key: u128,
    payload: Box<dyn Any + Send>,
    message: String,
}

struct Member<'a, M: Model, O> {
    me: usize,
    worker: Worker<'a, M, ThreadPost<M::Event>>,
    shared: Arc<Shared<M::Event>>,
    outlet: O,
    /// Rounds of the current barrier; `rounds` counts those of former barriers.
    round: u64,
    rounds: u64,
    timing: Timing,
    /// Events before this scheduler began.
    before: u64,
    quit: bool,
    fault: Option<Fault>,
}

impl<M: Model, O: Outlet<M::Record>> Member<'_, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// Works round by round until no event before the end is left, or all have reached the time of
    /// a rebalancing. Only the first thread has `lead`.
    fn run<L: FnMut(Lead) -> Verdict>(
        mut self,
        loans: &Loans<Self>,
        mut lead: Option<&mut Coordinator<'_, '_, L>>,
    ) -> Self {
        let shared = Arc::clone(&self.shared);
        let _seat = shared.barrier.join(self.me);
        loop {
            self.round += 1;
            self.post(lead.as_deref_mut());
            let (me, round) = (self.me, self.round);
            let exchange = lead.as_mut().and_then(|lead| lead.exchange.as_deref_mut());
            let mut known = self.timing.wait(|| shared.meet(me, round, exchange));
            if let Some(lead) = &mut lead {
                self.tell(lead, &known)
            }
            if known.alone {
                known = match &mut lead {
                    Some(lead) => self.run_alone(loans, lead, known),
                    None => {
                        let mut timing = std::mem::replace(&mut self.timing, Timing::start());
                        self = timing.wait(|| loans.lend(&shared.barrier, me, me, self));
                        self.timing = timing;
                        shared.barrier.known(self.round)
                    }
                }
            }
            if known.is_over() {
                let actions = self.worker.actions();
                // Drops the events beyond the end, on all threads in parallel.
                (actions.stop, actions.pending) = (known.stop, Pending::new());
                if let Some(lead) = lead {
                    lead.rebalance.give_up()
                }
                return self;
            }
            if known.is_level() {
                self.fetch(&known);
                return self;
            }
            self.work_round(&known)
        }
    }

    /// The first thread works alone with the borrowed members, until several threads are faster or
    /// the run ends. Returns the state of the last round.
    fn run_alone<L: FnMut(Lead) -> Verdict>(
        &mut self,
        loans: &Loans<Self>,
        lead: &mut Coordinator<'_, '_, L>,
        mut known: RoundSummary,
    ) -> RoundSummary {
        let (shared, me) = (Arc::clone(&self.shared), self.me);
        let (barrier, others) = (&shared.barrier, shared.here.clone().skip(1));
        let mut borrowed: Vec<Self> = others.map(|o| loans.borrow(barrier, me, o)).collect();
        let mut idle = Idle::new(shared.partition.threads());
        lead.is_alone = true;
        while known.alone && !known.is_over() {
            lead.time(Profiler::begin);
            let round = self.round;
            for other in &mut borrowed {
                if !idle.leaves_out(other.me, (&*shared, round, &known), || true) {
                    other.round = round;
                    other.take_turn(&known, None::<&mut Coordinator<'_, '_, L>>);
                    lead.time(Profiler::did)
                }
            }
            self.take_turn(&known, Some(lead));
            lead.time(Profiler::did_first);
            lead.time(Profiler::end_round);
            lead.rounds_alone += 1;
            known = barrier.known(self.round);
            self.tell(lead, &known);
            lead.time(Profiler::led)
        }
        lead.is_alone = false;
        for other in borrowed {
            let round = self.round;
            loans.give_back(barrier, other.me, Member { round, ..other })
        }
        known
    }

    /// One round without waiting at the barrier.
    fn take_turn<L>(&mut self, known: &RoundSummary, lead: Option<&mut Coordinator<'_, '_, L>>) {
        self.work_round(known);
        self.round += 1;
        self.post(lead)
    }

    /// Calls the progress hook; a panic in it counts as a fault.
    fn tell<L: FnMut(Lead) -> Verdict>(
        &mut self,
        lead: &mut Coordinator<'_, '_, L>,
        known: &RoundSummary,
    ) {
        let RoundSummary { first, events, stop, .. } = *known;
        // The last nanosecond may be incomplete: a handler may have panicked in it.
        let so_far = Lead { frontier: first.min(stop.saturating_sub(1)), tie: 0, events, stop };
        match panic::catch_unwind(AssertUnwindSafe(|| (lead.hook)(so_far))) {
            Ok(verdict) => self.quit |= verdict.is_break(),
            Err(payload) => {
                let message = String::new();
                (self.quit, self.fault) = (true, Some(Fault { key: 0, payload, message }))
            }
        }
        lead.events = events
    }

    /// Fetches messages and works up to the safe time.
    fn work_round(&mut self, known: &RoundSummary) {
        self.fetch(known);
        let next = known.next[self.me];
        if known.first < next && self.outlet.is_full() {
            return;
        }
        let in_step = known.in_step(&self.shared.partition);
        // If one thread does the work of hundreds, most have no event before that.
        if next < in_step {
            let may = known.limit(&self.shared.partition, self.me);
            self.work(may.min(in_step).min(known.stop).min(known.level))
        }
    }

    fn share(&self) -> Share {
        let (seconds, waited_s) = self.timing.seconds();
        let committed = self.worker.tally.events - self.before;
        Share { committed, seconds, waited_s, ..self.shared.share(self.me) }
    }

    /// Hands over messages and publishes this thread's state for the next barrier.
    fn post<L>(&mut self, lead: Option<&mut Coordinator<'_, '_, L>>) {
        let (me, round, fault) = (self.me, self.round, self.fault.is_some());
        let waited = self.timing.waited();
        let (goes_alone, level) = lead.map_or((false, u64::MAX), |lead| {
            let (events, own) = (lead.events, self.worker.tally.events);
            lead.plan(&self.shared, round, Moment { now: crate::clock::now(), waited, events, own })
        });
        let notes = self.shared.barrier.notes(me, round);
        let actions = self.worker.actions();
        actions.post.outgoing.post(me, round, &self.shared.mail, notes);
        let next = if fault { u64::MAX } else { actions.pending.next() };
        notes.next.store(next, Relaxed);
        notes.stop.store(actions.stop, Relaxed);
        notes.events.store(self.worker.tally.events, Relaxed);
        notes.quit.store(self.quit, Relaxed);
        notes.alone.store(goes_alone, Relaxed);
        notes.level.store(level, Relaxed);
        notes.waited.store(u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX), Relaxed);
        self.outlet.flush()
    }

    fn fetch(&mut self, known: &RoundSummary) {
        let pending = &mut self.worker.actions().pending;
        let push = |p: Parcel<M::Event>| pending.push(p.t, p.tie, p.dst, p.event);
        self.shared.fetch(self.me, self.round, known, push)
    }

    /// Keeps a panic until all earlier events are done: another thread may have an earlier panic.
    fn work(&mut self, limit: u64) {
        if self.fault.is_some() {
            return;
        }
        let Member { worker, outlet, .. } = self;
        let work = || {
            let mut batch_limit = BatchLimit::new();
            let mut step = |most: u64, outlet: &mut O| {
                worker.work(limit, most, &mut |stamp, record| outlet.put(stamp, record))
            };
            while step(batch_limit.step(), outlet) && !batch_limit.is_over() && !outlet.is_full() {}
        };
        if let Err(payload) = keeping_panic_message(|| panic::catch_unwind(AssertUnwindSafe(work)))
        {
            let (key, message) = (self.worker.key(), take_panic_message());
            self.worker.actions().stop = ((key >> 64) as u64).saturating_add(1);
            self.fault = Some(Fault { key, payload, message })
        }
        self.worker.set_idle();
        self.worker.actions().pending.tidy()
    }

    /// Continues with another barrier and partition.
    fn join(&mut self, shared: &Arc<Shared<M::Event>>) {
        self.worker.actions().post.partition = Arc::clone(&shared.partition);
        self.shared = Arc::clone(shared);
        self.rounds += std::mem::take(&mut self.round)
    }
}

/// State of the first thread of a process.
struct Coordinator<'t, 'p, L> {
    /// Called once a round.
    hook: L,
    exchange: Option<&'t mut Exchange<'p>>,
    pace: Option<Pace>,
    rebalance: Rebalance,
    profiler: Option<&'t mut Profiler>,
    /// Events of all threads at the last barrier.
    events: u64,
    /// Whether it has borrowed the other members, and the rounds with them.
    is_alone: bool,
    rounds_alone: u64,
}

impl<L> Coordinator<'_, '_, L> {
    fn time(&mut self, f: impl FnOnce(&mut Profiler)) {
        if let Some(profiler) = &mut self.profiler {
            f(profiler)
        }
    }

    /// Plans the round after the coming barrier: whether this thread works alone, and the time at
    /// which all threads stop for a rebalancing \[ns\].
    fn plan<E: Wire>(&mut self, shared: &Shared<E>, round: u64, at: Moment) -> (bool, u64) {
        if self.rebalance.level() < u64::MAX {
            return (false, self.rebalance.level());
        }
        let was_alone = self.is_alone;
        if round == 1
            && let Some(pace) = &mut self.pace
        {
            pace.begin(at.events, at.now)
        }
        let goes_alone = self.pace.as_mut().is_some_and(|pace| pace.goes_alone(was_alone, at));
        if was_alone || goes_alone || round == 1 {
            self.rebalance.forget();
            return (goes_alone, u64::MAX);
        }
        let seen = self.rebalance.look(at.now, shared, round - 1);
        if let (LoadVerdict::AllWait, Some(pace)) = (seen, &mut self.pace) {
            pace.doubt()
        }
        (false, self.rebalance.level())
    }
}

impl<L: FnMut(Lead) -> Verdict> Coordinator<'_, '_, L> {
    /// Delivers the records before a handler's panic, ahead of the report. With several processes
    /// it delivers none: another process may have an earlier panic.
    fn let_out_before_fault<M: Model, O>(&mut self, members: &[Member<'_, M, O>]) {
        let faults = members.iter().filter_map(|member| member.fault.as_ref());
        let first = faults.map(|fault| fault.key).min();
        let is_whole = self.exchange.is_none() && members.iter().all(|member| !member.quit);
        if let Some(key) = first.filter(|_| is_whole) {
            let _ = (self.hook)(Lead::before_fault(key, self.events));
        }
    }
}

pub(crate) struct ConservativeOptions<'t> {
    /// Results of the run before this scheduler.
    pub(crate) before: Tally,
    /// The first thread works alone while that is faster.
    pub(crate) pace: Option<Pace>,
    /// LPs are rebalanced if one thread has more work than the others.
    pub(crate) balance: Option<Balance>,
    pub(crate) profiler: Option<&'t mut Profiler>,
}

/// Runs one thread per outlet; the first is the calling thread.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    begin: ConservativeOptions<'_>,
    outlets: Vec<O>,
    hook: impl FnMut(Lead) -> Verdict,
) -> (RunState<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    let ConservativeOptions { mut before, pace, balance, profiler } = begin;
    let events = before.events;
    let crowd = team.crowd();
    let Team { partition, here, mut exchange } = team;
    let mut shared = Shared::new(Arc::new(partition), here, crowd);
    // The first thread's events stay in place; those of other processes are dropped.
    let others = shared.deal(&mut pending);
    let shares = std::iter::once(pending).chain(others).zip(outlets);
    let slots = Slots::new(&mut lps);
    let member = |(me, (pending, outlet))| {
        let partition = Arc::clone(&shared.partition);
        let post = ThreadPost { me, outgoing: OutgoingMail::new(partition.threads()), partition };
        // SAFETY: an LP's events go to its owner, and no thread handles an event of another's.
        let lps = unsafe { slots.share() };
        let mut worker = Worker::new(frame.fork(), pending, lps, ranks, post);
        worker.tally = std::mem::take(&mut before);
        let (before, shared, timing) = (worker.tally.events, Arc::clone(&shared), Timing::start());
        let (round, rounds, quit, fault) = (0, 0, false, None);
        Member { me, worker, shared, outlet, round, rounds, timing, before, quit, fault }
    };
    let mut members: Vec<Member<M, O>> = shared.here.clone().zip(shares).map(member).collect();
    let mut leader = Coordinator {
        hook,
        exchange: exchange.as_deref_mut(),
        pace,
        rebalance: Rebalance::new(balance),
        profiler,
        events,
        is_alone: false,
        rounds_alone: 0,
    };
    // SAFETY: it is asked only while all threads have come back.
    let mut idle = unsafe { slots.share() };
    loop {
        members = all_out(members, &mut leader);
        let sent = |lp| idle.sent(lp, &ranks);
        let Some(dealt) = leader.rebalance.deal(&shared.partition, &frame.topology, sent) else {
            leader.let_out_before_fault(&members);
            let (alone, rebalances) = (leader.rounds_alone, leader.rebalance.rebalances);
            let (mut tally, stop, outlets) = sum_up(members, exchange);
            (tally.effort.rebalances, tally.effort.alone) = (rebalances, alone);
            return ((tally, stop, lps), outlets);
        };
        let pending = members.iter_mut().map(|member| &mut member.worker.actions().pending);
        shared = dealt.shared(&shared, pending);
        members.iter_mut().for_each(|member| member.join(&shared))
    }
}

fn all_out<'a, M: Model, O: Outlet<M::Record>, L: FnMut(Lead) -> Verdict>(
    members: Vec<Member<'a, M, O>>,
    leader: &mut Coordinator<'_, '_, L>,
) -> Vec<Member<'a, M, O>>
where
    M::Event: Message<Out = M::Event>,
{
    let loans = Loans::new(members[0].shared.partition.threads());
    run_all(
        members.into_iter(),
        |first| first.run(&loans, Some(leader)),
        |other| other.run(&loans, None::<&mut Coordinator<'_, '_, fn(Lead) -> Verdict>>),
    )
}

/// # Panics
/// With the first of the handlers' panics, if there was one.
fn sum_up<M: Model, O: Outlet<M::Record>>(
    done: Vec<Member<M, O>>,
    exchange: Option<&mut Exchange<'_>>,
) -> (Tally, u64, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let (mut tally, mut stop, mut outlets) = (Tally::default(), 0, vec![]);
    let mut faults: Vec<Fault> = vec![];
    for mut member in done {
        stop = member.worker.actions().stop;
        let share = member.share();
        let mut own = member.worker.tally;
        (own.interrupted, own.effort.rounds) = (member.quit, member.rounds + member.round);
        own.effort.threads.push(share);
        tally = tally.and(own);
        faults.extend(member.fault);
        outlets.push(member.outlet)
    }
    let first = faults.into_iter().min_by_key(|fault| fault.key);
    if is_first_fault(first.as_ref().map(|fault| fault.key), exchange)
        && let Some(Fault { payload, message, .. }) = first
    {
        eprint!("{message}");
        panic::resume_unwind(payload)
    }
    (tally, stop, outlets)
}

/// Whether this process has the first fault of all.
///
/// # Panics
/// With [`PeerLost`] if another process has an earlier fault, or the only one.
pub(crate) fn is_first_fault(own: Option<u128>, exchange: Option<&mut Exchange<'_>>) -> bool {
    let Some(exchange) = exchange else { return own.is_some() };
    let first = exchange.first_fault(own);
    if first != own {
        panic::resume_unwind(Box::new(PeerLost("another rank has failed".into())))
    }
    own.is_some()
}
