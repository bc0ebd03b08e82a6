//! Blocks whose files want more replicas than nodes serve (`job.jar` with its ten): they never get
//! them, and are no reason to call all else unsafe. Such a block has what it can have where each
//! node in service has one. Where nodes are too few for `dfs.replication` itself, nothing is.
use super::setup::Setup;
use cluster::BlockIndex;

pub struct Reach {
    /// `dfs.replication`
    usual: usize,
    /// Blocks that want more than that, and how many.
    wide: Vec<(BlockIndex, usize)>,
    serving: usize,
}

impl Reach {
    /// As the scenario starts, where so many nodes serve.
    pub fn new(setup: &Setup, serving: usize) -> Reach {
        let usual = usize::from(setup.hdfs.replication);
        let all = (0..setup.blocks.len()).map(BlockIndex).filter(|b| setup.is_replicated(*b));
        let wanted = all.map(|block| (block, usize::from(setup.expected(block))));
        Reach { usual, wide: wanted.filter(|(_, wanted)| *wanted > usual).collect(), serving }
    }

    /// So many serve from now on: the blocks that this concerns.
    pub fn serve(&mut self, serving: usize) -> Vec<BlockIndex> {
        let least = serving.min(std::mem::replace(&mut self.serving, serving));
        self.above(least).collect()
    }

    /// How many blocks want more replicas than nodes serve.
    pub fn beyond(&self) -> usize {
        self.above(self.serving.max(self.usual)).count()
    }

    /// How many of the `wanted` replicas a block can have whose file wants `expected`.
    pub fn of(&self, expected: usize, wanted: usize) -> usize {
        match expected > self.usual {
            true => wanted.min(self.serving.max(self.usual)),
            false => wanted,
        }
    }

    fn above(&self, least: usize) -> impl Iterator<Item = BlockIndex> {
        self.wide.iter().filter(move |(_, wanted)| *wanted > least).map(|(block, _)| *block)
    }
}
