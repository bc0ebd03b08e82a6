//! The handle of a cancellable event.
use rewind::{Digest, Hasher, Reader, Wire, WireError};

/// A cancellable event of an LP to itself. Only its key identifies it; the slot is a hint.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    /// Second half of the event's key, unique in the run.
    pub(crate) tie: u64,
    pub(crate) slot: u32,
}

impl PartialEq for Timer {
    fn eq(&self, other: &Self) -> bool {
        self.tie == other.tie
    }
}
impl Eq for Timer {}
impl Digest for Timer {
    fn digest(&self, h: &mut Hasher) {
        h.word(self.tie)
    }
}
impl Wire for Timer {
    const SCHEMA: u64 = rewind::schema("Timer", &[]);
    fn encode(&self, out: &mut Vec<u8>) {
        (self.tie, self.slot).encode(out)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let (tie, slot) = Wire::decode(from)?;
        Ok(Timer { tie, slot })
    }
}
rewind::by_value!(for Timer);
