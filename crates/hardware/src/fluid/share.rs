//! Water-filling of one resource.

/// Relative difference below which two levels are equal: far above rounding, far below any visible
/// effect.
pub(super) const SAME: f64 = 1e-12;

#[inline(always)]
pub(super) fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= SAME * lesser(a, b)
}

/// As `f64::min`, without its handling of NaN.
#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// A flow as one of its resources sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) weight: f64,
    /// Least level of the flow's other limits: its other resources and its cap.
    pub(super) bound: f64,
}

/// The level λ at which Σ weight · min(λ, bound) is the capacity; infinite if the sum stays below
/// it.
///
/// If other limits bound all flows, and these just fill the resource, λ is the largest bound.
/// `guess` is the former λ. The sum is concave in λ, so one Newton step from anywhere gives a level
/// that is not too high, and further steps only raise it. Mostly the first step confirms which
/// flows are bounded, and the second one ends.
pub(super) fn level(capacity: f64, demands: &[Demand], guess: f64) -> f64 {
    let from_below = || capacity / demands.iter().map(|d| d.weight).sum::<f64>();
    let (mut level, mut bounded, mut guessed) = (guess, usize::MAX, true);
    loop {
        let (open, taken, count) = sums(demands, level);
        if count == demands.len() {
            let full = taken >= capacity * (1.0 - SAME) && count > 0;
            if full && guessed {
                (level, bounded, guessed) = (from_below(), 0, false);
                continue;
            }
            return if full { largest(demands) } else { f64::INFINITY };
        }
        if count == bounded || !guessed && count < bounded {
            return level;
        }
        guessed &= bounded == usize::MAX;
        bounded = count;
        level = (capacity - taken) / open;
    }
}

/// Weight of the flows whose bound is not below `level`, the rate of the others, and their number.
#[inline(always)]
fn sums(demands: &[Demand], level: f64) -> (f64, f64, usize) {
    let (mut open, mut taken, mut count) = (0.0, 0.0, 0);
    for demand in demands {
        // A flow's side cannot be predicted, so both sums avoid a branch.
        let bounded = demand.bound < level;
        taken += if bounded { demand.weight * demand.bound } else { 0.0 };
        open += if bounded { 0.0 } else { demand.weight };
        count += bounded as usize;
    }
    (open, taken, count)
}

fn largest(demands: &[Demand]) -> f64 {
    demands.iter().map(|d| d.bound).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(capacity: f64, demands: &[(f64, f64)]) -> f64 {
        let demands: Vec<Demand> =
            demands.iter().map(|&(weight, bound)| Demand { weight, bound }).collect();
        let cold = level(capacity, &demands, 0.0);
        for guess in [1.0, 15.0, 45.0, 1e3, f64::INFINITY] {
            assert_eq!(level(capacity, &demands, guess), cold, "from {guess}");
        }
        cold
    }

    #[test]
    fn what_the_bounded_leave_is_shared() {
        const FREE: f64 = f64::INFINITY;
        assert_eq!(of(90.0, &[(1.0, FREE), (1.0, FREE), (1.0, FREE)]), 30.0);
        assert_eq!(of(90.0, &[(1.0, 10.0), (1.0, FREE), (1.0, FREE)]), 40.0);
        assert_eq!(of(90.0, &[(1.0, 10.0), (1.0, 35.0), (1.0, FREE)]), 45.0);
        assert_eq!(of(90.0, &[(2.0, 10.0), (5.0, FREE)]), 14.0);
        assert_eq!(of(90.0, &[(1.0, 10.0), (1.0, 20.0)]), FREE, "unsaturated");
        assert_eq!(of(90.0, &[(1.0, 30.0), (1.0, 60.0)]), 60.0, "just filled by others");
        assert_eq!(of(90.0, &[]), FREE);
        assert_eq!(of(0.0, &[(1.0, FREE)]), 0.0, "a dead link");
    }
}
