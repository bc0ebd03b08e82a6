//! Pending events: keys in a ladder, payloads in a slab, and live timers.
mod bottom;
mod chunks;
mod entry;
mod ladder;
mod rung;
pub(crate) mod slab;
use crate::Timer;
pub(crate) use entry::Entry;
use ladder::Ladder;
use slab::Slab;
use std::collections::BTreeMap;

/// Pending events of type `E`, in the total order.
pub(crate) struct Pending<E> {
    ladder: Ladder,
    slab: Slab<E>,
    /// By place: the live timer.
    timers: Vec<LiveTimer>,
    /// Cancelled timers whose keys are still in the ladder.
    dead: usize,
    /// By tie: places of timers from another set, which LPs know by their old places.
    moved: BTreeMap<u64, u32>,
    /// Timers from another set were taken in.
    has_others: bool,
}

/// Key of the timer whose payload is in a place. A tie of 0: the timer is not live.
///
/// A message that is sent again after an undo may have the tie and place of the old one. The old
/// key is still in the ladder; only the whole key distinguishes them.
#[derive(Clone, Copy, Default)]
struct LiveTimer {
    t: u64,
    tie: u64,
    dst: u32,
    /// Another thread sent it.
    is_foreign: bool,
}

impl LiveTimer {
    fn is(&self, entry: &Entry) -> bool {
        (self.tie, self.t, self.dst) == (entry.tie, entry.t, entry.dst)
    }
}

/// Minimum cancelled timers before the ladder is swept.
const SWEEP: usize = 1 << 14;

impl<E> Pending<E> {
    pub(crate) fn new() -> Self {
        Pending {
            ladder: Ladder::new(),
            slab: Slab::new(),
            timers: vec![],
            dead: 0,
            moved: BTreeMap::new(),
            has_others: false,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, t: u64, tie: u64, dst: u32, event: E) {
        let slot = self.slab.put(event);
        self.ladder.push(Entry { t, tie, dst, slot })
    }

    /// Stores a payload. Its key follows by [`enter`](Self::enter), or [`discard`](Self::discard)
    /// removes it.
    pub(crate) fn hold(&mut self, event: E) -> u32 {
        self.slab.put(event)
    }

    /// As `hold`, and cancellable. The key is for [`enter`](Self::enter).
    pub(crate) fn hold_timer(&mut self, t: u64, tie: u64, dst: u32, event: E) -> Entry {
        let slot = self.slab.put(event);
        let places = self.timers.len().max(slot as usize + 1);
        self.timers.resize(places, LiveTimer::default());
        self.timers[slot as usize] = LiveTimer { t, tie, dst, is_foreign: false };
        Entry { t, tie, dst, slot: slot | Entry::TIMER }
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, entry: Entry) {
        self.ladder.push(entry)
    }

    pub(crate) fn discard(&mut self, entry: &Entry) {
        if entry.is_timer() && self.is_live(entry.timer()) {
            self.timers[entry.place() as usize].tie = 0
        }
        self.slab.drop_at(entry.place())
    }

    pub(crate) fn payload(&self, entry: &Entry) -> &E {
        self.slab.get(entry.place())
    }

    fn is_live(&self, timer: Timer) -> bool {
        self.timers.get(timer.slot as usize).is_some_and(|live| live.tie == timer.tie)
    }

    /// Cancels a timer and returns whether it was live; its payload stays until
    /// [`bury`](Self::bury).
    pub(crate) fn stun(&mut self, timer: Timer) -> bool {
        let live = self.is_live(timer);
        if live {
            self.timers[timer.slot as usize].tie = 0
        }
        live
    }

    pub(crate) fn set_foreign(&mut self, place: u32) {
        self.timers[place as usize].is_foreign = true
    }

    #[inline(always)]
    pub(crate) fn is_foreign(&self, place: u32) -> bool {
        self.timers[place as usize].is_foreign
    }

    /// Due time of a live or held timer \[ns\].
    pub(crate) fn due(&self, timer: Timer) -> u64 {
        self.timers[timer.slot as usize].t
    }

    /// Undoes a `stun` or a pop.
    pub(crate) fn revive(&mut self, timer: Timer) {
        self.timers[timer.slot as usize].tie = timer.tie;
        // Its LP may know it by another place.
        if self.has_others {
            self.moved.insert(timer.tie, timer.slot);
        }
    }

    /// Drops the payload of a stunned timer. Its key stays in the ladder and is skipped.
    pub(crate) fn bury(&mut self, timer: Timer) {
        self.slab.drop_at(timer.slot);
        self.moved.remove(&timer.tie);
        self.dead += 1;
        if self.dead > SWEEP && self.dead > self.ladder.len() / 2 {
            let timers = &self.timers;
            self.ladder.retain(|e| !e.is_timer() || timers[e.place() as usize].is(e));
            self.dead = 0
        }
    }

    /// Removes the next event that is not cancelled. After a refill `soon` receives the next keys,
    /// and the slab.
    #[inline(always)]
    pub(crate) fn pop(&mut self, mut soon: impl FnMut(&Entry, &Slab<E>)) -> Option<Entry> {
        loop {
            let entry = match self.ladder.pop() {
                Some(entry) => entry,
                None => {
                    if !self.ladder.refill() {
                        return None;
                    }
                    self.ladder.for_soon(|entry| soon(entry, &self.slab));
                    continue;
                }
            };
            if !entry.is_timer() || self.expire(&entry) {
                return Some(entry);
            }
        }
    }

    /// As [`pop`](Self::pop), of events before `limit`. At a refill `near` may read the keys that
    /// `soon` received last: they are about to be popped.
    #[inline(always)]
    pub(crate) fn pop_before(
        &mut self,
        limit: u64,
        mut soon: impl FnMut(&Entry, &Slab<E>),
        mut near: impl FnMut(&Self),
    ) -> Option<Entry> {
        loop {
            match self.ladder.soonest() {
                Some(entry) if entry.t >= limit => return None,
                Some(_) => {}
                None => {
                    if !self.ladder.refill() {
                        return None;
                    }
                    near(self);
                    self.ladder.for_soon(|entry| {
                        if entry.is_timer() {
                            slab::prefetch(self.timers.as_ptr(), entry.place() as usize)
                        }
                        soon(entry, &self.slab)
                    });
                    continue;
                }
            }
            let entry = self.ladder.pop()?;
            if !entry.is_timer() || self.expire(&entry) {
                return Some(entry);
            }
        }
    }

    /// Lower bound of the next event \[ns\] (its timer may be cancelled); `u64::MAX` if there is
    /// none.
    pub(crate) fn next(&mut self) -> u64 {
        loop {
            if let Some(entry) = self.ladder.soonest() {
                return entry.t;
            }
            if !self.ladder.refill() {
                return u64::MAX;
            }
        }
    }

    /// Removes the events whose receivers do not stay, in no order.
    pub(crate) fn take_out(&mut self, stays: impl Fn(u32) -> bool, mut to: impl FnMut(Entry, E)) {
        let Pending { ladder, slab, timers, dead, moved, .. } = self;
        ladder.retain(|entry| {
            if stays(entry.dst) {
                return true;
            }
            if entry.is_timer() {
                let timer = &mut timers[entry.place() as usize];
                if !timer.is(entry) {
                    *dead = dead.saturating_sub(1);
                    return false;
                }
                timer.tie = 0;
                moved.remove(&entry.tie);
            }
            to(*entry, slab.take(entry.place()));
            false
        })
    }

    pub(crate) fn take_in(&mut self, Entry { t, tie, dst, slot }: Entry, event: E) {
        if slot & Entry::TIMER == 0 {
            return self.push(t, tie, dst, event);
        }
        let entry = self.hold_timer(t, tie, dst, event);
        self.moved.insert(tie, entry.place());
        self.has_others = true;
        self.enter(entry)
    }

    /// A timer at its present place.
    pub(crate) fn find(&self, timer: Timer) -> Timer {
        self.moved.get(&timer.tie).map_or(timer, |&slot| Timer { slot, ..timer })
    }

    /// Whether a due timer was live; it cannot be cancelled any more.
    fn expire(&mut self, entry: &Entry) -> bool {
        let live = self.timers[entry.place() as usize].is(entry);
        if live {
            self.timers[entry.place() as usize].tie = 0;
            self.moved.remove(&entry.tie);
        }
        self.dead = self.dead.saturating_sub(!live as usize);
        live
    }

    pub(crate) fn pin(&mut self) {
        self.slab.pin()
    }

    /// Call now and then, while no event is being handled.
    pub(crate) fn tidy(&mut self) {
        self.slab.tidy()
    }

    /// Shows keys that are about to be popped, and their payloads, except cancelled timers.
    ///
    /// Nothing here can panic, so the compiler drops the walk if `see` does nothing, as for models
    /// without `foresee`.
    #[inline(always)]
    pub(crate) fn for_near(&self, mut see: impl FnMut(u32, &E)) {
        let is_live = |entry: &Entry| {
            self.timers.get(entry.place() as usize).is_some_and(|live| live.is(entry))
        };
        self.ladder.for_bottom(|entry| {
            if !entry.is_timer() || is_live(entry) {
                // SAFETY: a key leaves the ladder before its payload is taken, except that of a
                // cancelled timer, which is not live any more.
                see(entry.dst, unsafe { &*self.slab.lend(entry.place()) })
            }
        })
    }

    /// The payload of a popped key, valid until `release`, whatever is sent in between.
    #[inline(always)]
    pub(crate) fn lend(&self, entry: &Entry) -> *const E {
        self.slab.lend(entry.place())
    }

    #[inline(always)]
    pub(crate) fn release(&mut self, entry: &Entry) {
        self.slab.drop_at(entry.place())
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, entry: &Entry) -> E {
        self.slab.take(entry.place())
    }
}

#[cfg(test)]
mod tests;
