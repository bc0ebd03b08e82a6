//! Clusters whose pipelines are counted, and Tenbin's policy of each.
use ozone::policy::{Dice, Site, Trio, counts, leaders, placement};
use std::collections::BTreeSet;

/// Number of seeds of Tenbin's policy.
pub const DRAWS: u32 = 100;

pub const MOST_RACKS: u32 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// Nodes register slower than SCM opens pipelines, which it does from the third node on; else
    /// it waits for all nodes.
    pub one_by_one: bool,
    pub racks: u32,
    pub nodes: u32,
    pub limit: u32,
}

pub fn all() -> Vec<Case> {
    let of = |one_by_one, racks, nodes: &[u32], limits: &[u32]| {
        let pairs = nodes.iter().flat_map(|&nodes| limits.iter().map(move |&limit| (nodes, limit)));
        pairs.map(|(nodes, limit)| Case { one_by_one, racks, nodes, limit }).collect::<Vec<Case>>()
    };
    [
        of(false, 1, &[3, 4, 5, 6, 8, 10, 30], &[1, 2, 3, 4]),
        of(false, 1, &[100, 300, 1000], &[1, 3]),
        of(false, 2, &[8, 30], &[3]),
        of(false, 3, &[9, 31], &[2]),
        of(true, 1, &[4, 5, 8, 10], &[3]),
        of(true, 1, &[5], &[4]),
    ]
    .concat()
}

/// Open pipelines, their sets of nodes, fewest and most pipelines of a node, most that SCM wants a
/// node to lead, and pipelines on more than one rack.
pub type Counted = [u32; 6];
pub const NUMBERS: [&str; 6] = ["open", "sets", "fewest", "most", "most led", "on 2 racks"];
pub const OPEN: usize = 0;
pub const SETS: usize = 1;
pub const SPREAD: usize = 5;

/// `racks`: of each node; `led`: the leader of each pipeline.
pub fn counted(racks: &[u32], pipelines: &[Trio], led: &[u32]) -> Counted {
    let each = counts(units::u32_of(racks.len()), pipelines);
    let leads = |node: &u32| units::u32_of(led.iter().filter(|leader| *leader == node).count());
    let rack = |node: u32| racks[node as usize];
    let is_spread = |[a, b, c]: &&Trio| rack(*a) != rack(*b) || rack(*a) != rack(*c);
    [
        units::u32_of(pipelines.len()),
        units::u32_of(pipelines.iter().collect::<BTreeSet<_>>().len()),
        each.iter().min().copied().unwrap_or(0),
        each.iter().max().copied().unwrap_or(0),
        led.iter().map(leads).max().unwrap_or(0),
        units::u32_of(pipelines.iter().filter(is_spread).count()),
    ]
}

impl Case {
    pub fn formula(&self) -> u32 {
        self.limit * self.nodes / 3
    }

    /// Pipelines of Tenbin's policy by seed.
    pub fn ours(&self) -> Vec<Counted> {
        let policy = if self.one_by_one { "scm" } else { "scm-reopened" };
        let (policy, site) =
            (placement(policy).expect("a policy"), Site::new(self.nodes, self.racks, self.limit));
        let of = |seed: u32| {
            let mut dice = Dice(seed.into());
            let all = policy.place(&site, &mut dice);
            let led = leaders("fewest", self.nodes, &all, &mut dice);
            let led = all.iter().zip(led).map(|(trio, place)| trio[usize::from(place)]);
            counted(&site.racks, &all, &led.collect::<Vec<u32>>())
        };
        (1..=DRAWS).map(of).collect()
    }

    /// "8 nodes on 2 racks, limit 3"
    pub fn name(&self) -> String {
        let Case { one_by_one, racks, nodes, limit } = self;
        let racks = if *racks > 1 { format!(" on {racks} racks") } else { String::new() };
        let start = if *one_by_one { ", one by one" } else { "" };
        format!("{nodes} nodes{racks}, limit {limit}{start}")
    }
}
