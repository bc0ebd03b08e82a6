//! Classifies nodes by utilisation (`Balancer.init`).
use cluster::NodeId;

/// A node as reported to the balancer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StorageReport {
    pub node: NodeId,
    /// By blocks \[bytes\].
    pub used: u64,
    /// \[bytes\]; above 0.
    pub capacity: u64,
    /// Free space for HDFS \[bytes\].
    pub remaining: u64,
}

impl StorageReport {
    /// [percent]
    pub fn utilisation(&self) -> f64 {
        self.used as f64 * 100.0 / self.capacity as f64
    }
}

/// A node and what it may still give or take \[bytes\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBudget {
    pub node: NodeId,
    pub bytes: u64,
}

/// Nodes by class, each in the order of the reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Classes {
    /// Above the mean by more than the threshold.
    pub over: Vec<MoveBudget>,
    /// Above the mean, within the threshold.
    pub above: Vec<MoveBudget>,
    /// At the mean or below, within the threshold.
    pub below: Vec<MoveBudget>,
    /// Below the mean by more than the threshold.
    pub under: Vec<MoveBudget>,
    /// Bytes beyond the threshold, on the side that has more; 0: balanced.
    pub left: u64,
}

/// `most`: limit of what a node gives or takes in one iteration \[bytes\].
pub fn classify(nodes: &[StorageReport], threshold: f64, most: u64) -> Classes {
    let sum = |of: fn(&StorageReport) -> u64| nodes.iter().map(|n| of(n) as f64).sum::<f64>();
    let mean = sum(|n| n.used) * 100.0 / sum(|n| n.capacity);
    let (mut classes, mut too_much, mut too_little) = (Classes::default(), 0, 0);
    for fill in nodes {
        let off = fill.utilisation() - mean;
        let beyond = off.abs() - threshold;
        let bytes = of_capacity(off.abs(), fill.capacity).min(most);
        let (far, near, sum, bytes) = match off > 0.0 {
            true => (&mut classes.over, &mut classes.above, &mut too_much, bytes),
            false => {
                let bytes = bytes.min(fill.remaining);
                (&mut classes.under, &mut classes.below, &mut too_little, bytes)
            }
        };
        let room = MoveBudget { node: fill.node, bytes };
        if beyond > 0.0 {
            *sum += of_capacity(beyond, fill.capacity);
            far.push(room)
        } else {
            near.push(room)
        }
    }
    classes.left = too_much.max(too_little);
    classes
}

fn of_capacity(percent: f64, capacity: u64) -> u64 {
    units::floored_u64(percent * capacity as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(node: u32, used: u64, capacity: u64) -> StorageReport {
        StorageReport { node: NodeId(node), used, capacity, remaining: capacity - used }
    }

    fn drawn(rooms: &[MoveBudget]) -> String {
        rooms.iter().map(|r| format!("{}:{} ", r.node.0, r.bytes)).collect()
    }

    /// By hand: the mean is 50 %, so 80 and 65 are above, 45 and 10 below.
    #[test]
    fn a_node_stands_where_its_distance_to_the_mean_puts_it() {
        let nodes = [fill(0, 80, 100), fill(1, 65, 100), fill(2, 45, 100), fill(3, 10, 100)];
        let classes = classify(&nodes, 15.0, 1000);
        let all = [&classes.over, &classes.above, &classes.below, &classes.under];
        assert_eq!(all.map(|rooms| drawn(rooms)), ["0:30 ", "1:15 ", "2:5 ", "3:40 "]);
        // 80 is 15 beyond 65, 10 is 25 short of 35.
        assert_eq!(classes.left, 25);
        assert_eq!(drawn(&classify(&nodes, 15.0, 12).under), "3:12 ");
    }

    /// Compared with the definition, over all clusters of three nodes with a tenth as a step.
    #[test]
    fn all_small_clusters_stand_as_defined() {
        let tenths = 0..=10u64;
        for (a, b, c) in tenths.clone().flat_map(|a| {
            let tenths = 0..=10u64;
            tenths.clone().flat_map(move |b| (0..=10u64).map(move |c| (a, b, c)))
        }) {
            let nodes = [fill(0, a, 10), fill(1, b, 10), fill(2, 2 * c, 20)];
            // In units of 1/40 of a node's capacity, so that all numbers are integers; threshold
            // 12.5 %.
            let mean = a + b + 2 * c;
            let at = |used: u64| 4 * used;
            let classes = classify(&nodes, 12.5, u64::MAX);
            for (node, used) in [(0, a), (1, b), (2, c)] {
                let expected = match (at(used), mean) {
                    (at, mean) if at > mean + 5 => &classes.over,
                    (at, mean) if at > mean => &classes.above,
                    (at, mean) if at + 5 >= mean => &classes.below,
                    _ => &classes.under,
                };
                let found = expected.iter().any(|room| room.node.0 == node);
                assert!(found, "{a} {b} {c}: {node} in {classes:?}")
            }
            let far = |used: u64| at(used).abs_diff(mean) > 5;
            assert_eq!(
                classes.over.len() + classes.under.len(),
                [a, b, c].into_iter().filter(|used| far(*used)).count()
            );
        }
    }
}
