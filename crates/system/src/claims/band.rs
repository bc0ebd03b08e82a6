use analysis::{Count, Stat};

/// A range of values. A value is inside or outside only if its whole 95 % interval is on one side
/// of each limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Band {
    pub low: f64,
    pub high: f64,
}

impl Band {
    pub fn new(low: f64, high: f64) -> Band {
        Band { low, high }
    }

    pub fn above(low: f64) -> Band {
        Band { low, high: f64::INFINITY }
    }

    pub fn below(high: f64) -> Band {
        Band { low: f64::NEG_INFINITY, high }
    }

    /// `value` ± `value` × `part`.
    pub fn near(value: f64, part: f64) -> Band {
        let off = (value * part).abs();
        Band { low: value - off, high: value + off }
    }

    /// `None`: no limit on that side.
    pub fn limits(self) -> [Option<f64>; 2] {
        [self.low, self.high].map(|limit| Some(limit).filter(|limit| limit.is_finite()))
    }

    /// `None`: the interval crosses a limit.
    pub fn holds(self, ours: &Stat) -> Option<bool> {
        self.takes(ours.mean - ours.ci95, ours.mean + ours.ci95)
    }

    /// Checks the fraction that holds, by its Wilson interval.
    pub fn counts(self, count: Count) -> Option<bool> {
        let (low, high) = count.wilson();
        self.takes(low, high)
    }

    fn takes(self, low: f64, high: f64) -> Option<bool> {
        if low >= self.low && high <= self.high {
            return Some(true);
        }
        (high < self.low || low > self.high).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_interval_never_decides_what_a_narrower_one_left_open() {
        let band = Band::new(1.2, 1.25);
        for mean in [1.0, 1.19, 1.2, 1.22, 1.25, 1.26, 1.5] {
            let mut open = false;
            for width in [0.0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.3, 1.0] {
                let decided = band.holds(&Stat { mean, ci95: width, min: mean, max: mean });
                assert!(!(open && decided.is_some()), "{mean} ± {width}");
                open |= decided.is_none();
            }
            assert!(open, "an interval of ±1 decides nothing of {mean}");
        }
    }
}
