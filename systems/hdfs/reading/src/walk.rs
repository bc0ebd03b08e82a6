//! The critical path: from the last block to become safe backwards through what it waited for.
//!
//! Time only goes down, so each moment between the declaration and the end is charged exactly once.
use crate::chains::Chains;
use trace::{Cause, IntervalKind};
use units::{Nanos, usize_of};

/// What a stretch of time is charged to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// Place in `Trace::settings`.
    Setting(u32),
    /// Place in `Trace::resources`.
    Resource(u32),
    /// Another interval of this kind, of which the trace does not say what limited it.
    Interval(IntervalKind),
    /// A loss that had not happened yet.
    LaterLoss,
    /// No evidence.
    Unexplained,
}

/// A stretch of time with what it is charged to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// To what.
    pub holder: Holder,
    /// The interval that was under way; `None` in a gap.
    pub interval: Option<u64>,
    /// From.
    pub start: Nanos,
    /// To.
    pub end: Nanos,
}

/// How a walk treats a wait for another interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follow {
    /// Jump to it, and go on in its block's chain before it began: the critical path.
    All,
    /// Charge it for the time that it was under way, then go on in the own chain: one block's
    /// blocked time.
    Once,
}

/// A walk that is under way.
struct Walk<'a> {
    chains: &'a Chains<'a>,
    follow: Follow,
    /// Where it stops.
    floor: Nanos,
    /// How far it has come.
    time: Nanos,
    /// In whose chain it is; `None` after an interval of no block.
    block: Option<i64>,
    /// The interval that it has jumped to.
    inside: Option<u64>,
    /// Jumped through since `time` last changed: a circle is no explanation.
    seen: Vec<u64>,
    pieces: Vec<Piece>,
}

/// Walks back from `block`, or from the end where none waited, at `top` down to `floor`. The pieces
/// come latest first and cover `floor..top` without gap or overlap.
pub fn walk(
    chains: &Chains<'_>,
    block: Option<i64>,
    top: Nanos,
    floor: Nanos,
    follow: Follow,
) -> Vec<Piece> {
    let mut walk = Walk {
        chains,
        follow,
        floor,
        time: top,
        block,
        inside: None,
        seen: Vec::new(),
        pieces: Vec::new(),
    };
    while walk.time > floor {
        walk.step();
    }
    walk.pieces
}

impl Walk<'_> {
    fn step(&mut self) {
        let here = self.inside.or_else(|| self.chains.before(self.block?, self.time));
        let Some(id) = here else { return self.gap(self.floor) };
        let link = &self.chains.trace.intervals[usize_of(id)];
        if link.end < self.time {
            return self.gap(link.end.max(self.floor));
        }
        let low = link.start.max(self.floor);
        match self.chains.cause(link) {
            Cause::Interval(other) if link.kind != IntervalKind::Transfer => {
                self.waits_for(id, other, low)
            }
            _ => self.charge_interval(id, low),
        }
    }

    /// Nothing of the block is under way down to `low`: it was not known to be short if a loss was
    /// noticed just now, or of several the last never came to be noticed before this end of the
    /// path; it was not short while no block was; else nobody knows.
    fn gap(&mut self, low: Nanos) {
        if let Some(id) = self.chains.detected(self.time) {
            let fault = self.chains.trace.intervals[usize_of(id)].start.max(self.floor);
            self.charge_down_to(fault, self.holder(id), Some(id));
            return self.charge_down_to(self.floor, Holder::LaterLoss, None);
        }
        let detection = |piece: &Piece| piece.interval.is_some_and(|id| self.chains.detects(id));
        let unnoticed = self.chains.unnoticed(self.time);
        if let Some(id) = unnoticed.filter(|_| self.pieces.iter().all(detection)) {
            let fault = self.chains.trace.intervals[usize_of(id)].start.max(low);
            return self.charge_down_to(fault, self.holder(id), Some(id));
        }
        if let Some(since) = self.chains.all_safe_since(self.time) {
            return self.charge_down_to(since.max(low), Holder::LaterLoss, None);
        }
        self.charge_down_to(low, Holder::Unexplained, None)
    }

    /// `id` waits, down to `low`, for `other`.
    fn waits_for(&mut self, id: u64, other: u64, low: Nanos) {
        let target = &self.chains.trace.intervals[usize_of(other)];
        let lies_in = target.start < target.end && target.start < self.end(id) && target.end > low;
        if !lies_in || other == id || self.seen.contains(&other) {
            return self.charge_down_to(low, Holder::Unexplained, Some(id));
        }
        if target.start >= self.time {
            return self.waits_with(id, other, low);
        }
        if self.follow == Follow::Once {
            return self.blames(id, other, low);
        }
        self.seen.push(other);
        if target.end < self.time {
            self.charge_down_to(target.end, Holder::Unexplained, Some(id));
            self.seen.push(other);
        }
        self.inside = Some(other);
        self.block = target.block;
    }

    /// `id` waits for `other`, which has not begun: for what that waits for.
    fn waits_with(&mut self, id: u64, other: u64, low: Nanos) {
        let target = &self.chains.trace.intervals[usize_of(other)];
        match self.follow {
            Follow::Once => self.charge_down_to(low, Holder::Interval(target.kind), Some(id)),
            Follow::All => {
                self.seen.push(other);
                (self.inside, self.block) = (None, target.block)
            }
        }
    }

    /// Charges `other` while it was under way, and the rest of `id` to others like it.
    fn blames(&mut self, id: u64, other: u64, low: Nanos) {
        let target = &self.chains.trace.intervals[usize_of(other)];
        self.charge_down_to(target.end.min(self.time), Holder::Unexplained, Some(id));
        self.inside = Some(other);
        self.charge_interval(other, target.start.max(low));
        self.charge_down_to(low, Holder::Interval(target.kind), Some(id));
    }

    /// Charges an interval, down to `low`, by its parts if it has any, else by its cause.
    fn charge_interval(&mut self, id: u64, low: Nanos) {
        let link = &self.chains.trace.intervals[usize_of(id)];
        let jumped = self.inside == Some(id);
        let mut parts: Vec<u64> = self.chains.parts(id).collect();
        if parts.is_empty() {
            let holder = match self.holder(id) {
                Holder::Unexplained if jumped => Holder::Interval(link.kind),
                other => other,
            };
            return self.charge_down_to(low, holder, Some(id));
        }
        parts.reverse();
        for part in parts {
            let held = &self.chains.trace.intervals[usize_of(part)];
            if held.start >= self.time || held.end <= low {
                continue;
            }
            self.charge_down_to(held.end.max(low), Holder::Unexplained, Some(id));
            self.charge_down_to(held.start.max(low), self.holder(part), Some(part));
        }
        self.charge_down_to(low, Holder::Unexplained, Some(id));
    }

    fn end(&self, id: u64) -> Nanos {
        self.chains.trace.intervals[usize_of(id)].end
    }

    fn holder(&self, id: u64) -> Holder {
        let interval = &self.chains.trace.intervals[usize_of(id)];
        match self.chains.cause(interval) {
            Cause::Unexplained => Holder::Unexplained,
            Cause::Resource(r) => Holder::Resource(r),
            Cause::Setting(s) => Holder::Setting(s),
            Cause::Interval(other) => {
                Holder::Interval(self.chains.trace.intervals[usize_of(other)].kind)
            }
        }
    }

    /// Charges the time from `low` up to now, if there is any; then now is `low`.
    fn charge_down_to(&mut self, low: Nanos, holder: Holder, interval: Option<u64>) {
        if low < self.time {
            self.pieces.push(Piece { holder, interval, start: low, end: self.time });
            self.time = low;
            self.seen.clear();
            self.inside = None;
        }
    }
}
