//! Why blocks wait in the NameNode.
use super::Assembly;
use crate::hdfs::{
    messages::{Leg, Reason},
    reasons::Holder,
};
use cluster::{BlockIndex, NodeId};
use engine::Nanos;
use hdfs_trace::{Cause, Interval, IntervalId, kind};

/// Longest latency of the message that reports a copy's end.
const WORD: Nanos = Nanos::millis(10);

impl Assembly<'_> {
    /// Ends the current wait of a block in the queue.
    pub(super) fn close_wait(&mut self, block: BlockIndex, at: Nanos) {
        self.close_wait_of(block, None, at)
    }

    /// As `close_wait`, when `source` sends the block now.
    pub(super) fn close_wait_of(&mut self, block: BlockIndex, source: Option<NodeId>, at: Nanos) {
        let Some((start, reason)) = self.waiting.remove(&block) else { return };
        if matches!(reason, Reason::Multiplier | Reason::MaxStreams | Reason::HardLimit) {
            let (quota, _) = self.rounds.divide(start, at, reason);
            let h = &self.setup.hdfs;
            let hard_binds = h.max_streams_hard_limit < h.max_streams;
            let limit = match reason == Reason::HardLimit || hard_binds {
                true => Reason::HardLimit,
                false => Reason::MaxStreams,
            };
            let multiplier = self.cause(Reason::Multiplier, None);
            self.push_queued(block, start, start + quota, multiplier);
            return self.push_queued(block, start + quota, at, self.cause(limit, None));
        }
        let Reason::Stream(node) = reason else {
            return self.push_queued(block, start, at, self.cause(reason, None));
        };
        let cause = self.freed(block, node, source, start);
        let since = match cause {
            Cause::Interval(id) if source.is_none() => self.trace.intervals[id.at()].end,
            _ => at,
        };
        // A wait that ends long after the last copy was for the stream limit.
        let busy_since = if since + WORD < at { since } else { at };
        self.push_queued(block, start, busy_since, cause);
        self.push_queued(block, busy_since, at, Holder::Streams.cause())
    }

    fn push_queued(&mut self, block: BlockIndex, start: Nanos, end: Nanos, cause: Cause) {
        if end > start {
            self.push(block, Interval { cause, ..Interval::new(kind::QUEUED, start, end) });
        }
    }

    /// Cause of a wait for a stream: the last copy that ended meanwhile at the awaited node or at
    /// the node that sends now, or that brought the block to a node. Without one, the stream limit.
    fn freed(
        &self,
        block: BlockIndex,
        awaited: NodeId,
        source: Option<NodeId>,
        since: Nanos,
    ) -> Cause {
        let end = |id: &&IntervalId| self.trace.intervals[id.at()].end;
        let at_source = source.and_then(|source| self.freed_by.get(&source));
        let all = [self.freed_by.get(&awaited), self.arrived.get(&block), at_source];
        let last = all.into_iter().flatten().filter(|id| end(id) > since).max_by_key(end);
        last.map_or(Holder::Streams.cause(), |id| Cause::Interval(*id))
    }

    /// The block waits only for its copies, whose own intervals have the causes; copies that broke
    /// off count as the timeout.
    pub(super) fn await_copies(&mut self, block: BlockIndex, at: Nanos) {
        if !matches!(self.waiting.get(&block), Some((_, Reason::PendingTimeout))) {
            self.close_wait(block, at);
            self.wait_for_overdue(block, at)
        }
    }

    /// A block at risk that the NameNode takes for repaired by copies that broke off waits for
    /// their timeout.
    pub(super) fn wait_for_overdue(&mut self, block: BlockIndex, at: Nanos) {
        if self.overdue.contains_key(&block) && self.ledger.is_risky(block) {
            self.waiting.entry(block).or_insert((at, Reason::PendingTimeout));
        }
    }

    pub(super) fn forget_overdue(&mut self, block: BlockIndex, which: impl Fn(&Leg) -> bool) {
        let Some(overdue) = self.overdue.get_mut(&block) else { return };
        overdue.retain(|leg| !which(leg));
        if overdue.is_empty() {
            self.overdue.remove(&block);
        }
    }

    /// Cause of a wait: a setting, or the copy whose end freed the source. Without such a copy, the
    /// source's limit.
    pub(super) fn cause(&self, reason: Reason, source: Option<NodeId>) -> Cause {
        let freed = |node: NodeId| self.freed_by.get(&node).map(|id| Cause::Interval(*id));
        match reason {
            Reason::Stream(_) => source.and_then(freed).unwrap_or(Holder::Streams.cause()),
            Reason::HandoutBusy => source.and_then(freed).unwrap_or(Holder::MaxStreams.cause()),
            other => other.holder().map_or(Cause::Unexplained, Holder::cause),
        }
    }
}
