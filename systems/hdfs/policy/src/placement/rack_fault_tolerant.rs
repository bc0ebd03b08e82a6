//! `BlockPlacementPolicyRackFaultTolerant`: spreads an erasure-coded group over all racks.
use super::{Scope, draw_from};
use crate::{Dice, Fitness, View, rereplication::Refused};
use cluster::NodeId;
use units::{Bytes, u32_of};

/// A block group that needs nodes for more internal blocks.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The writer, or the first source of a repair; `None`: start at a random node.
    pub writer: Option<NodeId>,
    /// Holders of live internal blocks, in storage order.
    pub live: &'a [NodeId],
    /// Never targets.
    pub taken: &'a [NodeId],
    /// Free space that a target must have.
    pub bytes: Bytes,
}

/// Whether `live` uses as many racks as there are, or as many as `total` internal blocks
/// (`verifyBlockPlacement`).
pub fn fault_tolerant_rule_met(live: &[NodeId], view: View<'_>, total: usize) -> bool {
    if view.racks.len() <= 1 {
        return true;
    }
    let mut racks: Vec<_> = live.iter().map(|&id| view.rack(id)).collect();
    racks.sort_unstable();
    racks.dedup();
    racks.len() >= total || racks.len() >= view.populated_racks().take(total).count()
}

/// Nodes for `more` internal blocks (`chooseTargetInOrder`): first one fewer than the limit in each
/// rack, then the limit in some, then whatever is left. The first of each draw is near the writer.
/// Fewer than `more` if the cluster cannot take all; stale nodes come last.
///
/// # Errors
/// If no node fits: [`Refused::TargetsLoaded`] or [`Refused::NoTarget`].
pub fn spread_group(
    group: Group<'_>,
    more: usize,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Result<Vec<NodeId>, Refused> {
    let nodes = view.nodes.iter().filter(|node| node.alive).count();
    let total = (group.live.len() + more).min(nodes);
    let mut spread = GroupPlacement { group, view, total, chosen: group.live.to_vec() };
    let mut outcome = spread.fill(dice);
    if outcome.is_err() && view.avoid_stale {
        spread.view.avoid_stale = false;
        outcome = spread.fill(dice)
    }
    let chosen = spread.chosen.split_off(group.live.len());
    match outcome {
        Err(refused) if chosen.is_empty() => Err(refused),
        _ if chosen.is_empty() => Err(Refused::NoTarget),
        _ => Ok(chosen),
    }
}

struct GroupPlacement<'a> {
    group: Group<'a>,
    view: View<'a>,
    /// Internal blocks of the group after the placement.
    total: usize,
    /// Nodes with an internal block or chosen for one, in order.
    chosen: Vec<NodeId>,
}

impl GroupPlacement<'_> {
    fn fill(&mut self, dice: &mut dyn Dice) -> Result<(), Refused> {
        let racks = self.view.populated_racks().count();
        let most = self.most(racks);
        if racks == 0 || self.total < racks || self.total.is_multiple_of(racks) {
            return self.choose(self.lacking(), most, dice);
        }
        self.even(most, racks, dice).or_else(|refused| self.on_what_is_left(most, refused, dice))
    }

    /// Most internal blocks in one rack (`getMaxNodesPerRack`).
    fn most(&self, racks: usize) -> usize {
        match racks {
            _ if racks <= 1 || self.total <= 1 => self.total,
            _ if self.total < racks => 1,
            _ => (self.total - 1) / racks + 1,
        }
    }

    fn lacking(&self) -> usize {
        self.total.saturating_sub(self.chosen.len())
    }

    /// Fills all racks to `most` − 1, then some to `most`.
    fn even(&mut self, most: usize, racks: usize, dice: &mut dyn Dice) -> Result<(), Refused> {
        let level = (0..u32_of(self.view.racks.len())).map(cluster::RackId);
        let beside = |rack| self.chosen.iter().filter(|&&id| self.view.rack(id) == rack).count();
        let excess: usize = level.map(|rack| beside(rack).saturating_sub(most - 1)).sum();
        let room = ((most - 1) * racks).saturating_sub(self.chosen.len() - excess);
        self.choose(self.lacking().min(room), most - 1, dice)?;
        self.choose(self.lacking(), most, dice)
    }

    /// If racks have too few nodes: raises the limit per rack until it finds no more nodes
    /// (`chooseEvenlyFromRemainingRacks`).
    fn on_what_is_left(
        &mut self,
        mut most: usize,
        mut refused: Refused,
        dice: &mut dyn Dice,
    ) -> Result<(), Refused> {
        let mut before = usize::MAX;
        while self.lacking() > 0 && before != self.chosen.len() {
            before = self.chosen.len();
            most += 1;
            if let Err(reason) = self.choose(self.lacking(), most, dice) {
                refused = reason
            }
        }
        if self.lacking() > 0 { Err(refused) } else { Ok(()) }
    }

    /// Chooses `more` nodes with at most `most` in a rack (`chooseOnce`): the first at or near the
    /// writer, the others anywhere.
    fn choose(&mut self, more: usize, most: usize, dice: &mut dyn Dice) -> Result<(), Refused> {
        for turn in 0..more {
            let next = match turn {
                0 => self.at_or_near(most, dice)?,
                _ => self.draw([Scope::Anywhere], most, dice)?,
            };
            self.chosen.push(next)
        }
        Ok(())
    }

    /// The writer's own node whatever its load, else its rack, the rack of a holder, or anywhere.
    fn at_or_near(&self, most: usize, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
        let Some(writer) = self.group.writer else {
            return self.draw([Scope::Anywhere], most, dice);
        };
        if self.fitness(writer, most) != Fitness::Unfit {
            return Ok(writer);
        }
        let rack = |id| Scope::In(self.view.rack(id));
        let next = self.chosen.iter().copied().find(|&other| other != writer);
        let scopes = [Some(rack(writer)), next.map(rack), Some(Scope::Anywhere)];
        self.draw(scopes.into_iter().flatten(), most, dice)
    }

    fn draw(
        &self,
        scopes: impl IntoIterator<Item = Scope>,
        most: usize,
        dice: &mut dyn Dice,
    ) -> Result<NodeId, Refused> {
        let mut refused = Refused::NoTarget;
        for scope in scopes {
            match draw_from(scope, self.view, dice, |id| self.fitness(id, most)) {
                Ok(id) => return Ok(id),
                Err(reason) => refused = refused.max(reason),
            }
        }
        Err(refused)
    }

    /// `isGoodDatanode`, except that holders of a part of the group are unfit.
    fn fitness(&self, id: NodeId, most: usize) -> Fitness {
        let fitness = self.view.fitness(id, self.group.bytes);
        let held = self.group.taken.contains(&id) || self.chosen.contains(&id);
        let rack = self.view.rack(id);
        let beside = self.chosen.iter().filter(|&&other| self.view.rack(other) == rack).count();
        if held || beside >= most { Fitness::Unfit } else { fitness }
    }
}
