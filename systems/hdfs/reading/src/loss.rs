//! Data loss over seeds: probability and amount.
use crate::run::Run;
use crate::stat::{Stat, stat};
use crate::words::{NB, num};
use analysis::Count;
use serde::Serialize;
use units::u32_of;

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Loss {
    /// Seeds in which the events cost blocks their last live replica.
    pub seeds: u32,
    pub probability: f64,
    /// Lower end of its 95 % interval (Wilson score).
    pub low: f64,
    pub high: f64,
    /// Lost blocks per seed; the mean is the expected value.
    pub blocks: Stat,
}

/// `None`: no run, or no run counts lost blocks.
pub fn loss<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Option<Loss> {
    let runs: Vec<&Run> = runs.into_iter().collect();
    let counted = |run: &&Run| run.metrics.contains_key("blocks_lost");
    if runs.is_empty() || !runs.iter().all(counted) {
        return None;
    }
    let blocks: Vec<f64> = runs.iter().map(|run| run.blocks_lost() as f64).collect();
    let count = Count::of(blocks.iter().map(|lost| *lost > 0.0));
    let (seeds, probability, (low, high)) = (u32_of(count.holds), count.share(), count.wilson());
    Some(Loss { seeds, probability, low, high, blocks: stat(&blocks) })
}

/// "0.31", "3": small values need more decimals.
pub fn format_expected(blocks: &Stat) -> String {
    let digits = match blocks.mean {
        0.0 => 0,
        mean if mean < 0.1 => 3,
        mean if mean < 10.0 => 2,
        _ => 0,
    };
    num(blocks.mean, digits)
}

pub fn probability(loss: &Loss) -> String {
    format!("{}{NB}%", num(loss.probability * 100.0, digits(loss)))
}

pub fn interval(loss: &Loss) -> String {
    let ends = [loss.low, loss.high].map(|p| num(p * 100.0, digits(loss)));
    format!("{}{NB}%", ends.join("–"))
}

fn digits(loss: &Loss) -> usize {
    if loss.high < 0.1 { 1 } else { 0 }
}

pub fn of_seeds(loss: &Loss, seeds: u32) -> String {
    format!("{} of {}", num(f64::from(loss.seeds), 0), num(f64::from(seeds), 0))
}
