//! A double-ended queue of plain values.
use crate::{Digest, Hasher, Rewind, digest::weight_of, journal::Journal};
use std::collections::VecDeque;

enum Op<T> {
    PushedBack,
    PushedFront,
    PoppedFront(T),
    PoppedBack(T),
    Set(usize, T),
    Removed(usize, T),
    Replaced(VecDeque<T>),
}

/// A journalled `VecDeque` of plain values.
///
/// ```
/// use rewind::{Queue, Rewind};
/// let mut waiting: Queue<u32> = (1..=3).collect();
/// waiting.journal(Some(0));
/// let before = waiting.mark();
/// assert_eq!(waiting.pop_front(), Some(1));
/// waiting.update(0, |n| *n = 20);
/// waiting.rewind(&before);
/// assert!(waiting.iter().eq(&[1, 2, 3]));
/// ```
pub struct Queue<T> {
    items: VecDeque<T>,
    journal: Journal<Op<T>>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue { items: VecDeque::new(), journal: Journal::default() }
    }
}

impl<T> FromIterator<T> for Queue<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Queue { items: items.into_iter().collect(), journal: Journal::default() }
    }
}

impl<T> Queue<T> {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }
    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether it has no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The item that `pop_front` would take.
    pub fn front(&self) -> Option<&T> {
        self.items.front()
    }
    /// The item that `pop_back` would take.
    pub fn back(&self) -> Option<&T> {
        self.items.back()
    }
    /// The item at a position from the front.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.items.get(index)
    }
    /// All items, front to back.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.items.iter()
    }
}

impl<T: Clone> Queue<T> {
    /// Adds an item at the back.
    pub fn push_back(&mut self, item: T) {
        self.journal.note(|| Op::PushedBack);
        self.items.push_back(item)
    }
    /// Adds an item at the front.
    pub fn push_front(&mut self, item: T) {
        self.journal.note(|| Op::PushedFront);
        self.items.push_front(item)
    }
    /// Removes the item at the front.
    pub fn pop_front(&mut self) -> Option<T> {
        let item = self.items.pop_front()?;
        self.journal.note_done(|| Op::PoppedFront(item.clone()));
        Some(item)
    }
    /// Removes the item at the back.
    pub fn pop_back(&mut self) -> Option<T> {
        let item = self.items.pop_back()?;
        self.journal.note_done(|| Op::PoppedBack(item.clone()));
        Some(item)
    }
    /// Removes an item from the middle: O(length), as in `VecDeque`.
    pub fn remove(&mut self, index: usize) -> Option<T> {
        let item = self.items.remove(index)?;
        self.journal.note_done(|| Op::Removed(index, item.clone()));
        Some(item)
    }
    /// Changes an item in place; `None` if the index is out of range.
    pub fn update<R>(&mut self, index: usize, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        let item = self.items.get_mut(index)?;
        self.journal.note(|| Op::Set(index, item.clone()));
        Some(change(item))
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

impl<T: Digest> Digest for Queue<T> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.len() as u64);
        for item in &self.items {
            item.digest(h)
        }
    }
    fn weight(&self) -> u64 {
        weight_of(self.len(), self.items.front())
    }
}

impl<T: Clone + Digest> Rewind for Queue<T> {
    type Mark = u64;
    #[track_caller]
    fn mark(&self) -> u64 {
        self.journal.position()
    }
    #[track_caller]
    fn rewind(&mut self, to: &u64) {
        while let Some(op) = self.journal.undo(*to) {
            match op {
                Op::PushedBack => drop(self.items.pop_back()),
                Op::PushedFront => drop(self.items.pop_front()),
                Op::PoppedFront(item) => self.items.push_front(item),
                Op::PoppedBack(item) => self.items.push_back(item),
                Op::Set(index, item) => self.items[index] = item,
                Op::Removed(index, item) => self.items.insert(index, item),
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
