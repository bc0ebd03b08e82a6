//! Each block's chain of waits and copies.
use crate::risk;
use analysis::Steps;
use hdfs_trace::{Blocks, Interval, Trace, is_request};
use trace::walk::{Lane, Lanes, Piece, Start, blocked, path};
use trace::{Cause, EntityId};
use units::Nanos;

pub struct Chains<'a> {
    pub trace: &'a Trace,
    blocks: Blocks,
    lanes: Lanes,
    /// Recoverable blocks with missing replicas; `None`: the trace does not count them.
    short: Option<Steps>,
}

/// Longest delay until the NameNode knows that blocks lack replicas.
const WORD: Nanos = Nanos::millis(10);

impl<'a> Chains<'a> {
    /// Omits intervals of zero length.
    pub fn of(trace: &'a Trace) -> Chains<'a> {
        // Client requests follow all other intervals.
        let first = trace.intervals.partition_point(|row| !is_request(row));
        let (blocks, lanes) =
            (Blocks::of(trace), Lanes::of_rows(trace, trace.intervals[..first].iter()));
        Chains { trace, blocks, lanes, short: risk::short_blocks(trace) }
    }

    /// Ids, ascending.
    pub fn blocks(&self) -> impl Iterator<Item = i64> {
        self.blocks.ids()
    }

    pub fn entity(&self, block: i64) -> Option<EntityId> {
        self.blocks.get(block)
    }

    pub fn chain(&self, block: i64) -> impl Iterator<Item = &'a Interval> {
        let lane = self.entity(block).map(Lane::Subject);
        let ids = lane.into_iter().flat_map(|lane| self.lanes.intervals(lane));
        ids.map(|id| &self.trace.intervals[id.at()])
    }

    /// (end of the chain's intervals that start before `by`, true if the last one ended by then).
    /// If a node returns, copies of its blocks can continue.
    pub fn ends(&self, block: i64, by: Nanos) -> Option<(Nanos, bool)> {
        let links = self.chain(block).filter(|link| link.start < by);
        links.map(|link| (link.end.min(by), link.end <= by)).max()
    }

    /// True if the chain ends in a wait without end.
    pub fn is_hopeless(&self, block: i64) -> bool {
        let lane = self.entity(block).map(Lane::Subject);
        let last = lane.and_then(|lane| self.lanes.intervals(lane).next_back());
        last.is_some_and(|id| matches!(self.lanes.cause(id), Cause::Shortage(_)))
    }

    /// The critical path from `top` back to `floor`, latest piece first. `None`: it does not end
    /// with a block.
    pub fn path(&self, block: Option<i64>, top: Nanos, floor: Nanos) -> Vec<Piece> {
        let lane = block.and_then(|block| self.entity(block)).map(Lane::Subject);
        let idle = |time| self.all_safe_since(time);
        path(&self.lanes, Start { lane, top, floor, tree: None, idle: Some(&idle) }).pieces
    }

    /// A block's waits from `top` back to `floor`, with dependencies one step deep, latest piece
    /// first.
    pub fn waits(&self, block: i64, top: Nanos, floor: Nanos) -> Vec<Piece> {
        let lane = self.entity(block).map(Lane::Subject);
        let idle = |time| self.all_safe_since(time);
        blocked(&self.lanes, Start { lane, top, floor, tree: None, idle: Some(&idle) }, 1)
    }

    /// Start of the time until `time`, or shortly before, without recoverable blocks that lack
    /// replicas. `None`: at both times one lacks replicas, or the trace has no counter.
    fn all_safe_since(&self, time: Nanos) -> Option<Nanos> {
        let short = self.short.as_ref()?;
        let safe =
            |time| Some(short.last_above_zero(time).unwrap_or_default()).filter(|t| *t < time);
        // The NameNode detects missing replicas a little after a node's return.
        safe(time).or_else(|| safe(time.saturating_sub(WORD)))
    }
}
