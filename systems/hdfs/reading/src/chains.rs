//! Each block's chain of waits and copies, and the parts of each copy.
use crate::{risk, steps::Steps};
use std::ops::Range;
use trace::{Cause, Interval, IntervalKind, Trace};
use units::{Nanos, usize_of};

/// The intervals of a trace by block and by parent.
pub struct Chains<'a> {
    /// Of whom.
    pub trace: &'a Trace,
    /// Blocks in ascending order, each with its place in `links`.
    blocks: Vec<(i64, Range<usize>)>,
    /// Ids of queued, handout, transfer and report intervals by block, then start.
    links: Vec<u64>,
    /// (parent, id) of `Held` intervals by parent, then start.
    parts: Vec<(u64, u64)>,
    /// Ids of `Detection` intervals by end, then start.
    detections: Vec<u64>,
    /// Blocks that are short and have a replica left; `None` where the trace does not count them.
    short: Option<Steps>,
}

/// Word of something that makes blocks short is on its way no longer than this.
const WORD: Nanos = Nanos::millis(10);

impl<'a> Chains<'a> {
    /// Sorts the intervals. Those of no length hold nothing up and are left out.
    pub fn of(trace: &'a Trace) -> Chains<'a> {
        // With what they are sorted by: millions, and to look it up at each comparison takes longer
        // than all the rest.
        let mut links: Vec<(Option<i64>, Nanos, Nanos, u64)> = Vec::new();
        let mut parts: Vec<(u64, Nanos, Nanos, u64)> = Vec::new();
        let mut detections: Vec<u64> = Vec::new();
        for (id, interval) in trace.intervals.iter().enumerate() {
            let (start, end, id) = (interval.start, interval.end, id as u64);
            let lasts = end > start;
            match (interval.kind, interval.parent) {
                (IntervalKind::Held, Some(parent)) if lasts => parts.push((parent, start, end, id)),
                (IntervalKind::Detection, _) if interval.block.is_none() => detections.push(id),
                (IntervalKind::Held | IntervalKind::Detection, _) => {}
                _ if lasts && interval.block.is_some() => {
                    links.push((interval.block, start, end, id))
                }
                _ => {}
            }
        }
        let of = |id: u64| &trace.intervals[usize_of(id)];
        detections.sort_by_key(|&id| (of(id).end, of(id).start, id));
        links.sort_unstable();
        parts.sort_unstable();
        let links: Vec<u64> = links.into_iter().map(|(.., id)| id).collect();
        let parts = parts.into_iter().map(|(parent, .., id)| (parent, id)).collect();
        let mut blocks: Vec<(i64, Range<usize>)> = Vec::new();
        for (place, &id) in links.iter().enumerate() {
            let block = of(id).block.expect("filtered above");
            match blocks.last_mut() {
                Some((last, range)) if *last == block => range.end = place + 1,
                _ => blocks.push((block, place..place + 1)),
            }
        }
        Chains { trace, blocks, links, parts, detections, short: risk::short(trace) }
    }

    /// An interval by its id; `None` where a trace refers to what it does not have.
    pub fn get(&self, id: u64) -> Option<&'a Interval> {
        self.trace.intervals.get(usize::try_from(id).ok()?)
    }

    /// The blocks that have a chain, ascending.
    pub fn blocks(&self) -> impl Iterator<Item = i64> {
        self.blocks.iter().map(|(block, _)| *block)
    }

    /// Ids of a block's chain, by start.
    pub fn chain(&self, block: i64) -> &[u64] {
        match self.blocks.binary_search_by_key(&block, |(b, _)| *b) {
            Ok(place) => &self.links[self.blocks[place].1.clone()],
            Err(_) => &[],
        }
    }

    /// The link of a block's chain that holds it up just before `time`, else the one that ended
    /// last before. Of several, first the one that ends soonest (it is what `time` waited for; the
    /// others go on beside it), then the one that began last.
    pub fn before(&self, block: i64, time: Nanos) -> Option<u64> {
        let begun = self.chain(block).iter().copied().filter(|&id| self.at(id).start < time);
        begun.max_by_key(|&id| {
            let link = self.at(id);
            (link.end.min(time), std::cmp::Reverse(link.end), link.start, id)
        })
    }

    /// The detection that ends at `time`; of several the one that began first.
    pub fn detected(&self, time: Nanos) -> Option<u64> {
        let first = self.detections.partition_point(|&id| self.at(id).end < time);
        self.detections.get(first).copied().filter(|&id| self.at(id).end == time)
    }

    /// The detection that is under way at `time`; of several the one that began first.
    pub fn unnoticed(&self, time: Nanos) -> Option<u64> {
        let under_way = self.detections.iter().copied().filter(|&id| {
            let detection = self.at(id);
            detection.start < time && time < detection.end
        });
        under_way.min_by_key(|&id| (self.at(id).start, id))
    }

    /// Whether the interval is a loss that is not noticed yet.
    pub fn detects(&self, id: u64) -> bool {
        self.at(id).kind == IntervalKind::Detection
    }

    /// Since when no block is short that has a replica left, looking back from `time` or a moment
    /// before it; `None` if one was short at both, or where the trace does not say.
    pub fn all_safe_since(&self, time: Nanos) -> Option<Nanos> {
        let short = self.short.as_ref()?;
        let safe =
            |time| Some(short.last_above_zero(time).unwrap_or_default()).filter(|t| *t < time);
        // What a node's return asks for anew the NameNode hears of a little later.
        safe(time).or_else(|| safe(time.saturating_sub(WORD)))
    }

    /// The parts of a copy: ids by start.
    pub fn parts(&self, transfer: u64) -> impl Iterator<Item = u64> {
        let first = self.parts.partition_point(|part| part.0 < transfer);
        self.parts[first..].iter().take_while(move |part| part.0 == transfer).map(|part| part.1)
    }

    /// When a block's chain ends, looking only at what began before `by`, and whether it did end
    /// then: where a node is back, copies of what it holds go on.
    pub fn ends(&self, block: i64, by: Nanos) -> Option<(Nanos, bool)> {
        let links = self.chain(block).iter().map(|&id| self.at(id)).filter(|link| link.start < by);
        links.map(|link| (link.end.min(by), link.end <= by)).max()
    }

    /// Whether a block's chain ends in a wait that nothing can end.
    pub fn is_hopeless(&self, block: i64) -> bool {
        let last = self.chain(block).iter().map(|&id| self.at(id)).max_by_key(|link| link.end);
        last.is_some_and(|link| match self.cause(link) {
            Cause::Setting(s) => self.trace.settings[s as usize].is_lack(),
            _ => false,
        })
    }

    fn at(&self, id: u64) -> &'a Interval {
        &self.trace.intervals[usize_of(id)]
    }

    /// A cause that the trace has, else `Unexplained`.
    pub fn cause(&self, interval: &Interval) -> Cause {
        let exists = match interval.cause {
            Cause::Unexplained => true,
            Cause::Resource(r) => (r as usize) < self.trace.resources.len(),
            Cause::Setting(s) => (s as usize) < self.trace.settings.len(),
            Cause::Interval(id) => self.get(id).is_some(),
        };
        if exists { interval.cause } else { Cause::Unexplained }
    }
}
