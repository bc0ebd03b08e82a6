//! One bar per cause: its share of a whole, or an upper bound of the gain without it.
use crate::foot::Link;
use crate::kind::{Kind, Unit};
use serde::{Deserialize, Serialize};
use units::floored_u64;

/// An interval that contributes to a share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Behind {
    /// "blk_1073 queued".
    pub label: String,
    /// Begin \[s\].
    pub start_s: f64,
    /// End \[s\].
    pub end_s: f64,
}

/// One bar per cause.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Shares {
    /// Unit of `amount`.
    pub unit: Unit,
    /// Head of the amount column: "waited".
    pub head: String,
    /// Shares of a whole, which add up to 100 % in a last row; otherwise bounds over an axis.
    pub whole: bool,
    /// Bars.
    pub rows: Vec<Share>,
}

/// One bar.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Share {
    /// Hue; `Unexplained` is hollow.
    pub kind: Option<Kind>,
    /// Real key with its value, or "Disk".
    pub name: String,
    /// Origin in the logs, below or after the name.
    pub source: String,
    /// Amount in `unit`; `None`: unknown.
    pub amount: Option<f64>,
    /// Length of the bar: fraction of the whole (may be negative for bounds).
    pub share: f64,
    /// Whole percents, rounded so that the column adds up to 100.
    pub percent: i32,
    /// `share` is an upper bound: "at most −20 %".
    pub at_most: bool,
    /// The bar is hollow from `low` to `share`: an interval without evidence.
    pub low: Option<f64>,
    /// Hatched: overlaps another bar, such as GC in CPU.
    pub overlaps: bool,
    /// Known parts of an unexplained share, drawn at its left end.
    pub known: Vec<(Kind, f64)>,
    /// Written in the bar: "at least 0.7 s disk and network".
    pub label: String,
    /// The longest intervals behind the bar.
    pub intervals: Vec<Behind>,
    /// Link to a list of all intervals: "transfers?held=x".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub all: Option<Link>,
}

impl Shares {
    /// Computes shares and percents from amounts.
    pub fn of_whole(unit: &str, head: &str, mut rows: Vec<Share>) -> Shares {
        let total: f64 = rows.iter().filter_map(|row| row.amount).sum();
        let part = |row: &Share| if total > 0.0 { row.amount.unwrap_or(0.0) / total } else { 0.0 };
        let shares: Vec<f64> = rows.iter().map(part).collect();
        for ((row, share), percent) in rows.iter_mut().zip(&shares).zip(percents(&shares)) {
            (row.share, row.percent) = (*share, percent as i32);
        }
        Shares { unit: unit.into(), head: head.into(), whole: true, rows }
    }

    /// Upper bounds of the relative gain without each cause.
    pub fn bounds(head: &str, rows: Vec<Share>) -> Shares {
        Shares { unit: "%".into(), head: head.into(), whole: false, rows }
    }
}

impl Share {
    /// An amount of a cause.
    pub fn new(kind: Kind, name: impl Into<String>, amount: f64) -> Share {
        let amount = Some(amount);
        Share { kind: Some(kind), name: name.into(), amount, ..Share::default() }
    }

    /// Without the cause the whole shrinks by at most `share` (0–1).
    pub fn at_most(kind: Kind, name: impl Into<String>, share: f64) -> Share {
        let percent = percent(share);
        let name = name.into();
        Share { kind: Some(kind), name, share, percent, at_most: true, ..Share::default() }
    }

    /// An unexplained share between `low` and `high` (0–1).
    pub fn between(name: impl Into<String>, low: f64, high: f64) -> Share {
        let percent = percent(high);
        let (kind, low) = (Some(Kind::Unexplained), Some(low));
        Share { kind, name: name.into(), share: high, percent, low, ..Share::default() }
    }

    /// Sets the origin in the logs.
    pub fn source(mut self, source: impl Into<String>) -> Share {
        self.source = source.into();
        self
    }

    /// Sets the contributing intervals.
    pub fn behind(mut self, intervals: Vec<Behind>) -> Share {
        self.intervals = intervals;
        self
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a float beyond the ends becomes the end")]
fn percent(share: f64) -> i32 {
    libm::round(100.0 * share) as i32
}

fn whole_percent(percent: f64) -> u32 {
    u32::try_from(floored_u64(percent)).unwrap_or(u32::MAX)
}

/// Rounds shares 0–1 to whole percents by largest remainder, so that they add up to 100. Of equal
/// remainders the first is rounded up. All zeros stay 0.
pub fn percents(shares: &[f64]) -> Vec<u32> {
    let exact: Vec<f64> = shares.iter().map(|share| 100.0 * share).collect();
    let mut whole: Vec<u32> = exact.iter().map(|percent| whole_percent(*percent)).collect();
    if shares.iter().all(|share| *share == 0.0) {
        return whole;
    }
    let missing = 100u32.saturating_sub(whole.iter().sum());
    let mut order: Vec<usize> = (0..exact.len()).collect();
    let rest = |i: usize| exact[i] - libm::floor(exact[i]);
    order.sort_by(|&a, &b| rest(b).total_cmp(&rest(a)).then(a.cmp(&b)));
    order.iter().take(missing as usize).for_each(|&i| whole[i] += 1);
    whole
}
