//! What a change costs: other measures that become worse.
use analysis::advice::{Fate, fate};
use analysis::stat;
use trace::Better;

/// A measure besides the objective, which a change may make worse.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Price {
    pub metric: &'static str,
    /// In words: "99 of 100 writes end in".
    pub words: &'static str,
    /// Its unit: "ms".
    pub unit: &'static str,
    pub better: Better,
    /// Nothing is worth it: lost blocks, failed jobs, a longer outage.
    pub never: bool,
    /// Of that, any growth counts, be it chance.
    pub any: bool,
    /// Below this nobody minds it.
    pub from: f64,
}

impl Price {
    /// Of which less is better.
    pub const fn less(metric: &'static str, words: &'static str, unit: &'static str) -> Price {
        Price { metric, words, unit, better: Better::Less, never: false, any: false, from: 0.0 }
    }

    /// Of which more is better.
    pub const fn more(metric: &'static str, words: &'static str, unit: &'static str) -> Price {
        Price { metric, words, unit, better: Better::More, never: false, any: false, from: 0.0 }
    }

    /// The same, of which no growth is worth anything: not even one that may be chance.
    pub const fn never(self) -> Price {
        Price { never: true, any: true, ..self }
    }

    /// The same, of which no growth beyond chance is worth anything that goes beyond this.
    pub const fn unacceptable_from(self, from: f64) -> Price {
        Price { never: true, from, ..self }
    }
}

/// A measure that becomes worse, or better, by more than chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shift {
    pub price: Price,
    /// Mean over seeds as it stands.
    pub now: f64,
    pub then: f64,
}

impl Shift {
    /// By which part of the present it becomes worse; of nothing by none.
    pub fn part(&self) -> f64 {
        (self.then - self.now).abs() / if self.now == 0.0 { f64::INFINITY } else { self.now.abs() }
    }

    /// "p99 12 ms instead of 10.2 ms".
    pub fn words(&self) -> String {
        let unit = page::Unit::from(self.price.unit);
        let (then, now) = (unit.write(self.then), unit.write(self.now));
        format!("{} {then} instead of {now}", self.price.words)
    }
}

/// From this part on a measure that becomes worse may be too dear.
const DEAR: f64 = 0.5;

/// Of what becomes worse that which is not worth such a part of the objective: it becomes worse by
/// a half and more, and by a larger part than is gained.
pub(crate) fn too_dear(harms: &[Shift], gain: f64) -> Option<&Shift> {
    harms.iter().find(|harm| harm.part() >= gain.max(DEAR))
}

/// A metric seed by seed.
pub(crate) type Metric<'m> = &'m dyn Fn(&str) -> Option<Vec<f64>>;

/// What becomes worse with the second row.
pub(crate) fn harms(now: Metric<'_>, then: Metric<'_>, prices: &[Price]) -> Vec<Shift> {
    let worse = |price: &Price, fate: Fate, grows: f64| match price.any {
        true => grows > 0.0,
        false => fate == Fate::Loses,
    };
    changed(now, then, prices, worse)
}

/// What becomes better with the second row, besides the objective.
pub(super) fn boons(now: Metric<'_>, then: Metric<'_>, prices: &[Price]) -> Vec<Shift> {
    changed(now, then, prices, |_, fate, _| fate == Fate::Gains)
}

/// Measures that change so, by their fate and by how much more is needed.
fn changed(
    now: Metric<'_>,
    then: Metric<'_>,
    prices: &[Price],
    so: impl Fn(&Price, Fate, f64) -> bool,
) -> Vec<Shift> {
    let one = |price: &Price| {
        let (before, after) = (now(price.metric)?, then(price.metric)?);
        let alike = before.len() == after.len() && !before.is_empty();
        let (before, after) = alike.then_some((before, after))?;
        let sign = if price.better == Better::Less { 1.0 } else { -1.0 };
        let needs = |all: &[f64]| all.iter().map(|value| sign * value).collect::<Vec<f64>>();
        let shift = Shift { price: *price, now: stat(&before).mean, then: stat(&after).mean };
        let minds = shift.now.max(shift.then) >= price.from;
        let (before, after) = (needs(&before), needs(&after));
        let fate = fate(&before, Some(&after), prices.len());
        (minds && so(price, fate, sign * (shift.then - shift.now))).then_some(shift)
    };
    prices.iter().filter_map(one).collect()
}
