//! Detects rounds with too little work for several threads.
//!
//! A model has busy and quiet times: a cluster that repairs, or only sends heartbeats. In quiet
//! times a barrier costs more than the work of a round, and one thread alone is faster.
use std::time::{Duration, Instant};

/// Rounds of a measurement.
const ROUNDS: u64 = 256;

/// Work of all threads in a round \[s\]: below `LITTLE` one thread works alone, above `ENOUGH` all
/// do. A barrier of two awake threads takes 0.5 µs, plus post and fetch.
const LITTLE: f64 = 2e-6;
const ENOUGH: f64 = 3e-6;

pub(crate) struct Density {
    is_sparse: bool,
    rounds: u64,
    then: Moment,
}

#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) now: Instant,
    /// Time that it has waited since the run began.
    pub(crate) waited: Duration,
    /// Events of all threads.
    pub(crate) events: u64,
    /// Events of this thread.
    pub(crate) own: u64,
}

impl Density {
    pub(crate) fn new(then: Moment) -> Self {
        Density { is_sparse: false, rounds: 0, then }
    }

    /// Call after a round. Returns whether rounds have too little work. `is_alone`: this thread did
    /// all of it.
    pub(crate) fn is_sparse(&mut self, is_alone: bool, now: Moment) -> bool {
        self.rounds += 1;
        if self.rounds.is_multiple_of(ROUNDS) {
            let then = std::mem::replace(&mut self.then, now);
            let lasted = now.now.saturating_duration_since(then.now);
            let worked = lasted.saturating_sub(now.waited - then.waited).as_secs_f64();
            let (all, own) = (now.events - then.events, now.own - then.own);
            // The time of the others is unknown: assume this thread's time per event.
            let share = if is_alone { 1.0 } else { all.max(1) as f64 / own.max(1) as f64 };
            let in_a_round = worked * share / ROUNDS as f64;
            self.is_sparse = in_a_round < if self.is_sparse { ENOUGH } else { LITTLE }
        }
        self.is_sparse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of `work` ns for each of two threads, one of which waits as long as it works. Returns
    /// the rounds in which the decision changed.
    fn changes(work: impl Fn(u64) -> u64, rounds: u64) -> Vec<u64> {
        let begun = crate::clock::now();
        let mut at = Moment { now: begun, waited: Duration::ZERO, events: 0, own: 0 };
        let (mut density, mut is_alone, mut changes) = (Density::new(at), false, vec![]);
        for round in 1..=rounds {
            let own = Duration::from_nanos(work(round));
            let (waits, does) = if is_alone { (Duration::ZERO, 2 * own) } else { (own, own) };
            at.now += waits + does;
            at.waited += waits;
            at.events += 2;
            at.own += if is_alone { 2 } else { 1 };
            let next = density.is_sparse(is_alone, at);
            if next != is_alone {
                changes.push(round)
            }
            is_alone = next
        }
        changes
    }

    #[test]
    fn quiet_times_are_left_to_one_thread() {
        assert_eq!(changes(|_| 5_000, 10_000), [] as [u64; 0], "busy");
        assert_eq!(changes(|_| 200, 10_000), [256], "quiet");
        assert_eq!(changes(|_| 1_250, 10_000), [] as [u64; 0], "between the two: stays");
        let both = |round| if (1_000..5_000).contains(&round) { 5_000 } else { 200 };
        assert_eq!(changes(both, 10_000), [256, 1_280, 5_376])
    }
}
