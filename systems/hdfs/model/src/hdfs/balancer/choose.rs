//! Which blocks go, and who sends them (`Dispatcher.Source`, `PendingMove`).
use super::{Balancer, pairs::Task};
use crate::hdfs::messages::{CopyId, Event, Order, Record};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Context, Nanos};
use units::usize_of;

/// A block that was chosen is not chosen again for so long (`dfs.balancer.movedWinWidth`).
const MOVED_WINDOW: Nanos = Nanos::secs(5400);

impl Balancer {
    /// Chooses the moves of an iteration, source by source; whether a source had blocks left and
    /// found too little to move among them. Choosing takes no time: a source that has chosen
    /// enough is done, so it does not matter how many choose at a time
    /// (`dfs.balancer.dispatcherThreads`).
    pub(super) fn choose(&mut self, tasks: Vec<Task>, cx: &impl Context<Event, Record>) -> bool {
        let mut sources: Vec<NodeId> = vec![];
        for task in &tasks {
            if !sources.contains(&task.source) {
                sources.push(task.source)
            }
        }
        let mut looks_on = false;
        for source in sources {
            let mine = tasks.iter().filter(|task| task.source == source).copied();
            looks_on |= self.choose_from(source, mine.collect(), cx)
        }
        looks_on
    }

    fn choose_from(
        &mut self,
        source: NodeId,
        tasks: Vec<Task>,
        cx: &impl Context<Event, Record>,
    ) -> bool {
        let scheduled: u64 = tasks.iter().map(|task| task.bytes).sum();
        let mut blocks = self.blocks_to_choose(source, 2 * scheduled, cx);
        blocks.retain(|block| tasks.iter().any(|t| self.is_good(*block, source, t.target, cx)));
        let mut unfilled = false;
        for task in tasks {
            let mut left = task.bytes;
            for &block in &blocks {
                if left == 0 {
                    break;
                }
                if self.is_good(block, source, task.target, cx) && self.add(block, task, cx) {
                    left = left.saturating_sub(self.setup.bytes(block).0)
                }
            }
            unfilled |= left > 0
        }
        unfilled && blocks.iter().any(|block| !self.was_moved(*block, cx.now()))
    }

    /// The source's blocks, from a random one on, up to so many bytes
    /// (`getBlocksWithLocations`), less the small ones.
    fn blocks_to_choose(
        &self,
        source: NodeId,
        bytes: u64,
        cx: &impl Context<Event, Record>,
    ) -> Vec<BlockIndex> {
        let mut all = self.stock.blocks_of(source);
        if !all.is_empty() {
            let mut dice = cx.draw("balancer-blocks", source.0 as u64, self.iteration as u64);
            let first = usize_of(dice.below(all.len() as u64));
            all.rotate_left(first)
        }
        let length = |block: BlockIndex| self.setup.bytes(block).0;
        let least = self.given().keys.min_block_size.0;
        let mut got = 0;
        let mut fits = |block: &BlockIndex| {
            let more = got < bytes;
            got += length(*block);
            more
        };
        all.retain(|block| length(*block) >= least);
        all.into_iter().take_while(|block| fits(block)).collect()
    }

    fn was_moved(&self, block: BlockIndex, now: Nanos) -> bool {
        self.moved.get(&block).is_some_and(|at| now.saturating_sub(*at) < MOVED_WINDOW)
    }

    /// `isGoodBlockCandidate`: not moved lately, not on the target, and on no fewer racks then.
    fn is_good(
        &self,
        block: BlockIndex,
        source: NodeId,
        target: NodeId,
        cx: &impl Context<Event, Record>,
    ) -> bool {
        !self.was_moved(block, cx.now())
            && !self.stock.knows(target, block)
            && !self.loses_rack(block, source, target)
    }

    fn loses_rack(&self, block: BlockIndex, source: NodeId, target: NodeId) -> bool {
        let holders = self.stock.holders(block);
        let others = || holders.iter().filter(|(node, _)| *node != source);
        let is_by = |node: NodeId| others().any(|(other, _)| self.same_rack(*other, node));
        !self.same_rack(source, target) && is_by(target) && !is_by(source)
    }

    fn same_rack(&self, a: NodeId, b: NodeId) -> bool {
        let rack = |node: NodeId| self.setup.cluster.nodes[node.at()].rack;
        rack(a) == rack(b)
    }

    /// `chooseProxySource`: a holder on the target's rack, or any.
    fn proxy(&self, block: BlockIndex, target: NodeId) -> Option<(NodeId, DiskId)> {
        let holders = self.stock.holders(block);
        let near = holders.iter().find(|(node, _)| self.same_rack(*node, target));
        near.or(holders.first()).copied()
    }

    /// The move is to be made; not if nobody can send it.
    fn add(&mut self, block: BlockIndex, task: Task, cx: &impl Context<Event, Record>) -> bool {
        let Some(proxy) = self.proxy(block, task.target) else { return false };
        self.moves += 1;
        let copy = CopyId(CopyId::MOVES.0 + self.moves);
        let what = (block, self.setup.bytes(block));
        let order = Order::moves(copy, what, proxy, task.target, task.source);
        self.moved.insert(block, cx.now());
        self.waiting.insert((task.target, copy), order);
        true
    }
}
