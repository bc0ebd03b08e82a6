//! A map that mostly holds one value.
use rewind::{Digest, Rewind, Table, Var};

/// A map by number. The first value needs no heap allocation.
#[derive(Rewind)]
pub struct SmallMap<T: Rewind + Clone + Digest> {
    first: Var<Option<(u32, T)>>,
    more: Table<u32, T>,
}

impl<T: Rewind + Clone + Digest> Default for SmallMap<T> {
    fn default() -> SmallMap<T> {
        SmallMap { first: Var::new(None), more: Table::new() }
    }
}

impl<T: Rewind + Clone + Digest> SmallMap<T> {
    #[inline]
    pub fn get(&self, number: u32) -> Option<&T> {
        match &*self.first {
            Some((is, thing)) if *is == number => Some(thing),
            _ if self.more.is_empty() => None,
            _ => self.more.get(&number),
        }
    }

    pub fn put(&mut self, number: u32, thing: T) {
        let taken = self.first.as_ref().is_some_and(|(is, _)| *is != number);
        if taken || !self.more.is_empty() && self.more.contains(&number) {
            self.more.insert(number, thing);
        } else {
            self.first.set(Some((number, thing)))
        }
    }

    pub fn update<R>(&mut self, number: u32, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        match &*self.first {
            Some((is, _)) if *is == number => {
                self.first.update(|first| first.as_mut().map(|(_, thing)| change(thing)))
            }
            _ => self.more.update(&number, change),
        }
    }

    pub fn drop(&mut self, number: u32) {
        match &*self.first {
            Some((is, _)) if *is == number => self.first.set(None),
            _ => {
                self.more.discard(&number);
            }
        }
    }

    pub fn lowest(&self) -> Option<u32> {
        let more = self.more.first().map(|(number, _)| *number);
        self.first.as_ref().map(|(number, _)| *number).into_iter().chain(more).min()
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let first = self.first.iter().map(|(number, thing)| (*number, thing));
        first.chain(self.more.iter().map(|(number, thing)| (*number, thing)))
    }

    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
