//! What a search may cost. A plan is asked for by somebody who waits: where one run takes long,
//! fewer points are tried, and the answer says so.
use crate::pool;
use std::time::{Duration, Instant};

/// Of a whole search.
const WHOLE: Duration = Duration::from_secs(50);

/// A clock, and what a run costs on it.
pub struct Budget {
    started: Instant,
    runs: u32,
    /// Of all runs \[s\].
    spent: f64,
    cut: bool,
}

impl Budget {
    /// The clock runs from now on.
    pub fn start() -> Budget {
        Budget { started: Instant::now(), runs: 0, spent: 0.0, cut: false }
    }

    /// A run took so long on its core \[s\].
    pub fn took(&mut self, wall_s: f64) {
        self.runs += 1;
        self.spent += wall_s
    }

    /// How many more runs end before this part of the whole is over.
    pub fn runs(&self, part: f64) -> usize {
        let left = WHOLE.as_secs_f64() * part - self.started.elapsed().as_secs_f64();
        let one = self.spent / f64::from(self.runs.max(1)) / pool::threads() as f64;
        if one > 0.0 { (left.max(0.0) / one) as usize } else { usize::MAX }
    }

    /// Of `wanted` things that take `each` runs how many are affordable, `least` in any case.
    pub fn affords(&mut self, wanted: usize, each: usize, part: f64, least: usize) -> usize {
        let many = (self.runs(part) / each.max(1)).max(least).min(wanted);
        if many < wanted {
            self.cut = true
        }
        many
    }

    /// Whether less was tried than there was to try.
    pub fn is_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dear_is_tried_less_and_told() {
        let mut cheap = Budget::start();
        cheap.took(0.001);
        assert_eq!(cheap.affords(40, 10, 0.5, 1), 40);
        assert!(!cheap.is_cut());
        let mut dear = Budget::start();
        dear.took(1000.0);
        assert_eq!(dear.affords(40, 10, 1.0, 2), 2);
        assert!(dear.is_cut());
    }
}
