//! Memory that stays as it is while others read it.

/// A block of a ring on its way to a disk.
///
/// Whoever makes one sees to it that the memory is there, and is not written, until the write is
/// over: a session keeps its ring until then, and a slot is used again only when its stripe is
/// done. A peer that breaks the rules may write into a slot of its own meanwhile; the block's sum
/// tells.
#[derive(Clone, Copy, Debug)]
pub struct Still {
    start: *const u8,
    length: usize,
}

// SAFETY: it is only read, and who makes it keeps the memory.
unsafe impl Send for Still {}

impl Still {
    /// Of a block.
    ///
    /// # Safety
    /// The memory is there, and nobody of this process writes it, until the write is over.
    pub unsafe fn of(block: &[u8]) -> Still {
        Still { start: block.as_ptr(), length: block.len() }
    }

    pub fn start(self) -> *const u8 {
        self.start
    }

    /// Bytes.
    pub fn length(self) -> usize {
        self.length
    }

    /// The bytes, while the write is not over.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: as `of` was promised.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}
