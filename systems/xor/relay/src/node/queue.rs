//! Writers for whom a node has no room yet, in the order in which they came.
//!
//! A client that waits here may have rings on nodes before this one in the list, and on none behind
//! it: so clients that wait for one another make no circle.
use crate::transport::Link;
use crate::wire::Message;
use std::collections::{BTreeSet, VecDeque};

/// Writers that wait at a time, at most.
const MOST: usize = 256;

pub(super) struct Waiting {
    pub(super) link: Link,
    pub(super) number: u32,
    pub(super) begin: Message,
}

/// What is taken when the first one was tried: bytes of rings, and sessions.
pub(super) type Taken = (usize, usize);

#[derive(Default)]
pub(super) struct Queue {
    /// Links whose next beginning may wait.
    patient: BTreeSet<Link>,
    waiting: VecDeque<Waiting>,
    /// Nothing is tried again before this changes.
    tried: Option<Taken>,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.len() >= MOST
    }

    pub(super) fn be_patient(&mut self, link: Link) {
        self.patient.insert(link);
    }

    /// Whether the next beginning of a link may wait; the one after that may not.
    pub(super) fn may_wait(&mut self, link: Link) -> bool {
        self.patient.remove(&link)
    }

    pub(super) fn push(&mut self, waiting: Waiting, taken: Taken) {
        if self.waiting.is_empty() {
            self.tried = Some(taken)
        }
        self.waiting.push_back(waiting)
    }

    /// The first one, if it has not been tried with as much taken.
    pub(super) fn first(&mut self, taken: Taken) -> Option<Waiting> {
        self.waiting.pop_front_if(|_| self.tried != Some(taken))
    }

    /// It was tried, and there is no room yet.
    pub(super) fn put_back(&mut self, first: Waiting, taken: Taken) {
        self.tried = Some(taken);
        self.waiting.push_front(first)
    }

    /// A connection has ended, or its client waits no more.
    pub(super) fn forget(&mut self, link: Link) {
        self.patient.remove(&link);
        self.waiting.retain(|one| one.link != link);
        self.tried = None
    }
}
