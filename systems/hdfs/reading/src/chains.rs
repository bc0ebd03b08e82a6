//! Each block's chain of waits and copies.
use crate::risk;
use analysis::Steps;
use hdfs_trace::{Blocks, Interval, Trace, is_request};
use trace::walk::{Lane, Lanes, Piece, Start, blocked, path};
use trace::{Cause, EntityId};
use units::Nanos;

/// The chains of a trace's blocks.
pub struct Chains<'a> {
    pub trace: &'a Trace,
    blocks: Blocks,
    lanes: Lanes,
    /// Blocks that are short and have a replica left; `None` where the trace does not count them.
    short: Option<Steps>,
}

/// Word of something that makes blocks short is on its way no longer than this.
const WORD: Nanos = Nanos::millis(10);

impl<'a> Chains<'a> {
    /// Of a trace. Intervals of no length hold nothing up and are left out.
    pub fn of(trace: &'a Trace) -> Chains<'a> {
        // What clients asked for stands behind all others, and is no block's.
        let first = trace.intervals.partition_point(|row| !is_request(row));
        let (blocks, lanes) =
            (Blocks::of(trace), Lanes::of_rows(trace, trace.intervals[..first].iter()));
        Chains { trace, blocks, lanes, short: risk::short(trace) }
    }

    /// The blocks, ascending.
    pub fn blocks(&self) -> impl Iterator<Item = i64> {
        self.blocks.ids()
    }

    /// A block as the trace has it.
    pub fn entity(&self, block: i64) -> Option<EntityId> {
        self.blocks.get(block)
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
        last.is_some_and(|id| matches!(self.lanes.cause(id), Cause::Shortage(_)))
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
        // What a node's return asks for again the NameNode hears of a little later.
        safe(time).or_else(|| safe(time.saturating_sub(WORD)))
    }
}
