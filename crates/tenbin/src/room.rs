//! How much memory a run of a drawn cluster takes, said and judged before it starts.
use crate::failure::Failure;
use crate::{job, memory, say};
use cluster::{Blocks, NodeId, Scenario};
use std::collections::BTreeSet;
use std::fmt;

/// Bytes of a node, a block, a replica, and of the trace for a block that is repaired: fitted to
/// the peaks of runs with 50 to 100 000 nodes and 1 to 100 million replicas. An order of magnitude.
const NODE: u128 = 2_500;
const BLOCK: u128 = 30;
const REPLICA: u128 = 20;
const REPAIR: u128 = 2_600;

/// A map numbers its replicas with 32 bits.
const MOST_REPLICAS: u128 = u32::MAX as u128;

/// Less is not worth a line on the terminal.
const WORTH_SAYING: u128 = 1_000_000_000;

/// What a run needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    nodes: u128,
    /// Of these, nodes whose blocks are drawn.
    drawn: u128,
    on_lost: u128,
    /// Replicas of a block.
    each: u128,
}

impl Need {
    /// Of a drawn map; a map in a file is as large as the import that made it.
    pub fn of(scenario: &Scenario) -> Option<Need> {
        let Blocks::Drawn(workload) = &scenario.blocks else { return None };
        let nodes = scenario.cluster.nodes.len() as u128;
        let each = u128::from(scenario.hdfs.replication).min(nodes).max(1);
        let named: BTreeSet<NodeId> =
            scenario.events.iter().filter_map(|event| event.kind.node()).collect();
        // A block that is concerned brings its other replicas along.
        let concerned = (named.len() as u128 * each).min(nodes).max(1);
        let drawn = if workload.concerned_only { concerned } else { nodes };
        Some(Need { nodes, drawn, on_lost: workload.blocks_on_lost_node.into(), each })
    }

    /// Every node holds about as many blocks as the lost one.
    fn replicas(&self) -> u128 {
        self.drawn * self.on_lost
    }

    /// Bytes.
    pub fn bytes(&self) -> u128 {
        let map = self.replicas().div_ceil(self.each) * self.per_block();
        self.nodes * NODE + self.on_lost * REPAIR + map
    }

    fn per_block(&self) -> u128 {
        BLOCK + REPLICA * self.each
    }

    /// Blocks on the lost node that `bytes` have room for.
    fn most(&self, bytes: u128) -> u128 {
        let room = bytes.saturating_sub(self.nodes * NODE + self.per_block());
        let per_lost = REPAIR * self.each + self.drawn * self.per_block();
        (room.saturating_mul(self.each) / per_lost).min(MOST_REPLICAS / self.drawn)
    }

    /// The key that asks for too much, what it comes to, and what there is room for.
    fn refusal(&self, physical: u128) -> Option<(&'static str, String, String)> {
        if self.bytes() <= physical && self.replicas() <= MOST_REPLICAS {
            return None;
        }
        let here = format!("this machine has {}", size(physical));
        Some(match self.most(physical) {
            0 => {
                let problem = format!("{} nodes need {self}", self.nodes);
                ("cluster.nodes_per_rack", problem, format!("fewer nodes: {here}"))
            }
            most => {
                let problem = format!("{} on each of {} nodes: {self}", self.on_lost, self.nodes);
                ("workload.blocks_on_lost_node", problem, format!("at most {most} ({here})"))
            }
        })
    }
}

impl fmt::Display for Need {
    /// "memory for 1.2 million replicas: about 70 MB a run"
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (replicas, bytes) = (count(self.replicas()), size(self.bytes()));
        write!(f, "memory for {replicas} replicas: about {bytes} a run")
    }
}

/// Refuses a scenario that this machine has no room for; returns how many runs fit at once.
///
/// # Errors
/// Bad input, with the key that asks for too much.
pub fn check(scenario: &Scenario) -> Result<usize, Failure> {
    let (Some(need), Some(physical)) = (Need::of(scenario), memory::physical_bytes()) else {
        return Ok(usize::MAX);
    };
    if let Some((key, problem, expected)) = need.refusal(physical.into()) {
        return Err(job::bad(scenario.problem(key, problem, expected)));
    }
    Ok((u128::from(physical) / need.bytes()).max(1) as usize)
}

/// Says on the terminal what the largest of these needs, if it is much.
pub fn announce<'a>(scenarios: impl Iterator<Item = &'a Scenario>) {
    let largest = scenarios.filter_map(Need::of).max_by_key(Need::bytes);
    if let Some(need) = largest.filter(|need| need.bytes() >= WORTH_SAYING) {
        say::aside(&need.to_string())
    }
}

/// "1.2 million"
fn count(n: u128) -> String {
    match n {
        0..1_000_000 => n.to_string(),
        1_000_000..1_000_000_000 => format!("{:.1} million", n as f64 / 1e6),
        _ => format!("{:.1} billion", n as f64 / 1e9),
    }
}

/// "70 MB": two digits are all that an estimate has.
fn size(bytes: u128) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")];
    let value = bytes as f64;
    let &(unit, name) = units.iter().find(|(unit, _)| value >= *unit).unwrap_or(&units[3]);
    if value / unit < 10.0 {
        format!("{:.1} {name}", value / unit)
    } else {
        format!("{:.0} {name}", value / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_by_the_key_that_asks_for_it() {
        let need = |nodes, on_lost| Need { nodes, drawn: nodes, on_lost, each: 3 };
        let refusal = |nodes, on_lost| need(nodes, on_lost).refusal(24_000_000_000);
        assert_eq!(refusal(1_000, 1_000), None);
        let (key, problem, expected) = refusal(1_000_000, 1_000_000).unwrap();
        assert_eq!(key, "workload.blocks_on_lost_node");
        assert!(problem.starts_with("1000000 on each of 1000000 nodes: memory for 1000.0 billion"));
        assert!(expected.starts_with("at most ") && expected.contains("has 24 GB"), "{expected}");
        let most: u128 = expected.split(' ').nth(2).unwrap().parse().unwrap();
        assert_eq!(refusal(1_000_000, most), None);
        assert!(refusal(1_000_000, most + 2).is_some());
        assert_eq!(refusal(1_000_000_000, 1).unwrap().0, "cluster.nodes_per_rack");
        let many = need(1_000, 5_000_000).refusal(u128::MAX).unwrap();
        assert_eq!(many.2.split(' ').nth(2), Some("4294967"), "32 bits");
    }
}
