//! A sorted map whose values may be journalled themselves.
use crate::{Digest, Hasher, Rewind, journal::Journal};
use std::collections::BTreeMap;

enum Op<K, V: Rewind> {
    Inserted(K, Option<V>),
    Removed(K, V),
    /// `after` is there to commit the value's own journal; a panic in the closure leaves it empty.
    Updated {
        key: K,
        before: V::Mark,
        after: Option<V::Mark>,
    },
}

pub struct Table<K, V: Rewind> {
    rows: BTreeMap<K, V>,
    journal: Journal<Op<K, V>>,
}

impl<K, V: Rewind> Default for Table<K, V> {
    fn default() -> Self {
        Table { rows: BTreeMap::new(), journal: Journal::default() }
    }
}
impl<K: Ord, V: Rewind> FromIterator<(K, V)> for Table<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(rows: I) -> Self {
        Table { rows: rows.into_iter().collect(), journal: Journal::default() }
    }
}

impl<K: Ord + Clone, V: Rewind> Table<K, V> {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    pub fn get(&self, key: &K) -> Option<&V> {
        self.rows.get(key)
    }
    pub fn contains(&self, key: &K) -> bool {
        self.rows.contains_key(key)
    }
    /// In the order of keys, always.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.rows.iter()
    }
    pub fn first(&self) -> Option<(&K, &V)> {
        self.rows.first_key_value()
    }

    /// Whether the key was new.
    pub fn insert(&mut self, key: K, mut value: V) -> bool {
        value.journal(self.journal.on().then(|| self.journal.clock()));
        let old = self.rows.insert(key.clone(), value);
        let new = old.is_none();
        self.journal.note(|| Op::Inserted(key, old));
        new
    }
    /// Drops a row without reading it: no copy, whatever its size.
    pub fn discard(&mut self, key: &K) -> bool {
        let Some((key, value)) = self.rows.remove_entry(key) else { return false };
        self.journal.note(|| Op::Removed(key, value));
        true
    }
    /// Takes a row out; with the journal on this copies it (`discard` does not).
    pub fn remove(&mut self, key: &K) -> Option<V>
    where
        V: Clone,
    {
        let (key, value) = self.rows.remove_entry(key)?;
        if !self.journal.on() {
            return Some(value);
        }
        let copy = value.clone();
        self.journal.note(|| Op::Removed(key, value));
        Some(copy)
    }
    /// The only way to change a row in place.
    pub fn update<R>(&mut self, key: &K, change: impl FnOnce(&mut V) -> R) -> Option<R> {
        let row = self.rows.get_mut(key)?;
        if !self.journal.on() {
            return Some(change(row));
        }
        self.journal.note(|| Op::Updated { key: key.clone(), before: row.mark(), after: None });
        let result = change(row);
        if !V::PLAIN {
            self.journal.saw_row(row.clock());
            if let Some(Op::Updated { after, .. }) = self.journal.last() {
                *after = Some(row.mark())
            }
        }
        Some(result)
    }
    pub fn update_or_insert<R>(
        &mut self,
        key: K,
        new: impl FnOnce() -> V,
        change: impl FnOnce(&mut V) -> R,
    ) -> R {
        if !self.contains(&key) {
            self.insert(key.clone(), new());
        }
        self.update(&key, change).expect("the row is there")
    }
}

impl<K: Digest, V: Rewind> Digest for Table<K, V> {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.rows.len() as u64);
        for (k, v) in &self.rows {
            k.digest(h);
            v.digest(h)
        }
    }
}

impl<K: Ord + Clone + Digest, V: Rewind> Rewind for Table<K, V> {
    type Mark = u64;
    #[track_caller]
    fn mark(&self) -> u64 {
        self.journal.position()
    }
    #[track_caller]
    fn rewind(&mut self, to: &u64) {
        while let Some(op) = self.journal.undo(*to) {
            match op {
                Op::Inserted(k, None) => drop(self.rows.remove(&k)),
                Op::Inserted(k, Some(v)) | Op::Removed(k, v) => drop(self.rows.insert(k, v)),
                Op::Updated { key, before, .. } => {
                    self.rows.get_mut(&key).expect("updated row").rewind(&before)
                }
            }
        }
    }
    #[track_caller]
    fn commit(&mut self, upto: &u64) {
        while let Some(op) = self.journal.forget(*upto) {
            let Op::Updated { key, after: Some(after), .. } = op else { continue };
            // Another row under the same key has a younger clock, so this does nothing to it.
            if let Some(row) = self.rows.get_mut(&key) {
                row.commit(&after)
            }
        }
    }
    fn journal(&mut self, from: Option<u64>) {
        self.journal.switch(from);
        for row in self.rows.values_mut() {
            row.journal(from)
        }
    }
    fn clock(&self) -> u64 {
        self.journal.clock()
    }
}
