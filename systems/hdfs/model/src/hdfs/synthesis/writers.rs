//! Distribution of writers: on nodes that hold more than the policy alone would give them.
use cluster::NodeId;
use engine::Draw;
use hdfs_scenario::NodeContent;

/// Rounds of fitting the racks' shares; the error halves in each.
const ROUNDS: usize = 40;

pub(super) struct Writers {
    /// By node: mean number of a block's other replicas that the policy gives it.
    pub(super) even: Vec<f64>,
    /// Cumulative shares by node.
    sums: Vec<f64>,
}

impl Writers {
    /// A node's share of the writers is what it holds beyond second and third replicas, which the
    /// policy spreads evenly over other racks. `racks`: by node.
    pub(super) fn new(held: &[NodeContent], racks: &[u32], replicas_per_block: f64) -> Writers {
        let count = racks.iter().max().map_or(0, |r| *r as usize + 1);
        let total: f64 = held.iter().map(|h| h.blocks as f64).sum();
        let blocks = (total / replicas_per_block.max(1.0)).max(1.0);
        let mut size = vec![0.0; count];
        let mut holds = vec![0.0; count];
        for (held, &rack) in held.iter().zip(racks).filter(|(h, _)| h.blocks > 0) {
            size[rack as usize] += 1.0;
            holds[rack as usize] += held.blocks as f64 / blocks
        }
        let others = (replicas_per_block - 1.0).max(0.0);
        let writes = rack_shares(&size, &holds, others);
        let arrive = arrivals(&writes, &size);
        let mut beyond: Vec<f64> = Vec::with_capacity(held.len());
        let mut evens: Vec<f64> = Vec::with_capacity(held.len());
        let mut of_rack = vec![0.0; count];
        for (held, &rack) in held.iter().zip(racks) {
            let rack = rack as usize;
            let even = others * arrive[rack] / size[rack].max(1.0);
            let own = if held.blocks > 0 { held.blocks as f64 / blocks - even } else { 0.0 };
            beyond.push(own.max(0.0));
            evens.push(if held.blocks > 0 { even } else { 0.0 });
            of_rack[rack] += own.max(0.0)
        }
        let mut sum = 0.0;
        let share = |(at, own): (usize, f64)| {
            let rack = racks[at] as usize;
            let alone = if held[at].blocks > 0 { 1.0 / size[rack] } else { 0.0 };
            let of = if of_rack[rack] > 0.0 { own / of_rack[rack] } else { alone };
            sum += writes[rack] * of;
            sum
        };
        Writers { sums: beyond.into_iter().enumerate().map(share).collect(), even: evens }
    }

    /// By node: fraction of all writers.
    pub(super) fn shares(&self) -> Vec<f64> {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let before = std::iter::once(&0.0).chain(&self.sums);
        let part = |(sum, before): (&f64, &f64)| (sum - before) / total.max(f64::MIN_POSITIVE);
        self.sums.iter().zip(before).map(part).collect()
    }

    pub(super) fn draw(&self, dice: &mut Draw) -> NodeId {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let at = dice.unit() * total;
        let place = self.sums.partition_point(|sum| *sum <= at);
        NodeId(units::narrow::<u32>(place.min(self.sums.len().saturating_sub(1))))
    }
}

/// Each rack's share of the other replicas: those of a block go to one rack, not the writer's.
fn arrivals(writes: &[f64], size: &[f64]) -> Vec<f64> {
    let nodes: f64 = size.iter().sum();
    if size.iter().filter(|n| **n > 0.0).count() < 2 {
        return writes.to_vec();
    }
    let per_node: Vec<f64> = writes
        .iter()
        .zip(size)
        .map(|(w, n)| if *n < nodes { w / (nodes - n) } else { 0.0 })
        .collect();
    let all: f64 = per_node.iter().sum();
    per_node.iter().zip(size).map(|(own, n)| (all - own) * n).collect()
}

/// Each rack's share of the writers. With few racks the replicas held do not determine the writers
/// (with three equal racks not at all). Writers are then spread by rack size, and moves of replicas
/// correct the rest.
fn rack_shares(size: &[f64], holds: &[f64], others: f64) -> Vec<f64> {
    let nodes: f64 = size.iter().sum::<f64>().max(1.0);
    let even: Vec<f64> = size.iter().map(|n| n / nodes).collect();
    if size.iter().any(|n| *n > 0.3 * nodes) {
        return even;
    }
    let mut writes = even;
    for _ in 0..ROUNDS {
        let arrive = arrivals(&writes, size);
        for rack in 0..size.len() {
            let error = holds[rack] - writes[rack] - others * arrive[rack];
            writes[rack] = (writes[rack] + 0.5 * error).max(0.0)
        }
        let sum: f64 = writes.iter().sum();
        if sum > 0.0 {
            writes.iter_mut().for_each(|w| *w /= sum)
        }
    }
    writes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_holds_more_writes_more() {
        let racks: Vec<u32> = (0..40).map(|n| n / 10).collect();
        // Its additional 600 blocks have their other replicas in other racks, 40 on each node.
        let blocks = |n: usize| if n == 3 { 1500 } else { 900 + 40 * u64::from(n >= 10) };
        let held: Vec<NodeContent> =
            (0..40).map(|n| NodeContent { blocks: blocks(n), ..NodeContent::default() }).collect();
        let writers = Writers::new(&held, &racks, 3.0);
        let mut dice = Draw::keyed(1, "test", 0, 0);
        let mut drawn = [0; 40];
        (0..100_000).for_each(|_| drawn[writers.draw(&mut dice).at()] += 1);
        let others = (100_000 - drawn[3]) / 39;
        assert!((2.7..3.3).contains(&(f64::from(drawn[3]) / f64::from(others))), "{drawn:?}");
    }
}
