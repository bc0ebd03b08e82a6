//! Where the document's two states let a copy go.
use super::{LostBlock, Refused, Survivors};
use crate::placement::Scope;
use crate::{Fitness, View};
use cluster::NodeId;

/// The first answer of `choose` that is not [`Refused::NoTarget`], scope by scope.
///
/// Survivors in several racks: the source's rack, else anywhere. Survivors all in one rack: another
/// rack, else that one, unless a new rack is all that the block lacks.
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

/// May it receive this block?
pub(super) fn fitness(id: NodeId, lost: &LostBlock<'_>, view: View<'_>) -> Fitness {
    if lost.taken.contains(&id) { Fitness::Unfit } else { view.fitness(id, lost.bytes) }
}
