//! State that only some settings need.
use engine::*;
use std::ops::{Deref, DerefMut};

/// A table that is not part of the run's hash while it is empty: runs that do not use it keep their
/// hashes.
pub(super) struct UnlessEmpty<K: Scalar + Ord, V: Rewind>(Table<K, V>);

impl<K: Scalar + Ord, V: Rewind> Default for UnlessEmpty<K, V> {
    fn default() -> Self {
        UnlessEmpty(Table::new())
    }
}

impl<K: Scalar + Ord, V: Rewind> Deref for UnlessEmpty<K, V> {
    type Target = Table<K, V>;

    fn deref(&self) -> &Table<K, V> {
        &self.0
    }
}

impl<K: Scalar + Ord, V: Rewind> DerefMut for UnlessEmpty<K, V> {
    fn deref_mut(&mut self) -> &mut Table<K, V> {
        &mut self.0
    }
}

impl<K: Scalar + Ord, V: Rewind> Digest for UnlessEmpty<K, V> {
    fn digest(&self, h: &mut Hasher) {
        if !self.0.is_empty() {
            self.0.digest(h)
        }
    }

    fn weight(&self) -> u64 {
        self.0.weight()
    }
}

impl<K: Scalar + Ord, V: Rewind> Rewind for UnlessEmpty<K, V> {
    type Mark = <Table<K, V> as Rewind>::Mark;

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }

    fn rewind(&mut self, to: &Self::Mark) {
        self.0.rewind(to)
    }

    fn commit(&mut self, upto: &Self::Mark) {
        self.0.commit(upto)
    }

    fn journal(&mut self, from: Option<u64>) {
        self.0.journal(from)
    }

    fn clock(&self) -> u64 {
        self.0.clock()
    }
}
