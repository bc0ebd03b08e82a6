//! Writes of sessions that have ended.
use crate::transport::{Link, Waker};
use std::io;
use std::sync::{Mutex, PoisonError};

/// Wakes a node for ended writes; syncs count from 0.
pub(super) const WRITES: u64 = u64::MAX;

pub(super) struct Ended {
    pub(super) session: Link,
    /// The version; a link may have several sessions in sequence.
    pub(super) id: u128,
    /// Number of the stripe in the session.
    pub(super) at: u64,
    pub(super) result: io::Result<()>,
}

/// Ended writes until the node takes them; filled from any thread.
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
        // One wake-up is enough until the node takes the list.
        if is_first {
            self.waker.wake(WRITES)
        }
    }

    pub(super) fn take(&self) -> Vec<Ended> {
        std::mem::take(&mut *self.ended.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
