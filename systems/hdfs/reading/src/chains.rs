//! Each block's chain of waits and copies, walked as the trace of all systems.
use crate::{risk, steps::Steps};
use hdfs_trace::{Interval, Trace};
use std::collections::BTreeMap;
use trace::walk::{Holder, Lane, Lanes, Piece, Start, blocked, path};
use trace::{Cause, EntityId};
use units::Nanos;

/// The chains of a trace's blocks.
pub struct Chains<'a> {
    /// Of whom.
    pub trace: &'a Trace,
    stored: &'a trace::Trace,
    lanes: Lanes,
    blocks: BTreeMap<i64, EntityId>,
    /// Blocks that are short and have a replica left; `None` where the trace does not count them.
    short: Option<Steps>,
}

/// Word of something that makes blocks short is on its way no longer than this.
const WORD: Nanos = Nanos::millis(10);

impl<'a> Chains<'a> {
    /// Of a trace, and of the same as the trace of all systems
    /// ([`hdfs_trace::stored::intervals`], or all of it). Intervals of no length hold nothing up
    /// and are left out.
    pub fn of(trace: &'a Trace, stored: &'a trace::Trace) -> Chains<'a> {
        let entities = stored.entities.iter().enumerate();
        let blocks = entities.filter_map(|(at, row)| Some((row.number?, EntityId::of(at))));
        let (blocks, lanes) = (blocks.collect(), Lanes::of(stored));
        Chains { trace, stored, lanes, blocks, short: risk::short(trace) }
    }

    /// The blocks, ascending.
    pub fn blocks(&self) -> impl Iterator<Item = i64> {
        self.blocks.keys().copied()
    }

    /// A block as the trace of all systems has it.
    pub fn entity(&self, block: i64) -> Option<EntityId> {
        self.blocks.get(&block).copied()
    }

    /// A block's chain, by end.
    pub fn chain(&self, block: i64) -> impl Iterator<Item = &'a Interval> {
        let lane = self.entity(block).map(Lane::Subject);
        let ids = lane.into_iter().flat_map(|lane| self.lanes.intervals(lane));
        ids.map(|id| &self.trace.intervals[id.at()])
    }

    /// When a block's chain ends, looking only at what began before `by`, and whether it did end
    /// then: where a node is back, copies of what it holds go on.
    pub fn ends(&self, block: i64, by: Nanos) -> Option<(Nanos, bool)> {
        let links = self.chain(block).filter(|link| link.start < by);
        links.map(|link| (link.end.min(by), link.end <= by)).max()
    }

    /// Whether a block's chain ends in a wait that nothing can end.
    pub fn is_hopeless(&self, block: i64) -> bool {
        let lane = self.entity(block).map(Lane::Subject);
        let last = lane.and_then(|lane| self.lanes.intervals(lane).next_back());
        last.is_some_and(|id| matches!(self.stored.intervals[id.at()].cause, Cause::Lack(_)))
    }

    /// The critical path that ends with a block, or with none, at `top`, back to `floor`: pieces,
    /// latest first.
    pub fn path(&self, block: Option<i64>, top: Nanos, floor: Nanos) -> Vec<Piece> {
        let lane = block.and_then(|block| self.entity(block)).map(Lane::Subject);
        let idle = |time| self.all_safe_since(time);
        path(&self.lanes, Start { lane, top, floor, tree: None, idle: Some(&idle) }).pieces
    }

    /// What a block itself waited for from `floor` to `top`, what others did for it taken one step
    /// far: pieces, latest first.
    pub fn waits(&self, block: i64, top: Nanos, floor: Nanos) -> Vec<Piece> {
        let lane = self.entity(block).map(Lane::Subject);
        let idle = |time| self.all_safe_since(time);
        blocked(&self.lanes, Start { lane, top, floor, tree: None, idle: Some(&idle) }, 1)
    }

    /// Since when no block is short that has a replica left, looking back from `time` or a moment
    /// before it; `None` if one was short at both, or where the trace does not say.
    fn all_safe_since(&self, time: Nanos) -> Option<Nanos> {
        let short = self.short.as_ref()?;
        let safe =
            |time| Some(short.last_above_zero(time).unwrap_or_default()).filter(|t| *t < time);
        // What a node's return asks for anew the NameNode hears of a little later.
        safe(time).or_else(|| safe(time.saturating_sub(WORD)))
    }

    /// What people call it.
    pub fn name(&self, holder: Holder) -> String {
        match holder {
            Holder::Idle => "time before a later loss".into(),
            holder => holder.name(self.stored),
        }
    }
}
