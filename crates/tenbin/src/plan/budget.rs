//! What a search may cost. A plan is asked for by somebody who waits: where one run takes long,
//! fewer points are tried, and the answer says so.
use super::point::Point;
use crate::pool;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Of a whole search.
const WHOLE: Duration = Duration::from_secs(50);

/// A clock, and what a run costs on it: many copies at a time cost many times what few do.
pub struct Budget {
    started: Instant,
    /// Of the first run of each point \[s\].
    costs: BTreeMap<Point, f64>,
    cut: bool,
}

impl Budget {
    /// The clock runs from now on.
    pub fn start() -> Budget {
        Budget { started: Instant::now(), costs: BTreeMap::new(), cut: false }
    }

    /// A run of a point took so long on its core \[s\].
    pub fn took(&mut self, point: &Point, wall_s: f64) {
        self.costs.entry(point.clone()).or_insert(wall_s);
    }

    /// How many of `points`, the first ones, can be run `each` so many times before this part of
    /// the whole is over; `least` in any case. What was never run costs what the dearest did.
    pub fn affords(&mut self, points: &[Point], each: usize, part: f64, least: usize) -> usize {
        let left = WHOLE.as_secs_f64() * part - self.started.elapsed().as_secs_f64();
        let left = left * pool::threads() as f64;
        let dearest = self.costs.values().copied().fold(0.0, f64::max);
        let cost = |point| self.costs.get(point).copied().unwrap_or(dearest) * each as f64;
        let sums = points.iter().scan(0.0, |sum, point| {
            *sum += cost(point);
            Some(*sum)
        });
        let many = sums.take_while(|sum| *sum <= left).count().max(least.min(points.len()));
        self.cut |= many < points.len();
        many
    }

    /// Whether less was tried than there was to try.
    pub fn is_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::super::knob::Knob;
    use super::*;

    #[test]
    fn what_is_dear_is_tried_less_and_told() {
        let now = Point::example();
        let points: Vec<Point> = (3..13).map(|n| now.with(Knob::Multiplier, n)).collect();
        let mut cheap = Budget::start();
        cheap.took(&now, 0.001);
        assert_eq!(cheap.affords(&points, 10, 0.5, 1), 10);
        assert!(!cheap.is_cut());
        let mut dear = Budget::start();
        dear.took(&points[0], 0.001);
        dear.took(&points[1], 1000.0);
        assert_eq!(dear.affords(&points, 10, 1.0, 0), 1);
        assert!(dear.is_cut());
        assert_eq!(dear.affords(&points, 10, 1.0, 2), 2);
    }
}
