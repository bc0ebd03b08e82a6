//! Node curves during runs: when a resource of the node was saturated.
use super::job::{Attempt, Job};
use crate::plain::when;
use std::collections::{BTreeMap, BTreeSet};
use trace::{KindRole, NodeId, ResourceRole, Trace};

/// Minimum use of a saturated resource, 0–1.
const FULL: f64 = 0.9;

/// A sample is valid for at most this time \[s\]: the monitor may have stopped.
const LONGEST: f64 = 120.0;

/// Time of runs during which a resource of their node was saturated \[s\]. Each second counts once:
/// for the disk, else for the network, else for the CPU.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SaturatedTime {
    pub seen: f64,
    pub disk: f64,
    pub network: f64,
    pub cpu: f64,
}

impl std::iter::Sum for SaturatedTime {
    fn sum<I: Iterator<Item = SaturatedTime>>(all: I) -> SaturatedTime {
        all.fold(SaturatedTime::default(), |a, b| SaturatedTime {
            seen: a.seen + b.seen,
            disk: a.disk + b.disk,
            network: a.network + b.network,
            cpu: a.cpu + b.cpu,
        })
    }
}

/// By node: time \[s\] of a sample; highest use of its disks, NICs and cores.
type UsesByNode = BTreeMap<NodeId, Vec<(f64, [f64; 3])>>;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Curves(UsesByNode);

impl Curves {
    pub fn of(trace: &Trace) -> Curves {
        let mut uses: BTreeMap<NodeId, BTreeMap<u64, [f64; 3]>> = BTreeMap::new();
        for sample in &trace.series {
            let resource = &trace.resources[sample.resource.at()];
            let place = match trace.resource_kind(sample.resource).role {
                KindRole::Resource(ResourceRole::Disk) => 0,
                KindRole::Resource(ResourceRole::Network) => 1,
                KindRole::Resource(ResourceRole::Cpu) => 2,
                _ => continue,
            };
            if let (Some(node), Some(busy)) = (resource.node, sample.busy.get()) {
                let at = uses.entry(node).or_default().entry(sample.at.0).or_default();
                at[place] = at[place].max(busy)
            }
        }
        let seconds = |all: BTreeMap<u64, [f64; 3]>| {
            all.into_iter().map(|(ns, busy)| (ns as f64 / 1e9, busy)).collect()
        };
        Curves(uses.into_iter().map(|(node, all)| (node, seconds(all))).collect())
    }

    pub fn split(&self, attempt: &Attempt) -> SaturatedTime {
        let mut split = SaturatedTime::default();
        let (Some((from, to)), Some(all)) =
            (attempt.run, attempt.node.and_then(|node| self.0.get(&node)))
        else {
            return split;
        };
        let first = all.partition_point(|(at, _)| *at <= from).saturating_sub(1);
        for (place, (at, [disk, network, cpu])) in all.iter().enumerate().skip(first) {
            if *at >= to {
                break;
            }
            let next = all.get(place + 1).map_or(at + LONGEST, |next| next.0.min(at + LONGEST));
            let seconds = (next.min(to) - at.max(from)).max(0.0);
            split.seen += seconds;
            match (*disk >= FULL, *network >= FULL, *cpu >= FULL) {
                (true, ..) => split.disk += seconds,
                (_, true, _) => split.network += seconds,
                (.., true) => split.cpu += seconds,
                _ => {}
            }
        }
        split
    }

    /// NodeManagers on the same host: those with the same curve.
    pub fn machine(&self, node: NodeId) -> Vec<NodeId> {
        let Some(own) = self.0.get(&node) else { return Vec::new() };
        self.0.iter().filter(|(_, curve)| *curve == own).map(|(node, _)| *node).collect()
    }

    /// "; curves of 1 of its 4 nodes only"; "" if all nodes of the job have curves. The other
    /// nodes' resources are unknown.
    pub fn coverage_note(&self, job: &Job) -> String {
        let nodes: BTreeSet<NodeId> = job.attempts().filter_map(|a| a.node).collect();
        let seen = nodes.iter().filter(|node| self.0.contains_key(node)).count();
        let all = nodes.len();
        when(seen < all, || format!("; curves of {seen} of its {all} nodes only"))
    }

    pub fn of_job(&self, job: &Job) -> SaturatedTime {
        job.attempts().map(|attempt| self.split(attempt)).sum()
    }
}
