//! The interface between who moves bytes and what they move over: neither knows the other.
use crate::{Path, ResourceId};
use cluster::NodeId;
use engine::{Lp, Message, Scalar};
use units::{Bytes, BytesPerSec};

/// A flow's name: whose it is, and the owner's number for it, which it never uses again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct FlowName {
    /// Where replies go.
    pub owner: Lp<Reply>,
    /// The owner's number.
    pub tag: u32,
}

/// What is to be moved.
#[derive(Message)]
pub struct Start {
    /// Answered to its owner.
    pub flow: FlowName,
    /// Through which resources, in the order in which bytes meet them; at least one.
    pub path: Path,
    /// How much.
    pub bytes: Bytes,
}

/// What the transport is told. [`Ports`](super::Ports) knows where each of these goes.
#[derive(Message)]
pub enum Request {
    /// A flow begins. Its owner gets exactly one [`Reply`] of its tag.
    Start(Box<Start>),
    /// Its owner gives it up; goes where the start went. Answered by [`Reply::Broken`], unless the
    /// answer is under way already.
    Cut(FlowName),
    /// A node is gone: all flows through it break off, and those that are still to come.
    Lost(NodeId),
    /// It is there again, and idle.
    Back(NodeId),
    /// A resource gives no more than this from now on, to however many.
    Slow {
        /// Which.
        resource: ResourceId,
        /// Not 0: what gives nothing is lost.
        rate: BytesPerSec,
    },
}

/// What becomes of a flow.
#[derive(Message)]
pub enum Reply {
    /// All its bytes are through.
    Done {
        /// The owner's number.
        tag: u32,
    },
    /// It ended before its time.
    Broken {
        /// The owner's number.
        tag: u32,
        /// What is known to be through.
        through: Bytes,
        /// The node that is gone; `None` where the owner has given the flow up.
        lost: Option<NodeId>,
    },
}
