//! Slots that are held until their user releases them.
use rewind::{Queue, Rewind, Scalar};
use units::Nanos;

/// A waiting user has got a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotGrant<T> {
    pub to: T,
    pub arrival: Nanos,
}

impl<T> SlotGrant<T> {
    pub fn queued(&self, now: Nanos) -> Nanos {
        now - self.arrival
    }
}

/// Map slots, handler threads, permits. If none is free, users wait, first come, first served. Each
/// call is O(1).
#[derive(Rewind)]
pub struct Slots<T: Scalar> {
    total: u32,
    held: u32,
    line: Queue<(Nanos, T)>,
    /// Last change of `held`, and slot time spent until then.
    since: Nanos,
    spent: Nanos,
}

impl<T: Scalar> Slots<T> {
    pub fn new(total: u32) -> Slots<T> {
        Slots { total, held: 0, line: Queue::new(), since: Nanos(0), spent: Nanos(0) }
    }

    /// Requests a slot. Returns whether it is granted now; otherwise a [`release`](Slots::release)
    /// will return the user.
    pub fn request(&mut self, now: Nanos, who: T) -> bool {
        let free = self.held < self.total && self.line.is_empty();
        if free {
            self.hold(now, self.held + 1)
        } else {
            self.line.push_back((now, who))
        }
        free
    }

    /// Releases a slot, and grants it to the first waiting user.
    ///
    /// # Panics
    /// If none is held.
    pub fn release(&mut self, now: Nanos) -> Option<SlotGrant<T>> {
        assert!(self.held > 0, "a slot is released that is not held");
        self.hold(now, self.held - 1);
        self.next(now)
    }

    /// Grants a free slot to the first waiting user. After [`set_total`](Slots::set_total), call it
    /// until it returns `None`.
    pub fn next(&mut self, now: Nanos) -> Option<SlotGrant<T>> {
        if self.held >= self.total {
            return None;
        }
        let (arrival, to) = self.line.pop_front()?;
        self.hold(now, self.held + 1);
        Some(SlotGrant { to, arrival })
    }

    /// Held slots stay so until they are released, even above the total.
    pub fn set_total(&mut self, total: u32) {
        self.total = total
    }

    /// Drops waiting users; the others keep their order. O(line).
    pub fn forget(&mut self, unwanted: impl Fn(&T) -> bool) {
        let keep: Vec<_> = self.line.iter().filter(|(_, who)| !unwanted(who)).copied().collect();
        if keep.len() < self.line.len() {
            self.line.replace(keep)
        }
    }

    fn hold(&mut self, now: Nanos, held: u32) {
        self.spent = self.busy(now);
        (self.since, self.held) = (now, held)
    }

    /// Slot time spent until now, summed over all slots.
    pub fn busy(&self, now: Nanos) -> Nanos {
        self.spent + Nanos((now - self.since).0 * u64::from(self.held))
    }

    pub fn held(&self) -> u32 {
        self.held
    }

    pub fn in_line(&self) -> u32 {
        units::u32_of(self.line.len())
    }
}
