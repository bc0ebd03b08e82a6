//! The order of a catalog's keys: chunks of sorted places, and places that are not sorted yet.

/// Keys with a number that mostly shows their order. A search reads adjacent numbers instead of
/// keys scattered in memory.
pub trait Leading {
    /// If two keys are not less than `first`, the greater one's number is not less.
    fn leading(&self, first: &Self) -> u64;
}

impl Leading for u32 {
    fn leading(&self, _: &u32) -> u64 {
        (*self).into()
    }
}

impl Leading for u64 {
    fn leading(&self, _: &u64) -> u64 {
        *self
    }
}

/// Places of keys from `first` up to the next chunk's.
struct Chunk<K> {
    first: K,
    /// By index: the number of the key.
    leads: Vec<u64>,
    places: Vec<u32>,
}

impl<K: Ord + Clone + Leading> Chunk<K> {
    /// The places have to be in the order of their keys.
    fn of<'a>(places: Vec<u32>, key: &impl Fn(u32) -> Option<&'a K>) -> Chunk<K>
    where
        K: 'a,
    {
        let first = key(places[0]).expect("a key is there").clone();
        let mut chunk = Chunk { first, leads: Vec::new(), places };
        chunk.lead(key);
        chunk
    }

    fn lead<'a>(&mut self, key: &impl Fn(u32) -> Option<&'a K>)
    where
        K: 'a,
    {
        let lead = |place: &u32| key(*place).map_or(u64::MAX, |key| key.leading(&self.first));
        self.leads = self.places.iter().map(lead).collect()
    }

    /// First index whose key is not less than `than`.
    fn search<'a>(&self, than: &K, key: &impl Fn(u32) -> Option<&'a K>) -> usize
    where
        K: 'a,
    {
        if *than <= self.first {
            return 0;
        }
        let lead = than.leading(&self.first);
        let from = self.leads.partition_point(|other| *other < lead);
        let alike = self.leads[from..].partition_point(|other| *other == lead);
        let alike = &self.places[from..from + alike];
        from + alike.partition_point(|place| key(*place).is_some_and(|key| key < than))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChunkPosition {
    chunk: usize,
    index: usize,
}

pub(super) struct Order<K> {
    chunks: Vec<Chunk<K>>,
    /// Places of keys added since the last sort. Some have no key any more, or are twice in it.
    fresh: Vec<u32>,
}

/// A full chunk is split in two.
const FULL: usize = 512;

impl<K: Ord + Clone + Leading> Order<K> {
    pub(super) fn of<'a>(mut places: Vec<u32>, key: impl Fn(u32) -> Option<&'a K>) -> Order<K>
    where
        K: 'a,
    {
        places.sort_by(|a, b| key(*a).cmp(&key(*b)));
        let chunk = |places: &[u32]| Chunk::of(places.to_vec(), &key);
        Order { chunks: places.chunks(FULL / 2).map(chunk).collect(), fresh: Vec::new() }
    }

    /// Call when a place has got a key.
    pub(super) fn came(&mut self, place: u32) {
        self.fresh.push(place)
    }

    pub(super) fn waiting(&self) -> usize {
        self.fresh.len()
    }

    /// Call before a place loses its key.
    pub(super) fn goes<'a>(&mut self, place: u32, key: impl Fn(u32) -> Option<&'a K>)
    where
        K: 'a,
    {
        let Some(at) = key(place).map(|gone| self.search(gone, &key)) else { return };
        // A place that is not sorted yet is in no chunk.
        let Some(chunk) = self.chunks.get_mut(at.chunk) else { return };
        if chunk.places.get(at.index) != Some(&place) {
            return;
        }
        chunk.places.remove(at.index);
        chunk.leads.remove(at.index);
        if chunk.places.is_empty() {
            self.chunks.remove(at.chunk);
        }
    }

    /// Sorts the waiting places.
    pub(super) fn settle<'a>(&mut self, key: impl Fn(u32) -> Option<&'a K>)
    where
        K: 'a,
    {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.retain(|place| key(*place).is_some());
        if fresh.len() > FULL.max(self.chunks.len() * FULL / 16) {
            fresh.sort_unstable();
            fresh.dedup();
            let old = self.chunks.iter().flat_map(|chunk| &chunk.places).copied();
            *self = Order::of(old.chain(fresh).collect(), key);
            return;
        }
        for place in &fresh {
            self.put(*place, &key)
        }
        fresh.clear();
        self.fresh = fresh
    }

    fn put<'a>(&mut self, place: u32, key: &impl Fn(u32) -> Option<&'a K>)
    where
        K: 'a,
    {
        let Some(new) = key(place) else { return };
        if self.chunks.is_empty() {
            return self.chunks.push(Chunk::of(vec![place], key));
        }
        let at = self.chunk_of(new);
        let chunk = &mut self.chunks[at];
        if *new < chunk.first {
            chunk.first = new.clone();
            chunk.lead(key)
        }
        let index = chunk.search(new, key);
        if chunk.places.get(index) == Some(&place) {
            return;
        }
        chunk.places.insert(index, place);
        chunk.leads.insert(index, new.leading(&chunk.first));
        if chunk.places.len() >= FULL {
            let places = chunk.places.split_off(FULL / 2);
            chunk.leads.truncate(FULL / 2);
            self.chunks.insert(at + 1, Chunk::of(places, key))
        }
    }

    /// The chunk that has a key, if any has.
    fn chunk_of(&self, key: &K) -> usize {
        self.chunks.partition_point(|chunk| chunk.first <= *key).saturating_sub(1)
    }

    /// First position whose key is not less than `than`.
    pub(super) fn search<'a>(&self, than: &K, key: impl Fn(u32) -> Option<&'a K>) -> ChunkPosition
    where
        K: 'a,
    {
        let chunk = self.chunk_of(than);
        let index = self.chunks.get(chunk).map_or(0, |chunk| chunk.search(than, &key));
        self.tidy(ChunkPosition { chunk, index })
    }

    /// The same position, at the start of a chunk rather than at the end of the previous one.
    fn tidy(&self, ChunkPosition { chunk, index }: ChunkPosition) -> ChunkPosition {
        match self.chunks.get(chunk) {
            Some(Chunk { places, .. }) if index >= places.len() => {
                ChunkPosition { chunk: chunk + 1, index: 0 }
            }
            _ => ChunkPosition { chunk, index },
        }
    }

    pub(super) fn place(&self, at: ChunkPosition) -> Option<u32> {
        self.chunks.get(at.chunk)?.places.get(at.index).copied()
    }

    /// The position `count` further on.
    pub(super) fn skip(&self, mut at: ChunkPosition, mut count: usize) -> ChunkPosition {
        while let Some(Chunk { places, .. }) = self.chunks.get(at.chunk) {
            let left = places.len() - at.index;
            if count < left {
                return ChunkPosition { index: at.index + count, ..at };
            }
            count -= left;
            at = ChunkPosition { chunk: at.chunk + 1, index: 0 }
        }
        at
    }

    pub(super) fn between(&self, from: ChunkPosition, upto: ChunkPosition) -> usize {
        if upto < from {
            return 0;
        }
        let full: usize = (from.chunk..upto.chunk).map(|at| self.chunks[at].places.len()).sum();
        full + upto.index - from.index
    }
}
