//! Data loss over seeds: how often, and how much.
use crate::report::{Loss, Stat};
use crate::run::{Run, VariantRuns};
use crate::stat::stat;
use crate::words::{NB, num};
use units::u32_of;

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// In how many seeds what happens costs blocks their last live replica, and how many on average.
/// `None` without a run, or where no run counts them.
pub fn loss(variant: &VariantRuns) -> Option<Loss> {
    let counted = |run: &Run| run.metrics.contains_key("blocks_lost");
    if variant.runs.is_empty() || !variant.runs.iter().all(counted) {
        return None;
    }
    let blocks: Vec<f64> = variant.runs.iter().map(|run| run.blocks_lost() as f64).collect();
    let seeds = u32_of(blocks.iter().filter(|lost| **lost > 0.0).count());
    let (low, high) = wilson(seeds, u32_of(blocks.len()));
    let probability = f64::from(seeds) / blocks.len() as f64;
    Some(Loss { seeds, probability, low, high, blocks: stat(&blocks) })
}

/// Wilson's score interval at 95 % of a probability of which `hits` of `n` draws came true: honest
/// at 0 and `n`, too, where the usual p ± 1.96 √(p (1 − p) / n) has no width (Wilson 1927; Brown,
/// Cai and DasGupta 2001 recommend it).
pub fn wilson(hits: u32, n: u32) -> (f64, f64) {
    assert!(n > 0 && hits <= n, "{hits} of {n}");
    let (p, n) = (f64::from(hits) / f64::from(n), f64::from(n));
    let scale = 1.0 + Z * Z / n;
    let centre = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z * libm::sqrt(p * (1.0 - p) / n + Z * Z / (4.0 * n * n)) / scale;
    // Exact where rounding would not be.
    let low = if hits == 0 { 0.0 } else { centre - half };
    (low, if p == 1.0 { 1.0 } else { centre + half })
}

/// "0.31", "3": what is rare needs more decimals.
pub fn expected(blocks: &Stat) -> String {
    let digits = match blocks.mean {
        0.0 => 0,
        mean if mean < 0.1 => 3,
        mean if mean < 10.0 => 2,
        _ => 0,
    };
    num(blocks.mean, digits)
}

/// "12 %", "2.5 %".
pub fn probability(loss: &Loss) -> String {
    format!("{}{NB}%", num(loss.probability * 100.0, digits(loss)))
}

/// "7–20 %", "0.2–5.4 %".
pub fn interval(loss: &Loss) -> String {
    let ends = [loss.low, loss.high].map(|p| num(p * 100.0, digits(loss)));
    format!("{}{NB}%", ends.join("–"))
}

fn digits(loss: &Loss) -> usize {
    if loss.high < 0.1 { 1 } else { 0 }
}

/// "12 of 100".
pub fn of_seeds(loss: &Loss, seeds: u32) -> String {
    format!("{} of {}", num(f64::from(loss.seeds), 0), num(f64::from(seeds), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval's ends are where |hits − n p| = z √(n p (1 − p)): the definition, by bisection.
    #[test]
    fn the_interval_is_where_the_score_test_rejects() {
        for n in [1, 2, 10, 100, 10_000] {
            for hits in [0, 1, n / 3, n / 2, n - 1, n] {
                let score = |p: f64| {
                    let (hits, n) = (f64::from(hits), f64::from(n));
                    (hits - n * p).abs() - Z * libm::sqrt(n * p * (1.0 - p))
                };
                let seen = f64::from(hits) / f64::from(n);
                let between = |mut out: f64, mut within: f64| {
                    for _ in 0..200 {
                        let middle = (out + within) / 2.0;
                        if score(middle) > 0.0 { out = middle } else { within = middle }
                    }
                    (out + within) / 2.0
                };
                let (low, high) = wilson(hits, n);
                assert!((low - between(0.0, seen)).abs() < 1e-9, "{hits} of {n}: {low}");
                assert!((high - between(1.0, seen)).abs() < 1e-9, "{hits} of {n}: {high}");
            }
        }
    }

    #[test]
    fn known_values() {
        let (low, high) = wilson(10, 100);
        assert!((low - 0.055_229).abs() < 1e-6 && (high - 0.174_366).abs() < 1e-6, "{low} {high}");
        let (low, high) = wilson(0, 100);
        assert!(low == 0.0 && (high - 0.036_993).abs() < 1e-6, "{high}");
    }
}
