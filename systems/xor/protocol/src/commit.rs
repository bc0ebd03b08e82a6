//! When a version of an object is there: what nodes say, taken together.
//!
//! A put has four phases, each begun when **all** n nodes have answered the one before: *stage*
//! (blocks are written), *prepare* (blocks and sums are durable), *commit* (the version is
//! visible), *finish* (older versions are dropped). It is acknowledged when all nodes have
//! committed. From that follows, with t losses survived:
//!
//! - A version that any node has committed was prepared by all, so it can be completed.
//! - One that was acknowledged is committed on all nodes. It ends by evidence alone: a removal's
//!   mark, or a newer version that is everywhere. A node that has nothing of it proves nothing: its
//!   disk may be lost or older than the version.
//! - A record that a node cannot read is something: a file named by the version's id is there.
//! - Older versions are dropped only when a newer one is committed everywhere, so a failed put
//!   never costs the old object.
//!
//! To discard, or to remove, takes so many nodes that the others cannot be n − t: see [`quorum`].
//! Whoever discards leaves a mark, so that a node that was away learns it: see [`crate::keep`].

/// Which write of a name: later ones have a higher generation; the id makes it unique.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Version {
    /// One more than the highest that the writer saw.
    pub generation: u64,
    pub id: u128,
}

/// What a node says of a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// It does not answer.
    Unknown,
    /// It has nothing of it that would outlast a crash.
    Nothing,
    /// It has committed it, and cannot read its record.
    Unreadable,
    /// Durable, not visible.
    Prepared {
        /// Whether the writer's connection is still open there.
        is_attended: bool,
    },
    Committed,
    /// It was discarded here, and a mark of that is left.
    Removed {
        /// An object was removed: older versions of the name are gone with it.
        with_older: bool,
    },
}

impl Held {
    /// Whether the node can serve blocks of it.
    pub fn is_readable(self) -> bool {
        matches!(self, Held::Committed | Held::Prepared { .. })
    }

    /// Whether something of it is left there, or may be.
    pub fn is_something(self) -> bool {
        self.is_readable() || matches!(self, Held::Unknown | Held::Unreadable)
    }
}

/// What a version is, and what is to be done about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// To be read. Nodes that have it prepared are to commit it.
    Whole,
    /// Not there, and it will not come: what is left of it is to be discarded.
    Absent,
    /// Its writer is at work, or too few nodes can supply it or tell: it is kept, and not to be
    /// read now.
    Open,
}

/// Nodes that must discard a version, or have none of it, so that it is gone for good.
pub fn quorum(nodes: usize, losses: usize) -> usize {
    (losses + 1).max(nodes - losses)
}

/// Judges a version by what all nodes say of it.
///
/// Neither [`Held::Nothing`] nor [`Held::Unreadable`] ever outvotes [`Held::Committed`].
pub fn verdict(losses: usize, said: &[Held]) -> Verdict {
    let count = |is: fn(&Held) -> bool| said.iter().filter(|h| is(h)).count();
    let committed = count(|h| *h == Held::Committed);
    let was_committed = committed + count(|h| *h == Held::Unreadable) > 0;
    let readable = count(|h| h.is_readable());
    let answering = count(|h| *h != Held::Unknown);
    let is_attended = said.contains(&Held::Prepared { is_attended: true });
    match () {
        () if said.iter().any(|h| matches!(h, Held::Removed { .. })) => Verdict::Absent,
        () if committed > 0 && readable >= said.len() - losses => Verdict::Whole,
        () if was_committed || is_attended => Verdict::Open,
        () if answering < quorum(said.len(), losses) => Verdict::Open,
        () => Verdict::Absent,
    }
}
