//! A log whose flush takes all that waits.
use rewind::{Queue, Rewind, Scalar};
use units::{Bytes, BytesPerSec, Nanos};

/// How writes are put together, and how long a flush takes.
///
/// One flush of n writes of b bytes together takes S = startup + n · each + b / rate, rounded up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Grouping {
    /// Writes of one flush at most; at least 1. 1 is a log without group commit.
    pub most: u32,
    /// How long the first of a group waits for company, unless `most` are there; 0: not at all.
    pub delay: Nanos,
    /// Of a flush whatever is in it: the device's answer to `fsync`.
    pub startup: Nanos,
    /// Of each write in it.
    pub each: Nanos,
    pub rate: BytesPerSec,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Flush {
    pub writes: u32,
    /// Their bytes together.
    pub bytes: Bytes,
    /// How long it takes by the [`Grouping`]; who draws a long tail uses another time.
    pub takes: Nanos,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum Turn {
    /// Set a timer for the flush's end, then call [`GroupCommit::flushed`].
    Flush(Flush),
    /// Set a timer for this time, then call [`GroupCommit::waited`].
    Wait(Nanos),
}

/// A write whose flush is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written<T> {
    pub who: T,
    pub arrival: Nanos,
    /// Its flush began: until here it missed one that was under way, or waited for company.
    pub start: Nanos,
}

/// Writes come; one flush at a time takes those that are there, at most `most`, first come first.
/// Who comes during a flush joins the next one.
///
/// ```text
///  comes   a  b c        d
///          [ flush a ][ flush b c ][ flush d ]      b and c missed the first flush
/// ```
///
/// A flush begins when none is under way and (`most` writes are there, or the first of them has
/// been there for `delay`). So with writes always waiting the log does `most` writes per S, and a
/// write that comes at a random moment of a log that is always flushing waits S/2 for its turn and
/// S for the flush. Each call is O(1) per write.
///
/// A trace shows a write as a wait and then a work, both on the log (`TRACE`: "batches").
#[derive(Rewind)]
pub struct GroupCommit<T: Scalar> {
    spec: Grouping,
    line: Queue<(Nanos, Bytes, T)>,
    /// Writes of the flush under way, the first of the line; 0: none.
    flushing: u32,
    start: Nanos,
    /// Until when the first of the line waits for company, if somebody was told so.
    until: Option<Nanos>,
}

impl<T: Scalar> GroupCommit<T> {
    /// Idle.
    ///
    /// # Panics
    /// Groups of 0 writes.
    pub fn new(spec: Grouping) -> GroupCommit<T> {
        assert!(spec.most > 0, "a group of no writes");
        GroupCommit { spec, line: Queue::new(), flushing: 0, start: Nanos(0), until: None }
    }

    /// A write comes.
    ///
    /// # Panics
    /// It has bytes, and the rate is 0, when its flush begins.
    pub fn arrive(&mut self, now: Nanos, bytes: Bytes, who: T) -> Option<Turn> {
        self.line.push_back((now, bytes, who));
        if self.flushing > 0 { None } else { self.turn(now) }
    }

    /// A timer of a [`Turn::Wait`] has come. `None` where the group was full before, which began a
    /// flush then: the timer means nothing any more.
    pub fn waited(&mut self, now: Nanos) -> Option<Turn> {
        if self.until == Some(now) && self.flushing == 0 { self.turn(now) } else { None }
    }

    /// The flush is done: says of each write that it is on the device, and what comes next.
    ///
    /// # Panics
    /// No flush is under way.
    pub fn flushed(&mut self, now: Nanos, mut done: impl FnMut(Written<T>)) -> Option<Turn> {
        assert!(self.flushing > 0, "the end of a flush that never began");
        for _ in 0..self.flushing {
            let (arrival, _, who) = self.line.pop_front().expect("a write of the flush");
            done(Written { who, arrival, start: self.start })
        }
        self.flushing = 0;
        self.turn(now)
    }

    /// Nothing is under way: whether a flush begins, or somebody waits.
    fn turn(&mut self, now: Nanos) -> Option<Turn> {
        let first = self.line.front()?.0;
        let until = first + self.spec.delay;
        if now < until && units::u32_of(self.line.len()) < self.spec.most {
            let told = self.until.replace(until) == Some(until);
            return if told { None } else { Some(Turn::Wait(until)) };
        }
        self.until = None;
        Some(Turn::Flush(self.begin(now)))
    }

    fn begin(&mut self, now: Nanos) -> Flush {
        self.flushing = self.spec.most.min(units::u32_of(self.line.len()));
        self.start = now;
        let group = self.line.iter().take(self.flushing as usize);
        let bytes = group.map(|(_, bytes, _)| *bytes).fold(Bytes(0), |sum, bytes| sum + bytes);
        Flush { writes: self.flushing, bytes, takes: self.spec.takes(self.flushing, bytes) }
    }

    /// All that waits or is being flushed is lost with the machine; a timer that is still to come
    /// for the flush must be cancelled.
    pub fn restart(&mut self) {
        self.line.clear();
        (self.flushing, self.until) = (0, None)
    }

    /// Writes that wait for a flush that has not begun.
    pub fn waiting(&self) -> u32 {
        units::u32_of(self.line.len()) - self.flushing
    }

    /// Writes of the flush under way; 0 where there is none.
    pub fn flushing(&self) -> u32 {
        self.flushing
    }
}

impl Grouping {
    /// How long a flush of so many writes and bytes takes.
    ///
    /// # Panics
    /// Bytes, and a rate of 0.
    pub fn takes(&self, writes: u32, bytes: Bytes) -> Nanos {
        let moving = match bytes.0 {
            0 => 0,
            bytes => {
                let whole = (bytes as u128 * 1_000_000_000).div_ceil(self.rate.0 as u128);
                u64::try_from(whole).unwrap_or(u64::MAX)
            }
        };
        self.startup + Nanos(self.each.0 * u64::from(writes)) + Nanos(moving)
    }
}
