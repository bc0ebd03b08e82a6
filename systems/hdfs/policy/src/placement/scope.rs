//! A uniformly random fit node of a part of the cluster (`NetworkTopology.chooseRandom` with
//! exclusion).
use crate::{Dice, Fitness, View, rereplication::Refused};
use cluster::{NodeId, RackId};
use units::{u32_of, usize_of};

/// A part of the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Anywhere,
    In(RackId),
    /// All racks but one (`~rack`).
    Outside(RackId),
}

impl Scope {
    /// Is this rack in it?
    pub fn holds(self, rack: RackId) -> bool {
        match self {
            Scope::Anywhere => true,
            Scope::In(own) => rack == own,
            Scope::Outside(barred) => rack != barred,
        }
    }
}

/// In scopes up to this size every node is looked at; in larger ones so many are drawn blindly
/// first.
const FEW: usize = 16;

/// A fit node of `scope`, each with the same probability.
///
/// HDFS draws nodes one after another without replacement until one is good, which is uniform over
/// the good ones. So is this: blind draws that reject the others, expected O(1), and after a few
/// failures a count of the whole scope and one draw among the fit.
///
/// # Errors
/// [`Refused::TargetsLoaded`] where only load stands in the way of some, else
/// [`Refused::NoTarget`].
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
