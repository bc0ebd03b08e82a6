//! An index from key hashes to places: open addressing with linear probing.

/// A power of two of slots. The upper half of a slot is its key's tag, the lower half its place +
/// 1; 0 is an empty slot.
///
/// The upper bits of a tag give the first slot to probe. So a table of twice the size is filled
/// from start to end, and no key is read.
#[derive(Default)]
pub(super) struct Slots {
    all: Vec<u64>,
    filled: usize,
}

/// Minimum number of slots: one cache line.
const LEAST: usize = 8;

impl Slots {
    fn home(&self, tag: u32) -> usize {
        (tag as usize * self.all.len()) >> 32
    }

    fn behind(&self, slot: usize) -> usize {
        (slot + 1) & (self.all.len() - 1)
    }

    /// The slot with this tag whose place satisfies `is`.
    #[inline]
    pub(super) fn find(&self, tag: u32, mut is: impl FnMut(u32) -> bool) -> Option<usize> {
        if self.all.is_empty() {
            return None;
        }
        let mut slot = self.home(tag);
        loop {
            let (its, place) = split(self.all[slot])?;
            if its == tag && is(place) {
                return Some(slot);
            }
            slot = self.behind(slot)
        }
    }

    #[inline]
    pub(super) fn place(&self, slot: usize) -> Option<u32> {
        split(self.all[slot]).map(|(_, place)| place)
    }

    /// The first slot that is probed for a tag, for a prefetch.
    pub(super) fn near(&self, tag: u32) -> Option<&u64> {
        self.all.get(self.home(tag))
    }

    #[inline]
    pub(super) fn all(&self) -> &[u64] {
        &self.all
    }

    pub(super) fn put(&mut self, tag: u32, place: u32) {
        if (self.filled + 1) * 4 > self.all.len() * 3 {
            self.grow()
        }
        self.filled += 1;
        self.fill(u64::from(tag) << 32 | (u64::from(place) + 1))
    }

    fn fill(&mut self, content: u64) {
        let mut slot = self.home((content >> 32) as u32);
        while self.all[slot] != 0 {
            slot = self.behind(slot)
        }
        self.all[slot] = content
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.all.len() * 2).max(LEAST);
        let old = std::mem::replace(&mut self.all, vec![0; size]);
        old.into_iter().filter(|content| *content != 0).for_each(|content| self.fill(content))
    }

    /// Empties a slot; later ones that it displaced move up.
    pub(super) fn clear(&mut self, slot: usize) {
        let (mut hole, mut at) = (slot, self.behind(slot));
        let last = self.all.len() - 1;
        while let Some((tag, _)) = split(self.all[at]) {
            let from_home = at.wrapping_sub(self.home(tag)) & last;
            if from_home >= at.wrapping_sub(hole) & last {
                self.all[hole] = self.all[at];
                hole = at
            }
            at = self.behind(at)
        }
        self.all[hole] = 0;
        self.filled -= 1
    }
}

/// Tag and place of a slot; `None` if it is empty.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half, and the upper")]
fn split(content: u64) -> Option<(u32, u32)> {
    (content != 0).then(|| ((content >> 32) as u32, (content as u32).wrapping_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Few tag values, so that runs of slots are long and wrap around.
    #[test]
    fn what_was_put_is_found_until_it_is_cleared() {
        let (mut slots, mut all, mut seed) = (Slots::default(), BTreeMap::new(), 7u32);
        for round in 0..20_000u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = (seed >> 8) % 300;
            let tag = (place % 11).wrapping_mul(0x1F00_0000) | 0x00FF_FFFF;
            let slot = slots.find(tag, |at| at == place);
            assert_eq!(slot.is_some(), all.contains_key(&place), "round {round}");
            match slot {
                Some(slot) => {
                    assert_eq!(slots.place(slot), Some(place));
                    slots.clear(slot);
                    all.remove(&place);
                }
                None => {
                    slots.put(tag, place);
                    all.insert(place, tag);
                }
            }
            assert_eq!(slots.filled, all.len());
        }
        for (place, tag) in &all {
            assert!(slots.find(*tag, |at| at == *place).is_some())
        }
    }
}
