//! When a version of an object is there: what nodes say, taken together.
//!
//! A put has four phases, each begun when **all** n nodes have answered the one before: *stage*
//! (blocks are written), *prepare* (blocks and sums are durable), *commit* (the version is
//! visible), *finish* (older versions are dropped). It is acknowledged when all nodes have
//! committed. From that follows, with t losses survived:
//!
//! - A version that any node has committed was prepared by all, so it can be completed.
//! - One that was acknowledged is committed on all nodes that are reachable.
//! - One that fewer than n − t nodes hold was never acknowledged, or was removed: it is absent.
//! - Older versions are dropped only when a newer one is committed everywhere, so a failed put
//!   never costs the old object.
//!
//! To discard, or to remove, takes so many nodes that the others cannot be n − t: see [`quorum`].

/// Which write of a name: later ones have a higher generation; the id makes it unique.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Version {
    /// One more than the highest that the writer saw.
    pub generation: u64,
    /// Drawn by the writer.
    pub id: u128,
}

/// What a node says of a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// It does not answer.
    Unknown,
    /// It has nothing of it that would outlast a crash.
    Nothing,
    /// Durable, not visible.
    Prepared {
        /// Whether the writer's connection is still open there.
        is_attended: bool,
    },
    /// Visible.
    Committed,
}

/// What a version is, and what is to be done about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// To be read. Nodes that have it prepared are to commit it.
    Whole,
    /// Not there, and it will not come: what is left of it is to be discarded.
    Absent,
    /// Its writer is at work, or too few nodes answer to tell: not to be read now.
    Open,
}

/// Nodes that must discard a version, or have none of it, so that it is gone for good.
pub fn quorum(nodes: usize, losses: usize) -> usize {
    (losses + 1).max(nodes - losses)
}

/// Judges a version by what all nodes say of it.
pub fn verdict(losses: usize, said: &[Held]) -> Verdict {
    let count = |is: fn(&Held) -> bool| said.iter().filter(|h| is(h)).count();
    let committed = count(|h| *h == Held::Committed);
    let prepared = count(|h| matches!(h, Held::Prepared { .. }));
    let unknown = count(|h| *h == Held::Unknown);
    let is_attended = said.contains(&Held::Prepared { is_attended: true });
    let needed = said.len() - losses;
    if committed > 0 && committed + prepared >= needed {
        return Verdict::Whole;
    }
    if is_attended {
        return Verdict::Open;
    }
    let could_be = committed > 0 && committed + prepared + unknown >= needed;
    let is_settled = said.len() - unknown >= quorum(said.len(), losses);
    if could_be || !is_settled { Verdict::Open } else { Verdict::Absent }
}
