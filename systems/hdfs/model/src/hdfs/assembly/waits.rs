//! Why blocks wait in the NameNode.
use super::Assembly;
use crate::hdfs::{
    messages::{Leg, Reason},
    reasons::Holder,
};
use cluster::{BlockIndex, NodeId};
use engine::Nanos;
use hdfs_trace::{Cause, Interval, IntervalId, kind};

/// Word of a copy's end is on its way no longer than this.
const WORD: Nanos = Nanos::millis(10);

impl Assembly<'_> {
    /// Ends the present wait of a block in the queue.
    pub(super) fn close_wait(&mut self, block: BlockIndex, at: Nanos) {
        self.close_wait_of(block, None, at)
    }

    /// Likewise; it is sent now by `source`, if at all.
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
        // What ends a wait long after the last copy is no copy: all streams were busy till then.
        let busy_since = if since + WORD < at { since } else { at };
        self.push_queued(block, start, busy_since, cause);
        self.push_queued(block, busy_since, at, Holder::Streams.cause())
    }

    fn push_queued(&mut self, block: BlockIndex, start: Nanos, end: Nanos, cause: Cause) {
        if end > start {
            self.push(block, Interval { cause, ..Interval::new(kind::QUEUED, start, end) });
        }
    }

    /// What a wait for a stream was for: of the copies that have ended meanwhile at the node that
    /// was waited for, or have brought the block somewhere, or at the node that sends now, the
    /// last; for the limit on streams, where none has.
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

    /// The block waits for nothing but its copies: their own intervals say what holds them up, and
    /// of those that broke off the timeout.
    pub(super) fn await_copies(&mut self, block: BlockIndex, at: Nanos) {
        if !matches!(self.waiting.get(&block), Some((_, Reason::PendingTimeout))) {
            self.close_wait(block, at);
            self.wait_for_overdue(block, at)
        }
    }

    /// A block that is short, that the NameNode takes for repaired by copies that broke off: it
    /// waits until these are too late.
    pub(super) fn wait_for_overdue(&mut self, block: BlockIndex, at: Nanos) {
        if self.overdue.contains_key(&block) && self.ledger.is_risky(block) {
            self.waiting.entry(block).or_insert((at, Reason::PendingTimeout));
        }
    }

    /// The NameNode no longer counts on these.
    pub(super) fn forget_overdue(&mut self, block: BlockIndex, which: impl Fn(&Leg) -> bool) {
        let Some(overdue) = self.overdue.get_mut(&block) else { return };
        overdue.retain(|leg| !which(leg));
        if overdue.is_empty() {
            self.overdue.remove(&block);
        }
    }

    /// What a wait is for: a setting; or the copy whose end set the source free, and where none
    /// has ended there, the limit that it keeps.
    pub(super) fn cause(&self, reason: Reason, source: Option<NodeId>) -> Cause {
        let freed = |node: NodeId| self.freed_by.get(&node).map(|id| Cause::Interval(*id));
        match reason {
            Reason::Stream(_) => Holder::Streams.cause(),
            Reason::HandoutBusy => source.and_then(freed).unwrap_or(Holder::MaxStreams.cause()),
            other => other.holder().map_or(Cause::Unexplained, Holder::cause),
        }
    }
}
