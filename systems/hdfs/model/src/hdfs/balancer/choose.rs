//! Chooses blocks to move and their senders (`Dispatcher.Source`, `PendingMove`), move by move, as
//! targets and proxies have free slots.
use super::{Balancer, pairs::Task, tasks::DELAY};
use crate::hdfs::messages::{CopyId, Event, Order, Record};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Context, Nanos};
use units::usize_of;

/// A chosen block is not chosen again for this time (`dfs.balancer.movedWinWidth`).
const MOVED_WINDOW: Nanos = Nanos::secs(5400);

impl Balancer {
    /// Gives each source its tasks of this iteration and its candidate blocks.
    pub(super) fn deal(&mut self, tasks: Vec<Task>, cx: &impl Context<Event, Record>) {
        let mut sources: Vec<NodeId> = tasks.iter().map(|task| task.source).collect();
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            let mine: Vec<Task> = tasks.iter().filter(|t| t.source == source).copied().collect();
            let scheduled: u64 = mine.iter().map(|task| task.bytes).sum();
            let mut blocks = self.blocks_to_choose(source, 2 * scheduled, cx);
            blocks.retain(|block| mine.iter().any(|t| self.is_good(*block, source, t.target, cx)));
            self.tasks.deal(source, &mine, &blocks, cx.now())
        }
    }

    /// Each source chooses all moves possible now. It ends the iteration after its last task, or
    /// after `dfs.balancer.max-no-move-interval` without a move. Choosing takes no time, so
    /// `dfs.balancer.dispatcherThreads` has no effect.
    pub(super) fn choose(&mut self, cx: &impl Context<Event, Record>) {
        let patience = self.given().keys.max_no_move_interval;
        for (source, since) in self.tasks.sources() {
            let mut since = since;
            while let Some((place, task, block, proxy)) = self.next_move(source, cx) {
                self.add(source, place, task, block, proxy, cx);
                since = cx.now()
            }
            let moved: Vec<BlockIndex> =
                self.tasks.blocks(source).filter(|b| self.was_moved(*b, cx.now())).collect();
            self.tasks.drop_blocks(source, &moved);
            let over = cx.now().saturating_sub(since) >= patience;
            self.tasks.finish_search(source, since, over)
        }
        self.wake(cx)
    }

    /// Schedules the next choice: when a node's delay or a source's patience ends.
    fn wake(&mut self, cx: &impl Context<Event, Record>) {
        let (now, patience) = (cx.now(), self.given().keys.max_no_move_interval);
        let tired = self.tasks.sources().into_iter().map(|(_, since)| since + patience);
        let delays = self.tasks.delays().filter(|until| *until > now);
        let Some(next) = tired.chain(delays).min() else { return };
        if self.awake_at <= now || next < self.awake_at {
            self.awake_at = next;
            cx.after(next.saturating_sub(now), Event::BalanceWaited(self.iteration))
        }
    }

    /// `chooseNextMove`: the first task whose target has a free slot, with a block that fits it.
    fn next_move(
        &self,
        source: NodeId,
        cx: &impl Context<Event, Record>,
    ) -> Option<(u32, Task, BlockIndex, (NodeId, DiskId))> {
        let has_room = |node: NodeId| self.has_room(node, cx.now());
        for (place, task) in self.tasks.of(source).filter(|(_, task)| has_room(task.target)) {
            let good = |block: &BlockIndex| self.is_good(*block, source, task.target, cx);
            for block in self.tasks.blocks(source).filter(good) {
                if let Some(proxy) = self.proxy(block, task.target, cx.now()) {
                    return Some((place, task, block, proxy));
                }
            }
        }
        None
    }

    /// `DDatanode.addPendingBlock`: false after a failed move, or at the limit of concurrent moves,
    /// sent and received.
    fn has_room(&self, node: NodeId, now: Nanos) -> bool {
        let most = self.given().keys.concurrent_moves;
        !self.tasks.is_delayed(node, now) && self.tasks.pending(node) < most
    }

    /// Blocks of the source from a random one on, up to `bytes` (`getBlocksWithLocations`), without
    /// the small ones.
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

    /// `isGoodBlockCandidate`: not moved lately, not on the target, and no rack is lost.
    fn is_good(
        &self,
        block: BlockIndex,
        source: NodeId,
        target: NodeId,
        cx: &impl Context<Event, Record>,
    ) -> bool {
        !self.was_moved(block, cx.now())
            && !self.stock.has_block(target, block)
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

    /// `chooseProxySource`: a holder with a free slot, if possible on the target's rack.
    fn proxy(&self, block: BlockIndex, target: NodeId, now: Nanos) -> Option<(NodeId, DiskId)> {
        let mut holders = self.stock.holders(block);
        holders.retain(|(node, _)| self.has_room(*node, now));
        let near = holders.iter().find(|(node, _)| self.same_rack(*node, target));
        near.or(holders.first()).copied()
    }

    /// Schedules a move.
    fn add(
        &mut self,
        source: NodeId,
        place: u32,
        task: Task,
        block: BlockIndex,
        proxy: (NodeId, DiskId),
        cx: &impl Context<Event, Record>,
    ) {
        self.moves += 1;
        let copy = CopyId(CopyId::MOVES.0 + self.moves);
        let what = (block, self.setup.bytes(block));
        let order = Order::moves(copy, what, proxy, task.target, source);
        self.moved.insert(block, cx.now());
        self.tasks.reduce_task(source, place, what.1.0);
        self.tasks.add_move(&order);
        self.waiting.insert((task.target, copy), order);
        self.start_more(task.target, cx)
    }

    /// After a failed move its proxy and target are not chosen for [`DELAY`]
    /// (`PendingMove.dispatch`).
    pub(super) fn delay(&mut self, order: &Order, now: Nanos) {
        let ends = order.targets().iter().copied().chain([order.source]);
        ends.for_each(|node| self.tasks.delay(node, now + DELAY))
    }
}
