//! Values that stay where they are, each found by the number of its place.
use crate::{Digest, Hasher, Rewind, digest::weight_of, journal::Journal};

enum Op<T> {
    /// Into a place that was free before, or (`true`) into a new one.
    Put(u32, bool),
    Replaced(u32, T),
    Taken(u32, T),
}

/// Values in places of their own.
///
/// For large rows that a [`Table`](crate::Table) would carry about: the table has their places, so
/// that a search meets keys and nothing else. A free place is used again, the last one first.
///
/// ```
/// use rewind::{Rewind, Slab};
/// let mut rows: Slab<[u64; 7]> = Slab::new();
/// rows.journal(Some(0));
/// let place = rows.put([7; 7]);
/// let before = rows.mark();
/// rows.take(place);
/// rows.rewind(&before);
/// assert_eq!(rows[place], [7; 7]);
/// ```
pub struct Slab<T> {
    places: Vec<Option<T>>,
    free: Vec<u32>,
    journal: Journal<Op<T>>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { places: Vec::new(), free: Vec::new(), journal: Journal::default() }
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = T;
    /// # Panics
    /// At a free place.
    #[track_caller]
    fn index(&self, place: u32) -> &T {
        self.places[place as usize].as_ref().expect("a value is there")
    }
}

impl<T> Slab<T> {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a value somewhere; returns where.
    ///
    /// # Panics
    /// With more than 2^32 values.
    pub fn put(&mut self, value: T) -> u32 {
        let new = self.free.is_empty();
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            u32::try_from(self.places.len() - 1).expect("less than 2^32 values")
        });
        self.places[place as usize] = Some(value);
        self.journal.note_done(|| Op::Put(place, new));
        place
    }

    /// Puts a value in the place of another.
    ///
    /// # Panics
    /// At a free place.
    #[track_caller]
    pub fn replace(&mut self, place: u32, value: T) {
        let old = self.places[place as usize].replace(value).expect("a value is there");
        self.journal.note_done(|| Op::Replaced(place, old))
    }

    /// Takes a value away.
    ///
    /// # Panics
    /// At a free place.
    #[track_caller]
    pub fn take(&mut self, place: u32) {
        let old = self.places[place as usize].take().expect("a value is there");
        self.free.push(place);
        self.journal.note_done(|| Op::Taken(place, old))
    }
}

impl<T: Digest> Digest for Slab<T> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.places.len() as u64);
        self.places.iter().for_each(|value| value.digest(h));
        u32::digest_all(&self.free, h)
    }
    fn weight(&self) -> u64 {
        weight_of(self.places.len(), self.places.first())
    }
}

impl<T: Digest> Rewind for Slab<T> {
    type Mark = u64;
    #[track_caller]
    fn mark(&self) -> u64 {
        self.journal.position()
    }
    #[track_caller]
    fn rewind(&mut self, to: &u64) {
        while let Some(op) = self.journal.undo(*to) {
            match op {
                Op::Put(_, true) => drop(self.places.pop()),
                Op::Put(place, false) => {
                    self.places[place as usize] = None;
                    self.free.push(place)
                }
                Op::Replaced(place, old) => self.places[place as usize] = Some(old),
                Op::Taken(place, old) => {
                    self.places[place as usize] = Some(old);
                    self.free.pop();
                }
            }
        }
    }
    #[track_caller]
    fn commit(&mut self, upto: &u64) {
        self.journal.forget_all(*upto)
    }
    fn journal(&mut self, from: Option<u64>) {
        self.journal.switch(from)
    }
    fn clock(&self) -> u64 {
        self.journal.clock()
    }
}
