//! What the machines are made of, as a scenario says it.
use crate::DiskCurve;
use units::{Bytes, BytesPerSec, Nanos};

/// Whether a disk's reads and writes take from one budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channels {
    /// One head: reads and writes share the rate.
    Shared,
    /// Two independent budgets of the same rate.
    Separate,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DiskSpec {
    /// Sequential rate of one stream.
    pub rate: BytesPerSec,
    /// Lost at each switch between concurrent streams; 0 for SSDs.
    pub seek: Nanos,
    /// What is moved between two switches (read-ahead, elevator batch).
    pub batch: Bytes,
    /// How the batch shrinks where more streams share the disk.
    pub curve: DiskCurve,
    pub channels: Channels,
}

impl DiskSpec {
    /// What two streams get together [bytes/s]; more of them no less, unless the curve falls.
    pub fn rate_of_many(&self) -> f64 {
        rate_with_seeks(self.rate, self.seek, self.curve.batch(self.batch, 2))
    }
}

/// What is left of a rate where a seek follows each batch [bytes/s].
#[inline]
pub fn rate_with_seeks(rate: BytesPerSec, seek: Nanos, batch: Bytes) -> f64 {
    let (rate, batch) = (rate.0 as f64, batch.0 as f64);
    if seek.0 == 0 { rate } else { rate * batch / (batch + rate * seek.as_secs()) }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterRack {
    /// Each rack has an uplink of the rate each way, to a core that never limits.
    Uplinks,
    /// Two racks and one link between them, whose rate both directions share (the S0 document).
    OneLink,
}

/// The hardware of all nodes (they are alike).
#[derive(Clone, PartialEq, Debug)]
pub struct Hardware {
    pub disk: DiskSpec,
    /// Disks where the import does not tell them.
    pub disks_per_node: u16,
    /// Each node's NIC, each way.
    pub nic: BytesPerSec,
    /// One hop inside a rack.
    pub nic_latency: Nanos,
    pub inter_rack: BytesPerSec,
    /// Added by the way between racks.
    pub inter_rack_latency: Nanos,
    pub inter_rack_kind: InterRack,
}

/// How a resource is shared (`model.sharing`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    Fluid,
    /// Flows take turns, a chunk each.
    Queue,
}
