//! Memory of the ladder's buckets: linked chunks of a few entries, from one pool.
//!
//! With vectors, each of a thousand buckets would keep its maximum memory.
use super::entry::Entry;
use std::hint::select_unpredictable;

/// Entries of a chunk.
pub(super) const EACH: usize = 8;
const NONE: u32 = u32::MAX;

/// A list of chunks, all full except the first. The number is the place of the next entry, counted
/// over all chunks.
///
/// At a multiple of `EACH` the first chunk is full. 0 is the empty bucket: a bucket is never read
/// before the first chunk's first place is filled.
#[derive(Clone, Copy)]
pub(crate) struct Bucket(u32);

impl Bucket {
    pub(crate) const EMPTY: Bucket = Bucket(0);

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// Entries in the first chunk; the bucket must not be empty.
    #[inline(always)]
    fn filled(&self) -> usize {
        (self.0 as usize - 1) % EACH + 1
    }

    /// The first chunk; `NONE` for an empty bucket, since the sign is shifted in.
    #[inline(always)]
    fn head(&self) -> u32 {
        ((self.0 as i32 - 1) >> EACH.trailing_zeros()) as u32
    }
}

/// All chunks. Free ones form a list, the last freed first.
pub(crate) struct Chunks {
    all: Vec<[Entry; EACH]>,
    /// The next chunk of each.
    links: Vec<u32>,
    /// Never `NONE` between two calls.
    free: u32,
}

impl Chunks {
    pub(crate) fn new() -> Self {
        Chunks { all: vec![Default::default()], links: vec![NONE], free: 0 }
    }

    /// Whether the first chunk is full is random and known late: an event's time depends on random
    /// numbers and logarithms. A branch would often be mispredicted, so both cases are computed and
    /// one selected.
    #[inline(always)]
    pub(crate) fn push(&mut self, bucket: &mut Bucket, entry: Entry) {
        let (fresh, free) = (bucket.0.is_multiple_of(EACH as u32), self.free);
        let link = &mut self.links[free as usize];
        let after = *link;
        *link = select_unpredictable(fresh, bucket.head(), after);
        let place = select_unpredictable(fresh, free * EACH as u32, bucket.0);
        self.free = select_unpredictable(fresh, after, free);
        self.all.as_flattened_mut()[place as usize] = entry;
        *bucket = Bucket(place + 1);
        if self.free == NONE {
            self.grow()
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        assert!(self.all.len() < i32::MAX as usize / EACH, "2^31 events are pending");
        self.free = self.all.len() as u32;
        self.all.push(Default::default());
        self.links.push(NONE)
    }

    #[inline]
    pub(crate) fn len(&self, bucket: &Bucket) -> usize {
        if bucket.is_empty() {
            return 0;
        }
        let (mut count, mut chunk) = (bucket.filled(), self.links[bucket.head() as usize]);
        while chunk != NONE {
            count += EACH;
            chunk = self.links[chunk as usize]
        }
        count
    }

    /// Removes a bucket's first chunk and frees it. Returns its number and the number of valid
    /// entries, which stay until the next `push`.
    #[inline(always)]
    pub(crate) fn unhook(&mut self, bucket: &mut Bucket) -> Option<(u32, usize)> {
        if bucket.is_empty() {
            return None;
        }
        let (chunk, filled) = (bucket.head(), bucket.filled());
        let behind = std::mem::replace(&mut self.links[chunk as usize], self.free);
        self.free = chunk;
        *bucket = match behind {
            NONE => Bucket::EMPTY,
            full => Bucket((full + 1) * EACH as u32),
        };
        Some((chunk, filled))
    }

    #[inline(always)]
    pub(crate) fn at(&self, chunk: u32) -> &[Entry; EACH] {
        &self.all[chunk as usize]
    }

    #[inline]
    pub(crate) fn drain_into(&mut self, bucket: &mut Bucket, list: &mut Vec<Entry>) {
        while let Some((chunk, filled)) = self.unhook(bucket) {
            list.extend_from_slice(&self.at(chunk)[..filled])
        }
    }

    #[inline(always)]
    pub(crate) fn for_each(&self, bucket: &Bucket, mut see: impl FnMut(&Entry)) {
        let mut chunk = bucket.head();
        while chunk != NONE {
            let filled = if chunk == bucket.head() { bucket.filled() } else { EACH };
            self.all[chunk as usize][..filled].iter().for_each(&mut see);
            chunk = self.links[chunk as usize]
        }
    }
}
