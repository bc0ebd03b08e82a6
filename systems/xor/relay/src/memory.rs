//! Memory that peers write into: rings of slots.
use crate::kernel;
use std::collections::BTreeMap;
use std::ops::Range;

/// A ring's number at its owner.
pub type Ring = u32;

/// Slots of equal size in one allocation.
#[derive(Debug)]
pub struct Memory {
    /// Has a spare page, so that the first slot starts at a page boundary, as disks require.
    room: Vec<u8>,
    first: usize,
    bytes: usize,
    slot: usize,
}

/// Alignment of the first slot \[bytes\].
const PAGE: usize = 4096;

impl Memory {
    /// `slots` slots of `slot` bytes, all zero. The system allocates pages on first use.
    pub fn new(slots: usize, slot: usize) -> Memory {
        let bytes = slots * slot;
        let room = vec![0; bytes + PAGE];
        let first = room.as_ptr().align_offset(PAGE).min(PAGE);
        Memory { room, first, bytes, slot }
    }

    fn all(&self) -> &[u8] {
        &self.room[self.first..][..self.bytes]
    }

    pub(crate) fn all_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.first..][..self.bytes]
    }

    pub fn slots(&self) -> usize {
        self.bytes.checked_div(self.slot).unwrap_or(0)
    }

    pub fn slot_bytes(&self) -> usize {
        self.slot
    }

    pub fn get(&self, slot: usize, length: usize) -> &[u8] {
        &self.all()[slot * self.slot..][..length.min(self.slot)]
    }

    pub fn get_mut(&mut self, slot: usize, length: usize) -> &mut [u8] {
        let slot_bytes = self.slot;
        &mut self.all_mut()[slot * slot_bytes..][..length.min(slot_bytes)]
    }

    /// The first bytes of several slots, each given as slot and length. Missing ones are empty.
    ///
    /// # Panics
    /// If a slot occurs twice.
    pub fn several_mut<const N: usize>(
        &mut self,
        wanted: impl Iterator<Item = (usize, usize)>,
    ) -> [&mut [u8]; N] {
        let mut ranges: [Range<usize>; N] = std::array::from_fn(|_| 0..0);
        for (range, (slot, length)) in ranges.iter_mut().zip(wanted) {
            let start = slot * self.slot;
            *range = start..start + length.min(self.slot)
        }
        self.all_mut().get_disjoint_mut(ranges).expect("each slot once, within the memory")
    }

    /// Sets a slot to the xor of others.
    ///
    /// # Panics
    /// If the target is one of the sources.
    pub fn xor(&mut self, target: usize, sources: &[usize], length: usize) {
        assert!(!sources.contains(&target), "slot {target} is read and written");
        let slot_bytes = self.slot;
        let (before, rest) = self.all_mut().split_at_mut(target * slot_bytes);
        let (to, after) = rest.split_at_mut(slot_bytes);
        let slice = |&source: &usize| match source < target {
            true => &before[source * slot_bytes..][..length],
            false => &after[(source - target - 1) * slot_bytes..][..length],
        };
        let slices: Vec<&[u8]> = sources.iter().map(slice).collect();
        kernel::xor(&mut to[..length], &slices)
    }
}

#[derive(Debug, Default)]
pub struct Rings {
    rings: BTreeMap<Ring, Memory>,
    next: Ring,
}

impl Rings {
    /// Ring numbers are never reused.
    pub fn register(&mut self, slots: usize, slot: usize) -> Ring {
        let ring = self.next;
        self.next += 1;
        self.rings.insert(ring, Memory::new(slots, slot));
        ring
    }

    /// Returns the memory for reuse.
    pub fn release(&mut self, ring: Ring) -> Option<Memory> {
        self.rings.remove(&ring)
    }

    pub fn find(&self, ring: Ring) -> Option<&Memory> {
        self.rings.get(&ring)
    }

    pub fn find_mut(&mut self, ring: Ring) -> Option<&mut Memory> {
        self.rings.get_mut(&ring)
    }

    /// Size of all rings.
    pub fn bytes(&self) -> usize {
        self.rings.values().map(|m| m.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_the_xor_of_slots_on_both_sides() {
        let mut memory = Memory::new(5, 4);
        for slot in 0..5 {
            memory.get_mut(slot, 4).fill(1 << slot);
        }
        memory.xor(2, &[0, 4, 1], 3);
        assert_eq!(memory.get(2, 4), [0b10011, 0b10011, 0b10011, 0b100]);
        assert_eq!(memory.get(4, 9), [16; 4], "no more than a slot");
    }

    #[test]
    fn several_slots_are_written_at_once() {
        let mut memory = Memory::new(3, 4);
        let [last, first, none] = memory.several_mut([(2, 9), (0, 2)].into_iter());
        last.fill(3);
        first.fill(1);
        assert!(none.is_empty());
        assert_eq!(memory.all_mut(), [1, 1, 0, 0, 0, 0, 0, 0, 3, 3, 3, 3]);
    }

    #[test]
    fn rings_have_numbers_of_their_own() {
        let mut rings = Rings::default();
        let first = rings.register(2, 8);
        rings.release(first);
        assert_ne!(rings.register(2, 8), first);
        assert!(rings.find(first).is_none());
        assert_eq!(rings.bytes(), 16);
    }
}
