//! The messages that a server sends for one event.
use crate::model::message::Envelope;

/// In order. Mostly one, without a vector.
#[derive(Default)]
pub struct Envelopes {
    first: Option<Box<Envelope>>,
    more: Vec<Envelope>,
}

impl Envelopes {
    pub fn push(&mut self, envelope: Envelope) {
        match self.first {
            None => self.first = Some(Box::new(envelope)),
            Some(_) => self.more.push(envelope),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Envelope> {
        self.first.as_deref().into_iter().chain(&self.more)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Envelope> {
        self.first.as_deref_mut().into_iter().chain(&mut self.more)
    }

    /// Adds time \[ns\] in the store's queue and in the store.
    pub fn add_store_waits(&mut self, queued: u64, time: u64) {
        for envelope in self.iter_mut() {
            envelope.waits.store_queue += queued;
            envelope.waits.store += time
        }
    }

    pub fn each(self) -> impl Iterator<Item = Box<Envelope>> {
        self.first.into_iter().chain(self.more.into_iter().map(Box::new))
    }

    pub fn list(self) -> Vec<Envelope> {
        self.first.map(|first| *first).into_iter().chain(self.more).collect()
    }
}
