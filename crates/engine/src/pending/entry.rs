//! The key of a pending event, apart from its payload: only these 24 bytes are sorted.
use crate::Timer;

/// Time, sender (rank and sequence), receiver, and place of the payload.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) t: u64,
    pub(crate) tie: u64,
    pub(crate) dst: u32,
    /// Place in the slab; the highest bit marks a timer.
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

    /// Ends a run whose order is broken by a bug of the engine.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(self) -> ! {
        panic!("two events with one key, or one in the past: {self:?}")
    }
}
