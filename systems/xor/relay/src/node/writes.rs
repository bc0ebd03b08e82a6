//! Blocks of sessions that are on their way to disk.
use crate::transport::{Link, Waker};
use std::io;
use std::sync::{Mutex, PoisonError};

/// The number by which ended writes wake a node; syncs count from 0.
pub(super) const WRITES: u64 = u64::MAX;

/// A write that is over.
pub(super) struct Ended {
    pub(super) session: Link,
    /// Of which version, as a link may have several sessions one after the other.
    pub(super) id: u128,
    /// Of which of its stripes.
    pub(super) at: u64,
    pub(super) result: io::Result<()>,
}

/// Writes that are over, until the node looks; filled from any thread.
pub(super) struct Writes {
    ended: Mutex<Vec<Ended>>,
    waker: Waker,
}

impl Writes {
    pub(super) fn new(waker: Waker) -> Writes {
        Writes { ended: Mutex::default(), waker }
    }

    pub(super) fn end(&self, ended: Ended) {
        let mut all = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = all.is_empty();
        all.push(ended);
        drop(all);
        // Who has not looked since the first of them does not have to be woken again.
        if is_first {
            self.waker.wake(WRITES)
        }
    }

    /// Those since it was last asked.
    pub(super) fn take(&self) -> Vec<Ended> {
        std::mem::take(&mut *self.ended.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
