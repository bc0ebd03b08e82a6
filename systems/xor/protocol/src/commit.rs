//! Decides from the states of all nodes whether a version of an object exists.
//!
//! A put has four phases. Each begins when **all** n nodes have answered the phase before: *stage*
//! (blocks are written), *prepare* (blocks and sums are durable), *commit* (the version is
//! visible), *finish* (older versions are dropped). The client acknowledges a put when all nodes
//! have committed. With t losses survived, it follows:
//!
//! - A version that any node has committed was prepared by all, so it can be completed.
//! - An acknowledged version is committed on all nodes. Only evidence ends it: a mark of a removal,
//!   or a newer version on all nodes. A node without it proves nothing: its disk may be lost or
//!   older.
//! - An unreadable record counts as evidence: a file with the version's id exists.
//! - Older versions are dropped only when a newer one is committed everywhere. A failed put never
//!   costs the old object.
//!
//! Discarding or removing needs a [`quorum`] of nodes: the others are fewer than n − t. The client
//! leaves a mark on them, so that absent nodes learn of it: see [`crate::keep`].

/// A write of a name. Later writes have a higher generation; the id makes it unique.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Version {
    /// One more than the highest generation that the writer saw.
    pub generation: u64,
    pub id: u128,
}

/// State of a version on one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplicaState {
    /// The node does not answer.
    Unknown,
    /// The node has nothing of it that survives a crash.
    Nothing,
    /// Committed, but its record cannot be read.
    Unreadable,
    /// Durable, not visible.
    Prepared {
        /// The writer's connection to the node is open.
        is_attended: bool,
    },
    Committed,
    /// Discarded, with a mark.
    Removed {
        /// The whole object was removed: older versions of the name are gone, too.
        with_older: bool,
    },
}

impl ReplicaState {
    pub fn is_readable(self) -> bool {
        matches!(self, ReplicaState::Committed | ReplicaState::Prepared { .. })
    }

    /// The node has, or may have, something of it.
    pub fn is_something(self) -> bool {
        self.is_readable() || matches!(self, ReplicaState::Unknown | ReplicaState::Unreadable)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Readable. Nodes that have it prepared commit it.
    Readable,
    /// Not there and never will be: nodes discard what is left of it.
    Gone,
    /// Kept, not readable now: its writer is at work, or too few nodes can supply it or answer.
    Undecided,
}

/// Nodes that must discard a version, or lack it, to end it for good.
pub fn quorum(nodes: usize, losses: usize) -> usize {
    (losses + 1).max(nodes - losses)
}

/// Judges a version by its state on each node.
///
/// Neither [`ReplicaState::Nothing`] nor [`ReplicaState::Unreadable`] ever outvotes
/// [`ReplicaState::Committed`].
pub fn verdict(losses: usize, states: &[ReplicaState]) -> Verdict {
    let count = |is: fn(&ReplicaState) -> bool| states.iter().filter(|h| is(h)).count();
    let committed = count(|h| *h == ReplicaState::Committed);
    let was_committed = committed + count(|h| *h == ReplicaState::Unreadable) > 0;
    let readable = count(|h| h.is_readable());
    let answering = count(|h| *h != ReplicaState::Unknown);
    let is_attended = states.contains(&ReplicaState::Prepared { is_attended: true });
    match () {
        () if states.iter().any(|h| matches!(h, ReplicaState::Removed { .. })) => Verdict::Gone,
        () if committed > 0 && readable >= states.len() - losses => Verdict::Readable,
        () if was_committed || is_attended => Verdict::Undecided,
        () if answering < quorum(states.len(), losses) => Verdict::Undecided,
        () => Verdict::Gone,
    }
}
