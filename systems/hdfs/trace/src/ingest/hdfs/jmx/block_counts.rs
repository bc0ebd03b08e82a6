//! Block counts of the dump.
use super::super::counts::Counts;
use super::beans::Beans;
use cluster::Cluster;
use hdfs_scenario::{NodeContent, Synthesis};
use import::{Issue, issue};

/// 512 of 516 bytes on a disk are data: the default `dfs.bytes-per-checksum`.
const OF_USED: (u64, u64) = (512, 516);

/// On a small cluster, excess below this number of pending deletions is not reported.
const DELETED: u64 = 1000;

/// Replicated blocks, then erasure-coded groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockCounts {
    blocks: u64,
    under: u64,
    missing: u64,
    corrupt: u64,
    pending: u64,
    groups: u64,
    under_groups: u64,
    missing_groups: u64,
    corrupt_groups: u64,
    /// (data, parity) units of the first enabled policy.
    coded: (u8, u8),
}

impl BlockCounts {
    /// Hadoop 2 and early 3 count replicated blocks and groups together.
    pub(super) fn of(beans: &Beans) -> BlockCounts {
        let count = |names: &[&str]| beans.count(names).unwrap_or(0);
        let groups = count(&["TotalECBlockGroups"]);
        let all = count(&["BlocksTotal", "TotalBlocks"]);
        let blocks = beans.count(&["TotalReplicatedBlocks"]).unwrap_or(all.saturating_sub(groups));
        BlockCounts {
            blocks,
            under: count(&["LowRedundancyReplicatedBlocks", "UnderReplicatedBlocks"]),
            missing: count(&["MissingReplicatedBlocks", "MissingBlocks", "NumberOfMissingBlocks"]),
            corrupt: count(&["CorruptReplicatedBlocks", "CorruptBlocks"]),
            pending: count(&["PendingReconstructionBlocks", "PendingReplicationBlocks"]),
            groups,
            under_groups: count(&["LowRedundancyECBlockGroups"]),
            missing_groups: count(&["MissingECBlockGroups"]),
            corrupt_groups: count(&["CorruptECBlockGroups"]),
            coded: if groups > 0 { policy(beans) } else { (0, 0) },
        }
    }

    /// A node holds each replicated block once, and a group's internal blocks at most all. Replicas
    /// pending deletion are still counted, so 10 % more is allowed.
    ///
    /// # Errors
    /// The node holds more than a block map can have.
    pub(super) fn refuse_impossible(&self, node: &str, holds: u64) -> Result<(), Issue> {
        let units = u64::from(self.coded.0) + u64::from(self.coded.1);
        let most = self.blocks.saturating_add(self.groups.saturating_mul(units));
        if most == 0 || holds <= most.saturating_add(most / 10).saturating_add(DELETED) {
            return Ok(());
        }
        let found = format!("LiveNodes of NameNodeInfo: {node} has numBlocks = {holds}");
        let expected = format!(
            "at most {most}: FSNamesystem counts that number of blocks, and replicas of a block \
             are on different nodes"
        );
        let advice = "Save the page again; if the error stays, check that DataNode's volumes.";
        Err(issue(found, expected).advice(advice))
    }

    /// # Errors
    /// There are blocks, but no node holds a replica.
    pub(super) fn refuse_unheld(&self, held: u64) -> Result<(), Issue> {
        let blocks = self.blocks.saturating_add(self.groups);
        if held > 0 || blocks <= self.missing.saturating_add(self.missing_groups) {
            return Ok(());
        }
        let found = "LiveNodes of NameNodeInfo: every node has numBlocks = 0";
        let expected = format!("the holders of the {blocks} blocks that FSNamesystem counts");
        let advice = "Has the NameNode just started? Save the page again once its DataNodes have \
                      reported their blocks.";
        Err(issue(found, expected).advice(advice))
    }

    /// Input of the drawn map; `held` in the order of the cluster's nodes.
    pub(super) fn synthesis(&self, held: Vec<NodeContent>) -> Synthesis {
        Synthesis {
            blocks: self.blocks,
            under_replicated: (self.under + self.pending).min(self.blocks),
            groups: self.groups,
            coded: self.coded,
            concerned: held.iter().map(|held| held.blocks).sum::<u64>() > Synthesis::WHOLE,
            held,
        }
    }

    pub(super) fn counts(&self, cluster: &Cluster, synthesis: &Synthesis) -> Counts {
        let mut counts = Counts {
            under_replicated: self.under,
            under_erasure_coded: self.under_groups,
            missing: self.missing,
            missing_groups: self.missing_groups,
            corrupt: self.corrupt,
            corrupt_groups: self.corrupt_groups,
            ..Counts::default()
        };
        counts.count_nodes(cluster);
        let (data, parity) = (u64::from(self.coded.0), u64::from(self.coded.1));
        let internal = (self.groups * (data + parity)).min(synthesis.replicas());
        let used: u128 = synthesis.held.iter().map(|held| u128::from(held.used.0)).sum();
        let bytes = used * u128::from(OF_USED.0) / u128::from(OF_USED.1);
        Counts {
            blocks: self.blocks,
            erasure_coded_groups: self.groups,
            replicas: synthesis.replicas() - internal,
            replica_bytes: if self.groups == 0 {
                u64::try_from(bytes).unwrap_or(u64::MAX)
            } else {
                0
            },
            ..counts
        }
    }

    pub(super) fn notes(&self, synthesis: &Synthesis) -> Vec<String> {
        let mut notes = Vec::new();
        if self.groups > 0 {
            let (data, parity) = self.coded;
            notes.push(format!(
                "{} erasure-coded groups: assumed {data} + {parity}, all complete, since JMX has \
                 neither; numBlocks counts their internal blocks",
                self.groups
            ))
        }
        if self.blocks + self.groups == 0 && synthesis.replicas() > 0 {
            notes.push(
                "the NameNode counts no blocks, but its nodes hold some: no map is drawn".into(),
            )
        }
        if self.blocks + self.groups == 0 && synthesis.replicas() == 0 {
            notes.push(
                "the NameNode counts no blocks: no loss of this cluster can be planned".into(),
            )
        }
        let (used, replicas) = (synthesis.held.iter().any(|h| h.used.0 > 0), synthesis.replicas());
        if !used && replicas > 0 {
            notes.push(format!(
                "every node has used = 0, although they hold {replicas} replicas: drawn blocks are \
                 almost empty, so copies take no time; save the page again"
            ))
        }
        if self.missing + self.corrupt > 0 {
            let which = "their names are unknown: the drawn map has none";
            let (missing, corrupt) = (self.missing, self.corrupt);
            notes.push(format!("{missing} missing and {corrupt} corrupt blocks, {which}"))
        }
        notes
    }
}

/// Units of `RS-6-3-1024k` in `tag.EnabledEcPolicies`; HDFS's default if absent.
fn policy(beans: &Beans) -> (u8, u8) {
    let named = beans.text("FSNamesystem", "tag.EnabledEcPolicies").unwrap_or("");
    let units = |policy: &str| {
        let mut numbers = policy.split('-').filter_map(|part| part.parse::<u8>().ok());
        Some((numbers.next().filter(|n| *n > 0)?, numbers.next()?))
    };
    named.split(',').find_map(|policy| units(policy.trim())).unwrap_or((6, 3))
}
