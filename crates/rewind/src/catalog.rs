//! Rows by the hash of their key, sorted on request.
mod order;
mod slots;
use crate::{Digest, Hasher, Rewind, digest::weight_of, journal::Journal};
pub use order::Leading;
use order::{ChunkPosition, Order};
use slots::Slots;
use std::cell::{Ref, RefCell};

enum Op<K, V> {
    /// The place; `true` if it is new, `false` if it was free before.
    Put(u32, bool),
    Replaced(u32, V),
    Taken(u32, K, V),
}

/// A map for many rows, whose values are replaced as a whole.
///
/// A row is found, put and removed in O(1) by its key's digest. That reads two or three cache
/// lines, where a [`Table`](crate::Table) reads a dozen. Keys are sorted on request. The order is
/// then maintained, as long as few rows are added in between.
///
/// ```
/// use rewind::{Catalog, Rewind};
/// let mut ages: Catalog<u32, u64> = Catalog::new();
/// ages.journal(Some(0));
/// ages.add(7, 40);
/// let before = ages.mark();
/// ages.add(3, 50);
/// ages.discard(&7);
/// assert_eq!(ages.between(&0, &9).map(|(key, _)| *key).collect::<Vec<_>>(), [3]);
/// ages.rewind(&before);
/// assert_eq!((ages.get(&7), ages.get(&3)), (Some(&40), None));
/// ```
pub struct Catalog<K, V> {
    places: Vec<Option<(K, V)>>,
    free: Vec<u32>,
    slots: Slots,
    /// A cache; not part of the content.
    order: RefCell<Option<Order<K>>>,
    journal: Journal<Op<K, V>>,
}

impl<K, V> Default for Catalog<K, V> {
    fn default() -> Self {
        let (places, free, slots) = (Vec::new(), Vec::new(), Slots::default());
        Catalog { places, free, slots, order: RefCell::default(), journal: Journal::default() }
    }
}

/// The part of a key's hash that its slot stores.
#[inline]
fn tag<K: Digest>(key: &K) -> u32 {
    (Hasher::of(key) >> 96) as u32
}

fn key_at<'a, K, V>(places: &'a [Option<(K, V)>]) -> impl Fn(u32) -> Option<&'a K> {
    move |place| places.get(place as usize)?.as_ref().map(|(key, _)| key)
}

impl<K: Ord + Clone + Digest + Leading, V> Catalog<K, V> {
    /// An empty catalog.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn slot(&self, tag: u32, key: &K) -> Option<usize> {
        let is = |place: u32| {
            self.places[place as usize].as_ref().is_some_and(|(other, _)| other == key)
        };
        self.slots.find(tag, is)
    }

    fn place(&self, key: &K) -> Option<u32> {
        self.slot(tag(key), key).and_then(|slot| self.slots.place(slot))
    }

    /// The value under a key.
    #[inline]
    pub fn get(&self, key: &K) -> Option<&V> {
        let place = self.place(key)?;
        self.places[place as usize].as_ref().map(|(_, value)| value)
    }

    /// Whether there is a value under a key.
    pub fn contains(&self, key: &K) -> bool {
        self.place(key).is_some()
    }

    /// The first memory read to find a key, for a prefetch.
    #[inline]
    pub fn near(&self, key: &K) -> Option<&u64> {
        self.slots.near(tag(key))
    }

    /// The memory read to find any key, for a prefetch: slots, then rows.
    #[inline]
    pub fn all_near(&self) -> (&[u64], &[impl Sized + use<K, V>]) {
        (self.slots.all(), &self.places)
    }

    /// The probable row of a key, for a prefetch after that of [`near`](Self::near). The row is not
    /// read.
    #[inline]
    pub fn row_near<'a>(&'a self, key: &K) -> Option<&'a (impl Sized + use<'a, K, V>)> {
        let slot = self.slots.find(tag(key), |_| true)?;
        self.places.get(self.slots.place(slot)? as usize)
    }

    /// Puts a value under a new key. Returns whether the key was new; an old value stays.
    pub fn add(&mut self, key: K, value: V) -> bool {
        let tag = tag(&key);
        let new = self.slot(tag, &key).is_none();
        if new {
            self.put(tag, key, value)
        }
        new
    }

    /// Puts a value under a key and replaces an old one. Returns whether the key was new.
    pub fn insert(&mut self, key: K, value: V) -> bool {
        let tag = tag(&key);
        let Some(place) = self.slot(tag, &key).and_then(|slot| self.slots.place(slot)) else {
            self.put(tag, key, value);
            return true;
        };
        if let Some((_, old)) = &mut self.places[place as usize] {
            let old = std::mem::replace(old, value);
            self.journal.note_done(|| Op::Replaced(place, old))
        }
        false
    }

    /// Removes a row. Returns whether it existed.
    pub fn discard(&mut self, key: &K) -> bool {
        let Some(place) = self.place(key) else { return false };
        if let Some((key, value)) = self.clear(place) {
            self.free.push(place);
            self.journal.note_done(|| Op::Taken(place, key, value))
        }
        true
    }

    fn put(&mut self, tag: u32, key: K, value: V) {
        let new = self.free.is_empty();
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            u32::try_from(self.places.len() - 1).expect("less than 2^32 rows")
        });
        self.fill(place, tag, key, value);
        self.journal.note_done(|| Op::Put(place, new))
    }

    fn fill(&mut self, place: u32, tag: u32, key: K, value: V) {
        self.places[place as usize] = Some((key, value));
        self.slots.put(tag, place);
        let all = self.len();
        let order = self.order.get_mut();
        if let Some(known) = order {
            known.came(place);
            // Then sorting all rows is faster.
            if known.waiting() > all {
                *order = None
            }
        }
    }

    fn clear(&mut self, place: u32) -> Option<(K, V)> {
        let (key, _) = self.places[place as usize].as_ref()?;
        if let Some(slot) = self.slot(tag(key), key) {
            self.slots.clear(slot)
        }
        if let Some(order) = self.order.get_mut() {
            order.goes(place, key_at(&self.places))
        }
        self.places[place as usize].take()
    }

    /// All rows, in undefined order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.places.iter().flatten().map(|(key, value)| (key, value))
    }

    /// The rows after `behind` and before `before`, in order.
    ///
    /// # Panics
    /// If rows were added while another such iterator is in use.
    pub fn between(&self, behind: &K, before: &K) -> RangeIter<'_, K, V> {
        self.settle();
        let (places, key) = (&self.places[..], key_at(&self.places));
        let order = Ref::map(self.order.borrow(), |order| order.as_ref().expect("just settled"));
        let (mut from, upto) = (order.search(behind, &key), order.search(before, &key));
        if order.place(from).and_then(&key) == Some(behind) {
            from = order.skip(from, 1)
        }
        let left = order.between(from, upto);
        RangeIter { places, order, at: from, left }
    }

    fn settle(&self) {
        let key = key_at(&self.places);
        if self.order.borrow().as_ref().is_some_and(|order| order.waiting() == 0) {
            return;
        }
        let mut order = self.order.borrow_mut();
        let all = || (0u32..).take(self.places.len()).filter(|place| key(*place).is_some());
        order.get_or_insert_with(|| Order::of(all().collect(), &key)).settle(&key)
    }
}

/// Rows in order; `len` and `nth` skip whole chunks.
pub struct RangeIter<'a, K, V> {
    places: &'a [Option<(K, V)>],
    order: Ref<'a, Order<K>>,
    at: ChunkPosition,
    left: usize,
}

impl<'a, K: Ord + Clone + Leading, V> Iterator for RangeIter<'a, K, V> {
    type Item = (&'a K, &'a V);
    fn next(&mut self) -> Option<Self::Item> {
        self.nth(0)
    }
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if n >= self.left {
            self.left = 0;
            return None;
        }
        let at = self.order.skip(self.at, n);
        self.at = self.order.skip(at, 1);
        self.left -= n + 1;
        let place = self.order.place(at)?;
        self.places[place as usize].as_ref().map(|(key, value)| (key, value))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K: Ord + Clone + Leading, V> ExactSizeIterator for RangeIter<'_, K, V> {}

/// A sum over the rows, so that it needs no order.
impl<K: Digest, V: Digest> Digest for Catalog<K, V> {
    fn digest(&self, h: &mut Hasher) {
        h.word((self.places.len() - self.free.len()) as u64);
        let mut all = 0u128;
        for (key, value) in self.places.iter().flatten() {
            let mut one = Hasher::new(3, 4);
            key.digest(&mut one);
            value.digest(&mut one);
            all = all.wrapping_add(one.finish())
        }
        all.digest(h)
    }
    fn weight(&self) -> u64 {
        let first = self.places.iter().flatten().next();
        let of_one = first.map_or(0, |(key, value)| key.weight() + value.weight());
        weight_of::<()>(0, None) + self.places.len() as u64 * of_one
    }
}

impl<K: Ord + Clone + Digest + Leading, V: Digest> Rewind for Catalog<K, V> {
    type Mark = u64;
    #[track_caller]
    fn mark(&self) -> u64 {
        self.journal.position()
    }
    #[track_caller]
    fn rewind(&mut self, to: &u64) {
        while let Some(op) = self.journal.undo(*to) {
            match op {
                Op::Put(place, new) => {
                    self.clear(place);
                    match new {
                        true => drop(self.places.pop()),
                        false => self.free.push(place),
                    }
                }
                Op::Replaced(place, old) => {
                    if let Some((_, value)) = &mut self.places[place as usize] {
                        *value = old
                    }
                }
                Op::Taken(place, key, value) => {
                    self.free.pop();
                    self.fill(place, tag(&key), key, value)
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
