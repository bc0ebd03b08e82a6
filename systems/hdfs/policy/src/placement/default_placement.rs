//! `BlockPlacementPolicyDefault`: targets of a new block, and the target of a repair.
use super::{Scope, draw_from, max_per_rack};
use crate::{Dice, Fitness, View, rereplication::Refused};
use cluster::NodeId;
use units::Bytes;

/// Which Hadoop's rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// 1.x: as many replicas in a rack as ⌊(r−1)/racks⌋ + 2, so all three where there are two
    /// racks.
    Hdfs1,
    /// 3.x: one fewer where that is all of them.
    Hdfs3,
}

/// A repair that needs a target.
#[derive(Clone, Copy, Debug)]
pub struct Repair<'a> {
    /// The source, which plays the writer.
    pub writer: NodeId,
    /// Live replicas in storage order.
    pub live: &'a [NodeId],
    /// Never targets.
    pub taken: &'a [NodeId],
    pub bytes: Bytes,
    pub expected: u16,
}

/// The target of one more replica: `chooseTargetInOrder` with the live replicas as those already
/// chosen.
///
/// No live one: the source's rack. One: another rack than its. Two on one rack: another rack. Two
/// on two: the source's rack. More: anywhere. Each with the fallbacks of HDFS, and stale nodes last
/// of all.
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

/// The replicas of a new block: writer's node (a random one for a writer outside), a node of
/// another rack, another node of that rack, then anywhere. Fewer than `replicas` where the cluster
/// cannot take more.
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
    /// Replicas that are there or decided, in order.
    chosen: Vec<NodeId>,
    most: usize,
}

impl Chooser<'_> {
    /// What fails with fresh nodes only is tried once more with stale ones, and so is all that
    /// follows.
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

    /// One more (`chooseTargetInOrder`).
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

    /// The writer's own node, whatever its load (`chooseLocalStorage`).
    fn at_or_near(&self, writer: Option<NodeId>, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
        let Some(writer) = writer else { return self.first_of([Scope::Anywhere], dice) };
        match self.fitness(writer) {
            Fitness::Fit | Fitness::Loaded => Ok(writer),
            Fitness::Unfit => self.near(writer, dice),
        }
    }

    /// The rack of `id`, or of the next replica, or anywhere (`chooseLocalRack`).
    fn near(&self, id: NodeId, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
        let rack = |id| Scope::In(self.view.rack(id));
        let next = self.chosen.iter().copied().find(|&other| other != id);
        let scopes = [Some(rack(id)), next.map(rack), Some(Scope::Anywhere)];
        self.first_of(scopes.into_iter().flatten(), dice)
    }

    /// Any other rack than that of `id`, or its own (`chooseRemoteRack`).
    fn remote(&self, id: NodeId, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
        let rack = self.view.rack(id);
        let other = (self.view.racks.len() > 1).then_some(Scope::Outside(rack));
        self.first_of(other.into_iter().chain([Scope::In(rack)]), dice)
    }

    /// A node of the first scope that has a fit one; else the refusal that tells most.
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

    /// `isGoodDatanode`, and not among those that hold the block.
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
