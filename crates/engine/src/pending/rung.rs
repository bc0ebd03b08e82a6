//! One rung of the ladder: buckets of equal width, walked once from left to right.
use super::entry::Entry;

/// Vectors that were emptied, to be filled again: a bucket owns memory only while it holds something.
#[derive(Default)]
pub(crate) struct Pool(Vec<Vec<Entry>>);

impl Pool {
    pub(crate) fn give(&mut self, mut emptied: Vec<Entry>) {
        if emptied.capacity() > 0 {
            emptied.clear();
            self.0.push(emptied)
        }
    }
    #[cold]
    #[inline(never)]
    fn fit_out(&mut self, bucket: &mut Vec<Entry>) {
        *bucket = self.0.pop().unwrap_or_else(|| Vec::with_capacity(8))
    }
}

#[derive(Default)]
pub(crate) struct Rung {
    /// Where the first bucket begins [ns].
    start: u64,
    /// The width of a bucket is two to this power.
    shift: u32,
    /// The buckets before this one were walked.
    at: usize,
    /// How many buckets are in use.
    used: usize,
    buckets: Vec<Vec<Entry>>,
    /// Entries in all buckets.
    pub(crate) len: usize,
    pool: Pool,
}

impl Rung {
    /// Sets an empty rung up for `used` buckets.
    pub(crate) fn open(&mut self, start: u64, shift: u32, used: usize) {
        debug_assert_eq!(self.len, 0);
        (self.start, self.shift, self.at, self.used) = (start, shift, 0, used);
        if self.buckets.len() < used {
            self.buckets.resize_with(used, Vec::new)
        }
    }

    pub(crate) fn shift(&self) -> u32 {
        self.shift
    }

    /// Where the buckets begin that are still to be walked. It saturates at the end of time, where nothing is.
    pub(crate) fn edge(&self) -> u64 {
        let edge = self.start as u128 + ((self.at as u128) << self.shift);
        u64::try_from(edge).unwrap_or(u64::MAX)
    }

    /// Where the last bucket ends.
    pub(crate) fn end(&self) -> u64 {
        let end = self.start as u128 + ((self.used as u128) << self.shift);
        u64::try_from(end).unwrap_or(u64::MAX)
    }

    /// Takes an entry at or after the edge and before the end.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: Entry) {
        let bucket = &mut self.buckets[((entry.t - self.start) >> self.shift) as usize];
        if bucket.capacity() == 0 {
            self.pool.fit_out(bucket)
        }
        bucket.push(entry);
        self.len += 1
    }

    /// The next bucket that holds anything, and where it begins. Call only while `len` is not 0.
    pub(crate) fn next(&mut self) -> (u64, Vec<Entry>) {
        while self.buckets[self.at].is_empty() {
            self.at += 1
        }
        let start = self.edge();
        let bucket = std::mem::take(&mut self.buckets[self.at]);
        self.at += 1;
        self.len -= bucket.len();
        (start, bucket)
    }

    /// Gives a bucket's memory back.
    pub(crate) fn give(&mut self, emptied: Vec<Entry>) {
        self.pool.give(emptied)
    }

    /// What `next` will give, if it is not far.
    pub(crate) fn peek(&self) -> &[Entry] {
        let near = self.buckets[self.at..self.used].iter().take(8);
        near.into_iter().find(|b| !b.is_empty()).map_or(&[], |b| b)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Entry) -> bool) {
        for bucket in &mut self.buckets[self.at..self.used] {
            bucket.retain(&mut keep)
        }
        self.len = self.buckets[self.at..self.used].iter().map(Vec::len).sum()
    }
}
