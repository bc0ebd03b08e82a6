//! Blocks whose files expect more replicas than nodes serve, such as `job.jar` with ten. They are
//! complete with one replica on each node in service and do not keep the cluster at risk. The
//! exception does not apply below `dfs.replication`.
use super::setup::Setup;
use cluster::BlockIndex;

pub struct ReplicaLimit {
    /// `dfs.replication`
    default_replicas: usize,
    /// Blocks that expect more than `usual`, and their expected replicas.
    wide: Vec<(BlockIndex, usize)>,
    /// Nodes in service.
    serving: usize,
}

impl ReplicaLimit {
    pub fn new(setup: &Setup, serving: usize) -> ReplicaLimit {
        let usual = usize::from(setup.hdfs.replication);
        let all = (0..setup.blocks.len()).map(BlockIndex).filter(|b| setup.is_replicated(*b));
        let wanted = all.map(|block| (block, usize::from(setup.expected_replicas(block))));
        ReplicaLimit {
            default_replicas: usual,
            wide: wanted.filter(|(_, wanted)| *wanted > usual).collect(),
            serving,
        }
    }

    /// Changes the number of nodes in service; returns the blocks that expect more than the smaller
    /// of both numbers.
    pub fn serve(&mut self, serving: usize) -> Vec<BlockIndex> {
        let least = serving.min(std::mem::replace(&mut self.serving, serving));
        self.above(least).collect()
    }

    /// Number of blocks that expect more replicas than nodes serve.
    pub fn beyond(&self) -> usize {
        self.above(self.serving.max(self.default_replicas)).count()
    }

    /// How many of `wanted` replicas a block can have whose file expects `expected`.
    pub fn of(&self, expected: usize, wanted: usize) -> usize {
        match expected > self.default_replicas {
            true => wanted.min(self.serving.max(self.default_replicas)),
            false => wanted,
        }
    }

    fn above(&self, least: usize) -> impl Iterator<Item = BlockIndex> {
        self.wide.iter().filter(move |(_, wanted)| *wanted > least).map(|(block, _)| *block)
    }
}
