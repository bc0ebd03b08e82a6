//! The two states of a block after a loss (Higai et al. 2014).
use super::LostBlock;
use crate::View;
use cluster::{NodeId, RackId};

/// Racks of the remaining replicas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survivors {
    /// State 1: several racks, or only one rack exists or is required. The copy may stay in a rack.
    Spread,
    /// State 2: all in this rack although others have live nodes. The copy must leave it.
    OneRack(RackId),
}

impl Survivors {
    /// Uses the live replicas; if there are none, the readable ones.
    pub fn of(lost: &LostBlock<'_>, view: View<'_>) -> Survivors {
        let holders = (lost.live.iter().copied()).chain(lost.sources.iter().map(|s| s.node));
        let count = if lost.live.is_empty() { lost.sources.len() } else { lost.live.len() };
        let mut racks = holders.take(count).map(|id: NodeId| view.rack(id));
        let Some(home) = racks.next() else { return Survivors::Spread };
        let elsewhere = || view.populated_racks().any(|rack| rack != home);
        if lost.expected >= 2 && racks.all(|rack| rack == home) && elsewhere() {
            Survivors::OneRack(home)
        } else {
            Survivors::Spread
        }
    }
}
