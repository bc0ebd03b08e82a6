//! Measures which of a scheduler's two modes is faster, and tries the other one at intervals.
//!
//! Conservative: all threads, or one alone. Optimistic: with speculation, or without.
//!
//! If another process takes a core, each barrier waits for its time slice. Then one thread alone is
//! faster, as long as the core is taken. It is also faster while rounds have little work.
use super::density::{Density, Moment};
use std::time::{Duration, Instant};

/// Time to measure a rate.
const SLICE: Duration = Duration::from_millis(100);
/// Time of a trial of the first mode.
const TRIAL: Duration = Duration::from_millis(50);
/// Time in the other mode before the first trial; doubles after each failed one. It is short
/// because the known rate may be outdated: events at the start of a run cost less, say.
const SOON: Duration = Duration::from_millis(50);
/// Maximum time before a trial, so that failed trials take at most 1/40 of the time.
const LATE: Duration = Duration::from_secs(2);

/// A mode with less than half of the other's rate is left after this time.
const GLANCE: Duration = Duration::from_millis(20);

/// Relative margin by which the first mode has to be faster to be kept, or slower to be left.
const MARGIN: f64 = 0.05;

/// Chooses between two modes. The other mode is one thread alone (conservative), or no speculation
/// (optimistic).
pub(crate) struct Pace {
    other_way: bool,
    /// Events per second in the other mode, when last measured.
    other_rate: f64,
    term: Duration,
    /// Start of the present measurement: time, and number of events.
    since: Instant,
    from: u64,
    density: Density,
    /// Chooses by the number of events, without measuring.
    fixed: Option<fn(u64) -> bool>,
}

impl Pace {
    /// Always one thread alone.
    pub(crate) fn alone() -> Self {
        Pace { fixed: Some(|_| true), ..Pace::new(0.0, 0, crate::clock::now()) }
    }

    /// Changes mode every 1 000 events.
    #[cfg(test)]
    pub(crate) fn always_changing() -> Self {
        let fixed = |events: u64| (events / 1000).is_multiple_of(2);
        Pace { fixed: Some(fixed), ..Pace::new(0.0, 0, crate::clock::now()) }
    }

    /// Begins at event `from`. `other_rate`: events per second in the other mode.
    pub(crate) fn new(other_rate: f64, from: u64, now: Instant) -> Self {
        let then = Moment { now, waited: Duration::ZERO, events: from, own: 0 };
        let density = Density::new(then);
        let other_way = false;
        Pace { other_way, other_rate, term: SOON, since: now, from, density, fixed: None }
    }

    /// Restarts the measurement; work before does not count.
    pub(crate) fn begin(&mut self, events: u64, now: Instant) {
        (self.since, self.from) = (now, events)
    }

    /// One thread's rate is unknown. Only the work of a round counts, until a
    /// [`doubt`](Self::doubt).
    pub(crate) fn unknown() -> Self {
        Pace::new(0.0, 0, crate::clock::now())
    }

    /// Has the other mode tried, if its rate is unknown.
    pub(crate) fn doubt(&mut self) {
        if self.other_rate == 0.0 {
            (self.other_rate, self.term) = (f64::INFINITY, TRIAL)
        }
    }

    /// The other mode is tried soon, and for a short time.
    pub(crate) fn without_trial() -> Self {
        Pace { term: TRIAL, ..Pace::new(f64::INFINITY, 0, crate::clock::now()) }
    }

    /// Call after a round. Returns whether one thread continues alone. `was_alone`: it did this
    /// round so.
    pub(crate) fn goes_alone(&mut self, was_alone: bool, at: Moment) -> bool {
        if self.fixed.is_none() && self.density.is_sparse(was_alone, at) {
            // A rate in quiet times says nothing of other times.
            self.begin(at.events, at.now);
            return true;
        }
        self.takes_other_way(at.events, at.now)
    }

    /// Whether to use the other mode now, by the measured rates.
    pub(crate) fn takes_other_way(&mut self, events: u64, now: Instant) -> bool {
        if let Some(fixed) = self.fixed {
            return fixed(events);
        }
        let lasted = now.saturating_duration_since(self.since);
        // The first slice after a change is a trial.
        let enough = match (self.other_way, self.term > SOON) {
            (true, _) => self.term,
            (false, true) => TRIAL,
            (false, false) => SLICE,
        };
        let rate = (events - self.from) as f64 / lasted.as_secs_f64();
        if lasted < enough && !(lasted >= GLANCE && self.is_hopeless(rate)) {
            return self.other_way;
        }
        (self.since, self.from) = (now, events);
        if self.other_way {
            self.other_rate = rate;
            self.other_way = false;
            // Above `SOON`: the next slice is a trial.
            self.term = (2 * self.term).min(LATE)
        } else if rate < self.other_rate * (1.0 - MARGIN) {
            self.other_way = true
        } else if rate > self.other_rate * (1.0 + MARGIN) {
            self.term = SOON
        }
        self.other_way
    }

    /// Usually another process has taken a core.
    fn is_hopeless(&self, rate: f64) -> bool {
        !self.other_way && self.other_rate.is_finite() && rate < self.other_rate / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `rates`: millions of events a second alone and together, by time \[s\]. Returns when it was
    /// alone.
    fn alone_during(seconds: f64, rates: impl Fn(f64) -> (f64, f64)) -> String {
        let begun = crate::clock::now();
        let mut pace = Pace::new(1e6 * rates(0.0).0, 0, begun);
        let (mut is_alone, mut events, mut text) = (false, 0.0, String::new());
        for centis in 1..=(100.0 * seconds) as u64 {
            let (alone, together) = rates(centis as f64 / 100.0);
            events += 1e4 * if is_alone { alone } else { together };
            let now = begun + Duration::from_millis(10 * centis);
            let next = pace.takes_other_way(events as u64, now);
            if next != is_alone {
                let sign = if next { "-" } else { "+" };
                text += &format!(" {sign}{:.2}", centis as f64 / 100.0)
            }
            is_alone = next
        }
        text
    }

    #[test]
    fn stays_together_while_that_is_faster() {
        assert_eq!(alone_during(5.0, |_| (1.0, 1.8)), "");
        assert_eq!(alone_during(5.0, |_| (1.0, 0.98)), "", "not worth a change")
    }

    #[test]
    fn leaves_within_a_second_and_tries_again_ever_later() {
        let busy = |t: f64| (1.0, if (2.0..9.0).contains(&t) { 0.6 } else { 1.8 });
        assert_eq!(
            alone_during(20.0, busy),
            " -2.10 +2.15 -2.20 +2.30 -2.35 +2.55 -2.60 +3.00 -3.05 +3.85 -3.90 +5.50 -5.55 +7.55 \
             -7.60 +9.60",
            "alone (-) soon after 2, together (+) soon after 9"
        )
    }

    #[test]
    fn what_was_faster_at_another_time_is_looked_at_again() {
        // The start of a run, whose events cost half as much.
        let start = |t: f64| if t < 0.01 { (2.0, 2.0) } else { (1.0, 1.5) };
        assert_eq!(alone_during(5.0, start), " -0.10 +0.15", "a twentieth of a second alone")
    }

    #[test]
    fn what_is_far_slower_is_left_at_once() {
        let taken = |_| (1.0, 0.1);
        assert_eq!(
            alone_during(8.0, taken),
            " -0.02 +0.07 -0.09 +0.19 -0.21 +0.41 -0.43 +0.83 -0.85 +1.65 -1.67 +3.27 -3.29 +5.29 \
             -5.31 +7.31 -7.33",
            "a fifth of a tenth of a second each time"
        )
    }
}
