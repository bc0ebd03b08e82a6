//! What the transport's LPs say to one another, and what they record.
use super::{
    flow::{self, FlowName},
    hop::Touched,
};
use crate::{Path, ResourceId};
use engine::{Message, Nanos};
use units::Bytes;

/// What an LP of the transport hears; at most 24 bytes with its tags.
#[derive(Message)]
#[message(sends(flow::Reply))]
pub enum Event {
    /// From a system.
    #[from]
    Flow(flow::Request),
    /// Fluid: the next flow is through.
    FlowEnds,
    /// Queue: a flow's path is made known to the LPs along it, ahead of its first chunk.
    Open(Box<Route>),
    /// Queue: no more of it comes.
    Close(Box<Route>),
    /// Queue: a chunk of the flow arrives at a hop of its path.
    Chunk {
        flow: FlowName,
        /// The place in its path.
        hop: u8,
        /// The receiver's row for it, as far as the sender knows ([`Event::Label`]).
        row: u32,
    },
    /// Queue, to the hop before: at which row the receiver of an [`Event::Open`] looks for chunks.
    Label {
        flow: FlowName,
        /// The place in its path, of the sender of chunks.
        hop: u8,
        /// The receiver's row.
        row: u32,
    },
    /// Queue: the chunk in turn has been served, and goes on to another resource of this LP, or
    /// others wait.
    Served {
        /// The resource, as the LP counts its own.
        station: u32,
        /// Of the LP: served before a restart means nothing any more.
        epoch: u32,
        /// A hint, which decides nothing.
        touched: Touched,
    },
    /// Queue, to the flow's source: so many more chunks are through the last hop.
    Through { flow: FlowName, chunks: u32 },
    /// Queue, to the flow's source: a node on the path is gone.
    Broken { flow: FlowName, lost: u32 },
}

/// A flow's path on its way along itself.
#[derive(Message)]
pub struct Route {
    pub flow: FlowName,
    pub path: Path,
    pub bytes: Bytes,
    /// The receiver's first hop.
    pub hop: u8,
}

/// What happened, in words that every system's trace can use.
#[derive(Message)]
pub enum Record {
    /// Fluid: what a resource carries from now on. How busy that keeps it,
    /// [`Capacity::at_work`](crate::Capacity::at_work) says.
    Use {
        resource: ResourceId,
        /// All flows together [bytes/s].
        rate: f64,
        streams: u32,
    },
    /// Queue: how long a resource has worked since it said so last, at most once in
    /// [`REPORTED_EVERY`](super::REPORTED_EVERY) and
    /// after the end. A chunk counts when its turn comes.
    Busy {
        resource: ResourceId,
        /// It said so last, or was idle until then.
        since: Nanos,
        busy: Nanos,
    },
    /// A resource gives less from now on.
    Slow {
        resource: ResourceId,
        /// Of one stream [bytes/s].
        rate: u64,
    },
    /// Fluid: what limits a flow from now on.
    Limited { flow: FlowName, resource: ResourceId },
    /// Queue: where all chunks of a flow, which are through this resource now, spent their time.
    /// What limited the flow is the resource of the largest `queued`.
    Spent {
        flow: FlowName,
        resource: ResourceId,
        /// In line, all chunks together.
        queued: Nanos,
        /// Being served, all chunks together.
        served: Nanos,
        chunks: u32,
    },
    /// A flow has begun: its first byte is in line, or moves.
    Began { flow: FlowName },
    /// A flow that had begun has ended.
    Ended {
        flow: FlowName,
        /// Not broken off.
        whole: bool,
    },
}
