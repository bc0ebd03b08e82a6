//! A vector of scalars, journalled by index.
use crate::{Digest, Hasher, Rewind, Scalar, digest::weight_of, journal::Journal};
use std::ops::Deref;

enum Op<T> {
    Set(usize, T),
    Pushed,
    Popped(T),
    Replaced(Vec<T>),
}

/// A vector of scalars. It reads like a slice (`array[3]`, `&array[..]`) and changes by `set` and
/// `update`.
///
/// For thousands of plain rows by index: a journalled write stores only the index and the old
/// value. With the journal off it is a plain store.
///
/// ```
/// use rewind::{Array, Rewind};
/// let mut load: Array<u32> = (0..4).collect();
/// load.journal(Some(0));
/// let before = load.mark();
/// load.set(2, 70);
/// load.update(3, |n| *n += 1);
/// assert_eq!(load[..], [0, 1, 70, 4]);
/// load.rewind(&before);
/// assert_eq!(load[..], [0, 1, 2, 3]);
/// ```
pub struct Array<T> {
    items: Vec<T>,
    journal: Journal<Op<T>>,
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Array { items: Vec::new(), journal: Journal::default() }
    }
}

impl<T> FromIterator<T> for Array<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Array { items: items.into_iter().collect(), journal: Journal::default() }
    }
}

impl<T> Deref for Array<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Scalar> Array<T> {
    /// An empty array.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes `value` at `index`.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[inline(always)]
    #[track_caller]
    pub fn set(&mut self, index: usize, value: T) {
        let place = &mut self.items[index];
        let old = *place;
        self.journal.note(|| Op::Set(index, old));
        *place = value
    }

    /// Changes the item at `index` in place.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[inline(always)]
    #[track_caller]
    pub fn update<R>(&mut self, index: usize, change: impl FnOnce(&mut T) -> R) -> R {
        let place = &mut self.items[index];
        let old = *place;
        self.journal.note(|| Op::Set(index, old));
        change(place)
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        self.journal.note(|| Op::Pushed);
        self.items.push(item)
    }

    /// Removes the last item.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.items.pop()?;
        self.journal.note_done(|| Op::Popped(item));
        Some(item)
    }

    /// Replaces all items. The journal takes the old ones without a copy.
    pub fn replace(&mut self, items: impl IntoIterator<Item = T>) {
        let old = std::mem::replace(&mut self.items, items.into_iter().collect());
        self.journal.note_done(|| Op::Replaced(old))
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.replace([])
    }
}

impl<T: Digest> Digest for Array<T> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.items.len() as u64);
        T::digest_all(&self.items, h)
    }
    fn weight(&self) -> u64 {
        weight_of(self.items.len(), self.items.first())
    }
}

impl<T: Scalar> Rewind for Array<T> {
    type Mark = u64;
    #[track_caller]
    fn mark(&self) -> u64 {
        self.journal.position()
    }
    #[track_caller]
    fn rewind(&mut self, to: &u64) {
        while let Some(op) = self.journal.undo(*to) {
            match op {
                Op::Set(index, old) => self.items[index] = old,
                Op::Pushed => drop(self.items.pop()),
                Op::Popped(item) => self.items.push(item),
                Op::Replaced(old) => self.items = old,
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
