//! Number of replicas that each block has and expects.
use engine::Draw;
use hdfs_scenario::Synthesis;

/// The replicas of all blocks together are those of the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// Nodes that hold something.
    pub(super) holders: u64,
    blocks: u64,
    /// Replicas expected of each block.
    wanted: u16,
    /// Blocks that expect one more.
    more: u64,
    /// Blocks that lack one replica.
    short: u64,
}

impl Plan {
    /// If the nodes hold fewer replicas than `replication` requires, blocks lack the rest, provided
    /// the cluster counts that many as under-replicated. Otherwise blocks expect fewer.
    pub(super) fn new(synthesis: &Synthesis, replication: u16) -> Plan {
        let units = u64::from(synthesis.coded.0) + u64::from(synthesis.coded.1);
        let replicas = synthesis.replicas().saturating_sub(synthesis.groups * units);
        let holders = synthesis.held.iter().filter(|held| held.blocks > 0).count() as u64;
        let (blocks, wanted) = (synthesis.blocks, u64::from(replication));
        let lacking = (wanted * blocks).saturating_sub(replicas);
        if replicas <= wanted * blocks && lacking <= synthesis.under_replicated.min(blocks) {
            return Plan { holders, blocks, wanted: replication, more: 0, short: lacking };
        }
        let each = u16::try_from(replicas / blocks.max(1)).unwrap_or(u16::MAX);
        let more = replicas.saturating_sub(u64::from(each) * blocks).min(blocks);
        Plan { holders, blocks, wanted: each, more, short: 0 }
    }

    /// Blocks that lack a replica; they expect [`Plan::least`].
    pub(super) fn short(self) -> u64 {
        self.short
    }

    /// Least number of replicas that a block expects.
    pub(super) fn least(self) -> u16 {
        self.wanted
    }

    /// Expected replicas of the block of a random replica, so blocks with more are likelier.
    pub(super) fn wanted(self, dice: &mut Draw) -> u16 {
        let each = u64::from(self.wanted);
        let (more, all) = (self.more * (each + 1), self.blocks * each + self.more);
        self.wanted.saturating_add(u16::from(more > 0 && dice.below(all) < more))
    }

    /// (expected, held) replicas of each block; exceptions are spread evenly over the blocks.
    pub(super) fn blocks(self, seed: u64) -> impl Iterator<Item = (u16, u16)> {
        let mut dice = Draw::keyed(seed, "synthesis plan", 0, 0);
        let (mut more, mut short) = (self.more, self.short);
        (0..self.blocks).map(move |at| {
            let left = self.blocks - at;
            let mut takes = |count: &mut u64| {
                let drawn = *count > 0 && dice.below(left) < *count;
                *count -= u64::from(drawn);
                u16::from(drawn)
            };
            let wanted = self.wanted.saturating_add(takes(&mut more));
            (wanted, wanted.saturating_sub(takes(&mut short)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdfs_scenario::NodeContent;

    fn plan(blocks: u64, under_replicated: u64, replicas: u64) -> [u64; 3] {
        let held = vec![NodeContent { blocks: replicas, ..NodeContent::default() }];
        let synthesis = Synthesis { blocks, under_replicated, held, ..Synthesis::default() };
        let plan = Plan::new(&synthesis, 3);
        let sum: u64 = plan.blocks(1).map(|(_, held)| u64::from(held)).sum();
        assert_eq!(sum, replicas);
        [u64::from(plan.wanted), plan.more, plan.short]
    }

    #[test]
    fn all_replicas_are_dealt_out() {
        assert_eq!(plan(1000, 0, 3000), [3, 0, 0], "as configured");
        assert_eq!(plan(1000, 80, 2950), [3, 0, 50], "a node was lost");
        assert_eq!(plan(1000, 0, 2950), [2, 950, 0], "some files want two");
        assert_eq!(plan(1000, 0, 3120), [3, 120, 0], "some files want four");
        assert_eq!(plan(1000, 10, 1000), [1, 0, 0]);
        assert_eq!(plan(0, 0, 0), [3, 0, 0]);
    }
}
