//! Writers that wait for memory on a node, first come, first served.
//!
//! A waiting client may hold rings on earlier nodes of the list, but on no later one. So waiting
//! clients cannot deadlock.
use crate::transport::Link;
use crate::wire::Message;
use std::collections::{BTreeSet, VecDeque};

const MOST: usize = 256;

pub(super) struct Waiting {
    pub(super) link: Link,
    pub(super) number: u32,
    pub(super) begin: Message,
}

/// Resources in use at the last try: (bytes of rings, sessions).
pub(super) type Taken = (usize, usize);

#[derive(Default)]
pub(super) struct Queue {
    /// Links whose next session may wait.
    patient: BTreeSet<Link>,
    waiting: VecDeque<Waiting>,
    /// The first writer is not tried again until this changes.
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

    /// Whether the link's next session may wait. Applies once.
    pub(super) fn may_wait(&mut self, link: Link) -> bool {
        self.patient.remove(&link)
    }

    pub(super) fn push(&mut self, waiting: Waiting, taken: Taken) {
        if self.waiting.is_empty() {
            self.tried = Some(taken)
        }
        self.waiting.push_back(waiting)
    }

    /// The first writer, unless it was tried with the same resources in use.
    pub(super) fn first(&mut self, taken: Taken) -> Option<Waiting> {
        self.waiting.pop_front_if(|_| self.tried != Some(taken))
    }

    /// The first writer was tried without success.
    pub(super) fn put_back(&mut self, first: Waiting, taken: Taken) {
        self.tried = Some(taken);
        self.waiting.push_front(first)
    }

    /// The connection has ended, or its client stops waiting.
    pub(super) fn forget(&mut self, link: Link) {
        self.patient.remove(&link);
        self.waiting.retain(|one| one.link != link);
        self.tried = None
    }
}
