//! The earliest keys, sorted: the ladder pops from here.
use super::{
    chunks::{Bucket, Chunks, EACH},
    entry::Entry,
};

/// Sorted, the earliest last.
pub(super) struct Bottom(Vec<Entry>);

/// Bits of a short key for the place of its entry.
const PLACE: u32 = 5;
/// Bits of a short key for the time; with place and sign 32.
const TIME: u32 = 26;

impl Bottom {
    pub(super) fn new() -> Self {
        Bottom(vec![])
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        self.0.pop()
    }

    #[inline(always)]
    pub(super) fn soonest(&self) -> Option<&Entry> {
        self.0.last()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter()
    }

    pub(super) fn drain(&mut self) -> impl Iterator<Item = Entry> {
        self.0.drain(..)
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&Entry) -> bool) {
        self.0.retain(keep)
    }

    pub(super) fn insert(&mut self, entry: Entry) {
        let later = self.0.partition_point(|e| e.key() > entry.key());
        self.0.insert(later, entry)
    }

    /// The bottom has to be empty.
    pub(super) fn fill(&mut self, entries: impl Iterator<Item = Entry>) {
        self.0.extend(entries);
        self.sort()
    }

    fn sort(&mut self) {
        self.0.sort_unstable_by_key(|e| std::cmp::Reverse(e.key()))
    }

    /// Takes a bucket into an empty bottom. Its times begin at `start` and span 2^`width` ns.
    #[inline]
    pub(super) fn settle(
        &mut self,
        chunks: &mut Chunks,
        (mut bucket, count): (Bucket, usize),
        start: u64,
        width: u32,
    ) {
        let shift = width.saturating_sub(TIME);
        match count.div_ceil(EACH) {
            1 => self.count_out::<1>(chunks, &mut bucket, start, shift),
            2 => self.count_out::<2>(chunks, &mut bucket, start, shift),
            3 => self.count_out::<3>(chunks, &mut bucket, start, shift),
            _ => {
                chunks.drain_into(&mut bucket, &mut self.0);
                return self.sort();
            }
        }
        self.0.truncate(count);
        // Times equal in these bits are rare. Such entries are in the order of their places, so
        // they need a sort.
        if !self.0.is_sorted_by(|a, b| a.t > b.t) {
            self.sort()
        }
    }

    /// Sorts `C` chunks by counting, for each entry, the later ones.
    ///
    /// The order in a bucket is random, so half of all branches on comparisons would be
    /// mispredicted. Nothing branches here, not even on the fill of the first chunk: places behind
    /// its last entry count as earlier than all. Times are cut to a few bits, so that four are
    /// compared at once.
    #[inline(always)]
    fn count_out<const C: usize>(
        &mut self,
        chunks: &mut Chunks,
        bucket: &mut Bucket,
        start: u64,
        shift: u32,
    ) {
        let (mut keys, mut homes) = ([[0; EACH]; C], [0; C]);
        for (n, (keys, home)) in keys.iter_mut().zip(&mut homes).enumerate() {
            let Some((chunk, filled)) = chunks.unhook(bucket) else { return };
            *home = chunk;
            for (i, (entry, key)) in chunks.at(chunk).iter().zip(keys).enumerate() {
                let time = (entry.t.wrapping_sub(start) >> shift) as i32;
                // Unfilled places get the sign.
                let unfilled = (filled as i32 - 1 - i as i32) & i32::MIN;
                *key = time << PLACE | (EACH * n + i) as i32 | unfilled
            }
        }
        let later = places(&keys);
        // A length known at compile time, unlike that of `resize`, which would call `memset`.
        self.0.extend_from_slice([[Entry::default(); EACH]; C].as_flattened());
        for (home, later) in homes.iter().zip(&later) {
            for (entry, later) in chunks.at(*home).iter().zip(later) {
                self.0[*later as usize] = *entry
            }
        }
    }
}

/// For each key, the number of keys above it.
#[inline(never)]
fn places<const C: usize>(keys: &[[i32; EACH]; C]) -> [[i32; EACH]; C] {
    let mut above = [[0; EACH]; C];
    for pivot in keys.as_flattened() {
        for (key, above) in keys.as_flattened().iter().zip(above.as_flattened_mut()) {
            *above += (pivot > key) as i32
        }
    }
    above
}
