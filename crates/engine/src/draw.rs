//! Random numbers as a pure function of a key: no state to save or roll back.
use crate::log::ln;
use rewind::Hasher;
use units::Nanos;

/// A stream of random numbers, keyed by [`Context::random`](crate::Context::random) or
/// [`Context::draw`](crate::Context::draw).
///
/// ```
/// use engine::{Draw, Nanos};
/// let mut draw = Draw::keyed(1, "service", 7, 0);
/// assert!(draw.below(6) < 6);
/// assert!((0.0..1.0).contains(&draw.unit()));
/// let served = draw.exponential(Nanos::millis(5));
/// // The same key gives the same stream, whatever happened in between.
/// let mut again = Draw::keyed(1, "service", 7, 0);
/// again.below(6);
/// again.unit();
/// assert_eq!(again.exponential(Nanos::millis(5)), served);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Draw(u64);

/// A bijection in which each input bit affects every output bit (SplitMix64: Steele, Lea, Flood
/// 2014).
#[inline(always)]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// The step between the states of a stream: 2⁶⁴ divided by the golden ratio, which is odd.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
const FIRST: u64 = 0xA076_1D64_78BD_642F;

impl Draw {
    /// Offset between the streams of one event.
    pub(crate) const APART: u64 = 0xE703_7ED1_A0B4_28DB;

    /// A stream of an event. `offset`: `APART` times the number of earlier streams of this event.
    #[inline(always)]
    pub(crate) fn of_event(seed: u64, at: u64, tie: u64, offset: u64) -> Draw {
        // The seed is mixed already, so that neither factor is small or similar to the other.
        Draw(fold(at ^ seed, tie ^ seed.rotate_left(32) ^ FIRST).wrapping_add(offset))
    }

    /// The `n`-th stream for a purpose and an entity; policies and settings do not change it.
    /// Inlined, so that the compiler knows the bytes of the purpose.
    #[inline(always)]
    pub fn keyed(seed: u64, purpose: &str, entity: u64, n: u64) -> Draw {
        let mut h = Hasher::new(seed, entity);
        h.word(n);
        h.bytes(purpose.as_bytes());
        Draw(h.finish() as u64)
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A uniform integer below `n`; probabilities differ by at most 2⁻⁶⁴·n.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline(always)]
    #[track_caller]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a random number below 0");
        ((self.bits() as u128 * n as u128) >> 64) as u64
    }

    /// A uniform number above 0 and below 1.
    #[inline(always)]
    pub fn unit(&mut self) -> f64 {
        // With one bit more the largest number would round up to 1.
        ((self.bits() >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
    }

    /// True with probability `p`.
    #[inline(always)]
    pub fn chance(&mut self, p: f64) -> bool {
        // Scales `p` and not the draw, which is known late.
        ((self.bits() >> 11) as f64) < p * (1u64 << 53) as f64
    }

    /// An exponentially distributed time.
    #[inline(always)]
    pub fn exponential(&mut self, mean: Nanos) -> Nanos {
        // The conversion through `i64` is one instruction; it saturates at 292 years.
        Nanos((mean.0 as f64 * -ln(self.unit())) as i64 as u64)
    }

    /// A uniformly drawn item; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len() as u64) as usize) }
    }

    /// Shuffles the items; all orders are equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_what_they_should_be() {
        let mut draw = Draw::keyed(3, "test", 0, 0);
        let n = 100_000;
        let unit = (0..n).map(|_| draw.unit()).sum::<f64>() / n as f64;
        assert!((unit - 0.5).abs() < 0.01, "{unit}");
        let mean = (0..n).map(|_| draw.exponential(Nanos(1_000_000)).0).sum::<u64>() / n;
        assert!((980_000..1_020_000).contains(&mean), "{mean}");
        let heads = (0..n).filter(|_| draw.chance(0.25)).count();
        assert!((24_000..26_000).contains(&heads), "{heads}");
    }

    #[test]
    fn streams_of_neighbours_are_unrelated() {
        let mut seen = std::collections::BTreeSet::new();
        for at in 0..50 {
            for tie in 0..50 {
                for nth in 0..4 {
                    let mut draw = Draw::of_event(mix(1), at, tie, Draw::APART.wrapping_mul(nth));
                    seen.insert(draw.bits());
                    seen.insert(draw.bits());
                }
            }
        }
        assert_eq!(seen.len(), 2 * 50 * 50 * 4);
    }

    #[test]
    fn first_draws_of_neighbouring_keys_are_even() {
        for seed in [0, 1, u64::MAX] {
            let mut counts = [[0u32; 16]; 3];
            for entity in 0..400 {
                for n in 0..400 {
                    let bits = Draw::keyed(seed, "size", entity, n).bits();
                    counts[0][(bits >> 60) as usize] += 1;
                    counts[1][(bits & 15) as usize] += 1;
                    let next = Draw::keyed(seed, "size", entity, n + 1).bits();
                    counts[2][((bits ^ next) >> 60) as usize] += 1
                }
            }
            // 10 000 each; the standard deviation is 97.
            let even = counts.iter().flatten().all(|c| (9500..10_500).contains(c));
            assert!(even, "{seed}: {counts:?}")
        }
    }

    #[test]
    fn every_order_is_drawn_as_often() {
        let mut counts = std::collections::BTreeMap::new();
        for n in 0..24_000 {
            let mut items = [1, 2, 3, 4];
            Draw::keyed(5, "order", 0, n).shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|c| (850..1150).contains(c)), "{counts:?}");
    }

    #[test]
    fn the_logarithm_is_the_librarys_but_for_the_last_bits() {
        let mut draw = Draw::keyed(1, "ln", 0, 0);
        let near = (0..1000).flat_map(|i| {
            let edge = 1.0 + i as f64 / 1000.0;
            [edge, edge - f64::EPSILON, edge / 2.0, 1.0 - i as f64 * f64::EPSILON / 2.0]
        });
        let small = (1..1000).map(|i| 1.0 / (i as f64 * (1u64 << 43) as f64));
        let drawn = (0..200_000).map(|_| draw.unit());
        let mut worst = 0.0f64;
        for x in near.chain(small).chain(drawn) {
            let want = libm::log(x);
            worst = worst.max((ln(x) - want).abs() / want.abs().max(1.0))
        }
        assert!(worst < 5e-16, "{worst:e}");
    }
}
