//! The messages that a server sends for one event.
use crate::model::message::Parcel;

/// In order. Mostly one, without a vector.
#[derive(Default)]
pub struct Parcels {
    first: Option<Box<Parcel>>,
    more: Vec<Parcel>,
}

impl Parcels {
    pub fn push(&mut self, parcel: Parcel) {
        match self.first {
            None => self.first = Some(Box::new(parcel)),
            Some(_) => self.more.push(parcel),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Parcel> {
        self.first.as_deref().into_iter().chain(&self.more)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Parcel> {
        self.first.as_deref_mut().into_iter().chain(&mut self.more)
    }

    /// Adds time \[ns\] in the store's queue and in the store.
    pub fn held(&mut self, queued: u64, time: u64) {
        for parcel in self.iter_mut() {
            parcel.held.store_queue += queued;
            parcel.held.store += time
        }
    }

    pub fn each(self) -> impl Iterator<Item = Box<Parcel>> {
        self.first.into_iter().chain(self.more.into_iter().map(Box::new))
    }

    pub fn list(self) -> Vec<Parcel> {
        self.first.map(|first| *first).into_iter().chain(self.more).collect()
    }
}
