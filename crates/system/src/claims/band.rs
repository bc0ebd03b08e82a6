//! A range that a claim names.
use analysis::{Count, Stat};

/// A range that a claim names. Whether a value lies in it is decided only where the whole 95 %
/// interval lies on one side of each end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Band {
    pub low: f64,
    pub high: f64,
}

impl Band {
    /// From one value to another.
    pub fn new(low: f64, high: f64) -> Band {
        Band { low, high }
    }

    pub fn above(low: f64) -> Band {
        Band { low, high: f64::INFINITY }
    }

    pub fn below(high: f64) -> Band {
        Band { low: f64::NEG_INFINITY, high }
    }

    /// As near to a value as this part of it.
    pub fn near(value: f64, part: f64) -> Band {
        let off = (value * part).abs();
        Band { low: value - off, high: value + off }
    }

    /// Whether the value lies in it; `None`: its interval meets both sides.
    pub fn holds(self, ours: &Stat) -> Option<bool> {
        self.takes(ours.mean - ours.ci95, ours.mean + ours.ci95)
    }

    /// Whether the part that holds, of a count, lies in it, by the count's whole interval.
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
