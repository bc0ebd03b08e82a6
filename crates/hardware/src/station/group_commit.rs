//! A log in which one flush takes all waiting writes.
use rewind::{Queue, Rewind, Scalar};
use units::{Bytes, BytesPerSec, Nanos};

/// How writes are grouped, and the time of a flush.
///
/// A flush of n writes of b bytes in total takes S = startup + n · each + b / rate, rounded up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct GroupCommitSpec {
    /// Maximum writes of a flush, at least 1. 1 is a log without group commit.
    pub most: u32,
    /// Time that the first write of a group waits for more, unless `most` are there; 0: none.
    pub delay: Nanos,
    /// Per flush: the device's answer to `fsync`.
    pub startup: Nanos,
    /// Per write.
    pub each: Nanos,
    pub rate: BytesPerSec,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Flush {
    pub writes: u32,
    pub bytes: Bytes,
    /// Time by the [`GroupCommitSpec`]; a caller that draws a long tail uses another one.
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
pub struct CommittedWrite<T> {
    pub writer: T,
    pub arrival: Nanos,
    /// Start of its flush; before, it waited for a flush in progress or for more writes.
    pub start: Nanos,
}

/// One flush at a time takes the waiting writes, at most `most`, in the order of arrival. Writes
/// that arrive during a flush join the next one.
///
/// ```text
///  comes   a  b c        d
///          [ flush a ][ flush b c ][ flush d ]      b and c missed the first flush
/// ```
///
/// A flush begins if none is in progress and either `most` writes wait or the first has waited for
/// `delay`. If writes always wait, the log does `most` of them per S. A write that arrives at a
/// random moment at a log that always flushes waits S/2 for its flush and S in it. Each call is
/// O(1) per write.
///
/// A trace shows a write as a wait and then a work, both on the log (`TRACE`: "batches").
#[derive(Rewind)]
pub struct GroupCommit<T: Scalar> {
    spec: GroupCommitSpec,
    line: Queue<(Nanos, Bytes, T)>,
    /// Writes of the flush in progress, the first of the line; 0: none.
    flushing: u32,
    start: Nanos,
    /// End of the first write's wait for more, if a [`Turn::Wait`] was returned.
    until: Option<Nanos>,
}

impl<T: Scalar> GroupCommit<T> {
    /// # Panics
    /// If `most` is 0.
    pub fn new(spec: GroupCommitSpec) -> GroupCommit<T> {
        assert!(spec.most > 0, "a group of no writes");
        GroupCommit { spec, line: Queue::new(), flushing: 0, start: Nanos(0), until: None }
    }

    /// Adds a write.
    ///
    /// # Panics
    /// If its flush begins, and it has bytes at a rate of 0.
    pub fn arrive(&mut self, now: Nanos, bytes: Bytes, writer: T) -> Option<Turn> {
        self.line.push_back((now, bytes, writer));
        if self.flushing > 0 { None } else { self.turn(now) }
    }

    /// Call when the timer of a [`Turn::Wait`] expires. `None` if the group was full earlier: its
    /// flush has begun, and the timer is void.
    pub fn waited(&mut self, now: Nanos) -> Option<Turn> {
        if self.until == Some(now) && self.flushing == 0 { self.turn(now) } else { None }
    }

    /// Call when the flush is done. `done` receives its writes; returns the next turn.
    ///
    /// # Panics
    /// If no flush is in progress.
    pub fn flushed(&mut self, now: Nanos, mut done: impl FnMut(CommittedWrite<T>)) -> Option<Turn> {
        assert!(self.flushing > 0, "the end of a flush that never began");
        for _ in 0..self.flushing {
            let (arrival, _, writer) = self.line.pop_front().expect("a write of the flush");
            done(CommittedWrite { writer, arrival, start: self.start })
        }
        self.flushing = 0;
        self.turn(now)
    }

    /// Begins a flush or a wait, if writes are there.
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

    /// The machine restarts: all writes are lost. The caller cancels the timer of a flush.
    pub fn restart(&mut self) {
        self.line.clear();
        (self.flushing, self.until) = (0, None)
    }

    /// Writes that wait for a later flush.
    pub fn waiting(&self) -> u32 {
        units::u32_of(self.line.len()) - self.flushing
    }

    /// Writes of the flush in progress; 0 if there is none.
    pub fn flushing(&self) -> u32 {
        self.flushing
    }
}

impl GroupCommitSpec {
    /// Time of a flush.
    ///
    /// # Panics
    /// For bytes at a rate of 0.
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
