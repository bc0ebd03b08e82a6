//! Input of the balancer.
use cluster::BlockIndex;
use hdfs_scenario::{BlockMap, Redundancy, Scenario};

pub struct Balancing {
    /// `[workload.balancer]` and the settings that limit it.
    pub keys: hdfs_scenario::Balancer,
    /// By `NodeId` \[bytes\].
    pub capacity: Vec<u64>,
    /// Free space for HDFS at the start, by `NodeId` \[bytes\].
    pub remaining: Vec<u64>,
    /// Bytes of blocks at the start, by `NodeId`.
    pub used: Vec<u64>,
    /// No node or disk is lost and none leaves: the run lasts until the balancer ends.
    pub alone: bool,
}

impl Balancing {
    /// `None` if no balancer runs. Nodes of a synthetic cluster are equal, with the capacity that
    /// gives `mean_utilisation`.
    ///
    /// # Errors
    /// If the blocks of a node exceed its capacity.
    pub fn new(scenario: &Scenario, blocks: &BlockMap) -> Result<Option<Balancing>, String> {
        let Some(keys) = scenario.balancer.clone() else { return Ok(None) };
        let nodes = &scenario.cluster.nodes;
        let used = used_bytes(blocks, nodes.len());
        let (capacity, remaining): (Vec<u64>, Vec<u64>) = match keys.mean_utilisation {
            None => nodes.iter().map(|n| (n.capacity.0, n.remaining.0)).unzip(),
            Some(percent) => {
                let (all, count) = (used.iter().map(|u| u128::from(*u)).sum::<u128>(), nodes.len());
                let each = all * 100 / (u128::from(percent) * count as u128);
                let each = units::narrow::<u64>(each).max(1);
                refuse_overfull(scenario, percent, &used, each)?;
                used.iter().map(|u| (each, each.saturating_sub(*u))).unzip()
            }
        };
        let alone = scenario.events.iter().all(|event| event.kind.node().is_none());
        Ok(Some(Balancing { keys, capacity, remaining, used, alone }))
    }
}

/// Random placement is uneven: at a high mean utilisation the fullest node cannot hold its blocks.
fn refuse_overfull(
    scenario: &Scenario,
    percent: u32,
    used: &[u64],
    capacity: u64,
) -> Result<(), String> {
    let Some((most, node)) = used.iter().copied().zip(&scenario.cluster.nodes).max_by_key(|u| u.0)
    else {
        return Ok(());
    };
    if most <= capacity {
        return Ok(());
    }
    let full = most as f64 * 100.0 / capacity as f64;
    Err(format!(
        "{}: workload.balancer.mean_utilisation: {percent} % on average: {} would begin {full:.1} \
         % full; expected at most {}",
        scenario.file.display(),
        node.host,
        u128::from(percent) * u128::from(capacity) / u128::from(most)
    ))
}

/// Bytes of replicas per node; each internal block of a group counts as its part.
pub(super) fn used_bytes(blocks: &BlockMap, nodes: usize) -> Vec<u64> {
    let mut used = vec![0; nodes];
    for block in (0..blocks.len()).map(BlockIndex) {
        let bytes = match blocks.redundancy[block.at()] {
            Redundancy::Replicated(_) => blocks.bytes(block).0,
            Redundancy::ErasureCoded { data, .. } => blocks.bytes(block).0 / u64::from(data.max(1)),
        };
        blocks.replicas(block).iter().for_each(|r| used[r.node.at()] += bytes)
    }
    used
}
