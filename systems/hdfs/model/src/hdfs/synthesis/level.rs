//! Moves replicas from nodes with too many to nodes with too few, in the balancer's order: within
//! the rack, within the rack rule, anywhere, groups last.
use cluster::{BlockIndex, NodeId};
use engine::Draw;
use hdfs_scenario::{BlockMap, NodeContent, Redundancy};
use units::u32_of;

/// Draws of a target before the next replica is tried.
const TRIES: usize = 8;

/// Attempts with a third node; a few suffice unless a node holds nearly every block.
const DETOURS: u64 = 16;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum SwapScope {
    SameRack,
    RackRule,
    /// Except groups, which keep their number of racks.
    Anywhere,
    GroupsToo,
}

/// Moves replicas until every node holds its number, or no move is possible.
pub(super) fn level(map: &mut BlockMap, held: &[NodeContent], racks: &[u32], seed: u64) {
    let mut have = vec![0u64; held.len()];
    map.replica.iter().for_each(|r| have[r.node.at()] += 1);
    let mut levels = Levels::new(&have, held, racks);
    let mut passes =
        vec![SwapScope::SameRack, SwapScope::RackRule, SwapScope::Anywhere, SwapScope::Anywhere];
    if map.redundancy.iter().any(is_group) {
        passes.push(SwapScope::GroupsToo)
    }
    for (pass, reach) in passes.into_iter().enumerate() {
        if levels.level() {
            return;
        }
        let dice = Draw::keyed(seed, "synthesis level", pass as u64, 0);
        sweep(map, &mut levels, reach, dice)
    }
    // The remaining surplus is in blocks that the other nodes already hold: moves by a third node.
    for turn in 0..DETOURS {
        if levels.level() {
            return;
        }
        let dice = |n| Draw::keyed(seed, "synthesis detour", turn, n);
        detour(map, &mut levels, dice(0));
        sweep(map, &mut levels, SwapScope::GroupsToo, dice(1))
    }
}

fn is_group(redundancy: &Redundancy) -> bool {
    matches!(redundancy, Redundancy::ErasureCoded { .. })
}

/// Surplus and deficit of nodes, in replicas.
struct Levels<'a> {
    racks: &'a [u32],
    members: Vec<Vec<NodeId>>,
    surplus: Vec<u64>,
    deficit: Vec<u64>,
    /// Sums of `deficit`.
    of_rack: Vec<u64>,
    of_all: u64,
    have: Vec<u64>,
}

impl<'a> Levels<'a> {
    fn new(have: &[u64], held: &[NodeContent], racks: &'a [u32]) -> Levels<'a> {
        let count = racks.iter().max().map_or(0, |r| *r as usize + 1);
        let (mut members, mut of_rack) = (vec![Vec::new(); count], vec![0; count]);
        let pairs = || have.iter().zip(held).map(|(have, held)| (*have, held.blocks));
        let deficit: Vec<u64> = pairs().map(|(have, want)| want.saturating_sub(have)).collect();
        for (node, rack) in racks.iter().enumerate() {
            members[*rack as usize].push(NodeId(u32_of(node)));
            of_rack[*rack as usize] += deficit[node]
        }
        let surplus = pairs().map(|(have, want)| have.saturating_sub(want)).collect();
        let of_all = deficit.iter().sum();
        Levels { racks, members, surplus, deficit, of_rack, of_all, have: have.to_vec() }
    }

    fn level(&self) -> bool {
        self.of_all == 0 || self.surplus.iter().all(|n| *n == 0)
    }

    /// A node drawn with the probability of its share of the deficit.
    fn draw(&self, rack: Option<u32>, dice: &mut Draw) -> Option<NodeId> {
        let rack = match rack {
            Some(rack) => rack as usize,
            None => pick(&self.of_rack, self.of_all, dice)?,
        };
        let members = &self.members[rack];
        let total = self.of_rack[rack];
        if total == 0 {
            return None;
        }
        let mut ticket = dice.below(total);
        members.iter().copied().find(|node| {
            let own = self.deficit[node.at()];
            let hit = ticket < own;
            ticket = ticket.saturating_sub(own);
            hit
        })
    }

    fn moved(&mut self, from: NodeId, to: NodeId) {
        self.surplus[from.at()] -= 1;
        self.have[from.at()] -= 1;
        self.deficit[to.at()] -= 1;
        self.have[to.at()] += 1;
        self.of_rack[self.racks[to.at()] as usize] -= 1;
        self.of_all -= 1
    }
}

/// Moves surplus replicas to level nodes.
fn detour(map: &mut BlockMap, levels: &mut Levels<'_>, mut dice: Draw) {
    let nodes = levels.have.len() as u64;
    for block in 0..map.len() {
        for at in map.first[block as usize] as usize..map.first[block as usize + 1] as usize {
            let node = map.replica[at].node;
            let replicas = map.replicas(BlockIndex(block));
            let third = NodeId(units::narrow::<u32>(dice.below(nodes)));
            let free = levels.have[third.at()] > 0 && replicas.iter().all(|r| r.node != third);
            let level = levels.surplus[third.at()] == 0 && levels.deficit[third.at()] == 0;
            if levels.surplus[node.at()] > 0 && free && level {
                map.replica[at].node = third;
                levels.surplus[node.at()] -= 1;
                levels.have[node.at()] -= 1;
                levels.surplus[third.at()] += 1;
                levels.have[third.at()] += 1
            }
        }
    }
}

fn pick(weights: &[u64], total: u64, dice: &mut Draw) -> Option<usize> {
    let mut ticket = if total == 0 { return None } else { dice.below(total) };
    weights.iter().position(|own| {
        let hit = ticket < *own;
        ticket = ticket.saturating_sub(*own);
        hit
    })
}

/// One pass over all replicas. Those of a node with a surplus move with a probability that spreads
/// the moves evenly over its replicas (selection sampling: Knuth, Algorithm 3.4.2 S).
fn sweep(map: &mut BlockMap, levels: &mut Levels<'_>, reach: SwapScope, mut dice: Draw) {
    let mut unseen = levels.have.clone();
    for block in 0..map.len() {
        let (from, to) =
            (map.first[block as usize] as usize, map.first[block as usize + 1] as usize);
        for at in from..to {
            let node = map.replica[at].node;
            let left = &mut unseen[node.at()];
            // Replicas that moved here in this pass were not counted.
            let chance = (*left).max(1);
            *left = left.saturating_sub(1);
            let surplus = levels.surplus[node.at()];
            if surplus == 0 || dice.below(chance) >= surplus {
                continue;
            }
            if let Some(target) = target(map, BlockIndex(block), at, levels, reach, &mut dice) {
                map.replica[at].node = target;
                levels.moved(node, target);
                if levels.of_all == 0 {
                    return;
                }
            }
        }
    }
}

fn target(
    map: &BlockMap,
    block: BlockIndex,
    at: usize,
    levels: &Levels<'_>,
    reach: SwapScope,
    dice: &mut Draw,
) -> Option<NodeId> {
    let from = map.replica[at].node;
    let replicas = map.replicas(block);
    let rack = |node: NodeId| levels.racks[node.at()];
    let group = is_group(&map.redundancy[block.at()]);
    let own = (reach == SwapScope::SameRack).then(|| rack(from));
    let fits = |node: &NodeId| {
        let others = || replicas.iter().map(|r| r.node).filter(|n| *n != from);
        let beside = |node| others().filter(|n| rack(*n) == rack(node)).count();
        let keeps_rule = || match group {
            // As `BlockPlacementPolicyDefault`: not all in one rack, at most two in one of three.
            false => beside(*node) == 0 || beside(*node) + 1 < replicas.len(),
            true => beside(*node) <= beside(from),
        };
        let free = replicas.iter().all(|r| r.node != *node);
        free && (reach > (if group { SwapScope::Anywhere } else { SwapScope::RackRule })
            || keeps_rule())
    };
    (0..TRIES).filter_map(|_| levels.draw(own, dice)).find(fits)
}
