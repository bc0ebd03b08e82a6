//! Events and records of the transport's LPs.
use super::{
    flow::{self, FlowName},
    hop::TouchedRows,
};
use crate::{Path, ResourceId};
use engine::{Message, Nanos};
use units::Bytes;

/// At most 24 bytes with its tags.
#[derive(Message)]
#[message(sends(flow::Reply))]
pub enum Event {
    #[from]
    Flow(flow::Request),
    /// Fluid: the next flow completes.
    FlowEnds,
    /// Queue: announces a flow's path to the LPs along it, ahead of its first chunk.
    Open(Box<Route>),
    /// Queue: the flow was cut; no more chunks follow.
    Close(Box<Route>),
    /// Queue: a chunk of the flow arrives at a hop of its path.
    Chunk {
        flow: FlowName,
        /// Index in its path.
        hop: u8,
        /// The receiver's row for the flow, as far as the sender knows ([`Event::Label`]).
        row: u32,
    },
    /// Queue, to the previous hop: the row at which the receiver of an [`Event::Open`] expects
    /// chunks.
    Label {
        flow: FlowName,
        /// Index in its path, of the sender of chunks.
        hop: u8,
        row: u32,
    },
    /// Queue: a turn ends. Its chunk continues to another resource of this LP, or others wait.
    Served {
        /// Index of the resource in the LP.
        station: u32,
        /// Number of restarts of the LP: an event from before a restart is void.
        epoch: u32,
        /// For a prefetch; no effect on results.
        touched: TouchedRows,
    },
    /// Queue, to the flow's source: `chunks` more have passed the last hop.
    Through { flow: FlowName, chunks: u32 },
    /// Queue, to the flow's source: node `lost` on the path has failed.
    Broken { flow: FlowName, lost: u32 },
}

/// A flow's path, sent along itself.
#[derive(Message)]
pub struct Route {
    pub flow: FlowName,
    pub path: Path,
    pub bytes: Bytes,
    pub hop: u8,
}

/// Records in terms that every system's trace can use.
#[derive(Message)]
pub enum Record {
    /// Fluid: use of a resource from now on. [`Capacity::at_work`](crate::Capacity::at_work) gives
    /// its utilisation.
    Use {
        resource: ResourceId,
        /// Sum of all flows \[bytes/s\].
        rate: f64,
        streams: u32,
    },
    /// Queue: busy time of a resource since its last report, at most one in
    /// [`REPORTED_EVERY`](super::REPORTED_EVERY), and at the end. A chunk counts when its turn
    /// begins.
    Busy {
        resource: ResourceId,
        /// Last report, or end of an idle time after it.
        since: Nanos,
        busy: Nanos,
    },
    /// A resource has a lower rate from now on.
    Slow {
        resource: ResourceId,
        /// Rate of one stream \[bytes/s\].
        rate: u64,
    },
    /// Fluid: the resource that limits a flow from now on.
    Limited { flow: FlowName, resource: ResourceId },
    /// Queue: times of a flow at a resource that all its chunks have passed. The resource with the
    /// largest `queued` limited the flow.
    Spent {
        flow: FlowName,
        resource: ResourceId,
        /// Waiting time, summed over all chunks.
        queued: Nanos,
        /// Service time, summed over all chunks.
        served: Nanos,
        chunks: u32,
    },
    /// The first byte of a flow waits or moves.
    Began { flow: FlowName },
    Ended {
        flow: FlowName,
        /// Complete, not cut.
        whole: bool,
    },
}
