//! The key of a pending event, apart from its payload: 24 bytes are all that is ever sorted.
use crate::Timer;

/// When, from whom (rank and sequence), to whom, and where the payload lies.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) t: u64,
    pub(crate) tie: u64,
    pub(crate) dst: u32,
    /// The place in the slab; the highest bit marks a timer.
    pub(crate) slot: u32,
}

impl Entry {
    pub(crate) const TIMER: u32 = 1 << 31;

    #[inline(always)]
    pub(crate) fn place(&self) -> u32 {
        self.slot & !Self::TIMER
    }
    #[inline(always)]
    pub(crate) fn is_timer(&self) -> bool {
        self.slot & Self::TIMER != 0
    }
    pub(crate) fn timer(&self) -> Timer {
        Timer { tie: self.tie, slot: self.place() }
    }
    /// The total order, as one number.
    #[inline(always)]
    pub(crate) fn key(&self) -> u128 {
        (self.t as u128) << 64 | self.tie as u128
    }
}

/// Up to so many entries are sorted by counting.
const COUNTED: usize = 20;

/// Sorts `raw` into `sorted`.
///
/// Buckets are short and their order is random, so that a comparison that branches is mispredicted every other time:
/// each entry's place is counted instead, without a branch.
#[inline]
pub(crate) fn sort(raw: &[Entry], sorted: &mut Vec<Entry>) {
    sorted.clear();
    if raw.len() > COUNTED {
        sorted.extend_from_slice(raw);
        return sorted.sort_unstable_by_key(Entry::key);
    }
    let mut places = [0u8; COUNTED];
    for i in 1..raw.len() {
        let (key, mut before) = (raw[i].key(), 0);
        for (other, place) in raw[..i].iter().zip(&mut places) {
            let later = (other.key() > key) as u8;
            *place += later;
            before += 1 - later
        }
        places[i] = before
    }
    sorted.resize(raw.len(), Entry::default());
    for (entry, place) in raw.iter().zip(places) {
        sorted[place as usize] = *entry
    }
}
