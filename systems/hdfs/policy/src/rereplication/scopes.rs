//! Where a copy may go in the two states of Higai et al. 2014.
use super::{LostBlock, Refused, Survivors};
use crate::placement::Scope;
use crate::{Fitness, View};
use cluster::NodeId;

/// Tries scopes until `choose` returns something else than [`Refused::NoTarget`].
///
/// Survivors in several racks: the source's rack, then anywhere. Survivors all in one rack: another
/// rack, then that one. If the block lacks only a rack, the first scope is the only one.
pub(super) fn first_of<T>(
    source: NodeId,
    lost: &LostBlock<'_>,
    view: View<'_>,
    mut choose: impl FnMut(Scope) -> Result<T, Refused>,
) -> Result<T, Refused> {
    let scopes = match Survivors::of(lost, view) {
        Survivors::Spread => [Scope::In(view.rack(source)), Scope::Anywhere],
        Survivors::OneRack(home) => [Scope::Outside(home), Scope::In(home)],
    };
    match choose(scopes[0]) {
        Err(Refused::NoTarget) if !lost.only_rack => choose(scopes[1]),
        decided => decided,
    }
}

/// [`View::fitness`], but nodes in `lost.taken` are unfit.
pub(super) fn fitness(id: NodeId, lost: &LostBlock<'_>, view: View<'_>) -> Fitness {
    if lost.taken.contains(&id) { Fitness::Unfit } else { view.fitness(id, lost.bytes) }
}
