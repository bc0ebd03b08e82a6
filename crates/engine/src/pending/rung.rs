//! One rung of the ladder: buckets of equal width, read once from left to right.
use super::{
    chunks::{Bucket, Chunks},
    entry::Entry,
};

#[derive(Default)]
pub(crate) struct Rung {
    /// Start of the first bucket \[ns\].
    start: u64,
    /// A bucket spans 2^`shift` ns.
    shift: u32,
    at: usize,
    used: usize,
    buckets: Vec<Bucket>,
    pub(crate) len: usize,
}

impl Rung {
    pub(crate) fn open(&mut self, start: u64, shift: u32, used: usize) {
        debug_assert_eq!(self.len, 0);
        (self.start, self.shift, self.at, self.used) = (start, shift, 0, used);
        if self.buckets.len() < used {
            self.buckets.resize(used, Bucket::EMPTY)
        }
    }

    pub(crate) fn shift(&self) -> u32 {
        self.shift
    }

    /// Start of the unread buckets \[ns\]; saturates at `u64::MAX`.
    pub(crate) fn edge(&self) -> u64 {
        self.border(self.at)
    }

    pub(crate) fn end(&self) -> u64 {
        self.border(self.used)
    }

    fn border(&self, bucket: usize) -> u64 {
        let border = self.start as u128 + ((bucket as u128) << self.shift);
        u64::try_from(border).unwrap_or(u64::MAX)
    }

    /// The entry has to be at or after the edge and before the end.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: Entry, chunks: &mut Chunks) {
        let bucket = &mut self.buckets[((entry.t - self.start) >> self.shift) as usize];
        chunks.push(bucket, entry);
        self.len += 1
    }

    /// Start, content and length of the next bucket with entries. Call only while `len` is not 0.
    pub(crate) fn next(&mut self, chunks: &Chunks) -> (u64, Bucket, usize) {
        while self.buckets[self.at].is_empty() {
            self.at += 1
        }
        let start = self.edge();
        let bucket = std::mem::replace(&mut self.buckets[self.at], Bucket::EMPTY);
        let count = chunks.len(&bucket);
        self.at += 1;
        self.len -= count;
        (start, bucket, count)
    }

    /// The bucket that `next` returns, if it is near; else an empty one.
    pub(crate) fn peek(&self) -> Bucket {
        let mut near = self.buckets[self.at..self.used].iter().take(8);
        near.find(|b| !b.is_empty()).copied().unwrap_or(Bucket::EMPTY)
    }

    pub(crate) fn retain(&mut self, chunks: &mut Chunks, mut keep: impl FnMut(&Entry) -> bool) {
        let mut kept = vec![];
        for at in self.at..self.used {
            chunks.drain_into(&mut self.buckets[at], &mut kept)
        }
        self.len = 0;
        kept.into_iter().filter(|e| keep(e)).for_each(|e| self.push(e, chunks))
    }
}
