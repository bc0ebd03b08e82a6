//! One resource's water-filling.

/// Relative difference below which two levels are one: far above rounding, far below what anyone
/// can see.
pub(super) const SAME: f64 = 1e-12;

/// Whether two levels are one, up to rounding.
#[inline(always)]
pub(super) fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= SAME * a.min(b)
}

/// A flow as one of its resources sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) weight: f64,
    /// The least level of all else that limits the flow: its other resources and its cap.
    pub(super) bound: f64,
}

/// The level λ at which Σ weight · min(λ, bound) is the capacity; infinite where it stays below.
///
/// Where all flows are bounded by others and just fill the resource, λ is the largest of the
/// bounds: the resource is as saturated as the others are. Starts from nobody bounded and adds
/// those that turn out to be; λ only rises, so this ends after as many rounds as there are flows,
/// mostly after two or three.
pub(super) fn level(capacity: f64, demands: &[Demand]) -> f64 {
    let mut bounded = 0;
    let mut level = capacity / demands.iter().map(|d| d.weight).sum::<f64>();
    loop {
        let (mut open, mut taken, mut count) = (0.0, 0.0, 0);
        for demand in demands {
            if demand.bound < level {
                taken += demand.weight * demand.bound;
                count += 1;
            } else {
                open += demand.weight;
            }
        }
        if count == demands.len() {
            let full = taken >= capacity * (1.0 - SAME) && count > 0;
            return if full { largest(demands) } else { f64::INFINITY };
        }
        if count <= bounded {
            return level;
        }
        bounded = count;
        level = (capacity - taken) / open;
    }
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
        level(capacity, &demands)
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
