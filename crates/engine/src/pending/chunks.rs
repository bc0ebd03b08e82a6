//! Memory of the ladder's buckets: chunks of a few entries, in chains, from one store.
//!
//! A bucket of vectors would keep, in each of a thousand buckets, the memory of the fullest it has ever been.
use super::entry::Entry;

/// With the link, four cache lines.
const EACH: usize = 10;
const NONE: u32 = u32::MAX;

#[repr(align(64))]
#[derive(Clone)]
struct Chunk {
    entries: [Entry; EACH],
    next: u32,
}

/// A chain of chunks, all full but the first.
#[derive(Clone, Copy)]
pub(crate) struct Bucket {
    head: u32,
    /// Entries in the first chunk; full when there is none, so that the next entry fetches one.
    filled: u32,
    len: u32,
}

impl Bucket {
    pub(crate) const EMPTY: Bucket = Bucket { head: NONE, filled: EACH as u32, len: 0 };

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }
}

/// All chunks; those that are not in a bucket hang in a chain of their own, the one emptied last first.
pub(crate) struct Chunks {
    all: Vec<Chunk>,
    free: u32,
}

impl Chunks {
    pub(crate) fn new() -> Self {
        Chunks { all: vec![], free: NONE }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, bucket: &mut Bucket, entry: Entry) {
        if bucket.filled == EACH as u32 {
            self.lengthen(bucket)
        }
        self.all[bucket.head as usize].entries[bucket.filled as usize] = entry;
        bucket.filled += 1;
        bucket.len += 1
    }

    #[inline(never)]
    fn lengthen(&mut self, bucket: &mut Bucket) {
        if self.free == NONE {
            self.free = self.all.len() as u32;
            self.all.push(Chunk { entries: Default::default(), next: NONE })
        }
        let chunk = self.free;
        let next = &mut self.all[chunk as usize].next;
        (self.free, *next) = (*next, bucket.head);
        (bucket.head, bucket.filled) = (chunk, 0)
    }

    /// Takes one chunk's worth of entries off a bucket, and frees the chunk.
    #[inline(always)]
    pub(crate) fn pop(&mut self, bucket: &mut Bucket) -> Option<([Entry; EACH], usize)> {
        if bucket.len == 0 {
            return None;
        }
        let (chunk, filled) = (&mut self.all[bucket.head as usize], bucket.filled);
        let entries = chunk.entries;
        let next = std::mem::replace(&mut chunk.next, self.free);
        self.free = std::mem::replace(&mut bucket.head, next);
        (bucket.len, bucket.filled) = (bucket.len - filled, EACH as u32);
        Some((entries, filled as usize))
    }

    /// Moves all of a bucket to the end of a list.
    #[inline]
    pub(crate) fn drain_into(&mut self, bucket: &mut Bucket, list: &mut Vec<Entry>) {
        list.reserve(bucket.len());
        let (mut chunk, mut filled) = (bucket.head, bucket.filled as usize);
        while chunk != NONE {
            let at = &mut self.all[chunk as usize];
            list.extend_from_slice(&at.entries[..filled]);
            let next = std::mem::replace(&mut at.next, self.free);
            (self.free, chunk, filled) = (chunk, next, EACH)
        }
        *bucket = Bucket::EMPTY
    }

    /// Shows all entries of a bucket.
    #[inline(always)]
    pub(crate) fn for_each(&self, bucket: &Bucket, mut see: impl FnMut(&Entry)) {
        let (mut chunk, mut filled) = (bucket.head, bucket.filled as usize);
        while chunk != NONE {
            let at = &self.all[chunk as usize];
            at.entries[..filled].iter().for_each(&mut see);
            (chunk, filled) = (at.next, EACH)
        }
    }
}
