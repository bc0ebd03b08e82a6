//! Memory that does not change while a disk write reads it.

/// A block of a ring during its write to disk.
///
/// The creator guarantees that the memory exists and is not written until the write ends. A session
/// keeps its ring until then, and reuses a slot only after its stripe is done. A faulty peer may
/// still write into its slot; the block's checksum detects that.
#[derive(Clone, Copy, Debug)]
pub struct PinnedBlock {
    start: *const u8,
    length: usize,
}

// SAFETY: it is only read, and who makes it keeps the memory.
unsafe impl Send for PinnedBlock {}

impl PinnedBlock {
    /// # Safety
    /// The memory must exist, and this process must not write it, until the write ends.
    pub unsafe fn of(block: &[u8]) -> PinnedBlock {
        PinnedBlock { start: block.as_ptr(), length: block.len() }
    }

    pub fn start(self) -> *const u8 {
        self.start
    }

    /// In bytes.
    pub fn length(self) -> usize {
        self.length
    }

    /// Only until the write ends.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: as `of` was promised.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}
