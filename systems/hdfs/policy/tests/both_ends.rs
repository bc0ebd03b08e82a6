//! `balance_loads` is optimal: compared with all assignments on small cases, with a cut and a
//! search for cost-reducing paths on large ones.
use hdfs_policy::rereplication::both_ends::{CopyRequest, balance_loads};

use crate::seeded::Seeded;

/// Copies between the nodes of a cluster: racks get nodes round-robin, a few nodes are not open.
struct Problem {
    copies: Vec<CopyRequest>,
    racks: Vec<Vec<u32>>,
    rack_of: Vec<u32>,
    open: Vec<bool>,
    base: Vec<u32>,
}

struct Size {
    copies: u64,
    nodes: u64,
    racks: u64,
    holders: u64,
    /// Nodes with low numbers hold more.
    skewed: bool,
}

impl Problem {
    /// `shut` percent of the nodes are not open.
    fn random(draw: &mut Seeded, size: Size, shut: u64) -> Problem {
        let rack_of: Vec<u32> = (0..size.nodes).map(|node| (node % size.racks) as u32).collect();
        let open: Vec<bool> = (0..size.nodes).map(|_| draw.below(100) >= shut).collect();
        let of = |rack| (0..size.nodes as u32).filter(move |node| node % size.racks as u32 == rack);
        let is_open = |node: &u32| open[*node as usize];
        let racks = (0..size.racks as u32).map(|rack| of(rack).filter(is_open).collect()).collect();
        let base = (0..size.nodes).map(|_| draw.below(4) as u32).collect();
        let mut problem = Problem { copies: Vec::new(), racks, rack_of, open, base };
        for _ in 0..20 * size.copies {
            let copy = problem.draw_copy(draw, &size);
            if (problem.copies.len() as u64) < size.copies
                && problem.targets(&copy).next().is_some()
            {
                problem.copies.push(copy);
            }
        }
        problem
    }

    fn draw_copy(&self, draw: &mut Seeded, size: &Size) -> CopyRequest {
        let mut sources: Vec<u32> = Vec::new();
        for _ in 0..=draw.below(size.holders) {
            let other = if size.skewed { draw.below(size.nodes) } else { u64::MAX };
            let node = draw.below(size.nodes).min(other) as u32;
            if !sources.contains(&node) {
                sources.push(node);
            }
        }
        let awaits = draw.one_in(3).then_some(draw.below(size.nodes) as u32);
        let taken = sources.iter().copied().chain(awaits).collect();
        let home = self.rack_of[sources[0] as usize];
        let one_rack = sources.iter().all(|&node| self.rack_of[node as usize] == home);
        let barred = (size.racks > 1 && (one_rack || draw.one_in(4))).then_some(home);
        CopyRequest { sources, taken, barred }
    }

    fn targets<'a>(&'a self, copy: &'a CopyRequest) -> impl Iterator<Item = u32> + 'a {
        let may = |&node: &u32| {
            let rack = self.rack_of[node as usize];
            self.open[node as usize] && !copy.taken.contains(&node) && copy.barred != Some(rack)
        };
        (0..self.open.len() as u32).filter(may)
    }

    fn solve(&self) -> (Vec<(u32, u32)>, Vec<u32>) {
        let mut load = self.base.clone();
        let ends = balance_loads(&self.copies, &self.racks, &mut load);
        let mut counted = self.base.clone();
        for (copy, &(source, target)) in self.copies.iter().zip(&ends) {
            assert!(copy.sources.contains(&source), "{copy:?}: {source}");
            assert!(self.open[target as usize] && !copy.taken.contains(&target), "{copy:?}");
            assert!(copy.barred != Some(self.rack_of[target as usize]), "{copy:?}: {target}");
            counted[source as usize] += 1;
            counted[target as usize] += 1;
        }
        assert_eq!(counted, load);
        (ends, load)
    }

    /// Least largest load and least sum of squares over all assignments.
    fn brute_force(&self, task: usize, load: &mut [u32]) -> (u32, u64) {
        let Some(copy) = self.copies.get(task / 2) else {
            return (load.iter().copied().max().unwrap_or(0), squares(load));
        };
        let who: Vec<u32> = match task % 2 {
            0 => copy.sources.clone(),
            _ => self.targets(copy).collect(),
        };
        let mut best = (u32::MAX, u64::MAX);
        for node in who {
            load[node as usize] += 1;
            let (most, cost) = self.brute_force(task + 1, load);
            best = (best.0.min(most), best.1.min(cost));
            load[node as usize] -= 1;
        }
        best
    }

    /// Nodes to which a task of `start` can be passed, in any number of steps.
    fn reachable(&self, start: u32, ends: &[(u32, u32)]) -> Vec<u32> {
        let mut seen = vec![false; self.open.len()];
        seen[start as usize] = true;
        let mut found = vec![start];
        let mut unseen: Vec<u32> = (0..self.open.len() as u32).collect();
        let mut tasks = vec![Vec::new(); self.open.len()];
        for (copy, &(source, target)) in self.copies.iter().zip(ends) {
            tasks[source as usize].push((copy, true));
            tasks[target as usize].push((copy, false));
        }
        let mut at = 0;
        while at < found.len() {
            for &(copy, is_source) in &tasks[found[at] as usize] {
                let may = |node: u32| match is_source {
                    true => copy.sources.contains(&node),
                    false => {
                        let barred = copy.barred == Some(self.rack_of[node as usize]);
                        self.open[node as usize] && !barred && !copy.taken.contains(&node)
                    }
                };
                unseen.retain(|&node| {
                    let new = may(node) && !seen[node as usize];
                    if new {
                        seen[node as usize] = true;
                        found.push(node);
                    }
                    !new
                });
            }
            at += 1;
        }
        found
    }
}

fn squares(load: &[u32]) -> u64 {
    load.iter().map(|&n| u64::from(n) * u64::from(n)).sum()
}

#[test]
fn equals_brute_force() {
    let mut planned = 0;
    for seed in 0..4_000 {
        let mut draw = Seeded(seed);
        let (copies, nodes) = (1 + draw.below(4), 3 + draw.below(5));
        let (racks, holders) = (1 + draw.below(3), 1 + draw.below(3));
        let size = Size { copies, nodes, racks, holders, skewed: draw.one_in(2) };
        let problem = Problem::random(&mut draw, size, 20);
        let (_, load) = problem.solve();
        let found = (load.iter().copied().max().expect("nodes"), squares(&load));
        let best = problem.brute_force(0, &mut problem.base.clone());
        assert_eq!(found, best, "seed {seed}");
        planned += problem.copies.len();
    }
    assert!(planned > 8_000, "{planned} copies say little");
}

/// A cut: nodes that pass tasks only among themselves. All have at least L − 1 tasks and one has L,
/// so in every assignment one of them has L.
#[test]
fn a_cut_proves_large_ones() {
    let sizes =
        [(40_000, 10_000, 250, 3), (2_000, 500, 4, 2), (5_000, 5_000, 2, 1), (30, 900, 9, 2)];
    let both = [false, true].into_iter().flat_map(|skewed| sizes.map(|size| (skewed, size)));
    for (seed, (skewed, (copies, nodes, racks, holders))) in both.enumerate() {
        let mut draw = Seeded(seed as u64);
        let size = Size { copies, nodes, racks, holders, skewed };
        let problem = Problem::random(&mut draw, size, 10);
        let (ends, load) = problem.solve();
        let most = load.iter().copied().max().expect("nodes");
        let fullest = load.iter().position(|&n| n == most).expect("one has it") as u32;
        let cut = problem.reachable(fullest, &ends);
        let least = cut.iter().map(|&node| load[node as usize]).min();
        println!("{copies} copies, {nodes} nodes: {most}, {} nodes in the cut", cut.len());
        assert!(least >= Some(most - 1), "{copies} on {nodes}: {least:?} beside {most}");
    }
}

/// No node can pass a task to one with at least two fewer, so no convex cost can decrease.
#[test]
fn no_way_is_shorter() {
    for seed in 0..60 {
        let mut draw = Seeded(seed);
        let (racks, holders) = (1 + draw.below(6), 1 + draw.below(3));
        let size = Size { copies: 80, nodes: 60, racks, holders, skewed: seed % 2 == 0 };
        let problem = Problem::random(&mut draw, size, 30);
        let (ends, load) = problem.solve();
        for start in 0..60 {
            let cut = problem.reachable(start, &ends);
            let least = cut.iter().map(|&node| load[node as usize]).min().expect("itself");
            assert!(least + 1 >= load[start as usize], "seed {seed}, node {start}");
        }
    }
}

/// A quadratic step would take minutes.
#[test]
fn many_blocks_on_many_nodes() {
    for (racks, shut) in [(250, 0), (250, 50), (2, 0), (1, 0)] {
        let skewed = shut > 0;
        let size = Size { copies: 40_000, nodes: 10_000, racks, holders: 3, skewed };
        let problem = Problem::random(&mut Seeded(7), size, shut);
        let (_, load) = problem.solve();
        assert!(load.iter().any(|&load| load > 0), "{racks} racks, {shut} % shut");
    }
}
