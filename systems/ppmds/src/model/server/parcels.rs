//! What a server sends at once.
use crate::model::message::Parcel;

/// Messages in their order: mostly one, which needs no list.
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Parcel> {
        self.first.as_deref().into_iter().chain(&self.more)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Parcel> {
        self.first.as_deref_mut().into_iter().chain(&mut self.more)
    }

    /// The store held them up.
    pub fn held(&mut self, queued: u64, time: u64) {
        for parcel in self.iter_mut() {
            parcel.held.store_queue += queued;
            parcel.held.store += time
        }
    }

    /// Each, as it is sent.
    pub fn each(self) -> impl Iterator<Item = Box<Parcel>> {
        self.first.into_iter().chain(self.more.into_iter().map(Box::new))
    }

    /// As a list, for what waits.
    pub fn list(self) -> Vec<Parcel> {
        self.first.map(|first| *first).into_iter().chain(self.more).collect()
    }
}
