//! A double-ended queue of plain values.
use crate::{Digest, Hasher, Rewind, journal::Journal};
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
    pub fn new() -> Self {
        Self::default()
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    pub fn front(&self) -> Option<&T> {
        self.items.front()
    }
    pub fn get(&self, index: usize) -> Option<&T> {
        self.items.get(index)
    }
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items.iter()
    }
}

impl<T: Clone> Queue<T> {
    pub fn push_back(&mut self, item: T) {
        self.journal.note(|| Op::PushedBack);
        self.items.push_back(item)
    }
    pub fn push_front(&mut self, item: T) {
        self.journal.note(|| Op::PushedFront);
        self.items.push_front(item)
    }
    pub fn pop_front(&mut self) -> Option<T> {
        let item = self.items.pop_front()?;
        self.journal.note(|| Op::PoppedFront(item.clone()));
        Some(item)
    }
    pub fn pop_back(&mut self) -> Option<T> {
        let item = self.items.pop_back()?;
        self.journal.note(|| Op::PoppedBack(item.clone()));
        Some(item)
    }
    /// Takes one item out of the middle: O(length), as in `VecDeque`.
    pub fn remove(&mut self, index: usize) -> Option<T> {
        let item = self.items.remove(index)?;
        self.journal.note(|| Op::Removed(index, item.clone()));
        Some(item)
    }
    pub fn update<R>(&mut self, index: usize, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        let item = self.items.get_mut(index)?;
        self.journal.note(|| Op::Set(index, item.clone()));
        Some(change(item))
    }
    pub fn replace(&mut self, items: impl IntoIterator<Item = T>) {
        let old = std::mem::replace(&mut self.items, items.into_iter().collect());
        self.journal.note(|| Op::Replaced(old))
    }
    pub fn clear(&mut self) {
        self.replace([])
    }
}

impl<T: Digest> Digest for Queue<T> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.len() as u64);
        for x in &self.items {
            x.digest(h)
        }
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
                Op::PoppedFront(x) => self.items.push_front(x),
                Op::PoppedBack(x) => self.items.push_back(x),
                Op::Set(i, x) => self.items[i] = x,
                Op::Removed(i, x) => self.items.insert(i, x),
                Op::Replaced(old) => self.items = old,
            }
        }
    }
    #[track_caller]
    fn commit(&mut self, upto: &u64) {
        while self.journal.forget(*upto).is_some() {}
    }
    fn journal(&mut self, from: Option<u64>) {
        self.journal.switch(from)
    }
    fn clock(&self) -> u64 {
        self.journal.clock()
    }
}
