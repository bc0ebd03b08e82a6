//! The interface between who moves bytes and what they move over: neither knows the other.
use crate::{Path, ResourceId};
use cluster::NodeId;
use engine::{Lp, Message, Scalar};
use units::{Bytes, BytesPerSec};

/// A flow's name: whose it is, and the owner's number for it, which it never uses again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct FlowName {
    pub owner: Lp<Reply>,
    /// The owner's number.
    pub tag: u32,
}

#[derive(Message)]
pub struct Start {
    pub flow: FlowName,
    /// Hears what its owner hears: the other end, where the owner is one of two.
    pub peer: Option<Lp<Reply>>,
    /// Through which resources, in the order in which bytes meet them; at least one.
    pub path: Path,
    pub bytes: Bytes,
}

/// What the transport is told. [`Ports`](super::Ports) knows where each of these goes.
#[derive(Message)]
pub enum Request {
    /// A flow begins. Its owner gets exactly one [`Reply`] of its tag, and so does its peer.
    Start(Box<Start>),
    /// Its owner gives it up; goes where the start went. Answered by [`Reply::Broken`], unless the
    /// answer is under way already.
    Cut(FlowName),
    /// A node is gone: all flows through it break off, and those that are still to come.
    Lost(NodeId),
    Back(NodeId),
    /// A resource gives no more than this from now on, to however many.
    Slow {
        resource: ResourceId,
        /// Not 0: what gives nothing is lost.
        rate: BytesPerSec,
    },
}

#[derive(Message)]
pub enum Reply {
    /// All its bytes are through.
    Done {
        /// The owner's number.
        tag: u32,
    },
    Broken {
        /// The owner's number.
        tag: u32,
        through: Bytes,
        /// The node that is gone; `None` where the owner has given the flow up.
        lost: Option<NodeId>,
    },
}
