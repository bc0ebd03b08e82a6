//! Things by number, of which there is mostly one.
use rewind::{Rewind, Scalar, Table};

/// A table by ascending numbers whose first thing needs no memory of its own.
#[derive(Rewind)]
pub struct SmallMap<T: Scalar> {
    first: Option<(u32, T)>,
    more: Table<u32, T>,
}

impl<T: Scalar> Default for SmallMap<T> {
    fn default() -> SmallMap<T> {
        SmallMap { first: None, more: Table::new() }
    }
}

impl<T: Scalar> SmallMap<T> {
    /// The thing of this number.
    pub fn get(&self, number: u32) -> Option<T> {
        match self.first {
            Some((is, thing)) if is == number => Some(thing),
            _ => self.more.get(&number).copied(),
        }
    }

    /// Puts it there, in place of what was there.
    pub fn put(&mut self, number: u32, thing: T) {
        match self.first {
            Some((is, _)) if is != number => {
                self.more.insert(number, thing);
            }
            None if self.more.contains(&number) => {
                self.more.insert(number, thing);
            }
            _ => self.first = Some((number, thing)),
        }
    }

    /// Takes it away.
    pub fn drop(&mut self, number: u32) {
        match self.first {
            Some((is, _)) if is == number => self.first = None,
            _ => {
                self.more.discard(&number);
            }
        }
    }

    /// The lowest number.
    pub fn lowest(&self) -> Option<u32> {
        let more = self.more.first().map(|(number, _)| *number);
        self.first.map(|(number, _)| number).into_iter().chain(more).min()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
