//! Multi-Raft placement as in SCM: `RatisPipelineProvider` and `PipelinePlacementPolicy` of Ozone
//! 2.x.
use super::{Dice, Placement, Site, Trio};
use crate::version::Racks;

/// SCM opens pipelines as soon as three nodes have registered.
pub(super) struct Boot;

/// All pipelines were closed; SCM reopens them with all nodes registered.
pub(super) struct Reopened;

impl Placement for Boot {
    fn name(&self) -> &'static str {
        "scm"
    }
    fn doc(&self) -> &'static str {
        "SCM's PipelinePlacementPolicy at boot: nodes register one by one, and SCM opens all \
         permitted pipelines as soon as three have registered.\n\n# What it decides\nNodes below \
         their limits, among those that have registered: on one rack by chance, on several as \
         scm-reopened.\n\n# When it helps\nWrites are possible as soon as three nodes are up.\n\n# \
         What it costs\nThe first three nodes fill their limit among themselves: limit × ⌊N/3⌋ \
         pipelines on ⌊N/3⌋ sets of nodes, and N mod 3 nodes are in none. Closing all pipelines \
         repairs this (scm-reopened).\n\n# Reference\nHDDS-1564, HDDS-2922; seen on Ozone 2.2.0: \
         limit 4, 5 nodes, 4 of 6 open, all on the same three nodes."
    }
    fn place(&self, site: &Site, dice: &mut Dice) -> Vec<Trio> {
        let mut open = Vec::new();
        for registered in 3..=site.nodes() {
            let seen = Site { racks: site.racks[..registered as usize].to_vec(), ..site.clone() };
            fill(&seen, &mut open, dice)
        }
        open
    }
}

impl Placement for Reopened {
    fn name(&self) -> &'static str {
        "scm-reopened"
    }
    fn doc(&self) -> &'static str {
        "SCM's PipelinePlacementPolicy with all nodes registered, as after all pipelines were \
         closed (`ozone admin pipeline close --all`).\n\n# What it decides\nOn one rack any three \
         nodes below the limit, by chance. On several racks the node in the fewest pipelines \
         first, ties by chance; the second node is on another rack, the third on the first's. It \
         opens no pipeline on one rack if the cluster has several (Ozone 1.1 and later), and stops \
         if fewer than three nodes are below the limit.\n\n# When it helps\nN mod 3 nodes were \
         idle: all of them may work.\n\n# What it costs\nClosing all pipelines stops writes for \
         some seconds; the same three nodes may share several pipelines.\n\n# Reference\nOzone's \
         `PipelinePlacementPolicy` (HDDS-1564), HDDS-10742 for `--all`."
    }
    fn place(&self, site: &Site, dice: &mut Dice) -> Vec<Trio> {
        let mut open = Vec::new();
        fill(site, &mut open, dice);
        open
    }
}

/// Pipelines that SCM opens after it has missed `lost`, until `most` are open, including those in
/// `open` (`BackgroundPipelineCreator`).
pub fn reopen(site: &Site, open: Vec<Trio>, lost: u32, most: u32, dice: &mut Dice) -> Vec<Trio> {
    let mut counts = super::counts(site.nodes(), &open);
    // A node at its limit is never chosen.
    counts[lost as usize] = site.limit;
    let live = site.most_of(site.nodes() - 1);
    let mut new = Vec::new();
    while ((open.len() + new.len()) as u64) < live.min(most).into() {
        let Some(trio) = choose(site, &counts, dice) else { break };
        trio.iter().for_each(|&node| counts[node as usize] += 1);
        new.push(trio)
    }
    new
}

/// Opens pipelines until the limit, or until fewer than three nodes are below their limit.
fn fill(site: &Site, open: &mut Vec<Trio>, dice: &mut Dice) {
    let mut counts = super::counts(site.nodes(), open);
    while (open.len() as u64) < u64::from(site.max_pipelines()) {
        let Some(trio) = choose(site, &counts, dice) else { return };
        trio.iter().for_each(|&node| counts[node as usize] += 1);
        open.push(trio)
    }
}

/// Chooses three nodes below the limit (`filterViableNodes`). On one rack any three
/// (`SCMCommonPlacementPolicy.getResultSet`), else by racks (`getResultSetWithTopology`).
fn choose(site: &Site, counts: &[u32], dice: &mut Dice) -> Option<Trio> {
    let below = (0..site.nodes()).filter(|&node| counts[node as usize] < site.limit);
    let mut viable: Vec<(u32, u64, u32)> =
        below.map(|node| (counts[node as usize], dice.below(u64::MAX), node)).collect();
    if viable.len() < 3 {
        return None;
    }
    let several = |nodes: &mut dyn Iterator<Item = u32>| {
        let mut racks = nodes.map(|node| site.racks[node as usize]);
        let first = racks.next();
        racks.any(|rack| Some(rack) != first)
    };
    let mut trio = match several(&mut (0..site.nodes())) {
        false => {
            viable.sort_unstable_by_key(|&(_, bits, _)| bits);
            [viable[0].2, viable[1].2, viable[2].2]
        }
        true => {
            let on_one = !several(&mut viable.iter().map(|(.., node)| *node));
            if on_one && site.rule != Racks::Preferred {
                return None;
            }
            viable.sort_unstable();
            by_racks(site, viable.into_iter().map(|(.., node)| node).collect())
        }
    };
    trio.sort_unstable();
    Some(trio)
}

/// `viable`: nodes, fewest pipelines first. Chooses the first node, the first of another rack, and
/// the first of the first one's rack. Without such a third node: one of the second's rack, or any.
fn by_racks(site: &Site, mut viable: Vec<u32>) -> Trio {
    let rack = |node: u32| site.racks[node as usize];
    let anchor = viable.remove(0);
    let other = viable.iter().position(|&node| rack(node) != rack(anchor));
    let other = viable.remove(other.unwrap_or(0));
    let on_rack_of = |of: u32| viable.iter().position(|&node| rack(node) == rack(of));
    let near =
        on_rack_of(anchor).or_else(|| on_rack_of(other).filter(|_| site.rule == Racks::TwoNear));
    [anchor, other, viable[near.unwrap_or(0)]]
}
