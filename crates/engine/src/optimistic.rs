//! Optimistic (Time Warp, Jefferson 1985): go ahead, and take back what turns out to be wrong.
//!
//! ```text
//!               ┌ committed ┐ GVT
//!   LP 7        ──■────■────┼──■───■──────■───►       its history: what can still be undone
//!                           │      ▲
//!                           │      └ a straggler: ■ ■ behind it are undone, what they sent is
//!                           │        taken back (■ pending: dropped, ■ done: undone in turn),
//!                           │        and all of it is done again, in the right order
//! ```
//!
//! Threads have LPs of their own, and run their events in order, as far as a batch goes, without
//! asking whether something may still come. Then they meet: no event before the soonest one that
//! is pending or under way anywhere (the global virtual time, GVT) can be undone any more; what is
//! before it is committed: hashed, its records let out, its history forgotten. A thread whose work
//! is undone too often makes shorter batches.
//!
//! Rollback is per LP. Payloads stay where they are from being sent to being committed, so that an
//! undone event only gets its key back, and a timer keeps its place.
mod ledger;
mod log;
mod traffic;
use crate::{
    Message, Model, Stamp,
    commit::{Blame, fingerprint},
    conservative::Lead,
    cx::{Cx, View},
    outcome::{Tally, Verdict},
    own::Own,
    parallel::{
        crew::{Crew, Known, all_go},
        mail::{Mail, Parcel},
        merge::Outlet,
        partition::{MOST_THREADS, Partition},
        slots::Slots,
        speculation,
    },
    pending::Entry,
    rank::Ranks,
    world::{Ended, Start},
};
use ledger::Ledger;
use log::Deed;
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::atomic::Ordering::Relaxed,
};
use traffic::Traffic;
use units::Nanos;

/// Uncommitted events of a thread: more of them cost half of the speed in cache misses.
const LONGEST: u64 = 1024;
const SHORTEST: u64 = 64;

/// A thread whose events are undone more often than one in so many makes shorter batches.
const ONE_IN: u64 = 8;

type Desk<'a, M> = Own<Ledger<'a, M>>;

struct Member<'a, M: Model, O> {
    me: usize,
    cx: Cx<Desk<'a, M>>,
    lps: Slots<'a, M>,
    ranks: Ranks,
    crew: &'a Crew,
    mail: &'a Mail<Option<M::Event>>,
    outlet: O,
    /// Ends of the run that events have asked for, and handlers that panicked, by key.
    stops: Vec<(u128, u64)>,
    faults: Vec<(u128, Box<dyn Any + Send>)>,
    /// Records on their way out.
    rows: Vec<(Stamp, M::Record)>,
    round: u64,
    /// Records of events before it are out \[ns\].
    let_out: u64,
    batch: u64,
    /// Events undone since the last batch, and before.
    undone: u64,
    rolled_back: u64,
    tally: Tally,
    quit: bool,
    /// The end of the run, once that is certain [ns].
    end: u64,
}

impl<'a, M: Model, O: Outlet<M::Record>> Member<'a, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    fn go(mut self, mut lead: impl FnMut(Lead) -> Verdict) -> Self {
        let _seat = self.crew.join(self.me);
        loop {
            self.round += 1;
            self.post();
            self.crew.meet(self.me, self.round);
            // The global virtual time is that of the first event anywhere.
            let Known { first: gvt, events, stop, quit, .. } = self.crew.known(self.round);
            let certain = gvt.min(stop);
            // What is certain since this meeting is let out by the next one.
            let frontier = std::mem::replace(&mut self.let_out, certain);
            let so_far = Lead { frontier, events, stop };
            match panic::catch_unwind(AssertUnwindSafe(|| lead(so_far))) {
                Ok(verdict) => self.quit |= verdict.is_break(),
                Err(said) => {
                    self.quit = true;
                    self.faults.push((0, said))
                }
            }
            self.commit_before(certain);
            if quit || gvt >= stop {
                self.end = stop;
                self.undo_the_rest(gvt >= stop);
                self.outlet.flush();
                return self;
            }
            self.fetch();
            self.run_ahead(stop)
        }
    }

    fn traffic(&mut self) -> &mut Traffic<'a, M::Event> {
        &mut self.cx.back.get_mut().traffic
    }

    /// Hands over what was sent and taken back, and says how far this thread is.
    fn post(&mut self) {
        let (me, round) = (self.me, self.round);
        let notes = self.crew.notes(me, round);
        let stop = self.stops.iter().map(|(_, at)| *at).min().unwrap_or(u64::MAX);
        let Traffic { pending, outgoing, .. } = &mut self.cx.back.get_mut().traffic;
        outgoing.post(me, round, self.mail, notes);
        notes.next.store(pending.next(), Relaxed);
        notes.stop.store(stop.min(self.cx.frame.horizon), Relaxed);
        notes.events.store(self.tally.events, Relaxed);
        notes.quit.store(self.quit, Relaxed);
        self.outlet.flush()
    }

    /// Takes in messages, and takes back those that their senders have undone.
    fn fetch(&mut self) {
        let (mail, crew, me, round) = (self.mail, self.crew, self.me, self.round);
        mail.fetch(me, round, crew, |parcel| self.receive(parcel))
    }

    fn receive(&mut self, Parcel { t, tie, dst, event }: Parcel<Option<M::Event>>) {
        match event {
            Some(event) => self.traffic().arrive(t, tie, dst, event),
            None => {
                let entry = self.traffic().arrived(t, tie, dst);
                self.take_back(entry)
            }
        }
    }

    /// A message was never sent.
    fn take_back(&mut self, entry: Entry) {
        if !self.traffic().drop_pending(&entry) {
            self.undo_from(entry.dst, entry.key());
            assert!(self.traffic().drop_pending(&entry), "an undone event is pending: {entry:?}")
        }
    }

    /// Undoes an LP's events from a key on, and all that followed from them on this thread.
    fn undo_from(&mut self, lp: u32, key: u128) {
        let (mut to_do, mut doomed) = (vec![(lp, key)], vec![]);
        while let Some((lp, key)) = to_do.pop() {
            self.undo_own(lp, key, |traffic, sent| {
                if !traffic.drop_pending(&sent) {
                    to_do.push((sent.dst, sent.key()));
                    doomed.push(sent)
                }
            })
        }
        // All of them are pending again; some were dropped since, as deeds of their own receivers.
        for sent in doomed {
            self.traffic().drop_pending(&sent);
        }
    }

    /// Undoes an LP's events from a key on; `unsend` is told what they sent on this thread.
    fn undo_own(
        &mut self,
        lp: u32,
        key: u128,
        mut unsend: impl FnMut(&mut Traffic<'a, M::Event>, Entry),
    ) {
        let Member { cx, stops, faults, lps, undone, .. } = self;
        let Ledger { log, traffic, .. } = cx.back.get_mut();
        loop {
            let undo = |deed| match deed {
                Deed::Here(sent) => unsend(traffic, sent),
                Deed::There { t, tie, dst } => traffic.away(t, tie, dst, None),
                Deed::Cancelled(timer) => traffic.revive(timer),
            };
            let Some(past) = log.undo_last(lp, key, undo) else { return };
            traffic.revive(past.entry);
            let slot = lps.get(lp);
            slot.state.rewind(&past.mark);
            slot.sent = past.sent;
            *undone += 1;
            let of = past.entry.key();
            stops.retain(|(key, _)| *key != of);
            faults.retain(|(key, _)| *key != of)
        }
    }

    /// A batch of events, in order as far as is known.
    fn run_ahead(&mut self, stop: u64) {
        let undone = std::mem::take(&mut self.undone);
        self.rolled_back += undone;
        self.batch =
            match undone * ONE_IN > self.batch || self.cx.back.get_mut().log.len() > 4 * LONGEST {
                true => (self.batch / 2).max(SHORTEST),
                false => (self.batch + self.batch / 8).min(LONGEST),
            };
        let (mut left, mut limit) = (self.batch, stop);
        while left > 0 {
            let work = AssertUnwindSafe(|| self.work(&mut left, limit));
            match speculation::quietly(|| panic::catch_unwind(work)) {
                Ok(()) => break,
                Err(said) => limit = limit.min(self.fault(said)),
            }
        }
        self.traffic().pending.tidy()
    }

    fn work(&mut self, left: &mut u64, limit: u64) {
        while *left > 0 {
            *left -= 1;
            let lps = &mut self.lps;
            let limit = self.stops.iter().fold(limit, |limit, (_, at)| limit.min(*at));
            let Ledger { log, traffic, .. } = self.cx.back.get_mut();
            let next = traffic.pending.pop_before(limit, |entry, slab| {
                lps.prefetch(entry.dst);
                log.prefetch(entry.dst);
                slab.prefetch(entry.place())
            });
            let Some(entry) = next else {
                *left = 0;
                return;
            };
            if log.last(entry.dst).is_some_and(|last| last > entry.key()) {
                self.undo_from(entry.dst, entry.key())
            }
            self.handle(entry)
        }
    }

    #[inline(always)]
    fn handle(&mut self, entry: Entry) {
        let slot = self.lps.get(entry.dst);
        let Ledger { log, traffic, .. } = self.cx.back.get_mut();
        let is_foreign = traffic.pending.is_foreign(entry.place());
        log.begin(entry, is_foreign, slot.sent, slot.state.mark());
        // SAFETY: it stays where it is until it is committed, whatever is sent.
        let event = unsafe { &*traffic.pending.lend(&entry) };
        self.cx.frame.enter(entry.t, entry.tie, entry.dst, slot.sent);
        let blame = Blame::new(entry, event);
        slot.state.handle(event, &View::<M, _>::new(&self.cx));
        blame.clear();
        self.ranks.check(slot.sent, self.cx.frame.sent.get(), entry.dst);
        slot.sent = self.cx.frame.sent.get();
        let log = &mut self.cx.back.get_mut().log;
        let hash = fingerprint(entry, event, log.recorded());
        log.set_hash(hash);
        self.note_stop(entry.key())
    }

    /// Whether the handler asked for an end.
    #[inline(always)]
    fn note_stop(&mut self, key: u128) {
        let stop = std::mem::replace(&mut self.cx.back.get_mut().stop, u64::MAX);
        if stop < u64::MAX {
            self.stops.push((key, stop))
        }
    }

    /// A handler panicked; perhaps on a state that never was. Nothing later need be looked at
    /// before that is known. Says where that begins.
    fn fault(&mut self, said: Box<dyn Any + Send>) -> u64 {
        let (now, tie, lp) = (self.cx.frame.now, self.cx.frame.tie, self.cx.frame.me);
        let entry = Entry { t: now, tie, dst: lp, slot: 0 };
        self.lps.get(lp).sent = self.cx.frame.sent.get();
        self.cx.back.get_mut().stop = now.saturating_add(1);
        self.note_stop(entry.key());
        self.faults.push((entry.key(), said));
        now.saturating_add(1)
    }

    /// Lets out what can no longer be undone; not what panicked, which is run again to be told.
    fn commit_before(&mut self, certain: u64) {
        let Member { cx, lps, tally, outlet, faults, rows, .. } = self;
        let certain = faults.iter().fold(certain, |t, (key, _)| t.min((key >> 64) as u64));
        let Ledger { log, traffic, .. } = cx.back.get_mut();
        log.settle(certain, |past, deeds, records| {
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
            for deed in deeds {
                if let Deed::Cancelled(timer) = deed {
                    traffic.pending.bury(timer.timer())
                }
            }
            traffic.release(&entry, past.is_foreign);
            // What the event itself changed is forgotten when the LP's next is committed.
            if !M::PLAIN {
                lps.get(entry.dst).state.commit(&past.mark)
            }
        });
        rows.sort_unstable_by_key(|(stamp, _)| *stamp);
        rows.drain(..).for_each(|(stamp, record)| outlet.put(stamp, record))
    }

    /// Undoes what was done beyond the end; not an event that panicked, where that is certain.
    fn undo_the_rest(&mut self, is_over: bool) {
        if self.faults.is_empty() || !is_over {
            for lp in self.cx.back.get_mut().log.active() {
                self.undo_from(lp, 0)
            }
        }
        self.rolled_back += std::mem::take(&mut self.undone)
    }

    /// Runs the event again whose handler panicked, now that it is certain: so that all hear it.
    fn fail_again(&mut self) {
        let Some((key, _)) = self.faults.iter().min_by_key(|(key, _)| *key) else { return };
        let Some(past) = self.cx.back.get_mut().log.find(*key) else { return };
        let (entry, slot) = (past.entry, self.lps.get(past.entry.dst));
        slot.state.rewind(&past.mark);
        slot.sent = past.sent;
        self.handle(entry);
        panic!("LP {} at {} ns panics, and then does not", entry.dst, entry.t)
    }
}

/// Runs on as many threads as there are outlets, of which the caller's is the first.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    outlets: Vec<O>,
    lead: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, mut pending, frame, ranks } = start;
    lps.iter_mut().for_each(|lp| lp.state.journal(Some(0)));
    let threads = outlets.len().min(MOST_THREADS);
    let partition = Partition::new(&frame.topology, threads, |_| 1);
    let (crew, mail, count) = (Crew::new(threads), Mail::new(threads), lps.len());
    let ledger = |me| Ledger::new(count, Traffic::new(me, &partition, threads));
    let mut ledgers: Vec<Ledger<M>> = (0..threads).map(ledger).collect();
    pending.take_all(|e, event| {
        ledgers[partition.owner(e.dst)].traffic.push(e.t, e.tie, e.dst, event);
    });
    drop(pending);
    let slots = Slots::new(&mut lps);
    let member = |(me, (ledger, outlet))| Member {
        me,
        cx: Cx { frame: frame.fork(), back: Own::new(ledger) },
        // SAFETY: an LP's events go to its owner, and nobody handles an event of another's.
        lps: unsafe { slots.share() },
        ranks,
        crew: &crew,
        mail: &mail,
        outlet,
        stops: vec![],
        faults: vec![],
        rows: vec![],
        round: 0,
        let_out: 0,
        batch: 4 * SHORTEST,
        undone: 0,
        rolled_back: 0,
        tally: Tally::default(),
        quit: false,
        end: 0,
    };
    let members = ledgers.into_iter().zip(outlets).enumerate().map(member);
    let done = all_go(members, |first| first.go(lead), |other| other.go(|_| Verdict::Continue(())));
    let (tally, end, outlets) = sum_up(done);
    lps.iter_mut().for_each(|lp| lp.state.journal(None));
    ((tally, end, lps), outlets)
}

/// # Panics
/// As the first of the handlers that panicked, if one did.
fn sum_up<M: Model, O: Outlet<M::Record>>(mut done: Vec<Member<'_, M, O>>) -> (Tally, u64, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let first = |m: &Member<M, O>| m.faults.iter().map(|(key, _)| *key).min();
    let failed = done.iter_mut().filter(|m| !m.faults.is_empty());
    if let Some(member) = failed.min_by_key(|member| first(member)) {
        member.fail_again();
        let own = std::mem::take(&mut member.faults).into_iter().min_by_key(|(key, _)| *key);
        panic::resume_unwind(own.expect("it has one").1)
    }
    let (mut tally, mut end, mut outlets) = (Tally::default(), 0, vec![]);
    for member in done {
        end = member.end;
        let mut own = member.tally;
        own.interrupted = member.quit;
        (own.effort.rolled_back, own.effort.rounds) = (member.rolled_back, member.round);
        tally = tally.and(own);
        outlets.push(member.outlet)
    }
    (tally, end, outlets)
}
