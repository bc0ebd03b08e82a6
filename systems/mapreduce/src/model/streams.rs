//! Disks whose readers and writers have different batches (`hardware.write_batch`).
use super::unless_empty::UnlessEmpty;
use engine::*;
use hardware::{Capacity, FlowId, Path};
use units::BytesPerSec;

/// A flow's part that reads, in thousandths; the rest writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) struct Access(pub(super) u32);

impl Access {
    pub(super) const READ: Access = Access(1000);
    pub(super) const WRITE: Access = Access(0);

    pub(super) fn mixed(read: u64, written: u64) -> Access {
        let part = u128::from(read) * 1000 / u128::from(read + written).max(1);
        Access(u32::try_from(part).expect("at most 1000"))
    }

    pub(super) fn share(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

/// Both tables are empty without `hardware.write_batch`.
#[derive(Default, Rewind)]
pub(super) struct Streams {
    pub(super) of_flow: UnlessEmpty<FlowId, (Access, Path)>,
    /// By disk: streams, and the sum of their accesses.
    pub(super) on_disk: UnlessEmpty<u32, (u32, u32)>,
}

/// A disk with `streams`, whose reading parts sum to `reads` thousandths. Each stream gets the same
/// time, so the total is the mean of the rates that readers and writers have.
pub(super) fn capacity(readers: Capacity, writers: Capacity, streams: u32, reads: u32) -> Capacity {
    if streams < 2 {
        return readers;
    }
    let read = f64::from(reads) / 1000.0 / f64::from(streams);
    let all = read * readers.at(streams) + (1.0 - read) * writers.at(streams);
    Capacity::fixed(BytesPerSec(units::rounded_u64(all)))
}
