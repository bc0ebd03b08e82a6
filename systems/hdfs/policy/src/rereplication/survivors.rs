//! The two states of a block after a loss.
use super::LostBlock;
use crate::View;
use cluster::{NodeId, RackId};

/// Where the replicas are that a repair starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survivors {
    /// State 1: in several racks, or in the only one, or one rack is enough: the copy may stay in a
    /// rack.
    Spread,
    /// State 2: all in this rack although others have live nodes: the copy must leave it.
    OneRack(RackId),
}

impl Survivors {
    /// Of the live replicas; where none is live, of the readable ones.
    pub fn of(lost: &LostBlock<'_>, view: View<'_>) -> Survivors {
        let holders = (lost.live.iter().copied()).chain(lost.sources.iter().map(|s| s.node));
        let count = if lost.live.is_empty() { lost.sources.len() } else { lost.live.len() };
        let mut racks = holders.take(count).map(|id: NodeId| view.rack(id));
        let Some(home) = racks.next() else { return Survivors::Spread };
        let elsewhere = || view.peopled_racks().any(|rack| rack != home);
        if lost.expected >= 2 && racks.all(|rack| rack == home) && elsewhere() {
            Survivors::OneRack(home)
        } else {
            Survivors::Spread
        }
    }
}
