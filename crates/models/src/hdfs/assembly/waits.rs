//! Why blocks wait in the NameNode.
use super::{Assembly, interval};
use crate::hdfs::{
    messages::{Leg, Reason},
    reasons::Holder,
};
use cluster::{BlockIndex, NodeId};
use engine::Nanos;
use trace::{Cause, IntervalKind};

impl Assembly<'_> {
    /// Ends the present wait of a block in the queue.
    pub(super) fn close_wait(&mut self, block: BlockIndex, at: Nanos) {
        let Some((start, reason)) = self.waiting.remove(&block) else { return };
        if matches!(reason, Reason::Multiplier | Reason::MaxStreams | Reason::HardLimit) {
            let (quota, _) = self.rounds.divide(start, at, reason);
            let h = &self.setup.hdfs;
            let hard_binds = h.max_streams_hard_limit < h.max_streams;
            let limit = match reason == Reason::HardLimit || hard_binds {
                true => Reason::HardLimit,
                false => Reason::MaxStreams,
            };
            self.push_queued(block, start, start + quota, Reason::Multiplier);
            return self.push_queued(block, start + quota, at, limit);
        }
        self.push_queued(block, start, at, reason)
    }

    fn push_queued(&mut self, block: BlockIndex, start: Nanos, end: Nanos, reason: Reason) {
        if end > start {
            let cause = self.brought(block, reason).unwrap_or_else(|| self.cause(reason, None));
            self.push(block, interval(IntervalKind::Queued, start, end, cause));
        }
    }

    /// What a source waited for that got the block itself meanwhile: the copy that brought it,
    /// unless its stream was freed later.
    fn brought(&self, block: BlockIndex, reason: Reason) -> Option<Cause> {
        let Reason::Stream(source) = reason else { return None };
        let &(_, id) = self.arrived.get(&block).filter(|(target, _)| *target == source)?;
        let end = |id: u64| self.trace.intervals[id as usize].end;
        let freed = self.freed_by.get(&source);
        freed.is_none_or(|freed| end(*freed) <= end(id)).then_some(Cause::Interval(id))
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
        let setting = |holder: Holder| Cause::Setting(holder as u32);
        let freed = |node: NodeId| self.freed_by.get(&node).map(|id| Cause::Interval(*id));
        match reason {
            Reason::Stream(node) => freed(node).unwrap_or(setting(Holder::Streams)),
            Reason::HandoutBusy => source.and_then(freed).unwrap_or(setting(Holder::MaxStreams)),
            other => other.holder().map_or(Cause::Unexplained, setting),
        }
    }
}
