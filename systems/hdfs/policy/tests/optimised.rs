//! The plan is optimal: compared with every assignment of blocks to eligible holders on small
//! clusters.
use cluster::NodeId;
use hdfs_policy::rereplication::{Memory, Optimised, Rereplication, Survivors};
use hdfs_policy::{Fitness, View};

use crate::seeded::{Block, Nodes, Seeded};

/// Naive version of the ring's "eligible".
fn eligible(holder: NodeId, block: &Block, view: View<'_>) -> bool {
    let rack = &view.racks[view.rack(holder).at()];
    let mut serving: Vec<NodeId> =
        rack.iter().copied().filter(|&id| view.node(id).in_service() && id != holder).collect();
    serving.sort_by_key(|&id| (id < holder, id));
    let fits = |id: &NodeId| view.fitness(*id, block.lost().bytes) != Fitness::Unfit;
    serving.first().is_some_and(|next| fits(next) && !block.taken.contains(next))
}

fn squares(counts: &[u64]) -> u64 {
    counts.iter().map(|n| n * n).sum()
}

fn least(choices: &[Vec<NodeId>], counts: &mut [u64]) -> u64 {
    let Some((first, rest)) = choices.split_first() else { return squares(counts) };
    let mut best = u64::MAX;
    for id in first {
        counts[id.at()] += 1;
        best = best.min(least(rest, counts));
        counts[id.at()] -= 1;
    }
    best
}

#[test]
fn plans_equal_brute_force_on_clusters_in_all_states() {
    let mut planned = [0, 0];
    for seed in 0..1_500 {
        let mut draw = Seeded(seed);
        let nodes = Nodes::in_all_states(&mut draw);
        let view = nodes.view();
        let blocks: Vec<Block> = (0..9).map(|n| Block::random(n, &nodes, &mut draw)).collect();
        let lost: Vec<_> = blocks.iter().map(Block::lost).collect();
        let mut memory = Memory::new(nodes.nodes.len(), nodes.racks.len());
        for at in 0..nodes.nodes.len() {
            memory.inside.set(at, draw.below(4) as u32);
            memory.outside.set(at, draw.below(4) as u32);
        }
        Optimised.plan(&lost, view, &mut memory);
        for state_2 in [false, true] {
            let before = if state_2 { &memory.outside } else { &memory.inside };
            let mut counts: Vec<u64> = before.iter().map(|&n| u64::from(n)).collect();
            let mut with_plan = counts.clone();
            let mut choices = Vec::new();
            for block in &blocks {
                let moving = Survivors::of(&block.lost(), view) != Survivors::Spread;
                let holders = block.sources.iter().map(|source| source.node);
                let may = |&id: &NodeId| state_2 || eligible(id, block, view);
                let may_send: Vec<NodeId> = holders.filter(may).collect();
                if moving != state_2 || may_send.is_empty() {
                    continue;
                }
                let source = memory.plan.get(&block.lost().block).expect("planned");
                assert!(may_send.contains(source), "seed {seed}");
                with_plan[source.at()] += 1;
                planned[usize::from(state_2)] += 1;
                choices.push(may_send);
            }
            assert_eq!(squares(&with_plan), least(&choices, &mut counts), "seed {seed}");
        }
    }
    assert!(planned[0] > 2_000 && planned[1] > 2_000, "{planned:?} blocks say little");
}
