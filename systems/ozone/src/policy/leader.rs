//! Policies for the leader of a pipeline.
use super::{Dice, Trio};

pub static LEADERS: [(&str, &str); 3] = [
    (
        "as-elected",
        "The winner of the election: any of the three, with equal probability.\n\n# What it \
         decides\nNothing: SCM suggests no leader.\n\n# When it helps\nSmall writes, where the \
         leader does not matter.\n\n# What it costs\nA node may lead several pipelines and another \
         none; a leader sends its data twice, so large writes wait for its NIC (up to -36 % at 64 \
         MB, nothing at 100 kB).\n\n# Reference\nOzone's `DefaultLeaderChoosePolicy`.",
    ),
    (
        "fewest",
        "When a pipeline is opened, its node that leads the fewest.\n\n# What it decides\nThe \
         suggested leader of each new pipeline, one by one.\n\n# When it helps\nLarge writes: \
         leaders' NICs carry about the same.\n\n# What it costs\nIt considers one pipeline at a \
         time, so a node may lead one more than necessary; after a failure, an election ignores \
         it.\n\n# Reference\nOzone's `MinLeaderCountChoosePolicy` (HDDS-4052), \
         `ozone.scm.pipeline.leader-choose.policy`.",
    ),
    (
        "even",
        "Leaders are chosen all at once, so that no node leads more than necessary.\n\n# What it \
         decides\nAn assignment of pipelines to their nodes whose maximum is least (augmenting \
         paths).\n\n# When it helps\nLarge writes on clusters where `fewest` leaves a node with \
         one more.\n\n# What it costs\nNo command of Ozone moves a pipeline's leader; Ratis's \
         `transferLeadership` does.\n\n# Reference\nHarvey, Ladner, Lovasz, Tamir: semi-matchings, \
         2006.",
    ),
];

/// Index of each pipeline's leader in its trio.
pub fn leaders(policy: &str, nodes: u32, pipelines: &[Trio], dice: &mut Dice) -> Vec<u8> {
    match policy {
        "fewest" => fewest(nodes, pipelines),
        "even" => even(nodes, pipelines),
        _ => pipelines.iter().map(|_| u8::try_from(dice.below(3)).expect("below 3")).collect(),
    }
}

fn fewest(nodes: u32, pipelines: &[Trio]) -> Vec<u8> {
    let mut leads = vec![0u32; nodes as usize];
    let mut one = |trio: &Trio| {
        let place = (0..3).min_by_key(|&i| leads[trio[i] as usize]).expect("three");
        leads[trio[place] as usize] += 1;
        u8::try_from(place).expect("a pipeline of three")
    };
    pipelines.iter().map(&mut one).collect()
}

/// Starts with `fewest`. While a node leads two pipelines more than one it can reach over
/// pipelines, moves a leadership along that path.
fn even(nodes: u32, pipelines: &[Trio]) -> Vec<u8> {
    let mut led = fewest(nodes, pipelines);
    loop {
        let mut leads = vec![0u32; nodes as usize];
        pipelines.iter().zip(&led).for_each(|(trio, &l)| leads[trio[l as usize] as usize] += 1);
        let mut order: Vec<u32> = (0..nodes).collect();
        order.sort_by_key(|&node| std::cmp::Reverse(leads[node as usize]));
        if !order.into_iter().any(|from| relieve(from, &leads, pipelines, &mut led)) {
            return led;
        }
    }
}

pub(crate) fn place_in(trio: &Trio, node: u32) -> u8 {
    let place = trio.iter().position(|&member| member == node).expect("a member");
    u8::try_from(place).expect("a pipeline of three")
}

/// Breadth-first search from an overloaded node to one that leads at least two pipelines less.
fn relieve(from: u32, leads: &[u32], pipelines: &[Trio], led: &mut [u8]) -> bool {
    let mut came: Vec<Option<usize>> = vec![None; leads.len()];
    let (mut queue, mut next) = (vec![from], 0);
    while let Some(&node) = queue.get(next) {
        next += 1;
        if leads[node as usize] + 2 <= leads[from as usize] {
            let mut to = node;
            while to != from {
                let p = came[to as usize].expect("on the way");
                let before = pipelines[p][led[p] as usize];
                led[p] = place_in(&pipelines[p], to);
                to = before
            }
            return true;
        }
        for (p, trio) in pipelines.iter().enumerate() {
            if trio[led[p] as usize] != node {
                continue;
            }
            for &other in trio {
                if other != from && came[other as usize].is_none() && other != node {
                    came[other as usize] = Some(p);
                    queue.push(other)
                }
            }
        }
    }
    false
}
