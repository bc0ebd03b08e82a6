//! One thread's part of a run. In each round it receives messages, commits and works.
mod alone;
mod speculate;
mod undo;
use super::{
    adversary::Adversary,
    coordinator::Coordinator,
    ledger::Ledger,
    log::Action,
    memory::HistoryMemory,
    traffic::{Letter, Traffic},
};
use crate::{
    Message, Model, Share, Stamp,
    conservative::is_first_fault,
    cx::Cx,
    effort::Timing,
    exclusive::Exclusive,
    outcome::{Lead, Tally, Verdict},
    parallel::{
        barrier::RoundSummary, exchange::Exchange, loan::Loans, mail::Parcel, merge::Outlet,
        shared::Shared, slots::Slots, speculation::Fault,
    },
    rank::Ranks,
};
use std::{
    panic,
    sync::{Arc, atomic::Ordering::Relaxed},
};
use units::Nanos;

/// Minimum events of a speculative batch.
const SHORTEST: u64 = 64;

type SharedLedger<M> = Exclusive<Ledger<M>>;

pub(super) struct Member<'a, M: Model, O> {
    me: usize,
    cx: Cx<SharedLedger<M>>,
    lps: Slots<'a, M>,
    ranks: Ranks,
    pub(super) shared: Arc<Shared<Letter<M::Event>>>,
    memory: &'a HistoryMemory,
    adversary: Option<Adversary<M::Event>>,
    outlet: O,
    /// Ends of the run that events requested, by key; and handlers that panicked.
    stops: Vec<(u128, u64)>,
    pub(super) faults: Vec<Fault>,
    /// Speculative events that panicked and were undone, by key.
    failed: Vec<u128>,
    /// Committed records, not yet delivered.
    rows: Vec<(Stamp, M::Record)>,
    /// Rounds of the current barrier; `rounds` counts those of former barriers.
    pub(super) round: u64,
    rounds: u64,
    batch: u64,
    /// Rounds left without speculation; `rest` is the length of the next pause.
    pause: u64,
    next_pause: u64,
    /// The coordinator allows speculation, but not from `deferred_at` on \[ns\].
    may_speculate: bool,
    deferred_at: u64,
    /// It speculated in its last round.
    has_speculated: bool,
    /// By LP: its state is journalled, because it had speculative events.
    journalled: Vec<bool>,
    /// All threads stop at one time for a rebalancing; later events are undone already.
    is_leveling: bool,
    /// Events undone since the last batch; `rolled_back` counts those before.
    undone: u64,
    rolled_back: u64,
    /// Events handled on speculation; `longest` is the maximum in the log.
    ahead: u64,
    longest: u64,
    timing: Timing,
    tally: Tally,
    pub(super) quit: bool,
    /// The end of the run, once it is certain \[ns\].
    end: u64,
}

impl<'a, M: Model, O: Outlet<M::Record>> Member<'a, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    pub(super) fn new(
        me: usize,
        (cx, lps, ranks): (Cx<SharedLedger<M>>, Slots<'a, M>, Ranks),
        (shared, room): (&Arc<Shared<Letter<M::Event>>>, &'a HistoryMemory),
        adversary: Option<Adversary<M::Event>>,
        outlet: O,
    ) -> Self {
        let journalled = vec![false; if M::PLAIN { 0 } else { cx.frame.lps as usize }];
        Member {
            me,
            cx,
            lps,
            ranks,
            shared: Arc::clone(shared),
            memory: room,
            adversary,
            outlet,
            stops: vec![],
            faults: vec![],
            failed: vec![],
            rows: vec![],
            round: 0,
            rounds: 0,
            batch: 4 * SHORTEST,
            pause: 0,
            next_pause: 1,
            may_speculate: true,
            deferred_at: u64::MAX,
            has_speculated: false,
            journalled,
            is_leveling: false,
            undone: 0,
            rolled_back: 0,
            ahead: 0,
            longest: 0,
            timing: Timing::start(),
            tally: Tally::default(),
            quit: false,
            end: 0,
        }
    }

    /// Works round by round until no event before the end is left, or all have reached the time of
    /// a rebalancing. Only the first thread has `lead`.
    pub(super) fn run<L: FnMut(Lead) -> Verdict>(
        mut self,
        loans: &Loans<Self>,
        mut lead: Option<&mut Coordinator<'_, '_, L>>,
    ) -> Self {
        let shared = Arc::clone(&self.shared);
        let _seat = shared.barrier.join(self.me);
        self.post(lead.as_deref_mut());
        loop {
            let (me, round) = (self.me, self.round);
            let exchange = lead.as_mut().and_then(|lead| lead.exchange.as_deref_mut());
            let mut known = self.timing.wait(|| shared.meet(me, round, exchange));
            if let Some(lead) = &mut lead {
                self.quit |= lead.tell(&known, &mut self.faults)
            }
            if known.alone {
                self = match &mut lead {
                    Some(lead) => self.run_alone(loans, lead),
                    None => self.lend(loans),
                };
                known = shared.barrier.known(self.round)
            }
            if known.is_over() {
                if let Some(lead) = lead {
                    lead.rebalance.give_up()
                }
                return self.leave(&known);
            }
            if known.is_level() && self.is_leveling {
                return self.come_back(&known);
            }
            self.take_turn(&known);
            self.post(lead.as_deref_mut())
        }
    }

    /// Work after a barrier: receives, commits, continues. `known.first` is the global virtual
    /// time.
    pub(super) fn take_turn(&mut self, known: &RoundSummary) {
        let RoundSummary { first: gvt, stop, pauses, level, .. } = known;
        self.may_speculate = !pauses;
        let may = known.limit(&self.shared.partition, self.me);
        let limit = may.min(self.held_back(known.events)).min(*level);
        self.fetch(known);
        let own = self.traffic().pending.next();
        self.commit_before(own.min(limit).min(*stop));
        if *level < u64::MAX && !std::mem::replace(&mut self.is_leveling, true) {
            self.undo_since(*level)
        }
        let step = match self.has_speculated {
            true => limit,
            false => limit.min(known.in_step(&self.shared.partition)),
        };
        // The thread with the earliest event never waits.
        if own == *gvt || !self.outlet.is_full() {
            self.work_round(step, *stop)
        }
    }

    /// Commits everything before `level`, for a rebalancing.
    fn come_back(mut self, known: &RoundSummary) -> Self {
        self.fetch(known);
        self.commit_before(known.level);
        assert_eq!(self.cx.backend.get_mut().log.len(), 0, "something can be undone still");
        for (lp, is_journalled) in (0..).zip(&mut self.journalled) {
            if std::mem::take(is_journalled) {
                self.lps.get(lp).state.journal(None)
            }
        }
        self
    }

    /// Continues with another barrier and partition.
    pub(super) fn join(&mut self, shared: &Arc<Shared<Letter<M::Event>>>) {
        self.traffic().join(&shared.partition);
        self.shared = Arc::clone(shared);
        self.rounds += std::mem::take(&mut self.round);
        (self.is_leveling, self.deferred_at) = (false, u64::MAX)
    }

    /// At the end, or after an interrupt: commits what is certain and undoes the rest.
    pub(super) fn leave(mut self, known: &RoundSummary) -> Self {
        let certain = known.first.min(known.stop);
        self.commit_before(certain);
        self.end = known.stop;
        self.undo_since(known.stop);
        self.undo_the_rest(certain == known.stop);
        self.let_out_before(u64::MAX);
        self.outlet.flush();
        self
    }

    /// Earliest message to this thread that an adversary delays \[ns\]. `certain`: committed events
    /// of all threads.
    fn held_back(&mut self, certain: u64) -> u64 {
        let (barrier, round) = (&self.shared.barrier, self.round);
        let Some(adversary) = &mut self.adversary else { return u64::MAX };
        adversary.hears(certain, barrier.undone(round));
        barrier.held(self.me, round)
    }

    fn share(&self) -> Share {
        let (seconds, waited_s) = self.timing.seconds();
        Share {
            committed: self.tally.events,
            ahead: self.ahead,
            rolled_back: self.rolled_back,
            longest_history: self.longest,
            seconds,
            waited_s,
            ..self.shared.share(self.me)
        }
    }

    pub(super) fn traffic(&mut self) -> &mut Traffic<M::Event> {
        &mut self.cx.backend.get_mut().traffic
    }

    /// Ends a round: hands over messages and anti-messages, and publishes this thread's state.
    pub(super) fn post<L>(&mut self, lead: Option<&mut Coordinator<'_, '_, L>>) {
        self.round += 1;
        let (me, round) = (self.me, self.round);
        let plan = lead.map(|lead| lead.plan(&self.shared, round)).unwrap_or_default();
        let notes = self.shared.barrier.notes(me, round);
        let stop = self.stops.iter().map(|(_, at)| *at).min().unwrap_or(u64::MAX);
        let Traffic { pending, outgoing, .. } = &mut self.cx.backend.get_mut().traffic;
        if let Some(adversary) = &mut self.adversary {
            notes.undone.store(self.rolled_back, Relaxed);
            adversary.stand_between(round, outgoing, notes)
        }
        outgoing.post(me, round, &self.shared.mail, notes);
        notes.next.store(pending.next(), Relaxed);
        notes.stop.store(stop.min(self.cx.frame.horizon), Relaxed);
        notes.events.store(self.tally.events, Relaxed);
        notes.quit.store(self.quit, Relaxed);
        notes.alone.store(plan.is_alone, Relaxed);
        notes.pauses.store(plan.pauses, Relaxed);
        notes.level.store(plan.level, Relaxed);
        notes.waited.store(self.timing.waited().as_nanos() as u64, Relaxed);
        self.outlet.flush()
    }

    /// Receives messages and anti-messages.
    fn fetch(&mut self, known: &RoundSummary) {
        let (shared, me, round) = (Arc::clone(&self.shared), self.me, self.round);
        shared.fetch(me, round, known, |parcel| self.receive(parcel))
    }

    fn receive(&mut self, Parcel { t, tie, dst, event }: Parcel<Letter<M::Event>>) {
        match event {
            Letter::Certain(event) => self.traffic().pending.push(t, tie, dst, event),
            Letter::Tentative(event) => self.traffic().arrive(t, tie, dst, event),
            Letter::Never => {
                let entry = self.traffic().arrived(t, tie, dst);
                self.take_back(entry)
            }
        }
    }

    /// Commits events before `certain` \[ns\], up to the first one that panicked: it is run again
    /// for the report.
    fn commit_before(&mut self, certain: u64) {
        let Member { cx, lps, tally, outlet, faults, rows, .. } = self;
        let upto = faults.iter().fold((certain as u128) << 64, |upto, (key, _)| upto.min(*key));
        let Ledger { log, traffic, .. } = cx.backend.get_mut();
        log.settle(upto, |(past, mark), actions, records| {
            let entry = past.entry;
            tally.hash = tally.hash.wrapping_add(past.hash);
            (tally.events, tally.last) = (tally.events + 1, tally.last.max(entry.t));
            for (index, record) in (0..).zip(records) {
                let stamp = Stamp { at: Nanos(entry.t), tie: entry.tie, lp: entry.dst, index };
                match O::ORDERED {
                    true => rows.push((stamp, record)),
                    false => outlet.put(stamp, record),
                }
            }
            for action in actions {
                if let Action::Cancelled(timer) = action {
                    traffic.pending.bury(timer.timer())
                }
            }
            traffic.release(&entry, past.is_foreign);
            // `mark` is the state before the event: the event's own changes stay in the journal.
            if !M::PLAIN {
                lps.get(entry.dst).state.commit(mark)
            }
        });
        self.failed.retain(|key| *key >> 64 >= certain as u128);
        self.let_out_before(certain)
    }

    /// Delivers records before `certain` \[ns\] in order. Later ones may still get predecessors.
    fn let_out_before(&mut self, certain: u64) {
        let Member { rows, outlet, .. } = self;
        rows.sort_by_key(|(stamp, _)| *stamp);
        let ready = rows.partition_point(|(stamp, _)| stamp.at.0 < certain);
        rows.drain(..ready).for_each(|(stamp, record)| outlet.put(stamp, record))
    }

    /// Runs the event that panicked again, now that it is certain, so that the panic is printed.
    fn fail_again(&mut self) {
        let Some((key, _)) = self.faults.iter().min_by_key(|(key, _)| *key) else { return };
        let Some((past, mark)) = self.cx.backend.get_mut().log.find(*key) else { return };
        let (entry, slot) = (past.entry, self.lps.get(past.entry.dst));
        slot.state.rewind(mark);
        slot.sent = past.sent;
        self.handle(entry);
        panic!("LP {} at {} ns panics, and then does not", entry.dst, entry.t)
    }
}

/// # Panics
/// With the first of the handlers' panics, if there was one.
pub(super) fn sum_up<M: Model, O: Outlet<M::Record>>(
    mut done: Vec<Member<'_, M, O>>,
    exchange: Option<&mut Exchange<'_>>,
) -> (Tally, u64, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let first = |m: &Member<M, O>| m.faults.iter().map(|(key, _)| *key).min();
    if is_first_fault(done.iter().filter_map(first).min(), exchange)
        && let failed = done.iter_mut().filter(|m| !m.faults.is_empty())
        && let Some(member) = failed.min_by_key(|member| first(member))
    {
        member.fail_again();
        let own = std::mem::take(&mut member.faults).into_iter().min_by_key(|(key, _)| *key);
        panic::resume_unwind(own.expect("it has one").1)
    }
    let (mut tally, mut end, mut outlets) = (Tally::default(), 0, vec![]);
    for member in done {
        end = member.end;
        let share = member.share();
        let mut own = member.tally;
        own.interrupted = member.quit;
        (own.effort.rolled_back, own.effort.rounds) =
            (member.rolled_back, member.rounds + member.round);
        own.effort.threads.push(share);
        tally = tally.and(own);
        outlets.push(member.outlet)
    }
    (tally, end, outlets)
}
