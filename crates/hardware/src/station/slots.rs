//! Slots that are held for as long as their user says.
use rewind::{Queue, Rewind, Scalar};
use units::Nanos;

/// A slot was given to someone who stood in line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Granted<T> {
    pub to: T,
    pub arrival: Nanos,
}

impl<T> Granted<T> {
    pub fn queued(&self, now: Nanos) -> Nanos {
        now - self.arrival
    }
}

/// Map slots, handler threads, permits: some are held, and who finds none free stands in line,
/// first come first served. Each call is O(1).
#[derive(Rewind)]
pub struct Slots<T: Scalar> {
    total: u32,
    held: u32,
    line: Queue<(Nanos, T)>,
    /// When `held` changed last, and the slot time spent until then.
    since: Nanos,
    spent: Nanos,
}

impl<T: Scalar> Slots<T> {
    pub fn new(total: u32) -> Slots<T> {
        Slots { total, held: 0, line: Queue::new(), since: Nanos(0), spent: Nanos(0) }
    }

    /// Someone wants a slot: whether it has one now; otherwise a [`release`](Slots::release) will
    /// name it.
    pub fn ask(&mut self, now: Nanos, who: T) -> bool {
        let free = self.held < self.total && self.line.is_empty();
        if free {
            self.hold(now, self.held + 1)
        } else {
            self.line.push_back((now, who))
        }
        free
    }

    /// Someone is through with a slot; whoever stood in line first has it now.
    ///
    /// # Panics
    /// None is held.
    pub fn release(&mut self, now: Nanos) -> Option<Granted<T>> {
        assert!(self.held > 0, "a slot is released that nobody holds");
        self.hold(now, self.held - 1);
        self.next(now)
    }

    /// A free slot goes to whoever stands in line first; after a change of the total this is asked
    /// until it says `None`.
    pub fn next(&mut self, now: Nanos) -> Option<Granted<T>> {
        if self.held >= self.total {
            return None;
        }
        let (arrival, to) = self.line.pop_front()?;
        self.hold(now, self.held + 1);
        Some(Granted { to, arrival })
    }

    /// More slots, or fewer: those that are held stay so until they are released.
    pub fn set_total(&mut self, total: u32) {
        self.total = total
    }

    /// All who stand in line and are not wanted any more go; the others keep their order. O(line).
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

    /// Slot time spent until now, of all slots together.
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
