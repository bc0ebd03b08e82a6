//! Hardware of a scenario.
use crate::DiskCurve;
use units::{Bytes, BytesPerSec, Nanos};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channels {
    /// Reads and writes share the rate, as with one head.
    Shared,
    /// Reads and writes have independent budgets of the same rate.
    Separate,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DiskSpec {
    /// Sequential rate of one stream.
    pub rate: BytesPerSec,
    /// Lost at each switch between concurrent streams; 0 for SSDs.
    pub seek: Nanos,
    /// Bytes moved between two switches (read-ahead, elevator batch).
    pub batch: Bytes,
    /// How the batch shrinks with more streams.
    pub curve: DiskCurve,
    pub channels: Channels,
}

impl DiskSpec {
    /// Total rate of two streams \[bytes/s\]; also of more, unless the curve falls.
    pub fn rate_of_many(&self) -> f64 {
        rate_with_seeks(self.rate, self.seek, self.curve.batch(self.batch, 2))
    }
}

/// Rate with a seek after each batch \[bytes/s\].
#[inline]
pub fn rate_with_seeks(rate: BytesPerSec, seek: Nanos, batch: Bytes) -> f64 {
    let (rate, batch) = (rate.0 as f64, batch.0 as f64);
    if seek.0 == 0 { rate } else { rate * batch / (batch + rate * seek.as_secs()) }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterRack {
    /// Each rack has an uplink of this rate each way, to an unlimited core.
    Uplinks,
    /// Two racks and one link, whose rate both directions share (Higai et al. 2014).
    OneLink,
}

/// Hardware of all nodes, which are identical.
#[derive(Clone, PartialEq, Debug)]
pub struct Hardware {
    pub disk: DiskSpec,
    /// For nodes whose disks the import does not list.
    pub disks_per_node: u16,
    /// Each node's NIC, each direction.
    pub nic: BytesPerSec,
    /// Per hop inside a rack.
    pub nic_latency: Nanos,
    pub inter_rack: BytesPerSec,
    pub inter_rack_latency: Nanos,
    pub inter_rack_kind: InterRack,
}

/// `model.network`: what a flow weighs, and what it gets of the hardware, under fluid sharing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// All flows weigh the same.
    Fair,
    /// SimGrid's CM02: a flow weighs 1/latency.
    Cm02,
    /// LV08, the default model of SimGrid.
    Lv08,
}

/// `model.sharing`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    Fluid,
    /// Flows are served round-robin, a chunk each.
    Queue,
}
