//! Cost of a finding, by simulation.
use crate::change::Change;
use crate::price;
use system::figures::Difference;
use system::lab::RowRuns;

pub struct Cost {
    /// \[1/s\]
    pub writes: Option<Change>,
    /// 99th percentile of latency \[ms\].
    pub tail: Option<Change>,
    pub worse: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GainVerdict {
    /// A significant gain of at least 5 %.
    Gains,
    /// No significant difference.
    Nothing,
    Loses,
}

impl GainVerdict {
    pub fn word(self) -> &'static str {
        match self {
            GainVerdict::Gains => "costs",
            GainVerdict::Nothing => "harmless",
            GainVerdict::Loses => "harmless: a repair loses",
        }
    }
}

impl Cost {
    pub fn of(now: &RowRuns, mended: &RowRuns) -> Cost {
        Cost {
            writes: Change::of_writes(now, mended),
            tail: Change::of_tail(now, mended),
            worse: price::worse(now, mended),
        }
    }

    /// Writes decide; if they do not differ, the 99th percentile does.
    pub fn gain_verdict(&self) -> GainVerdict {
        let of = |change: Option<Change>| change.map_or(Difference::None, |c| c.verdict);
        match (of(self.writes), of(self.tail)) {
            (Difference::Better, _) => GainVerdict::Gains,
            (Difference::Worse, _) => GainVerdict::Loses,
            (_, Difference::Better) => GainVerdict::Gains,
            (_, Difference::Worse) => GainVerdict::Loses,
            _ => GainVerdict::Nothing,
        }
    }
}
