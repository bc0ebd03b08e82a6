//! A ring as registered with the device: its slots and a word for each.
use super::device::{Device, Region};
use super::rdma_message::Grant;
use crate::memory::{Memory, Ring};
use std::io;
use std::sync::Arc;

/// Rings of at least this size use huge pages \[bytes\].
const HUGE: usize = 2 << 20;

/// Registrations of a ring. The memory is separate and must outlive this.
pub(super) struct Pinned {
    slots: usize,
    slot_bytes: usize,
    memory: Region,
    word_region: Region,
    /// The sender's 32 bits of the block in each slot. Peers write them, so they are read only
    /// through their address.
    words: Box<[u32]>,
}

impl Pinned {
    /// # Safety
    /// The memory must stay in place and outlive the result.
    pub(super) unsafe fn new(device: &Arc<Device>, memory: &mut Memory) -> io::Result<Pinned> {
        let (slots, slot_bytes) = (memory.slots(), memory.slot_bytes());
        let bytes = memory.all_mut();
        ask_for_huge_pages(bytes);
        // SAFETY: the caller says that it stays; a slot is read after its completion was polled.
        let memory = unsafe { Region::new(device, bytes.as_mut_ptr(), bytes.len())? };
        let mut words = vec![0u32; slots].into_boxed_slice();
        let size = size_of_val(&*words);
        // SAFETY: the words lie beside their region, on the heap, and go after it.
        let word_region = unsafe { Region::new(device, words.as_mut_ptr().cast(), size)? };
        Ok(Pinned { slots, slot_bytes, memory, word_region, words })
    }

    /// The permission for a peer to write into the first `slots` slots.
    pub(super) fn grant(&self, ring: Ring, handle: u32, slots: usize) -> Grant {
        Grant {
            ring,
            handle,
            slots: slots as u32,
            slot_bytes: self.slot_bytes as u32,
            memory: (self.memory.address(), self.memory.remote_key()),
            words: (self.word_region.address(), self.word_region.remote_key()),
        }
    }

    /// Address, length and key of a block; `None` if it is outside the ring.
    pub(super) fn piece(&self, slot: usize, length: usize) -> Option<(u64, u32, u32)> {
        let is_inside = slot < self.slots && (1..=self.slot_bytes).contains(&length);
        let address = self.memory.address() + (slot * self.slot_bytes) as u64;
        is_inside.then_some((address, length as u32, self.memory.local_key()))
    }

    /// The sender's 32 bits of the block in a slot, after its completion.
    pub(super) fn word(&self, slot: usize) -> u32 {
        // SAFETY: the reference bounds the access; volatile, because the device wrote it.
        u32::from_le(unsafe { (&raw const self.words[slot]).read_volatile() })
    }

    pub(super) fn slot_bytes(&self) -> usize {
        self.slot_bytes
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots * self.slot_bytes
    }
}

/// Fewer pages to pin and to look up. Without huge pages, small ones do.
fn ask_for_huge_pages(bytes: &mut [u8]) {
    use rustix::mm::{Advice, madvise};
    let start = bytes.as_mut_ptr().align_offset(HUGE);
    let Some(rest) = bytes.len().checked_sub(start).filter(|rest| *rest >= HUGE) else { return };
    let whole = rest - rest % HUGE;
    // SAFETY: the pages are the slice's own, and the advice does not change what they hold.
    let _ = unsafe { madvise(bytes[start..].as_mut_ptr().cast(), whole, Advice::LinuxHugepage) };
}
