//! The cost of a search. If one run is long, the search tries fewer points and the answer states
//! it. Events are counted, not seconds, so that the answer does not depend on the machine's load. A
//! clock ends a search only on request, or if the first run does not end.
use std::time::{Duration, Instant};
use units::floored_u64;

/// Events of a search: about a minute on two cores.
const EVENTS: u64 = 20_000_000;

/// If one run is long, the budget covers this number of runs, up to [`LONG`] times [`EVENTS`].
const RUNS: u64 = 16;

const LONG: u64 = 4;

/// The budget always covers this number of runs.
const LEAST: u64 = 8;

/// Counts events, and the time if a clock was requested.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    whole: u64,
    /// Grows with the events of the first run.
    grows: bool,
    /// Time limit for all runs after the first.
    clock: Option<Duration>,
    /// Time limit for the first run.
    patience: Option<Duration>,
    spent: u64,
    runs: u64,
    /// Time of the first run, including loading.
    first: Duration,
    cut: bool,
    late: bool,
}

impl Budget {
    /// The default: `EVENTS`, or more if runs are long.
    pub fn start() -> Budget {
        Budget { grows: true, ..Budget::of(EVENTS) }
    }

    /// Multiplies the budget, for runs whose events are mostly unrelated to the plan.
    pub fn scaled(self, times: u64) -> Budget {
        Budget { whole: self.whole * times, ..self }
    }

    /// A fixed number of events.
    pub fn of(whole: u64) -> Budget {
        Budget {
            started: crate::clock::now(),
            whole,
            grows: false,
            clock: None,
            patience: None,
            spent: 0,
            runs: 0,
            first: Duration::ZERO,
            cut: false,
            late: false,
        }
    }

    /// Adds a time limit from now for runs after the first. The answer may then differ between
    /// executions.
    pub fn within(self, clock: Duration) -> Budget {
        Budget { started: crate::clock::now(), clock: Some(clock), ..self }
    }

    /// Adds a time limit for the first run.
    pub fn with_patience(self, patience: Duration) -> Budget {
        Budget { patience: Some(patience), ..self }
    }

    /// Records a finished run; the first one may increase the budget.
    pub fn charge(&mut self, events: u64) {
        if self.runs == 0 {
            self.first = self.started.elapsed()
        }
        if self.runs == 0 && self.grows {
            let usual = (RUNS * events).min(LONG * self.whole);
            self.whole = self.whole.max(usual).max(LEAST * events)
        }
        self.spent += events;
        self.runs += 1
    }

    /// How many of `points` fit into the fraction `part` of the budget, with `each` runs of average
    /// cost. Returns at least `least`, and at most `points`.
    pub fn affords(&mut self, points: usize, each: usize, part: f64, least: usize) -> usize {
        let left = floored_u64(self.whole as f64 * part).saturating_sub(self.spent);
        let cost = (self.spent * each as u64 / self.runs.max(1)).max(1);
        let many = usize::try_from(left / cost).unwrap_or(usize::MAX);
        let many = many.max(least).min(points);
        self.cut |= many < points;
        many
    }

    /// Whether the time limit is exceeded: current runs must stop.
    pub fn is_over(&self) -> bool {
        let clock = if self.runs == 0 { self.patience } else { self.clock };
        clock.is_some_and(|clock| self.started.elapsed() > clock)
    }

    pub fn first_run(&self) -> Duration {
        self.first
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Records that the time limit stopped a run.
    pub fn mark_cut(&mut self) {
        self.late = true;
        self.cut = true
    }

    /// Whether the budget left points untried.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether the time limit stopped a run: the answer may differ between executions.
    pub fn is_late(&self) -> bool {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a clock, only events determine the number of tries: neither run time nor cores
    /// matter.
    #[test]
    fn a_long_run_gets_a_larger_budget() {
        let whole = |first: u64| {
            let mut budget = Budget::start();
            budget.charge(first);
            budget.whole
        };
        assert_eq!(whole(1), EVENTS);
        assert_eq!(whole(EVENTS / 10), EVENTS * RUNS / 10);
        assert_eq!(whole(EVENTS / 3), EVENTS * LONG);
        assert_eq!(whole(EVENTS), EVENTS * LEAST);
    }

    #[test]
    fn what_is_expensive_is_tried_less_and_reported() {
        let mut budget = Budget::of(1_000);
        budget.charge(10);
        assert_eq!(budget.affords(20, 2, 0.5, 0), 20);
        assert!(!budget.is_cut());
        budget.charge(190);
        assert_eq!(budget.affords(20, 2, 1.0, 0), 4, "800 are left, a run costs 100");
        assert!(budget.is_cut() && !budget.is_late());
        assert_eq!(budget.affords(20, 2, 0.2, 3), 3, "the least in any case");
    }

    #[test]
    fn a_clock_lets_the_first_run_end() {
        let mut budget = Budget::start().within(Duration::ZERO);
        assert!(!budget.is_over());
        budget.charge(1);
        assert!(budget.is_over());
        assert!(Budget::start().with_patience(Duration::ZERO).is_over());
    }
}
