//! A uniformly random fit node in a part of the cluster (`NetworkTopology.chooseRandom` with
//! exclusion).
use crate::{Dice, Fitness, View, rereplication::Refused};
use cluster::{NodeId, RackId};
use units::{u32_of, usize_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Anywhere,
    In(RackId),
    /// All racks but one (`~rack`).
    Outside(RackId),
}

impl Scope {
    pub fn holds(self, rack: RackId) -> bool {
        match self {
            Scope::Anywhere => true,
            Scope::In(own) => rack == own,
            Scope::Outside(barred) => rack != barred,
        }
    }
}

/// Scopes up to this size are scanned; larger ones first get this number of blind draws.
const FEW: usize = 16;

/// A fit node of `scope`, each with the same probability.
///
/// HDFS draws without replacement until a node is good, which is uniform over the good ones. Blind
/// draws with rejection give the same in expected O(1); after `FEW` failures the whole scope is
/// scanned.
///
/// # Errors
/// [`Refused::TargetsLoaded`] if some nodes are unfit by load only, else [`Refused::NoTarget`].
pub fn draw_from(
    scope: Scope,
    view: View<'_>,
    dice: &mut dyn Dice,
    fitness: impl Fn(NodeId) -> Fitness,
) -> Result<NodeId, Refused> {
    let rack = match scope {
        Scope::In(rack) => Some(view.racks[rack.at()].as_slice()),
        Scope::Anywhere | Scope::Outside(_) => None,
    };
    let size = rack.map_or(view.nodes.len(), <[NodeId]>::len);
    let at = |index: usize| rack.map_or(NodeId(u32_of(index)), |nodes| nodes[index]);
    let inside = |id: NodeId| !matches!(scope, Scope::Outside(rack) if view.rack(id) == rack);
    let fit = |id: NodeId| inside(id) && fitness(id) == Fitness::Fit;
    if size > FEW {
        for _ in 0..FEW {
            let id = at(usize_of(dice.below(size as u64)));
            if fit(id) {
                return Ok(id);
            }
        }
    }
    let all = || (0..size).map(at);
    match all().filter(|&id| fit(id)).count() as u64 {
        0 if all().any(|id| inside(id) && fitness(id) == Fitness::Loaded) => {
            Err(Refused::TargetsLoaded)
        }
        0 => Err(Refused::NoTarget),
        fits => {
            let drawn = usize_of(dice.below(fits));
            Ok(all().filter(|&id| fit(id)).nth(drawn).expect("counted above"))
        }
    }
}
