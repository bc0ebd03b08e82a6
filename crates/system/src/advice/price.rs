//! What a change costs: other measures that become worse.
use crate::lab::RowRuns;
use analysis::advice::{Fate, fate};
use analysis::stat;
use trace::Better;

/// A measure besides the objective, which a change may make worse.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Price {
    /// The metric.
    pub metric: &'static str,
    /// In words: "99 of 100 writes end in".
    pub words: &'static str,
    /// Its unit: "ms".
    pub unit: &'static str,
    /// Which way it is better.
    pub better: Better,
    /// Nothing is worth it: lost blocks, failed jobs.
    pub never: bool,
}

impl Price {
    /// Of which less is better.
    pub const fn less(metric: &'static str, words: &'static str, unit: &'static str) -> Price {
        Price { metric, words, unit, better: Better::Less, never: false }
    }

    /// Of which more is better.
    pub const fn more(metric: &'static str, words: &'static str, unit: &'static str) -> Price {
        Price { metric, words, unit, better: Better::More, never: false }
    }

    /// The same, which nothing is worth.
    pub const fn never(self) -> Price {
        Price { never: true, ..self }
    }
}

/// A measure that becomes worse, by more than chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Harm {
    /// Which.
    pub price: Price,
    /// Mean over seeds as it stands.
    pub now: f64,
    /// Mean over seeds then.
    pub then: f64,
}

impl Harm {
    /// "p99 12 ms instead of 10.2 ms".
    pub fn words(&self) -> String {
        let unit = page::Unit::from(self.price.unit);
        let (then, now) = (unit.write(self.then), unit.write(self.now));
        format!("{} {then} instead of {now}", self.price.words)
    }
}

/// What becomes worse with the second row; of what nothing is worth any growth counts.
pub(super) fn harms(now: &RowRuns, then: &RowRuns, prices: &[Price]) -> Vec<Harm> {
    let one = |price: &Price| {
        let (before, after) = (now.metric(price.metric)?, then.metric(price.metric)?);
        let alike = before.len() == after.len() && !before.is_empty();
        let (before, after) = alike.then_some((before, after))?;
        let sign = if price.better == Better::Less { 1.0 } else { -1.0 };
        let needs = |all: &[f64]| all.iter().map(|value| sign * value).collect::<Vec<f64>>();
        let harm = Harm { price: *price, now: stat(&before).mean, then: stat(&after).mean };
        let (before, after) = (needs(&before), needs(&after));
        let worse = match price.never {
            true => sign * (harm.then - harm.now) > 0.0,
            false => fate(&before, Some(&after), prices.len()) == Fate::Loses,
        };
        worse.then_some(harm)
    };
    prices.iter().filter_map(one).collect()
}
