//! Conservative: no thread goes further than up to where nobody can send it anything any more.
//!
//! ```text
//!               next events          limits                       next round
//!   thread 0    ──■────────────      ──■■■■■■■■|                  ──────────■──
//!   thread 1    ────■──────────  ►   ────■■■■|          ► meet    ────────■────
//!                 └ 30 ns ┘          nobody's event sends here sooner
//! ```
//!
//! Threads have LPs of their own, with their events in ladders of their own. They work in rounds:
//! all say when their next event is; from these, and the least delays between threads, each knows
//! how far it can go (Lubachevsky's bounded lag, 1989); it goes there, and posts what it sent to
//! others. One meeting a round, no locks in between. What is committed is the same set of events as
//! in a sequential run, in the same order at each LP.
use crate::{
    Lost, Message, Model, Share,
    effort::Timing,
    outcome::{Lead, Tally, Verdict},
    parallel::{
        balance::{Balance, Seen},
        barrier::Known,
        batch_limit::BatchLimit,
        density::Moment,
        exchange::Exchange,
        idle::Idle,
        loan::Loans,
        mail::{Outgoing, Parcel},
        merge::Outlet,
        pace::Pace,
        partition::Partition,
        rebalance::Rebalance,
        shared::Shared,
        slots::Slots,
        speculation::{for_later, kept},
        threads::all_go,
    },
    pending::Pending,
    profile::Profiler,
    start::{Ended, Start, Team},
    worker::{Post, Worker},
};
use rewind::Wire;
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, atomic::Ordering::Relaxed},
};

/// Messages for the LPs of other threads.
struct Out<E> {
    me: usize,
    partition: Arc<Partition>,
    outgoing: Outgoing<E>,
}

impl<E> Post<E> for Out<E> {
    #[inline(always)]
    fn is_here(&self, lp: u32) -> bool {
        self.partition.owner(lp) == self.me
    }
    #[inline(always)]
    fn send(&mut self, t: u64, tie: u64, dst: u32, event: E) {
        self.outgoing.put(self.partition.owner(dst), Parcel { t, tie, dst, event })
    }
}

/// A handler that panicked: the key of its event, and what it said; to who catches it, to all.
struct Fault {
    key: u128,
    said: Box<dyn Any + Send>,
    told: String,
}

struct Member<'a, M: Model, O> {
    me: usize,
    worker: Worker<'a, M, Out<M::Event>>,
    shared: Arc<Shared<M::Event>>,
    outlet: O,
    /// Of its barrier; and of those before.
    round: u64,
    rounds: u64,
    timing: Timing,
    /// Events that were done before it began.
    before: u64,
    quit: bool,
    fault: Option<Fault>,
}

impl<M: Model, O: Outlet<M::Record>> Member<'_, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// Round after round, until nobody has an event before the end, or all have come as far as
    /// where LPs are rebalanced. The first thread leads.
    fn go<L: FnMut(Lead) -> Verdict>(
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
                    Some(lead) => self.go_alone(loans, lead, known),
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
                // What lies beyond the end goes here, on all threads at once.
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
            self.go_on(&known)
        }
    }

    /// With what the other threads have, round after round, until they had better go on themselves,
    /// or the run is over. Says what is known then.
    fn go_alone<L: FnMut(Lead) -> Verdict>(
        &mut self,
        loans: &Loans<Self>,
        lead: &mut Coordinator<'_, '_, L>,
        mut known: Known,
    ) -> Known {
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

    /// From a meeting to the next one.
    fn take_turn<L>(&mut self, known: &Known, lead: Option<&mut Coordinator<'_, '_, L>>) {
        self.go_on(known);
        self.round += 1;
        self.post(lead)
    }

    /// Says how far the run is, to whom it may concern.
    fn tell<L: FnMut(Lead) -> Verdict>(
        &mut self,
        lead: &mut Coordinator<'_, '_, L>,
        known: &Known,
    ) {
        let Known { first, events, stop, .. } = *known;
        // Of the last nanosecond not all may count: a handler may have panicked in it.
        let so_far = Lead { frontier: first.min(stop.saturating_sub(1)), tie: 0, events, stop };
        match panic::catch_unwind(AssertUnwindSafe(|| (lead.hook)(so_far))) {
            Ok(verdict) => self.quit |= verdict.is_break(),
            Err(said) => {
                let told = String::new();
                (self.quit, self.fault) = (true, Some(Fault { key: 0, said, told }))
            }
        }
        lead.events = events
    }

    /// After a meeting: takes in what was sent here, and goes as far as is safe.
    fn go_on(&mut self, known: &Known) {
        self.fetch(known);
        let next = known.next[self.me];
        if known.first < next && self.outlet.is_full() {
            return;
        }
        let in_step = known.in_step(&self.shared.partition);
        // Most have nothing to do before that where one thread does the work of hundreds.
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

    /// Hands over what was sent, and says how far this thread is.
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

    /// Takes in what was sent here.
    fn fetch(&mut self, known: &Known) {
        let pending = &mut self.worker.actions().pending;
        let push = |p: Parcel<M::Event>| pending.push(p.t, p.tie, p.dst, p.event);
        self.shared.fetch(self.me, self.round, known, push)
    }

    /// A panic is kept until all that comes before it is done: another thread may have one that
    /// comes first.
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
        if let Err(said) = for_later(|| panic::catch_unwind(AssertUnwindSafe(work))) {
            let (key, told) = (self.worker.key(), kept());
            self.worker.actions().stop = ((key >> 64) as u64).saturating_add(1);
            self.fault = Some(Fault { key, said, told })
        }
        self.worker.rest();
        self.worker.actions().pending.tidy()
    }

    /// With another barrier, among which LPs are dealt otherwise, perhaps.
    fn join(&mut self, shared: &Arc<Shared<M::Event>>) {
        self.worker.actions().post.partition = Arc::clone(&shared.partition);
        self.shared = Arc::clone(shared);
        self.rounds += std::mem::take(&mut self.round)
    }
}

/// What only the first thread of a process has.
struct Coordinator<'t, 'p, L> {
    /// Called once a round.
    hook: L,
    exchange: Option<&'t mut Exchange<'p>>,
    pace: Option<Pace>,
    rebalance: Rebalance,
    profiler: Option<&'t mut Profiler>,
    /// As known at the last meeting.
    events: u64,
    /// It has what the other threads have; so many rounds so far.
    is_alone: bool,
    rounds_alone: u64,
}

impl<L> Coordinator<'_, '_, L> {
    fn time(&mut self, f: impl FnOnce(&mut Profiler)) {
        if let Some(profiler) = &mut self.profiler {
            f(profiler)
        }
    }

    /// What all are to do after the coming meeting: whether this thread goes on alone, and how far
    /// they may go at most.
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
        if let (Seen::AllWait, Some(pace)) = (seen, &mut self.pace) {
            pace.doubt()
        }
        (false, self.rebalance.level())
    }
}

impl<L: FnMut(Lead) -> Verdict> Coordinator<'_, '_, L> {
    /// What was recorded before a handler panicked is let out before the panic is told; not where
    /// other processes may have one that comes first.
    fn let_out_before_fault<M: Model, O>(&mut self, members: &[Member<'_, M, O>]) {
        let faults = members.iter().filter_map(|member| member.fault.as_ref());
        let first = faults.map(|fault| fault.key).min();
        let is_whole = self.exchange.is_none() && members.iter().all(|member| !member.quit);
        if let Some(key) = first.filter(|_| is_whole) {
            let _ = (self.hook)(Lead::before_fault(key, self.events));
        }
    }
}

/// What a run begins with besides its LPs and their events.
pub(crate) struct Begin<'t> {
    /// What was done before.
    pub(crate) before: Tally,
    /// With a pace, the first thread goes on alone while that is faster.
    pub(crate) pace: Option<Pace>,
    /// With a balance, LPs are rebalanced where one thread has more to do than the others.
    pub(crate) balance: Option<Balance>,
    pub(crate) profiler: Option<&'t mut Profiler>,
}

/// Runs on as many threads as there are outlets, of which the caller's is the first.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    begin: Begin<'_>,
    outlets: Vec<O>,
    hook: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    let Begin { mut before, pace, balance, profiler } = begin;
    let events = before.events;
    let crowd = team.crowd();
    let Team { partition, here, mut exchange } = team;
    let mut shared = Shared::new(Arc::new(partition), here, crowd);
    // The first thread's events stay where they are; those of other processes are theirs.
    let others = shared.deal(&mut pending);
    let shares = std::iter::once(pending).chain(others).zip(outlets);
    let slots = Slots::new(&mut lps);
    let member = |(me, (pending, outlet))| {
        let partition = Arc::clone(&shared.partition);
        let post = Out { me, outgoing: Outgoing::new(partition.threads()), partition };
        // SAFETY: an LP's events go to its owner, and nobody handles an event of another's.
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
            let (alone, deals) = (leader.rounds_alone, leader.rebalance.deals);
            let (mut tally, stop, outlets) = sum_up(members, exchange);
            (tally.effort.deals, tally.effort.alone) = (deals, alone);
            return ((tally, stop, lps), outlets);
        };
        let pending = members.iter_mut().map(|member| &mut member.worker.actions().pending);
        shared = dealt.shared(&shared, pending);
        members.iter_mut().for_each(|member| member.join(&shared))
    }
}

/// All threads, from where they are to where they come back.
fn all_out<'a, M: Model, O: Outlet<M::Record>, L: FnMut(Lead) -> Verdict>(
    members: Vec<Member<'a, M, O>>,
    leader: &mut Coordinator<'_, '_, L>,
) -> Vec<Member<'a, M, O>>
where
    M::Event: Message<Out = M::Event>,
{
    let loans = Loans::new(members[0].shared.partition.threads());
    all_go(
        members.into_iter(),
        |first| first.go(&loans, Some(leader)),
        |other| other.go(&loans, None::<&mut Coordinator<'_, '_, fn(Lead) -> Verdict>>),
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
    if is_to_be_told(first.as_ref().map(|fault| fault.key), exchange)
        && let Some(Fault { said, told, .. }) = first
    {
        eprint!("{told}");
        panic::resume_unwind(said)
    }
    (tally, stop, outlets)
}

/// Whether this process's first fault is the first of all.
///
/// # Panics
/// With [`Lost`], where another process has one that comes first, or the only one.
pub(crate) fn is_to_be_told(own: Option<u128>, exchange: Option<&mut Exchange<'_>>) -> bool {
    let Some(exchange) = exchange else { return own.is_some() };
    let first = exchange.first_fault(own);
    if first != own {
        panic::resume_unwind(Box::new(Lost("another rank has failed".into())))
    }
    own.is_some()
}
