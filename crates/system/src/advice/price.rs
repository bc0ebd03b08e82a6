//! The price of a change: other metrics that become worse.
use analysis::advice::{Effect, fate};
use analysis::stat;
use trace::Better;

/// A metric other than the objective that a change may make worse.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Price {
    pub metric: &'static str,
    /// Phrase for a sentence: "99 of 100 writes end in".
    pub words: &'static str,
    pub unit: &'static str,
    pub better: Better,
    /// No gain justifies it: lost blocks, failed jobs, a longer outage.
    pub never: bool,
    /// Any increase counts, even within chance.
    pub any: bool,
    /// Ignored if both means are below this, in `unit`.
    pub from: f64,
}

impl Price {
    pub const fn less(metric: &'static str, words: &'static str, unit: &'static str) -> Price {
        Price { metric, words, unit, better: Better::Less, never: false, any: false, from: 0.0 }
    }

    pub const fn more(metric: &'static str, words: &'static str, unit: &'static str) -> Price {
        Price { metric, words, unit, better: Better::More, never: false, any: false, from: 0.0 }
    }

    /// No gain justifies any increase, even within chance.
    pub const fn never(self) -> Price {
        Price { never: true, any: true, ..self }
    }

    /// No gain justifies an increase beyond chance to `from` or more.
    pub const fn unacceptable_from(self, from: f64) -> Price {
        Price { never: true, from, ..self }
    }
}

/// A metric that a change makes worse or better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MetricChange {
    pub price: Price,
    /// Mean over seeds with the present settings.
    pub now: f64,
    pub then: f64,
}

impl MetricChange {
    /// Relative change; infinite from 0.
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

/// Smallest relative increase that can outweigh a gain.
const DEAR: f64 = 0.5;

/// The first harm that outweighs a relative `gain`: at least as large, and at least `DEAR`.
pub(crate) fn too_dear(harms: &[MetricChange], gain: f64) -> Option<&MetricChange> {
    harms.iter().find(|harm| harm.part() >= gain.max(DEAR))
}

/// Values of a metric by seed; `None` if a run lacks it.
pub(crate) type Metric<'m> = &'m dyn Fn(&str) -> Option<Vec<f64>>;

pub(crate) fn harms(now: Metric<'_>, then: Metric<'_>, prices: &[Price]) -> Vec<MetricChange> {
    let worse = |price: &Price, fate: Effect, grows: f64| match price.any {
        true => grows > 0.0,
        false => fate == Effect::Loses,
    };
    changed(now, then, prices, worse)
}

pub(super) fn benefits(now: Metric<'_>, then: Metric<'_>, prices: &[Price]) -> Vec<MetricChange> {
    changed(now, then, prices, |_, fate, _| fate == Effect::Gains)
}

/// Metrics whose shift `so` accepts, by price, fate and mean growth (positive is worse).
fn changed(
    now: Metric<'_>,
    then: Metric<'_>,
    prices: &[Price],
    so: impl Fn(&Price, Effect, f64) -> bool,
) -> Vec<MetricChange> {
    let one = |price: &Price| {
        let (before, after) = (now(price.metric)?, then(price.metric)?);
        let alike = before.len() == after.len() && !before.is_empty();
        let (before, after) = alike.then_some((before, after))?;
        let sign = if price.better == Better::Less { 1.0 } else { -1.0 };
        let needs = |all: &[f64]| all.iter().map(|value| sign * value).collect::<Vec<f64>>();
        let shift =
            MetricChange { price: *price, now: stat(&before).mean, then: stat(&after).mean };
        let minds = shift.now.max(shift.then) >= price.from;
        let (before, after) = (needs(&before), needs(&after));
        let fate = fate(&before, Some(&after), prices.len());
        (minds && so(price, fate, sign * (shift.then - shift.now))).then_some(shift)
    };
    prices.iter().filter_map(one).collect()
}
