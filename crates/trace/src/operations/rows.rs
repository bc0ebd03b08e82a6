//! The rows of one operation, until it ends.
use crate::builder::settled;
use crate::ids::IntervalId;
use crate::schema::{Depend, Interval};
use units::Nanos;

/// An operation's rows, which refer to each other by their places; the first is the operation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rows {
    /// The operation, then its parts.
    pub intervals: Vec<Interval>,
    /// What joins look at.
    pub depends: Vec<Depend>,
}

impl Rows {
    /// A row more, by its place among these.
    pub fn add(&mut self, row: Interval) -> IntervalId {
        self.intervals.push(row);
        IntervalId::of(self.intervals.len() - 1)
    }

    /// A row has ended.
    pub fn close(&mut self, row: IntervalId, at: Nanos) {
        self.intervals[row.at()].end = at
    }

    /// A join that needs `need` of these, which must be there and closed: its cause is the one that
    /// was the `need`th to end.
    pub fn join(&mut self, mut row: Interval, need: usize, of: &[IntervalId]) -> IntervalId {
        row.need = Some(units::u32_of(need));
        row.cause = settled(need, of, |id| self.intervals[id.at()].end);
        let interval = IntervalId::of(self.intervals.len());
        self.depends.extend(of.iter().map(|on| Depend { interval, on: *on }));
        self.add(row)
    }

    pub(super) fn clear(&mut self) {
        self.intervals.clear();
        self.depends.clear()
    }
}
