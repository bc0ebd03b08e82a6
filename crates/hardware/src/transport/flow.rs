//! The interface between systems that move bytes and the transport; neither depends on the other.
use crate::{Path, ResourceId};
use cluster::NodeId;
use engine::{Lp, Message, Scalar};
use units::{Bytes, BytesPerSec};

/// A flow's owner, and the owner's number for it, which is never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct FlowName {
    pub owner: Lp<Reply>,
    pub tag: u32,
}

#[derive(Message)]
pub struct Start {
    pub flow: FlowName,
    /// Receives the same replies as the owner: the other end of the flow.
    pub peer: Option<Lp<Reply>>,
    /// In the order of the data flow; at least one resource.
    pub path: Path,
    pub bytes: Bytes,
}

/// [`Ports`](super::Ports) knows the receiver of each request.
#[derive(Message)]
pub enum Request {
    /// Starts a flow. Its owner gets exactly one [`Reply`] of its tag, and so does its peer.
    Start(Box<Start>),
    /// The owner gives the flow up; send it where the start went. The answer is [`Reply::Broken`],
    /// unless another answer is in transit already.
    Cut(FlowName),
    /// A node fails: present and later flows through it are cut.
    Lost(NodeId),
    Back(NodeId),
    /// Limits the total rate of a resource from now on.
    Slow {
        resource: ResourceId,
        /// Not 0: send [`Request::Lost`] instead.
        rate: BytesPerSec,
    },
}

#[derive(Message)]
pub enum Reply {
    /// All bytes have arrived.
    Done { tag: u32 },
    Broken {
        tag: u32,
        through: Bytes,
        /// The failed node; `None` if the owner gave the flow up.
        lost: Option<NodeId>,
    },
}
