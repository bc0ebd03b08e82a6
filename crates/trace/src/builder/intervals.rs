//! Intervals: added complete, or opened and closed later.
use super::TraceBuilder;
use crate::ids::*;
use crate::schema::{Cause, Depend, Evidence, Interval, Outcome};
use units::Nanos;

/// An interval to add with [`NewInterval::push`].
#[must_use = "an interval is added by `push()`"]
pub struct NewInterval<'a> {
    builder: &'a mut TraceBuilder,
    row: Interval,
}

/// Generates setters of one field each.
macro_rules! words {
    ($($(#[$about:meta])* $word:ident($value:ident: $type:ty) $field:ident = $set:expr;)*) => {$(
        $(#[$about])*
        pub fn $word(mut self, $value: $type) -> Self {
            self.row.$field = $set;
            self
        }
    )*};
}

impl NewInterval<'_> {
    words! {
        /// The entity that the interval belongs to.
        of(subject: EntityId) subject = Some(subject);
        /// The interval that it is a part of.
        within(parent: IntervalId) parent = Some(parent);
        /// The acting node.
        node(node: NodeId) node = Some(node);
        /// The other node of a transfer.
        peer(peer: NodeId) peer = Some(peer);
        /// The resource that a work uses, or a wait needs.
        uses(resource: ResourceId) resource = Some(resource);
        /// The resource used on the other node.
        peer_uses(resource: ResourceId) peer_resource = Some(resource);
        /// The start.
        from(start: Nanos) start = start;
        /// The end. Without it, the interval is open until [`TraceBuilder::close`].
        to(end: Nanos) end = end;
        /// Time in the queue at the start of a work.
        queued(queued: Nanos) queued = queued;
        /// Amount in the kind's unit.
        amount(amount: u64) amount = Some(amount);
        /// The resource or setting that limited it, or what it waited for.
        cause(cause: Cause) cause = cause;
        /// The result.
        outcome(outcome: Outcome) outcome = outcome;
        /// Failed attempts before this one.
        tries(tries: u32) tries = tries;
        /// Number of operations that this one represents.
        weight(weight: f64) weight = weight;
        /// Possible error of each end.
        doubt(doubt: Nanos) doubt = doubt;
        /// The source of the row.
        evidence(evidence: Evidence) evidence = Some(evidence);
    }

    /// Appends the interval to the table.
    pub fn push(self) -> IntervalId {
        let intervals = &mut self.builder.trace.intervals;
        intervals.push(self.row);
        IntervalId::of(intervals.len() - 1)
    }

    /// Adds the interval unless its length is 0.
    pub fn push_if_long(self) -> Option<IntervalId> {
        (self.row.start < self.row.end).then(|| self.push())
    }

    /// Adds a join that needs `need` of these intervals. Its cause is the `need`th to end, or the
    /// lowest id with the same end. All must have been added; open ones count as last.
    pub fn join(mut self, need: usize, of: &[IntervalId]) -> IntervalId {
        let intervals = &self.builder.trace.intervals;
        self.row.need = Some(units::u32_of(need));
        self.row.cause = settled(need, of, |id| intervals[id.at()].end);
        let depends = &mut self.builder.trace.depends;
        let interval = IntervalId::of(intervals.len());
        depends.extend(of.iter().map(|on| Depend { interval, on: *on }));
        self.push()
    }
}

pub(crate) fn settled(need: usize, of: &[IntervalId], end: impl Fn(IntervalId) -> Nanos) -> Cause {
    let mut ends: Vec<(Nanos, IntervalId)> = of.iter().map(|id| (end(*id), *id)).collect();
    ends.sort_unstable();
    let kth = need.checked_sub(1).and_then(|at| ends.get(at)).map(|kth| kth.0);
    // All that ended at this time caused the hand-over; the lowest id makes the choice unique.
    let first = ends.iter().find(|(end, _)| Some(*end) == kth);
    first.map_or(Cause::Unexplained, |(_, id)| Cause::Interval(*id))
}

impl TraceBuilder {
    /// An open interval of this kind, from the run's start.
    pub fn interval(&mut self, kind: IntervalKind) -> NewInterval<'_> {
        NewInterval { builder: self, row: Interval::new(kind, Nanos::ZERO, Nanos::MAX) }
    }
    /// Sets the end of an interval.
    pub fn close(&mut self, interval: IntervalId, at: Nanos) {
        self.trace.intervals[interval.at()].end = at
    }
    /// An interval to complete.
    pub fn interval_mut(&mut self, interval: IntervalId) -> &mut Interval {
        &mut self.trace.intervals[interval.at()]
    }
    /// Number of intervals so far.
    pub fn intervals(&self) -> usize {
        self.trace.intervals.len()
    }
    /// Appends intervals and their joins' dependencies. `rows` and `depends` number intervals from
    /// 0 within `rows`.
    pub fn add_rows(&mut self, rows: &[Interval], depends: &[Depend]) {
        let first = self.trace.intervals.len();
        let moved = |id: IntervalId| IntervalId::of(first + id.at());
        self.trace.intervals.extend(rows.iter().map(|row| {
            let cause = match row.cause {
                Cause::Interval(id) => Cause::Interval(moved(id)),
                other => other,
            };
            Interval { parent: row.parent.map(moved), cause, ..row.clone() }
        }));
        let depends = depends.iter();
        let moved = depends.map(|d| Depend { interval: moved(d.interval), on: moved(d.on) });
        self.trace.depends.extend(moved)
    }
}
