//! Writers for whom a node has no room yet, in the order in which they came.
//!
//! A client that waits here may have rings on nodes before this one in the list, and on none behind
//! it: so clients that wait for one another make no circle.
use super::{Node, Refusal};
use crate::transport::{Link, Transport};
use crate::wire::{Fault, Message};
use std::collections::{BTreeSet, VecDeque};

/// Writers that wait at a time, at most.
const MOST: usize = 256;

struct Waiting {
    link: Link,
    number: u32,
    begin: Message,
}

/// What is taken when the first one was tried: bytes of rings, and sessions.
type Taken = (usize, usize);

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

    pub(super) fn be_patient(&mut self, link: Link) {
        self.patient.insert(link);
    }

    /// A connection has ended, or its client waits no more.
    pub(super) fn forget(&mut self, link: Link) {
        self.patient.remove(&link);
        self.waiting.retain(|one| one.link != link);
        self.tried = None
    }
}

impl<T: Transport> Node<T> {
    /// Begins a session, or has a patient client wait for its turn.
    pub(super) fn begin_or_wait(&mut self, link: Link, begin: Message) -> Result<(), Refusal> {
        let is_patient = self.queue.patient.remove(&link);
        match self.begin(link, &begin, self.queue.len() == 0) {
            Err(Refusal { fault: Fault::Busy, .. }) if is_patient && self.queue.len() < MOST => {
                let number = self.answering.1;
                if self.queue.len() == 0 {
                    self.queue.tried = Some(self.taken())
                }
                self.queue.waiting.push_back(Waiting { link, number, begin });
                Ok(())
            }
            other => other,
        }
    }

    /// Begins the sessions of those whose turn it is, if there is room by now.
    pub(super) fn begin_waiting(&mut self) {
        while self.queue.tried != Some(self.taken())
            && let Some(first) = self.queue.waiting.pop_front()
        {
            self.answering = (first.link, first.number);
            match self.begin(first.link, &first.begin, true) {
                Ok(()) => {}
                Err(Refusal { fault: Fault::Busy, .. }) => {
                    self.queue.tried = Some(self.taken());
                    self.queue.waiting.push_front(first)
                }
                Err(refusal) => self.fail(first.link, refusal),
            }
            self.answering = (Link::MAX, 0)
        }
    }

    fn taken(&self) -> Taken {
        (self.transport.registered(), self.sessions.len())
    }
}
