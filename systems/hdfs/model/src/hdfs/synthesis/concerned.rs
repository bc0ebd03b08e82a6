//! Draws a part of a map that is too large: blocks with a replica on a node that an event names,
//! and blocks already under-replicated.
//!
//! The default policy's distribution of nodes is weighted by how much more they hold than it alone
//! would give. (The balancer would have moved replicas there.) A concerned node is its block's
//! writer or holds another replica, in the proportions in which it would hold both. It gets as many
//! blocks as it holds. A block with k replicas on such nodes can result in k ways, so it is kept
//! with probability 1/k. Groups are drawn in the proportion of their units on the node, with their
//! units on as many racks as there are.
use super::place::{self, FIRST_ID};
use super::plan::Plan;
use super::writers::Writers;
use cluster::NodeId;
use engine::Draw;
use hdfs_scenario::{BlockMap, Redundancy, Replica, Scenario, Synthesis};
use units::{u32_of, usize_of};

/// Draws of a node before the next fitting one is taken.
const TRIES: usize = 64;

/// Blocks between two calls of `go_on`.
const ASK_EVERY: u64 = 1024;

/// The nodes when the blocks were written.
struct InitialCluster<'a> {
    racks: Vec<u32>,
    members: &'a [cluster::Rack],
    /// Cumulative weights by node: of writers, of writers whose other replicas are in another given
    /// rack, and of such replicas.
    writes: Vec<f64>,
    writes_afar: Vec<f64>,
    takes: Vec<f64>,
    /// By node: fraction of its replicas written by its own writers.
    own: Vec<f64>,
    groups: Groups,
    /// Replicas that a concerned node still gets; `None` for other nodes.
    left: Vec<Option<u64>>,
    /// Sum of `left`.
    open: u64,
    one_rack: bool,
}

/// The map without lengths; `None` if `go_on` returned false.
pub(super) fn place(
    scenario: &Scenario,
    synthesis: &Synthesis,
    plan: &Plan,
    nodes: &[NodeId],
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Option<BlockMap> {
    let mut world = InitialCluster::new(scenario, synthesis, nodes);
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    let mut rows: Vec<Replica> = Vec::new();
    let (mut number, mut groups) = (0, 0);
    // Under-replicated blocks come first, wherever they are; then the rest of the nodes' replicas.
    let mut short = plan.short();
    let starts = Starts::new(nodes, &world.left);
    while short > 0 || world.open > 0 {
        if number % ASK_EVERY == 0 && !go_on() {
            return None;
        }
        let mut dice = Draw::keyed(seed, "synthesis concerned", number, 0);
        number += 1;
        let (wanted, placed) = match short {
            0 => {
                let wanted = plan.wanted(&mut dice);
                let node = starts.draw(&world.left, &mut dice);
                let coded = world.groups.draw(node, &mut dice);
                let placed = match coded {
                    None => world.block_at(node, wanted, &mut dice),
                    Some((data, parity)) => world.group_at(node, data + parity, &mut dice),
                };
                let ways = placed.iter().filter(|n| world.left[n.at()].is_some()).count();
                if dice.below(ways.max(1) as u64) > 0 {
                    continue;
                }
                if let Some((data, parity)) = coded {
                    world.give(&placed);
                    place::group(&mut map, groups, (data, parity), placed);
                    groups += 1;
                    continue;
                }
                (wanted, placed)
            }
            _ => {
                short -= 1;
                let wanted = plan.least();
                (wanted, world.block(wanted.saturating_sub(1), &mut dice))
            }
        };
        world.give(&placed);
        rows.clear();
        rows.extend(placed.into_iter().map(|node| place::replica(node, 0)));
        map.push(FIRST_ID + map.len() as i64, 0, Redundancy::Replicated(wanted), &rows)
    }
    Some(map)
}

/// By node: fraction of its replicas that are units of groups, and of these its own writers'.
struct Groups {
    code: (u8, u8),
    part: Vec<f64>,
    own: Vec<f64>,
}

impl Groups {
    /// `shares`: by node, its fraction of writers. Other replicas and units are spread evenly.
    fn of(synthesis: &Synthesis, shares: &[f64]) -> Groups {
        let (data, parity) = synthesis.coded;
        let units = f64::from(data) + f64::from(parity);
        let (blocks, groups) = (synthesis.blocks.max(1) as f64, synthesis.groups as f64);
        let replicas = (synthesis.replicas() as f64 - groups * units).max(0.0) / blocks;
        let holders = synthesis.held.iter().filter(|held| held.blocks > 0).count();
        let of = |each: f64| {
            let others = (each - 1.0).max(0.0) / holders.max(1) as f64;
            shares.iter().map(move |own| own + others)
        };
        let part = |(coded, whole): (f64, f64)| {
            let (coded, whole) = (groups * coded, blocks * whole);
            coded / (coded + whole).max(f64::MIN_POSITIVE)
        };
        let own = |(own, all): (&f64, f64)| own / all.max(f64::MIN_POSITIVE);
        Groups {
            code: (data, parity),
            part: of(units).zip(of(replicas)).map(part).collect(),
            own: shares.iter().zip(of(units)).map(own).collect(),
        }
    }

    /// Units of the group if the next replica of a node is one.
    fn draw(&self, node: NodeId, dice: &mut Draw) -> Option<(u8, u8)> {
        let part = self.part[node.at()];
        (part > 0.0 && dice.unit() < part).then_some(self.code)
    }
}

impl<'a> InitialCluster<'a> {
    fn new(scenario: &'a Scenario, synthesis: &Synthesis, nodes: &[NodeId]) -> InitialCluster<'a> {
        let cluster = &scenario.cluster;
        let racks: Vec<u32> = cluster.nodes.iter().map(|n| n.rack.0).collect();
        let (held, blocks) = (&synthesis.held, synthesis.blocks.max(1) as f64);
        let mean = (synthesis.replicas() as f64 / blocks).clamp(1.0, 10.0);
        let writers = Writers::new(held, &racks, mean);
        let shares = writers.shares();
        let expected = |at: usize| shares[at] + writers.even[at];
        let ratio = |at: usize| match expected(at) > 0.0 {
            true => held[at].blocks as f64 / blocks / expected(at),
            false => 0.0,
        };
        let ratios: Vec<f64> = (0..held.len()).map(ratio).collect();
        let mut of_rack = vec![0.0; cluster.racks.len()];
        racks.iter().zip(&ratios).for_each(|(rack, ratio)| of_rack[*rack as usize] += ratio);
        let all: f64 = of_rack.iter().sum();
        let writes = |at: usize| shares[at] * ratios[at];
        // Its weight is split over all nodes outside its rack.
        let afar = |at: usize| {
            let others = all - of_rack[racks[at] as usize];
            if others > all * 1e-9 { writes(at) / others } else { 0.0 }
        };
        let mut left = vec![None; held.len()];
        nodes.iter().for_each(|node| left[node.at()] = Some(held[node.at()].blocks));
        InitialCluster {
            members: &cluster.racks,
            writes: sums(held.len(), writes),
            writes_afar: sums(held.len(), afar),
            takes: sums(held.len(), |at| ratios[at]),
            groups: Groups::of(synthesis, &shares),
            own: (0..held.len()).map(|at| shares[at] / expected(at).max(1e-300)).collect(),
            open: left.iter().flatten().sum(),
            left,
            one_rack: of_rack.iter().filter(|sum| **sum > 0.0).count() < 2,
            racks,
        }
    }

    fn block(&self, replicas: u16, dice: &mut Draw) -> Vec<NodeId> {
        let first = self.draw(&self.writes, dice, |_| true);
        self.filled(first.into_iter().collect(), replicas, dice)
    }

    fn block_at(&self, node: NodeId, replicas: u16, dice: &mut Draw) -> Vec<NodeId> {
        if replicas < 2 || dice.unit() < self.own[node.at()] {
            return self.filled(vec![node], replicas, dice);
        }
        let (sums, rack) = match self.one_rack {
            true => (&self.writes, None),
            false => (&self.writes_afar, Some(self.rack(node))),
        };
        let writer = self.draw(sums, dice, |n| n != node && Some(self.rack(n)) != rack);
        self.filled(writer.into_iter().chain([node]).collect(), replicas, dice)
    }

    /// A group with a unit on `node`, spread as by `BlockPlacementPolicyRackFaultTolerant`: first
    /// the same number in each rack, then the rest. The first unit is on the writer's node.
    fn group_at(&self, node: NodeId, units: u8, dice: &mut Draw) -> Vec<NodeId> {
        let units = usize::from(units);
        let racks = self.members.len().max(1);
        let own = dice.unit() < self.groups.own[node.at()];
        let writer = if own { None } else { self.draw(&self.writes, dice, |n| n != node) };
        let mut placed: Vec<NodeId> = writer.into_iter().chain([node]).collect();
        while placed.len() < units {
            let for_all = units / racks;
            let even = placed.len() < for_all * racks;
            let most = if even { for_all } else { units.div_ceil(racks) };
            let new = |n: NodeId| !placed.contains(&n);
            let in_rack =
                |n: NodeId| placed.iter().filter(|p| self.rack(**p) == self.rack(n)).count();
            let next = self
                .draw(&self.takes, dice, |n| new(n) && in_rack(n) < most)
                .or_else(|| self.draw(&self.takes, dice, |n| new(n) && in_rack(n) <= most))
                .or_else(|| self.draw(&self.takes, dice, new));
            match next {
                Some(node) => placed.push(node),
                None => break,
            }
        }
        if let (false, others @ 1..) = (own, placed.len() as u64 - 1) {
            placed.swap(1, 1 + usize_of(dice.below(others)))
        }
        placed
    }

    /// Adds missing replicas: the second in another rack, the third in the second's, the others
    /// anywhere within the limit per rack (`BlockPlacementPolicyDefault`).
    fn filled(&self, mut placed: Vec<NodeId>, replicas: u16, dice: &mut Draw) -> Vec<NodeId> {
        let racks = self.members.len().max(1);
        let most = (usize::from(replicas).saturating_sub(1)) / racks + 2;
        while placed.len() < usize::from(replicas) {
            let new = |n: NodeId| !placed.contains(&n);
            let in_rack =
                |n: NodeId| placed.iter().filter(|p| self.rack(**p) == self.rack(n)).count();
            let next = match placed[..] {
                [first] if !self.one_rack => {
                    self.draw(&self.takes, dice, |n| self.rack(n) != self.rack(first))
                }
                [_, second] if !self.one_rack => self.near(second, &placed, dice),
                _ => None,
            };
            let next = next
                .or_else(|| self.draw(&self.takes, dice, |n| new(n) && in_rack(n) < most))
                .or_else(|| self.draw(&self.takes, dice, new));
            match next {
                Some(node) => placed.push(node),
                None => break,
            }
        }
        placed
    }

    fn near(&self, node: NodeId, placed: &[NodeId], dice: &mut Draw) -> Option<NodeId> {
        let members = &self.members[self.rack(node) as usize].nodes;
        let fits = |n: &NodeId| !placed.contains(n) && self.has_room(*n);
        let weight =
            |n: &NodeId| self.takes[n.at()] - n.at().checked_sub(1).map_or(0.0, |b| self.takes[b]);
        let all: f64 = members.iter().filter(|n| fits(n)).map(weight).sum();
        let mut ticket = dice.unit() * all;
        let hit = members.iter().filter(|n| fits(n) && weight(n) > 0.0).find(|n| {
            ticket -= weight(n);
            ticket < 0.0
        });
        hit.copied()
    }

    /// A fitting node with free slots, drawn by cumulative weights.
    fn draw(&self, sums: &[f64], dice: &mut Draw, fits: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let total = sums.last().copied().unwrap_or(0.0);
        let node = |ticket: f64| {
            NodeId(units::narrow::<u32>(
                sums.partition_point(|sum| *sum <= ticket).min(sums.len() - 1),
            ))
        };
        let fits = |n: &NodeId| self.has_room(*n) && fits(*n);
        if let Some(node) = (0..TRIES).map(|_| node(dice.unit() * total)).find(|n| fits(n)) {
            return Some(node);
        }
        // Hardly any node fits: takes the next one that holds something.
        let holds = |at: usize| self.takes[at] > at.checked_sub(1).map_or(0.0, |b| self.takes[b]);
        let (count, first) = (sums.len(), usize_of(dice.below(sums.len() as u64)));
        let rest = (0..count).map(|turn| (first + turn) % count).filter(|at| holds(*at));
        rest.map(|at| NodeId(u32_of(at))).find(|n| fits(n))
    }

    fn rack(&self, node: NodeId) -> u32 {
        self.racks[node.at()]
    }

    /// False for a concerned node that has all its replicas.
    fn has_room(&self, node: NodeId) -> bool {
        self.left[node.at()] != Some(0)
    }

    fn give(&mut self, placed: &[NodeId]) {
        for node in placed {
            if let Some(left) = self.left[node.at()].as_mut().filter(|left| **left > 0) {
                *left -= 1;
                self.open -= 1
            }
        }
    }
}

/// Concerned nodes, weighted by their replicas.
struct Starts {
    nodes: Vec<NodeId>,
    sums: Vec<f64>,
}

impl Starts {
    fn new(nodes: &[NodeId], left: &[Option<u64>]) -> Starts {
        let of = |at: usize| left[nodes[at].at()].unwrap_or(0) as f64;
        Starts { nodes: nodes.to_vec(), sums: sums(nodes.len(), of) }
    }

    /// A concerned node that still gets replicas.
    fn draw(&self, left: &[Option<u64>], dice: &mut Draw) -> NodeId {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let node = |ticket: f64| {
            self.nodes[self.sums.partition_point(|sum| *sum <= ticket).min(self.nodes.len() - 1)]
        };
        let is_open = |node: &NodeId| left[node.at()] != Some(0);
        let drawn = (0..TRIES).map(|_| node(dice.unit() * total)).find(is_open);
        let most = || self.nodes.iter().copied().max_by_key(|node| left[node.at()]);
        drawn.or_else(most).expect("one is open")
    }
}

fn sums(count: usize, of: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut sum = 0.0;
    (0..count)
        .map(|at| {
            sum += of(at);
            sum
        })
        .collect()
}
