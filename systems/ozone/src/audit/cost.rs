//! What a finding costs, by simulation.
use crate::change::Change;
use crate::price;
use system::figures::Difference;
use system::lab::RowRuns;

pub struct Cost {
    /// Writes a second.
    pub writes: Option<Change>,
    /// The time within which 99 of 100 writes end \[ms\].
    pub tail: Option<Change>,
    pub worse: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// It surely gains, by 5 % at least.
    Gains,
    /// No difference is seen.
    Nothing,
    Loses,
}

impl Worth {
    pub fn word(self) -> &'static str {
        match self {
            Worth::Gains => "costs",
            Worth::Nothing => "harmless",
            Worth::Loses => "harmless: mending it loses",
        }
    }
}

impl Cost {
    /// The cluster as it is, and mended.
    pub fn of(now: &RowRuns, mended: &RowRuns) -> Cost {
        Cost {
            writes: Change::of_writes(now, mended),
            tail: Change::of_tail(now, mended),
            worse: price::worse(now, mended),
        }
    }

    /// Writes decide; where they are alike, the slowest of 100 does.
    pub fn worth(&self) -> Worth {
        let of = |change: Option<Change>| change.map_or(Difference::None, |c| c.verdict);
        match (of(self.writes), of(self.tail)) {
            (Difference::Better, _) => Worth::Gains,
            (Difference::Worse, _) => Worth::Loses,
            (_, Difference::Better) => Worth::Gains,
            (_, Difference::Worse) => Worth::Loses,
            _ => Worth::Nothing,
        }
    }
}
