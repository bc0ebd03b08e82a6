//! Forward work: certain events first, then speculative ones as far as that pays.
use super::{Member, SHORTEST};
use crate::{
    Message, Model,
    commit::{commit, fingerprint},
    optimistic::{
        adversary::Adversary,
        ledger::{Ledger, LogOverflow, MOST_DEEDS},
        log::LONGEST,
        memory::may_continue,
    },
    parallel::{batch_limit::BatchLimit, merge::Outlet, speculation},
    pending::{Entry, slab::Slab},
    step::step_lp,
};
use rewind::{JournalOverflow, begin_changes, bound_journals};
use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
};

/// Batches become shorter if more than one event in this number is undone.
const ONE_IN: u64 = 8;

/// Maximum pause of speculation, in rounds.
const LONGEST_REST: u64 = 1024;

/// Number of longest batches in the log at which a thread stops speculating, to bound its memory.
const MOST_AHEAD: u64 = 8;

/// Approximate maximum of container changes of a speculative event; one with more waits until it is
/// certain.
const MOST_CHANGES: usize = 1 << 20;

/// Events between two checks of the memory.
const LOOK: u64 = 16;

impl<M: Model, O: Outlet<M::Record>> Member<'_, M, O>
where
    M::Event: Message<Out = M::Event>,
{
    /// One round: handles events before `limit`, which cannot be undone, and then speculates as far
    /// as that pays.
    pub(super) fn work_round(&mut self, limit: u64, stop: u64) {
        let done = self.tally.events;
        if limit > self.deferred_at {
            self.deferred_at = u64::MAX
        }
        self.work_round_without_speculation(limit.min(stop));
        self.adapt();
        // A thread that far ahead handles only certain events, until the others catch up.
        let most = MOST_AHEAD * self.longest_batch();
        let is_full = self.cx.backend.get_mut().log.len() >= most || !self.has_room();
        let left = match self.adversary_limit() {
            Some(_) => self.batch,
            None => self.batch.saturating_sub(self.tally.events - done),
        };
        let waits = is_full || !self.may_speculate || self.pause > 0;
        let before = self.ahead;
        self.speculate(if waits { 0 } else { left }, stop);
        self.has_speculated = self.ahead > before;
        self.longest = self.longest.max(self.cx.backend.get_mut().log.len());
        self.cx.frame.heartbeat.set_idle();
        self.traffic().pending.tidy()
    }

    /// Handles events that cannot be undone, as under the conservative scheduler.
    fn work_round_without_speculation(&mut self, limit: u64) {
        self.cx.backend.get_mut().is_certain = true;
        let work = AssertUnwindSafe(|| self.work_without_speculation(limit));
        if let Err(payload) = panic::catch_unwind(work) {
            self.cx.backend.get_mut().records.clear();
            self.fault(payload);
        }
        self.cx.backend.get_mut().is_certain = false
    }

    fn work_without_speculation(&mut self, limit: u64) {
        let mut batch_limit = BatchLimit::new();
        let mut left = batch_limit.step();
        loop {
            let Some(entry) = self.next(limit) else { return };
            // If the log still has events of this LP, this event is logged too, so that records
            // stay in order.
            match self.cx.backend.get_mut().log.last(entry.dst) {
                None => self.handle_without_speculation(entry),
                Some(_) => {
                    self.cx.backend.get_mut().is_certain = false;
                    self.handle(entry);
                    self.cx.backend.get_mut().is_certain = true
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

    /// Maximum events of a batch, if an adversary sets it.
    fn adversary_limit(&self) -> Option<u64> {
        self.adversary.as_ref().and_then(Adversary::reach)
    }

    fn longest_batch(&self) -> u64 {
        self.adversary_limit().unwrap_or(LONGEST)
    }

    /// Shortens batches while too much of them is undone.
    fn adapt(&mut self) {
        let undone = std::mem::take(&mut self.undone);
        self.rolled_back += undone;
        self.pause_after(undone);
        let longest = self.longest_batch();
        let too_long = self.cx.backend.get_mut().log.len() > MOST_AHEAD * longest / 2;
        self.batch = match undone * ONE_IN > self.batch || too_long {
            true => (self.batch / 2).max(SHORTEST),
            false => (self.batch + self.batch / 8).min(longest),
        }
    }

    /// Pauses speculation if the shortest batch loses over half of its events to rollback. Each
    /// repetition doubles the pause. There is no pause while an adversary delays messages.
    fn pause_after(&mut self, undone: u64) {
        self.pause = self.pause.saturating_sub(1);
        if undone * 2 > SHORTEST && self.batch == SHORTEST && self.adversary_limit().is_none() {
            self.next_pause = (2 * self.next_pause).min(LONGEST_REST);
            self.pause = self.next_pause
        } else if undone == 0 && self.pause == 0 {
            self.next_pause = (self.next_pause - self.next_pause / 8).max(1)
        }
    }

    /// Speculates on a batch of events, in order as far as is known.
    fn speculate(&mut self, mut left: u64, stop: u64) {
        let mut limit = stop.min(self.deferred_at);
        self.cx.frame.heartbeat.set_ahead(true);
        self.memory.bound();
        bound_journals(MOST_CHANGES, may_continue);
        while left > 0 {
            let work = AssertUnwindSafe(|| self.work_ahead(&mut left, limit));
            match speculation::without_panic_message(|| panic::catch_unwind(work)) {
                Ok(()) => break,
                Err(payload) if self.is_to_wait(&*payload) => limit = limit.min(self.defer()),
                Err(payload) => limit = limit.min(self.fault(payload)),
            }
        }
        self.cx.backend.get_mut().left = u64::MAX;
        bound_journals(usize::MAX, || true);
        self.memory.unbound();
        self.cx.frame.heartbeat.set_ahead(false)
    }

    fn has_room(&mut self) -> bool {
        let thread = self.me - self.shared.here.start;
        self.memory.has_capacity(thread, self.cx.backend.get_mut().log.len())
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
                    self.cx.backend.get_mut().left = MOST_DEEDS;
                    begin_changes();
                    self.handle(entry)
                }
                None => *left = 0,
            }
        }
    }

    /// The next event before `limit` and the end. Later events of its LP are undone.
    #[inline(always)]
    fn next(&mut self, limit: u64) -> Option<Entry> {
        let Member { lps, stops, cx, .. } = self;
        let limit = stops.iter().fold(limit, |limit, (_, at)| limit.min(*at));
        let Ledger { log, traffic, .. } = cx.backend.get_mut();
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
    fn handle_without_speculation(&mut self, entry: Entry) {
        let slot = self.lps.get(entry.dst);
        let traffic = &self.cx.backend.get_mut().traffic;
        let is_foreign = traffic.is_foreign(&entry);
        // SAFETY: it stays where it is until it is released, below, whatever is sent.
        let event = unsafe { &*traffic.pending.lend(&entry) };
        step_lp(&mut self.cx, &self.ranks, slot, entry, event);
        if !M::PLAIN && self.journalled[entry.dst as usize] {
            match self.may_speculate {
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
        let Ledger { records, traffic, .. } = cx.backend.get_mut();
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
        let Ledger { log, traffic, .. } = self.cx.backend.get_mut();
        let is_foreign = traffic.is_foreign(&entry);
        if !M::PLAIN && !std::mem::replace(&mut self.journalled[entry.dst as usize], true) {
            slot.state.journal(Some(0))
        }
        log.begin(entry, is_foreign, slot.sent, slot.state.mark());
        // SAFETY: it stays where it is until it is committed, whatever is sent.
        let event = unsafe { &*traffic.pending.lend(&entry) };
        step_lp(&mut self.cx, &self.ranks, slot, entry, event);
        let log = &mut self.cx.backend.get_mut().log;
        let hash = fingerprint(entry, event, log.recorded());
        log.set_hash(hash);
        self.note_stop(entry.key())
    }

    /// Stores the end that the handler requested, if any.
    #[inline(always)]
    fn note_stop(&mut self, key: u128) {
        let stop = std::mem::replace(&mut self.cx.backend.get_mut().stop, u64::MAX);
        if stop < u64::MAX {
            self.stops.push((key, stop))
        }
    }

    /// Whether the aborted event waits until it is certain: it exceeded a limit, or panicked for
    /// the second time, which may have taken long.
    fn is_to_wait(&self, payload: &(dyn Any + Send)) -> bool {
        let overdid = payload.is::<LogOverflow>() || payload.is::<JournalOverflow>();
        overdid || self.failed.contains(&self.current().key())
    }

    /// The event in progress, or the last one.
    fn current(&self) -> Entry {
        let frame = &self.cx.frame;
        Entry { t: frame.now, tie: frame.tie, dst: frame.me, slot: 0 }
    }

    /// Undoes the event in progress, which waits until it is certain. Returns its time \[ns\]: no
    /// speculation from there on.
    fn defer(&mut self) -> u64 {
        let entry = self.current();
        self.cx.backend.get_mut().stop = u64::MAX;
        self.undo_from(entry.dst, entry.key());
        self.deferred_at = entry.t;
        entry.t
    }

    /// Notes a handler's panic, perhaps on an inconsistent state. Returns the time \[ns\] from
    /// which no event is handled until the panic is resolved.
    fn fault(&mut self, payload: Box<dyn Any + Send>) -> u64 {
        let entry = self.current();
        let end = entry.t.saturating_add(1);
        let slot = self.lps.get(entry.dst);
        slot.sent = self.cx.frame.sent.get();
        // The handler may have left a partial change. Other events of the same time may reach this
        // LP before the panic is resolved: they need the state before it.
        if let Some((_, mark)) = self.cx.backend.get_mut().log.find(entry.key()) {
            slot.state.rewind(mark)
        }
        self.cx.backend.get_mut().stop = end;
        self.note_stop(entry.key());
        self.faults.push((entry.key(), payload));
        end
    }
}
