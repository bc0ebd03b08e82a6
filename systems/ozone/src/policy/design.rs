//! Balanced block designs of triples: every two nodes meet in at most one pipeline.
use super::Trio;

/// Bose's Steiner triple system (1939) of 6t + 3 nodes: N(N−1)/6 triples, every pair in one.
pub(super) fn bose(nodes: u32) -> Option<Vec<Trio>> {
    if nodes % 6 != 3 {
        return None;
    }
    let q = nodes / 3;
    let point = |x: u32, level: u32| x + q * (level % 3);
    let half = q.div_ceil(2);
    let mut all: Vec<Trio> =
        (0..q).map(|x| [point(x, 0), point(x, 1), point(x, 2)]).collect();
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

/// `rounds` base blocks {0, a, a+b} developed modulo `nodes`: each node in 3 · rounds triples, and
/// in no two of them with the same other, for no difference comes twice. `None` where the search
/// in ascending order finds no such blocks.
pub(super) fn cyclic(nodes: u32, rounds: u32) -> Option<Vec<Trio>> {
    let mut used = vec![false; nodes as usize];
    let mut all = Vec::new();
    for _ in 0..rounds {
        let (a, c) = base(nodes, &used)?;
        for d in [a, c, c - a] {
            used[d as usize] = true;
            used[(nodes - d) as usize] = true
        }
        for shift in 0..nodes {
            let mut trio = [0, a, c].map(|point| (point + shift) % nodes);
            trio.sort_unstable();
            all.push(trio)
        }
    }
    Some(all)
}

/// The first block {0, a, c} of which no difference is used, and all six are distinct.
fn base(nodes: u32, used: &[bool]) -> Option<(u32, u32)> {
    let pairs = (1..nodes).flat_map(|a| (a + 1..nodes).map(move |c| (a, c)));
    let fresh = |&(a, c): &(u32, u32)| {
        let mut six = [a, c, c - a, nodes - a, nodes - c, nodes - c + a];
        let unused = six.iter().all(|&d| !used[d as usize]);
        six.sort_unstable();
        unused && six.windows(2).all(|two| two[0] < two[1])
    };
    pairs.into_iter().find(fresh)
}

/// In how many pipelines each two nodes meet, by (lower, higher) in order.
pub fn pairs(nodes: u32, pipelines: &[Trio]) -> Vec<u32> {
    let mut met = vec![0; (nodes * nodes) as usize];
    for &[a, b, c] in pipelines {
        for (x, y) in [(a, b), (a, c), (b, c)] {
            met[(x.min(y) * nodes + x.max(y)) as usize] += 1
        }
    }
    (0..nodes).flat_map(|x| (x + 1..nodes).map(move |y| x * nodes + y))
        .map(|place| met[place as usize])
        .collect()
}
