//! A sorted map whose values may be journalled.
use crate::{Digest, Hasher, Rewind, digest::weight_of, journal::Journal};
use std::collections::{BTreeMap, btree_map::Entry};
use std::ops::RangeBounds;

enum Op<K, V: Rewind> {
    Inserted(K, Option<V>),
    Removed(K, V),
    /// `after` commits the value's own journal; a panic in the closure leaves it empty.
    Updated {
        key: K,
        before: V::Mark,
        after: Option<V::Mark>,
    },
    Cleared(BTreeMap<K, V>),
}

/// A journalled `BTreeMap`: sorted, so that every iteration is the same on every machine.
///
/// A row changes in place only by [`update`](Table::update), which notes the change. Rows may hold
/// journalled containers, to any depth. An undo costs O(changes), whatever the size of the table.
///
/// ```
/// use rewind::{Queue, Rewind, Table};
/// let mut holders: Table<u32, Queue<u32>> = Table::new();
/// holders.journal(Some(0));
/// holders.insert(7, Queue::new());
/// let before = holders.mark();
/// holders.update(&7, |nodes| nodes.push_back(3));
/// holders.discard(&7);
/// holders.rewind(&before);
/// assert!(holders.get(&7).is_some_and(|nodes| nodes.is_empty()));
/// ```
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
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// The row under a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.rows.get(key)
    }
    /// Whether there is a row under a key.
    pub fn contains(&self, key: &K) -> bool {
        self.rows.contains_key(key)
    }
    /// In the order of keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.rows.iter()
    }
    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.rows.keys()
    }
    /// The rows, in the order of keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.rows.values()
    }
    /// The rows with keys in a range, in order.
    pub fn range(&self, keys: impl RangeBounds<K>) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.rows.range(keys)
    }
    /// The row with the smallest key.
    pub fn first(&self) -> Option<(&K, &V)> {
        self.rows.first_key_value()
    }
    /// The row with the largest key.
    pub fn last(&self) -> Option<(&K, &V)> {
        self.rows.last_key_value()
    }

    /// Puts a row under a key and replaces an old one. Returns whether the key was new.
    pub fn insert(&mut self, key: K, mut value: V) -> bool {
        value.journal(self.journal.on().then(|| self.journal.clock()));
        if !self.journal.on() {
            return self.rows.insert(key, value).is_none();
        }
        let old = self.rows.insert(key.clone(), value);
        let new = old.is_none();
        self.journal.note_done(|| Op::Inserted(key, old));
        new
    }
    /// Puts a row under a new key. Returns whether the key was new; an old row stays. One search,
    /// where `contains` and `insert` need two.
    pub fn add(&mut self, key: K, mut value: V) -> bool {
        let Entry::Vacant(place) = self.rows.entry(key) else { return false };
        value.journal(self.journal.on().then(|| self.journal.clock()));
        match self.journal.on() {
            false => drop(place.insert(value)),
            true => {
                let key = place.key().clone();
                place.insert(value);
                self.journal.note_done(|| Op::Inserted(key, None))
            }
        }
        true
    }
    /// Removes a row without a copy. Returns whether it existed.
    pub fn discard(&mut self, key: &K) -> bool {
        let Some((key, value)) = self.rows.remove_entry(key) else { return false };
        self.journal.note_done(|| Op::Removed(key, value));
        true
    }
    /// Removes a row; with the journal on it is copied (`discard` does not copy).
    pub fn remove(&mut self, key: &K) -> Option<V>
    where
        V: Clone,
    {
        let (key, value) = self.rows.remove_entry(key)?;
        if !self.journal.on() {
            return Some(value);
        }
        let copy = value.clone();
        self.journal.note_done(|| Op::Removed(key, value));
        Some(copy)
    }
    /// Removes the row with the smallest key; with the journal on it is copied.
    pub fn pop_first(&mut self) -> Option<(K, V)>
    where
        V: Clone,
    {
        let key = self.rows.first_key_value()?.0.clone();
        let value = self.remove(&key)?;
        Some((key, value))
    }
    /// Removes all rows. The journal takes them without a copy.
    pub fn clear(&mut self) {
        let old = std::mem::take(&mut self.rows);
        self.journal.note_done(|| Op::Cleared(old))
    }
    /// Changes a row in place; `None` if there is no such row.
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
    /// Changes a row in place; inserts `new` first if there is none.
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
        for (key, row) in &self.rows {
            key.digest(h);
            row.digest(h)
        }
    }
    fn weight(&self) -> u64 {
        self.rows.len() as u64 + weight_of(self.rows.len(), self.rows.values().next())
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
                Op::Inserted(key, None) => drop(self.rows.remove(&key)),
                Op::Inserted(key, Some(row)) | Op::Removed(key, row) => {
                    drop(self.rows.insert(key, row))
                }
                Op::Updated { key, before, .. } => {
                    self.rows.get_mut(&key).expect("updated row").rewind(&before)
                }
                Op::Cleared(rows) => self.rows = rows,
            }
        }
    }
    #[track_caller]
    fn commit(&mut self, upto: &u64) {
        while let Some(op) = self.journal.forget(*upto) {
            let Op::Updated { key, after: Some(after), .. } = op else { continue };
            // Another row under the same key has a larger clock, so this does not affect it.
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
