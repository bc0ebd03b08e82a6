//! Balanced block designs of triples: any two nodes share at most one pipeline.
use super::Trio;

/// Steiner triple system of Bose 1939 for 6t + 3 nodes: N(N−1)/6 triples, with each pair in exactly
/// one.
pub(super) fn bose_design(nodes: u32) -> Option<Vec<Trio>> {
    if nodes % 6 != 3 {
        return None;
    }
    let q = nodes / 3;
    let point = |x: u32, level: u32| x + q * (level % 3);
    let half = q.div_ceil(2);
    let mut all: Vec<Trio> = (0..q).map(|x| [point(x, 0), point(x, 1), point(x, 2)]).collect();
    for (x, y) in (0..q).flat_map(|x| (x + 1..q).map(move |y| (x, y))) {
        let middle = (x + y) * half % q;
        for level in 0..3 {
            let mut trio = [point(x, level), point(y, level), point(middle, level + 1)];
            trio.sort_unstable();
            all.push(trio)
        }
    }
    Some(all)
}

/// `rounds` base blocks {0, a, c} developed modulo `nodes`. Each node is in 3 · rounds triples,
/// never twice with the same other node, since no difference occurs twice. `None`: no such blocks
/// exist, or none was found within the step limit.
pub(super) fn cyclic(nodes: u32, rounds: u32) -> Option<Vec<Trio>> {
    let mut search = Search { nodes, used: vec![false; nodes as usize], steps: 100_000 };
    let mut blocks = Vec::new();
    if !search.more(1, rounds, &mut blocks) {
        return None;
    }
    let shifted = |&(a, c): &(u32, u32)| {
        (0..nodes).map(move |shift| {
            let mut trio = [0, a, c].map(|point| (point + shift) % nodes);
            trio.sort_unstable();
            trio
        })
    };
    Some(blocks.iter().flat_map(shifted).collect())
}

/// Backtracking search for base blocks.
struct Search {
    nodes: u32,
    /// Differences that occur in a block.
    used: Vec<bool>,
    steps: u32,
}

impl Search {
    /// Adds `rounds` blocks with first differences of at least `from`.
    fn more(&mut self, from: u32, rounds: u32, blocks: &mut Vec<(u32, u32)>) -> bool {
        if rounds == 0 {
            return true;
        }
        for a in from..self.nodes {
            for c in a + 1..self.nodes {
                if self.steps == 0 {
                    return false;
                }
                self.steps -= 1;
                let Some(six) = self.fresh(a, c) else { continue };
                six.iter().for_each(|&d| self.used[d as usize] = true);
                blocks.push((a, c));
                if self.more(a + 1, rounds - 1, blocks) {
                    return true;
                }
                blocks.pop();
                six.iter().for_each(|&d| self.used[d as usize] = false)
            }
        }
        false
    }

    /// The six differences of {0, a, c}; `None` if they are not distinct, or in use.
    fn fresh(&self, a: u32, c: u32) -> Option<[u32; 6]> {
        let n = self.nodes;
        let mut six = [a, c, c - a, n - a, n - c, n - c + a];
        six.sort_unstable();
        let distinct = six.windows(2).all(|two| two[0] < two[1]);
        (distinct && six.iter().all(|&d| !self.used[d as usize])).then_some(six)
    }
}

/// Number of pipelines that each pair of nodes shares, ordered by (lower, higher).
pub fn pairs(nodes: u32, pipelines: &[Trio]) -> Vec<u32> {
    let mut met = vec![0; (nodes * nodes) as usize];
    for &[a, b, c] in pipelines {
        for (x, y) in [(a, b), (a, c), (b, c)] {
            met[(x.min(y) * nodes + x.max(y)) as usize] += 1
        }
    }
    (0..nodes)
        .flat_map(|x| (x + 1..nodes).map(move |y| x * nodes + y))
        .map(|place| met[place as usize])
        .collect()
}
