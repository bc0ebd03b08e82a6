//! Multi-Raft as SCM really does it: `RatisPipelineProvider` and `PipelinePlacementPolicy` of
//! Ozone 2.x.
use super::{Dice, Placement, Site, Trio};

/// Pipelines are opened as soon as three nodes have registered.
pub(super) struct Boot;

/// All pipelines were closed and are opened again, with all nodes there.
pub(super) struct Reopened;

impl Placement for Boot {
    fn name(&self) -> &'static str {
        "scm"
    }
    fn doc(&self) -> &'static str {
        "SCM's PipelinePlacementPolicy at boot: nodes register one after the other, and SCM opens \
         all pipelines that it may as soon as three are there.\n\n# What it decides\nAmong the \
         nodes that have registered, those in the fewest pipelines first, until their limits are \
         reached.\n\n# When it helps\nWrites are possible as soon as three nodes are up.\n\n# What \
         it costs\nThe first three nodes fill their limit among themselves: limit × ⌊N/3⌋ \
         pipelines on ⌊N/3⌋ sets of nodes, and N mod 3 nodes are in none. Closing all pipelines \
         mends it (scm-reopened).\n\n# Reference\nHDDS-1564, HDDS-2922; seen on Ozone 2.2.0: limit \
         4, 5 nodes, 4 of 6 open, all on the same three nodes."
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
         closed (`ozone admin pipeline close --all`).\n\n# What it decides\nThe nodes in the \
         fewest pipelines first, ties by chance; of two racks, the second node stands on another \
         rack and the third on the first's. Stops where fewer than three nodes are below the \
         limit.\n\n# When it helps\nN mod 3 nodes were idle: all of them work.\n\n# What it \
         costs\nClosing all pipelines stops writes for the seconds that it takes; the same three \
         nodes may meet twice.\n\n# Reference\nOzone's `PipelinePlacementPolicy` (HDDS-1564), \
         HDDS-10742 for `--all`."
    }
    fn place(&self, site: &Site, dice: &mut Dice) -> Vec<Trio> {
        let mut open = Vec::new();
        fill(site, &mut open, dice);
        open
    }
}

/// What SCM opens once it misses `lost`, to have `most` again beside those that are `open`
/// (`BackgroundPipelineCreator`).
pub fn reopen(site: &Site, open: Vec<Trio>, lost: u32, most: u32, dice: &mut Dice) -> Vec<Trio> {
    let mut counts = super::counts(site.nodes(), &open);
    // Nobody chooses a node that is at its limit.
    counts[lost as usize] = site.limit;
    let live = u64::from(site.limit) * u64::from(site.nodes() - 1) / 3;
    let mut new = Vec::new();
    while ((open.len() + new.len()) as u64) < live.min(most.into()) {
        let Some(trio) = choose(site, &counts, dice) else { break };
        trio.iter().for_each(|&node| counts[node as usize] += 1);
        new.push(trio)
    }
    new
}

/// Opens pipelines until SCM may not, or finds no three nodes.
fn fill(site: &Site, open: &mut Vec<Trio>, dice: &mut Dice) {
    let mut counts = super::counts(site.nodes(), open);
    while (open.len() as u64) < u64::from(site.most()) {
        let Some(trio) = choose(site, &counts, dice) else { return };
        trio.iter().for_each(|&node| counts[node as usize] += 1);
        open.push(trio)
    }
}

/// `filterViableNodes` sorts by pipeline count; `getResultSet` takes the first, one of another
/// rack, one of the first's rack.
fn choose(site: &Site, counts: &[u32], dice: &mut Dice) -> Option<Trio> {
    let below = (0..site.nodes()).filter(|&node| counts[node as usize] < site.limit);
    let mut viable: Vec<(u32, u64, u32)> =
        below.map(|node| (counts[node as usize], dice.below(u64::MAX), node)).collect();
    if viable.len() < 3 {
        return None;
    }
    viable.sort_unstable();
    let mut viable: Vec<u32> = viable.into_iter().map(|(.., node)| node).collect();
    let rack = |node: u32| site.racks[node as usize];
    let anchor = viable.remove(0);
    let other = viable.iter().position(|&node| rack(node) != rack(anchor));
    let other = viable.remove(other.unwrap_or(0));
    let same = viable.iter().position(|&node| rack(node) == rack(anchor));
    let third = viable.remove(same.unwrap_or(0));
    let mut trio = [anchor, other, third];
    trio.sort_unstable();
    Some(trio)
}
