use crate::builder::settled;
use crate::ids::IntervalId;
use crate::schema::{Depend, Interval};
use units::Nanos;

/// Rows of one operation, which number each other from 0; the first is the operation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rows {
    /// The operation, then its parts.
    pub intervals: Vec<Interval>,
    /// Dependencies of joins.
    pub depends: Vec<Depend>,
}

impl Rows {
    /// Appends a row and returns its number.
    pub fn add(&mut self, row: Interval) -> IntervalId {
        self.intervals.push(row);
        IntervalId::of(self.intervals.len() - 1)
    }

    /// Sets the end of a row.
    pub fn close(&mut self, row: IntervalId, at: Nanos) {
        self.intervals[row.at()].end = at
    }

    /// Adds a join that needs `need` of these closed rows. Its cause is the `need`th to end.
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
