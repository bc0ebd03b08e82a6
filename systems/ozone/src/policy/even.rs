//! Placement with even counts per node and per pair of nodes.
use super::{Dice, Placement, Site, Trio, counts, design};

pub(super) struct Even;

impl Placement for Even {
    fn name(&self) -> &'static str {
        "even"
    }
    fn doc(&self) -> &'static str {
        "Evens out how many pipelines a node is in, and how many two nodes share.\n\n# What it \
         decides\n⌊limit·N/3⌋ pipelines. If a balanced block design of that many triples exists \
         (Bose's, or one developed from base blocks), its triples; else one by one the triple of \
         the least loaded nodes that share the fewest pipelines. With several racks a pipeline is \
         on two.\n\n# When it helps\nIf 3 does not divide N, and when a node is lost: its load is \
         divided among all others.\n\n# What it costs\nCode: no setting of Ozone places pipelines \
         in this way. If 3 divides N, no gain is measurable.\n\n# Reference\nBose 1939; \
         `ozone.scm.pipeline.placement.impl` accepts such a policy."
    }
    fn place(&self, site: &Site, _: &mut Dice) -> Vec<Trio> {
        let (nodes, most) = (site.nodes(), site.max_pipelines());
        let one_rack = site.racks.windows(2).all(|two| two[0] == two[1]);
        let greedy = greedy(site);
        if !one_rack || nodes < 7 || most == 0 {
            return greedy;
        }
        let bose = design::bose_design(nodes).filter(|all| all.len() == most as usize);
        let cyclic = || most.is_multiple_of(nodes).then(|| design::cyclic(nodes, most / nodes));
        let design = bose.or_else(|| cyclic().flatten());
        match design {
            Some(design) if spread(nodes, &design) < spread(nodes, &greedy) => design,
            _ => greedy,
        }
    }
}

/// Pipelines per node: maximum minus minimum; pipelines per pair: maximum.
fn spread(nodes: u32, pipelines: &[Trio]) -> (u32, u32) {
    let counts = counts(nodes, pipelines);
    let apart = counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0);
    (apart, design::pairs(nodes, pipelines).into_iter().max().unwrap_or(0))
}

/// Adds pipelines one at a time, each from nodes with least load, then with fewest shared
/// pipelines.
fn greedy(site: &Site) -> Vec<Trio> {
    let nodes = site.nodes();
    if nodes < 3 {
        return Vec::new();
    }
    let mut load = vec![0u32; nodes as usize];
    let mut met = vec![0u32; (nodes * nodes) as usize];
    let racks_differ = |trio: &[u32]| {
        let first = site.racks[trio[0] as usize];
        trio.iter().any(|&node| site.racks[node as usize] != first)
    };
    let several = racks_differ(&(0..nodes).collect::<Vec<u32>>());
    let mut all = Vec::new();
    for _ in 0..site.max_pipelines() {
        let mut trio: Vec<u32> = Vec::new();
        while trio.len() < 3 {
            let cost = |&node: &u32| {
                let one_rack = several && trio.len() == 2 && {
                    let with: Vec<u32> = trio.iter().copied().chain([node]).collect();
                    !racks_differ(&with)
                };
                let shared: u32 =
                    trio.iter().map(|&other| met[(node * nodes + other) as usize]).sum();
                (one_rack, load[node as usize], shared, node)
            };
            let free = (0..nodes).filter(|node| !trio.contains(node));
            let next = free.min_by_key(cost).expect("three nodes at least");
            load[next as usize] += 1;
            for &other in &trio {
                met[(next * nodes + other) as usize] += 1;
                met[(other * nodes + next) as usize] += 1
            }
            trio.push(next)
        }
        trio.sort_unstable();
        all.push([trio[0], trio[1], trio[2]])
    }
    all
}
