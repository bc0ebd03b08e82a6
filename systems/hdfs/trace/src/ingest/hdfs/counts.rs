//! Numbers of an import: `tenbin import hdfs --json`.
use cluster::{Admin, Cluster};
use hdfs_scenario::{BlockMap, Redundancy};

/// Replicated and erasure-coded files are counted separately, as in fsck's summary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub nodes: u64,
    pub live: u64,
    pub dead: u64,
    pub decommissioning: u64,
    pub decommissioned: u64,
    pub entering_maintenance: u64,
    pub in_maintenance: u64,
    pub racks: u64,
    pub files: u64,
    pub blocks: u64,
    pub erasure_coded_files: u64,
    pub erasure_coded_groups: u64,
    /// Replicas of replicated blocks in any state.
    pub replicas: u64,
    /// Internal blocks of erasure-coded groups in any state.
    pub internal_blocks: u64,
    /// Size of replicated blocks \[bytes\].
    pub replica_bytes: u64,
    /// Replicated blocks by fsck's rule: live + decommissioning < target.
    pub under_replicated: u64,
    /// Erasure-coded groups by fsck's rule.
    pub under_erasure_coded: u64,
    pub missing: u64,
    /// Groups with fewer internal blocks than reads need.
    pub missing_groups: u64,
    pub corrupt: u64,
    /// Groups lost because of corrupt internal blocks.
    pub corrupt_groups: u64,
    /// Replicated blocks that violate the placement policy.
    pub mis_replicated: u64,
    /// Groups that violate the placement policy, which is usual in small clusters.
    pub mis_placed_groups: u64,
}

impl Counts {
    /// (name, value) in field order.
    pub fn named(&self) -> [(&'static str, u64); 23] {
        [
            ("nodes", self.nodes),
            ("live", self.live),
            ("dead", self.dead),
            ("decommissioning", self.decommissioning),
            ("decommissioned", self.decommissioned),
            ("entering_maintenance", self.entering_maintenance),
            ("in_maintenance", self.in_maintenance),
            ("racks", self.racks),
            ("files", self.files),
            ("blocks", self.blocks),
            ("erasure_coded_files", self.erasure_coded_files),
            ("erasure_coded_groups", self.erasure_coded_groups),
            ("replicas", self.replicas),
            ("internal_blocks", self.internal_blocks),
            ("replica_bytes", self.replica_bytes),
            ("under_replicated", self.under_replicated),
            ("under_erasure_coded", self.under_erasure_coded),
            ("missing", self.missing),
            ("missing_groups", self.missing_groups),
            ("corrupt", self.corrupt),
            ("corrupt_groups", self.corrupt_groups),
            ("mis_replicated", self.mis_replicated),
            ("mis_placed_groups", self.mis_placed_groups),
        ]
    }
    pub(in crate::ingest) fn count_nodes(&mut self, cluster: &Cluster) {
        let nodes = |test: fn(&cluster::Node) -> bool| {
            cluster.nodes.iter().filter(|n| test(n)).count() as u64
        };
        self.nodes = cluster.nodes.len() as u64;
        self.live = nodes(|n| n.alive);
        self.dead = nodes(|n| !n.alive);
        self.decommissioning = nodes(|n| n.admin == Admin::Decommissioning);
        self.decommissioned = nodes(|n| n.admin == Admin::Decommissioned);
        self.entering_maintenance = nodes(|n| n.admin == Admin::EnteringMaintenance);
        self.in_maintenance = nodes(|n| n.admin == Admin::InMaintenance);
        self.racks = cluster.racks.iter().filter(|r| !r.nodes.is_empty()).count() as u64
    }
    /// Adds the counts of a part of the block map.
    pub(in crate::ingest) fn hold(&mut self, blocks: &BlockMap) {
        for at in 0..blocks.id.len() {
            let replicas = u64::from(blocks.first[at + 1] - blocks.first[at]);
            match blocks.redundancy[at] {
                Redundancy::Replicated(_) => {
                    self.blocks += 1;
                    self.replicas += replicas;
                    let bytes = blocks.bytes[at].saturating_mul(replicas);
                    self.replica_bytes = self.replica_bytes.saturating_add(bytes);
                }
                Redundancy::ErasureCoded { .. } => {
                    self.erasure_coded_groups += 1;
                    self.internal_blocks += replicas
                }
            }
        }
    }
}
