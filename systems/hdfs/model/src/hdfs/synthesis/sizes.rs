//! Fits block lengths to the bytes that each node holds.
//!
//! Most blocks of a file are full, its last is not. So a share of the blocks has `dfs.blocksize`,
//! the others any length below it, with the mean of the cluster. Rounds then scale the others node
//! by node until each node's sum is right. A group is long enough to have bytes in every unit.
use crate::hdfs::striped::Code;
use cluster::{BlockIndex, NodeId};
use engine::Draw;
use hdfs_scenario::{BlockMap, NodeContent, Redundancy};
use units::u32_of;

/// Data bytes as a fraction of `used`, which includes checksums: 4 bytes for 512
/// (`dfs.bytes-per-checksum`).
const OF_USED: (u64, u64) = (512, 516);

/// Relative error of a node's bytes at which scaling ends.
const CLOSE: f64 = 0.002;
const ROUNDS: usize = 24;

/// Relative error of a node above which full blocks are scaled, too.
const FAR: f64 = 0.01;

/// Data bytes per node; `None` for nodes not in `only`.
pub(super) fn targets(held: &[NodeContent], only: Option<&[NodeId]>) -> Vec<Option<u64>> {
    let (mul, div) = (u128::from(OF_USED.0), u128::from(OF_USED.1));
    let data = |held: &NodeContent| units::narrow::<u64>(u128::from(held.used.0) * mul / div);
    let fits = |at: usize| only.is_none_or(|nodes| nodes.contains(&NodeId(u32_of(at))));
    held.iter().enumerate().map(|(at, held)| fits(at).then(|| data(held))).collect()
}

pub(super) fn fit(
    map: &mut BlockMap,
    held: &[NodeContent],
    target: &[Option<u64>],
    blocksize: u64,
    seed: u64,
) {
    let mean = mean(held, target).or_else(|| mean(held, &targets(held, None))).unwrap_or(0);
    // Blocks above the setting were written under another one.
    let full = blocksize.max(mean).max(1);
    start(map, full, mean, seed);
    if scale(map, target, full, false) > FAR {
        scale(map, target, full, true);
    }
    for at in 0..map.id.len() {
        if let Redundancy::ErasureCoded { data, .. } = map.redundancy[at] {
            // Units of all indices are placed, so each must have bytes.
            let whole = map.bytes[at].saturating_mul(u64::from(data.max(1)));
            map.bytes[at] = whole.max(Code::shortest_length(data).0)
        }
    }
}

/// Mean bytes of a replica on the nodes with a target; `None` without replicas.
fn mean(held: &[NodeContent], target: &[Option<u64>]) -> Option<u64> {
    let of = |(held, target): (&NodeContent, &Option<u64>)| Some((held.blocks, (*target)?));
    let known = held.iter().zip(target).filter_map(of);
    let (replicas, sum) = known.fold((0u128, 0u128), |(replicas, sum), (blocks, bytes)| {
        (replicas + u128::from(blocks), sum + u128::from(bytes))
    });
    (replicas > 0).then(|| units::narrow::<u64>(sum / replicas))
}

/// Chooses full blocks and others at random.
fn start(map: &mut BlockMap, full: u64, mean: u64, seed: u64) {
    let share = (2.0 * mean as f64 / full as f64 - 1.0).clamp(0.0, 1.0);
    let widest = (2 * mean).min(full).max(1);
    for (at, bytes) in (0..).zip(&mut map.bytes) {
        let mut dice = Draw::keyed(seed, "synthesis size", at, 0);
        *bytes = if dice.unit() < share { full } else { 1 + dice.below(widest) }.min(full)
    }
}

/// Scales lengths, those of full blocks only if `all`. Returns the largest relative error of a
/// node.
fn scale(map: &mut BlockMap, target: &[Option<u64>], full: u64, all: bool) -> f64 {
    let mut worst = 0.0;
    for round in 0..=ROUNDS {
        let (total, free) = sums(map, target.len(), if all { u64::MAX } else { full });
        worst = off(&total, target);
        if worst <= CLOSE || round == ROUNDS {
            break;
        }
        let factor = |at: usize| {
            let Some(target) = target[at] else { return 1.0 };
            let wish = target as f64 - (total[at] - free[at]);
            if free[at] > 0.0 { (wish / free[at]).clamp(0.25, 4.0) } else { 1.0 }
        };
        let factors: Vec<f64> = (0..target.len()).map(factor).collect();
        for block in 0..map.len() {
            let replicas = map.replicas(BlockIndex(block));
            let bytes = map.bytes[block as usize];
            if (bytes == full && !all) || replicas.is_empty() {
                continue;
            }
            let sum: f64 = replicas.iter().map(|r| factors[r.node.at()]).sum();
            let scaled = bytes as f64 * sum / replicas.len() as f64;
            // Below a full block, else the next round would take it for one.
            let most = if all { full } else { (full - 1).max(1) };
            map.bytes[block as usize] = units::floored_u64(scaled).clamp(1, most)
        }
    }
    worst
}

/// Bytes of each node: all, and those of blocks that are not `full`.
fn sums(map: &BlockMap, nodes: usize, full: u64) -> (Vec<f64>, Vec<f64>) {
    let (mut total, mut free) = (vec![0.0; nodes], vec![0.0; nodes]);
    for block in 0..map.len() {
        let bytes = map.bytes[block as usize];
        for replica in map.replicas(BlockIndex(block)) {
            total[replica.node.at()] += bytes as f64;
            free[replica.node.at()] += if bytes == full { 0.0 } else { bytes as f64 }
        }
    }
    (total, free)
}

fn off(total: &[f64], target: &[Option<u64>]) -> f64 {
    let far = |(have, want): (&f64, &Option<u64>)| match want {
        None | Some(0) => 0.0,
        Some(want) => (have / *want as f64 - 1.0).abs(),
    };
    total.iter().zip(target).map(far).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cluster::DiskId;
    use hdfs_scenario::{Replica, ReplicaState};
    use units::Bytes;

    /// Nodes hold so little that a unit would have 100 kB of a cell of 1 MiB.
    #[test]
    fn each_unit_of_a_group_has_bytes() {
        let mut map = BlockMap::default();
        let unit = |index: u8| Replica {
            node: NodeId(index.into()),
            disk: DiskId(0),
            state: ReplicaState::Live,
            index,
        };
        let rows: Vec<Replica> = (0..9).map(unit).collect();
        let redundancy = Redundancy::ErasureCoded { data: 6, parity: 3 };
        (0..50).for_each(|group| map.push(16 * group, 0, redundancy, &rows));
        let held = vec![NodeContent { blocks: 50, used: Bytes(5_000_000) }; 9];
        fit(&mut map, &held, &targets(&held, None), 128 << 20, 1);
        for bytes in map.bytes {
            let code = Code { data: 6, parity: 3, bytes: Bytes(bytes) };
            assert!(rows.iter().all(|unit| code.has(unit.index)), "{bytes} bytes")
        }
    }
}
