//! Intervals: added whole, or opened now and closed later.
use super::TraceBuilder;
use crate::ids::*;
use crate::schema::{Cause, Depend, Evidence, Interval, Outcome};
use units::Nanos;

/// An interval that is being added.
#[must_use = "an interval is added by `push()`"]
pub struct NewInterval<'a> {
    builder: &'a mut TraceBuilder,
    row: Interval,
}

/// Makes the words that set one field.
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
        /// Whose it is.
        of(subject: EntityId) subject = Some(subject);
        /// The interval that it is a part of.
        within(parent: IntervalId) parent = Some(parent);
        /// Where: the node that acts.
        node(node: NodeId) node = Some(node);
        /// The other node.
        peer(peer: NodeId) peer = Some(peer);
        /// What a work uses, or a wait wants.
        uses(resource: ResourceId) resource = Some(resource);
        /// What it uses at the other node.
        peer_uses(resource: ResourceId) peer_resource = Some(resource);
        /// From when.
        from(start: Nanos) start = start;
        /// Until when; without it, it goes on until [`TraceBuilder::close`].
        to(end: Nanos) end = end;
        /// So long a work first stood in line.
        queued(queued: Nanos) queued = queued;
        /// Moved or done, in the kind's unit.
        amount(amount: u64) amount = Some(amount);
        /// What it waited for, or what limited it.
        cause(cause: Cause) cause = cause;
        /// How it ended.
        outcome(outcome: Outcome) outcome = outcome;
        /// Attempts that broke off before.
        tries(tries: u32) tries = tries;
        /// How many operations it stands for.
        weight(weight: f64) weight = weight;
        /// How far each end may be off.
        doubt(doubt: Nanos) doubt = doubt;
        /// Where it comes from.
        evidence(evidence: Evidence) evidence = Some(evidence);
    }

    /// Adds it.
    pub fn push(self) -> IntervalId {
        let intervals = &mut self.builder.trace.intervals;
        intervals.push(self.row);
        IntervalId::of(intervals.len() - 1)
    }

    /// Adds it if it has a length: a wait of none is no row.
    pub fn push_if_long(self) -> Option<IntervalId> {
        (self.row.start < self.row.end).then(|| self.push())
    }

    /// Adds it as a join that needs `need` of these: its cause is the one that was the `need`th to
    /// end (of equal ends the lowest id). All of them must have been added; those that are not
    /// closed count as last.
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

/// The one that was the `need`th to end; of equal ends the lowest id.
pub(crate) fn settled(need: usize, of: &[IntervalId], end: impl Fn(IntervalId) -> Nanos) -> Cause {
    let mut ends: Vec<(Nanos, IntervalId)> = of.iter().map(|id| (end(*id), *id)).collect();
    ends.sort_unstable();
    let kth = need.checked_sub(1).and_then(|at| ends.get(at)).map(|kth| kth.0);
    // Whoever ended at that time gave the hand-over, whichever of them was counted last.
    let first = ends.iter().find(|(end, _)| Some(*end) == kth);
    first.map_or(Cause::Unexplained, |(_, id)| Cause::Interval(*id))
}

impl TraceBuilder {
    /// An interval of this kind, from the run's start and open.
    pub fn interval(&mut self, kind: IntervalKind) -> NewInterval<'_> {
        NewInterval { builder: self, row: Interval::new(kind, Nanos::ZERO, Nanos::MAX) }
    }
    /// An interval has ended.
    pub fn close(&mut self, interval: IntervalId, at: Nanos) {
        self.trace.intervals[interval.at()].end = at
    }
    /// An interval that is there, to be completed.
    pub fn interval_mut(&mut self, interval: IntervalId) -> &mut Interval {
        &mut self.trace.intervals[interval.at()]
    }
    /// How many intervals there are.
    pub fn intervals(&self) -> usize {
        self.trace.intervals.len()
    }
    /// Adds intervals and what their joins look at, which refer to each other by their places.
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
