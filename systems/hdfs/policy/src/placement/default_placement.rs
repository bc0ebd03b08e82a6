//! `BlockPlacementPolicyDefault`: targets of a new block, and the target of a re-replication.
use super::{Scope, draw_from, max_per_rack};
use crate::{Dice, Fitness, View, rereplication::Refused};
use cluster::NodeId;
use units::Bytes;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// 1.x allows ⌊(r−1)/racks⌋ + 2 replicas in a rack: with two racks, all three.
    Hdfs1,
    /// 3.x allows one fewer if that is all replicas.
    Hdfs3,
}

#[derive(Clone, Copy, Debug)]
pub struct Repair<'a> {
    /// The source, as `chooseTargetInOrder` takes it for the writer.
    pub writer: NodeId,
    /// Live replicas in storage order.
    pub live: &'a [NodeId],
    /// Never targets.
    pub taken: &'a [NodeId],
    pub bytes: Bytes,
    pub expected: u16,
}

/// Target of one more replica: `chooseTargetInOrder`, with the live replicas as those already
/// chosen.
///
/// No live replica: the source's rack. One, or two in one rack: another rack. Two in two racks: the
/// source's rack. More: anywhere. Each has the fallbacks of HDFS; stale nodes come last.
///
/// # Errors
/// [`Refused::TargetsLoaded`] or [`Refused::NoTarget`].
pub fn choose_target_for_repair(
    repair: Repair<'_>,
    generation: Generation,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Result<NodeId, Refused> {
    let total = (repair.live.len() + 1).max(usize::from(repair.expected));
    let most = max_per_rack(total, view, generation == Generation::Hdfs3);
    let Repair { writer, live, taken, bytes, .. } = repair;
    let mut chooser = Chooser { view, bytes, taken, chosen: live.to_vec(), most };
    chooser.next_or_stale(Some(writer), false, dice)
}

/// Nodes for the replicas of a new block: the writer's node, a node of another rack, another node
/// of that rack, then anywhere. A writer outside has a random node. Fewer than `replicas` if the
/// cluster cannot take more.
pub fn place_new_block(
    writer: Option<NodeId>,
    replicas: u16,
    bytes: Bytes,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Vec<NodeId> {
    let most = max_per_rack(usize::from(replicas), view, true);
    let chosen = Vec::with_capacity(usize::from(replicas));
    let mut chooser = Chooser { view, bytes, taken: &[], chosen, most };
    while chooser.chosen.len() < usize::from(replicas) {
        match chooser.next_or_stale(writer, true, dice) {
            Ok(id) => chooser.chosen.push(id),
            Err(_) => break,
        }
    }
    chooser.chosen
}

struct Chooser<'a> {
    view: View<'a>,
    bytes: Bytes,
    taken: &'a [NodeId],
    /// Nodes with a replica or chosen for one, in order.
    /// Most replicas in one rack.
    chosen: Vec<NodeId>,
    most: usize,
}

impl Chooser<'_> {
    /// If no fresh node fits, retries with stale ones; later calls then accept stale nodes at once.
    fn next_or_stale(
        &mut self,
        writer: Option<NodeId>,
        new: bool,
        dice: &mut dyn Dice,
    ) -> Result<NodeId, Refused> {
        let first = self.next(writer, new, dice);
        if first.is_ok() || !self.view.avoid_stale {
            return first;
        }
        self.view.avoid_stale = false;
        self.next(writer, new, dice)
    }

    /// `chooseTargetInOrder`
    fn next(
        &self,
        writer: Option<NodeId>,
        new: bool,
        dice: &mut dyn Dice,
    ) -> Result<NodeId, Refused> {
        match self.chosen[..] {
            [] => self.at_or_near(writer, dice),
            [first] => self.remote(first, dice),
            [first, second] if self.view.rack(first) == self.view.rack(second) => {
                self.remote(first, dice)
            }
            [_, second] if new => self.near(second, dice),
            [_, _] => self.near(writer.expect("a repair has a source"), dice),
            _ => self.first_of([Scope::Anywhere], dice),
        }
    }

    /// The writer's own node whatever its load, else [`near`](Self::near) (`chooseLocalStorage`).
    fn at_or_near(&self, writer: Option<NodeId>, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
        let Some(writer) = writer else { return self.first_of([Scope::Anywhere], dice) };
        match self.fitness(writer) {
            Fitness::Fit | Fitness::Loaded => Ok(writer),
            Fitness::Unfit => self.near(writer, dice),
        }
    }

    /// The rack of `id`, else the rack of another replica, else anywhere (`chooseLocalRack`).
    fn near(&self, id: NodeId, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
        let rack = |id| Scope::In(self.view.rack(id));
        let next = self.chosen.iter().copied().find(|&other| other != id);
        let scopes = [Some(rack(id)), next.map(rack), Some(Scope::Anywhere)];
        self.first_of(scopes.into_iter().flatten(), dice)
    }

    /// Another rack than that of `id`, else its own (`chooseRemoteRack`).
    fn remote(&self, id: NodeId, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
        let rack = self.view.rack(id);
        let other = (self.view.racks.len() > 1).then_some(Scope::Outside(rack));
        self.first_of(other.into_iter().chain([Scope::In(rack)]), dice)
    }

    /// A fit node of the first scope that has one; else the most specific refusal.
    fn first_of(
        &self,
        scopes: impl IntoIterator<Item = Scope>,
        dice: &mut dyn Dice,
    ) -> Result<NodeId, Refused> {
        let mut refused = Refused::NoTarget;
        for scope in scopes {
            match draw_from(scope, self.view, dice, |id| self.fitness(id)) {
                Ok(id) => return Ok(id),
                Err(reason) => refused = refused.max(reason),
            }
        }
        Err(refused)
    }

    /// `isGoodDatanode`, except that holders of the block are unfit.
    fn fitness(&self, id: NodeId) -> Fitness {
        let fitness = self.view.fitness(id, self.bytes);
        if fitness == Fitness::Unfit || self.taken.contains(&id) || self.chosen.contains(&id) {
            return Fitness::Unfit;
        }
        let rack = self.view.rack(id);
        let beside = self.chosen.iter().filter(|&&other| self.view.rack(other) == rack).count();
        if beside >= self.most { Fitness::Unfit } else { fitness }
    }
}
