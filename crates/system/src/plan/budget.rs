//! What a search may cost. A plan is asked for by somebody who waits: where one run takes long,
//! fewer points are tried, and the answer says so. Events are counted, not seconds, so that the
//! answer is that of the input and not of how busy the machine is. A clock ends a search only where
//! somebody asks for that, or where not even its first run ends.
use std::time::{Duration, Instant};
use units::floored_u64;

/// Events of a whole search: about a minute of two cores.
const EVENTS: u64 = 20_000_000;

/// Where one run is long, a search gets as many of them as this, if they cost no more than
/// [`LONG`] times the usual.
const RUNS: u64 = 16;

/// See [`RUNS`].
const LONG: u64 = 4;

/// However long one is, it gets so many.
const LEAST: u64 = 8;

/// An account of events, and a clock where somebody asked for one.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    whole: u64,
    /// Grows with what the first run costs.
    grows: bool,
    /// After so long no run goes on.
    clock: Option<Duration>,
    /// After so long not even the first run goes on.
    patience: Option<Duration>,
    spent: u64,
    runs: u64,
    /// How long the first run took, what it is read from included.
    first: Duration,
    cut: bool,
    late: bool,
}

impl Budget {
    /// As much as anybody waits for.
    pub fn start() -> Budget {
        Budget { grows: true, ..Budget::of(EVENTS) }
    }

    /// So many times as much: where most of a run's events are others' than the plan is about.
    pub fn times(self, times: u64) -> Budget {
        Budget { whole: self.whole * times, ..self }
    }

    /// So many events, however long one run is.
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

    /// The same, and no longer than that from now on, but for the first run: then another time the
    /// answer may be another one.
    pub fn within(self, clock: Duration) -> Budget {
        Budget { started: crate::clock::now(), clock: Some(clock), ..self }
    }

    /// The same; the first run, too, is given up after so long.
    pub fn patient_for(self, patience: Duration) -> Budget {
        Budget { patience: Some(patience), ..self }
    }

    /// A run is over; the first one says how long one takes here.
    pub fn took(&mut self, events: u64) {
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

    /// How many of `points`, each run `each` so many times, there is time for before this part of
    /// the whole is spent, if a run costs what those did that are over; `least` in any case.
    pub fn affords(&mut self, points: usize, each: usize, part: f64, least: usize) -> usize {
        let left = floored_u64(self.whole as f64 * part).saturating_sub(self.spent);
        let cost = (self.spent * each as u64 / self.runs.max(1)).max(1);
        let many = usize::try_from(left / cost).unwrap_or(usize::MAX);
        let many = many.max(least).min(points);
        self.cut |= many < points;
        many
    }

    /// Whether runs that are on their way have to end.
    pub fn is_over(&self) -> bool {
        let clock = if self.runs == 0 { self.patience } else { self.clock };
        clock.is_some_and(|clock| self.started.elapsed() > clock)
    }

    /// How long the first run took.
    pub fn first_run(&self) -> Duration {
        self.first
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// A run was broken off by the clock.
    pub fn broke_off(&mut self) {
        self.late = true;
        self.cut = true
    }

    /// Whether less was tried than there was to try.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether it was the clock that cut: then another time the answer may be another one.
    pub fn was_late(&self) -> bool {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a clock nothing but events says how much is tried: neither how long a run takes, nor
    /// how many cores there are.
    #[test]
    fn a_long_run_gets_a_larger_budget() {
        let whole = |first: u64| {
            let mut budget = Budget::start();
            budget.took(first);
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
        budget.took(10);
        assert_eq!(budget.affords(20, 2, 0.5, 0), 20);
        assert!(!budget.is_cut());
        budget.took(190);
        assert_eq!(budget.affords(20, 2, 1.0, 0), 4, "800 are left, a run costs 100");
        assert!(budget.is_cut() && !budget.was_late());
        assert_eq!(budget.affords(20, 2, 0.2, 3), 3, "the least in any case");
    }

    #[test]
    fn a_clock_lets_the_first_run_end() {
        let mut budget = Budget::start().within(Duration::ZERO);
        assert!(!budget.is_over());
        budget.took(1);
        assert!(budget.is_over());
        assert!(Budget::start().patient_for(Duration::ZERO).is_over());
    }
}
