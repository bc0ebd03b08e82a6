//! Forward: what is certain first, then as far ahead as pays.
use super::{Member, SHORTEST};
use crate::{
    Message, Model,
    commit::{commit, fingerprint},
    optimistic::{
        adversary::Adversary,
        ledger::{Ledger, MOST_DEEDS, TooMuch},
        log::LONGEST,
        room::is_for_more,
    },
    parallel::{batch_limit::BatchLimit, merge::Outlet, speculation},
    pending::{Entry, slab::Slab},
    step::step_lp,
};
use rewind::{Overgrown, begin_changes, bound_journals};
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
};

/// A thread whose events are undone more often than one in so many makes shorter batches.
const ONE_IN: u64 = 8;

/// Rounds in which nothing is done ahead, at most.
const LONGEST_REST: u64 = 1024;

/// A thread with so many of the longest batches that can be undone does no more: its memory is
/// bounded.
const MOST_AHEAD: u64 = 8;

/// Changes of containers that an event makes that can be undone, at most, about: one that makes
/// more of them waits until it is certain.
const MOST_CHANGES: usize = 1 << 20;

/// Every so many events a thread looks whether there is memory for more.
const LOOK: u64 = 16;

impl<M: Model, O: Outlet<M::Record>> Member<'_, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// A round: what comes before `limit`, which nobody can send anything for any more, and then as
    /// many events beyond it as pay.
    pub(super) fn go_on(&mut self, limit: u64, stop: u64) {
        let done = self.tally.events;
        if limit > self.put_off {
            self.put_off = u64::MAX
        }
        self.go_on_for_certain(limit.min(stop));
        self.adapt();
        // Who is that far ahead waits: what is certain goes on, so that the others catch up.
        let most = MOST_AHEAD * self.longest_batch();
        let is_full = self.cx.back.get_mut().log.len() >= most || !self.has_room();
        let left = match self.adversary_says() {
            Some(_) => self.batch,
            None => self.batch.saturating_sub(self.tally.events - done),
        };
        let waits = is_full || !self.goes_ahead || self.resting > 0;
        let before = self.ahead;
        self.go_ahead(if waits { 0 } else { left }, stop);
        self.went_ahead = self.ahead > before;
        self.longest = self.longest.max(self.cx.back.get_mut().log.len());
        self.cx.frame.heartbeat.rest();
        self.traffic().pending.tidy()
    }

    /// Events that cannot be undone: as under the conservative scheduler.
    fn go_on_for_certain(&mut self, limit: u64) {
        self.cx.back.get_mut().is_certain = true;
        let work = AssertUnwindSafe(|| self.work_for_certain(limit));
        if let Err(said) = panic::catch_unwind(work) {
            self.cx.back.get_mut().records.clear();
            self.fault(said);
        }
        self.cx.back.get_mut().is_certain = false
    }

    fn work_for_certain(&mut self, limit: u64) {
        let mut batch_limit = BatchLimit::new();
        let mut left = batch_limit.step();
        loop {
            let Some(entry) = self.next(limit) else { return };
            // An LP whose last events are still in the log gets this one there, too: so they are
            // let out in order.
            match self.cx.back.get_mut().log.last(entry.dst) {
                None => self.handle_for_certain(entry),
                Some(_) => {
                    self.cx.back.get_mut().is_certain = false;
                    self.handle(entry);
                    self.cx.back.get_mut().is_certain = true
                }
            }
            left -= 1;
            if left == 0 {
                if batch_limit.is_over() || self.outlet.is_full() {
                    return;
                }
                left = batch_limit.step()
            }
        }
    }

    /// Events of a batch at most, if there is an adversary that says so.
    fn adversary_says(&self) -> Option<u64> {
        self.adversary.as_ref().and_then(Adversary::reach)
    }

    fn longest_batch(&self) -> u64 {
        self.adversary_says().unwrap_or(LONGEST)
    }

    /// Makes batches shorter while too much of them is undone.
    fn adapt(&mut self) {
        let undone = std::mem::take(&mut self.undone);
        self.rolled_back += undone;
        self.rest_after(undone);
        let longest = self.longest_batch();
        let too_long = self.cx.back.get_mut().log.len() > MOST_AHEAD * longest / 2;
        self.batch = match undone * ONE_IN > self.batch || too_long {
            true => (self.batch / 2).max(SHORTEST),
            false => (self.batch + self.batch / 8).min(longest),
        }
    }

    /// Where most of even the shortest batches is undone, nothing is done ahead for a while: twice
    /// as long each time that it is so again. Under an adversary nobody rests until it eases.
    fn rest_after(&mut self, undone: u64) {
        self.resting = self.resting.saturating_sub(1);
        if undone * 2 > SHORTEST && self.batch == SHORTEST && self.adversary_says().is_none() {
            self.rest = (2 * self.rest).min(LONGEST_REST);
            self.resting = self.rest
        } else if undone == 0 && self.resting == 0 {
            self.rest = (self.rest - self.rest / 8).max(1)
        }
    }

    /// A batch of events, in order as far as is known.
    fn go_ahead(&mut self, mut left: u64, stop: u64) {
        let mut limit = stop.min(self.put_off);
        self.cx.frame.heartbeat.set_ahead(true);
        self.room.bound();
        bound_journals(MOST_CHANGES, is_for_more);
        while left > 0 {
            let work = AssertUnwindSafe(|| self.work_ahead(&mut left, limit));
            match speculation::quietly(|| panic::catch_unwind(work)) {
                Ok(()) => break,
                Err(said) if self.is_to_wait(&*said) => limit = limit.min(self.put_off()),
                Err(said) => limit = limit.min(self.fault(said)),
            }
        }
        self.cx.back.get_mut().left = u64::MAX;
        bound_journals(usize::MAX, || true);
        self.room.unbound();
        self.cx.frame.heartbeat.set_ahead(false)
    }

    /// Whether there is memory for more that can be undone.
    fn has_room(&mut self) -> bool {
        let thread = self.me - self.shared.here.start;
        self.room.is_left(thread, self.cx.back.get_mut().log.len())
    }

    fn work_ahead(&mut self, left: &mut u64, limit: u64) {
        while *left > 0 {
            *left -= 1;
            if left.is_multiple_of(LOOK) && !self.has_room() {
                *left = 0;
                return;
            }
            match self.next(limit) {
                Some(entry) => {
                    self.ahead += 1;
                    self.cx.back.get_mut().left = MOST_DEEDS;
                    begin_changes();
                    self.handle(entry)
                }
                None => *left = 0,
            }
        }
    }

    /// The next event before `limit` and the end. What its LP did after it is undone.
    #[inline(always)]
    fn next(&mut self, limit: u64) -> Option<Entry> {
        let Member { lps, stops, cx, .. } = self;
        let limit = stops.iter().fold(limit, |limit, (_, at)| limit.min(*at));
        let Ledger { log, traffic, .. } = cx.back.get_mut();
        let soon = |entry: &Entry, slab: &Slab<M::Event>| {
            lps.prefetch(entry.dst);
            log.prefetch(entry.dst);
            slab.prefetch(entry.place())
        };
        let next = traffic.pending.pop_before(limit, soon, |_| ());
        if let Some(entry) = next
            && log.last(entry.dst).is_some_and(|last| last > entry.key())
        {
            self.undo_from(entry.dst, entry.key())
        }
        next
    }

    #[inline(always)]
    fn handle_for_certain(&mut self, entry: Entry) {
        let slot = self.lps.get(entry.dst);
        let traffic = &self.cx.back.get_mut().traffic;
        let is_foreign = traffic.is_foreign(&entry);
        // SAFETY: it stays where it is until it is released, below, whatever is sent.
        let event = unsafe { &*traffic.pending.lend(&entry) };
        step_lp(&mut self.cx, &self.ranks, slot, entry, event);
        if !M::PLAIN && self.journalled[entry.dst as usize] {
            match self.goes_ahead {
                true => {
                    let now = slot.state.mark();
                    slot.state.commit(&now)
                }
                false => {
                    self.journalled[entry.dst as usize] = false;
                    slot.state.journal(None)
                }
            }
        }
        let Member { cx, rows, outlet, tally, .. } = self;
        let Ledger { records, traffic, .. } = cx.back.get_mut();
        let hash = commit(entry, event, records, &mut |stamp, record| match O::ORDERED {
            true => rows.push((stamp, record)),
            false => outlet.put(stamp, record),
        });
        traffic.release(&entry, is_foreign);
        tally.hash = tally.hash.wrapping_add(hash);
        (tally.events, tally.last) = (tally.events + 1, tally.last.max(entry.t));
        self.note_stop(entry.key())
    }

    #[inline(always)]
    pub(super) fn handle(&mut self, entry: Entry) {
        let slot = self.lps.get(entry.dst);
        let Ledger { log, traffic, .. } = self.cx.back.get_mut();
        let is_foreign = traffic.is_foreign(&entry);
        if !M::PLAIN && !std::mem::replace(&mut self.journalled[entry.dst as usize], true) {
            slot.state.journal(Some(0))
        }
        log.begin(entry, is_foreign, slot.sent, slot.state.mark());
        // SAFETY: it stays where it is until it is committed, whatever is sent.
        let event = unsafe { &*traffic.pending.lend(&entry) };
        step_lp(&mut self.cx, &self.ranks, slot, entry, event);
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

    /// Whether the event whose handler was broken off has to be certain before it is done: it did
    /// too much, or panics for the second time, which may have taken long.
    fn is_to_wait(&self, said: &(dyn Any + Send)) -> bool {
        let overdid = said.is::<TooMuch>() || said.is::<Overgrown>();
        overdid || self.failed.contains(&self.current().key())
    }

    /// The event that is handled, or was last.
    fn current(&self) -> Entry {
        let frame = &self.cx.frame;
        Entry { t: frame.now, tie: frame.tie, dst: frame.me, slot: 0 }
    }

    /// A handler did too much for an event that may never have been: it is done when it is certain.
    /// Says when that is; nothing from then on is done before.
    fn put_off(&mut self) -> u64 {
        let entry = self.current();
        self.cx.back.get_mut().stop = u64::MAX;
        self.undo_from(entry.dst, entry.key());
        self.put_off = entry.t;
        entry.t
    }

    /// A handler panicked; perhaps on a state that never was. Nothing later need be looked at
    /// before that is known. Says where that begins.
    fn fault(&mut self, said: Box<dyn Any + Send>) -> u64 {
        let entry = self.current();
        let end = entry.t.saturating_add(1);
        let slot = self.lps.get(entry.dst);
        slot.sent = self.cx.frame.sent.get();
        // The handler has left half a change behind. Others of the same time may come to this LP
        // before it is known whether the event was to be: they find the state before it.
        if let Some((_, mark)) = self.cx.back.get_mut().log.find(entry.key()) {
            slot.state.rewind(mark)
        }
        self.cx.back.get_mut().stop = end;
        self.note_stop(entry.key());
        self.faults.push((entry.key(), said));
        end
    }
}
