//! Detects that one thread has more work than the others, which wait for it.
//!
//! Load moves during a run: a rack fails and its neighbours work, a job ends. The waiting times of
//! the threads show that. LPs are then rebalanced by the messages that they have sent since.
use std::time::{Duration, Instant};

/// Time between two measurements. It doubles, up to `LATE`, if rebalancing would not help.
const SLICE: Duration = Duration::from_millis(100);
const LATE: Duration = Duration::from_secs(10);

/// Uneven load: the busiest thread works more than the mean by this fraction of the time.
const UNEVEN: f64 = 0.13;

/// All threads wait: even the busiest does for this fraction of the time, for a core or at
/// barriers.
const IDLE: f64 = 0.3;

/// Minimum time of a round after a rebalancing that narrows the lookahead \[s\].
const WORTH: f64 = 20e-6;

/// Minimum ratio of the busiest thread's load before and after a rebalancing.
const GAIN: f64 = 1.15;

#[derive(Clone, Copy, Default)]
pub(crate) struct ThreadLoad {
    /// Time spent waiting for others since the run began \[s\].
    pub(crate) waited: f64,
    pub(crate) events: u64,
}

pub(crate) struct Balance {
    then: Option<LoadSample>,
    term: Duration,
    /// Rebalances every n rounds, without measuring.
    fixed: Option<u64>,
}

struct LoadSample {
    at: Instant,
    threads: Vec<ThreadLoad>,
    rounds: u64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum LoadVerdict {
    Even,
    AllWait,
    Uneven(UnevenLoad),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct UnevenLoad {
    /// Fraction of all work (0–1) that the first thread did in addition to its events.
    pub(crate) burden: f64,
    pub(crate) round: f64,
}

impl Balance {
    pub(crate) fn new() -> Self {
        Balance { then: None, term: SLICE, fixed: None }
    }

    /// Rebalances every `rounds` rounds.
    #[cfg(test)]
    pub(crate) fn always_changing(rounds: u64) -> Self {
        Balance { fixed: Some(rounds), ..Balance::new() }
    }

    pub(crate) fn forget(&mut self) {
        self.then = None
    }

    /// Call after a round, with the progress of the threads.
    pub(crate) fn look(
        &mut self,
        now: Instant,
        threads: impl Iterator<Item = ThreadLoad>,
    ) -> LoadVerdict {
        let Some(then) = &mut self.then else {
            self.then = Some(LoadSample { at: now, threads: threads.collect(), rounds: 0 });
            return LoadVerdict::Even;
        };
        then.rounds += 1;
        let lasted = now.saturating_duration_since(then.at);
        if let Some(rounds) = self.fixed {
            let uneven = LoadVerdict::Uneven(UnevenLoad { burden: 0.0, round: WORTH });
            return if then.rounds.is_multiple_of(rounds) { uneven } else { LoadVerdict::Even };
        }
        if lasted < self.term {
            return LoadVerdict::Even;
        }
        let (threads, lasted): (Vec<_>, _) = (threads.collect(), lasted.as_secs_f64());
        let round = lasted / then.rounds as f64;
        let stretch = then.threads.iter().zip(&threads).map(|(then, now)| LoadInterval {
            worked: (lasted - (now.waited - then.waited)).max(0.0),
            events: now.events - then.events,
        });
        let stretch: Vec<LoadInterval> = stretch.collect();
        let most = stretch.iter().map(|s| s.worked).fold(0.0, f64::max);
        let mean = stretch.iter().map(|s| s.worked).sum::<f64>() / stretch.len() as f64;
        self.then = Some(LoadSample { at: now, threads, rounds: 0 });
        if most - mean > UNEVEN * lasted {
            LoadVerdict::Uneven(UnevenLoad { burden: burden(&stretch), round })
        } else if most < (1.0 - IDLE) * lasted {
            LoadVerdict::AllWait
        } else {
            LoadVerdict::Even
        }
    }

    /// Whether rebalancing pays, by the busiest thread's load before and after it. `narrows`: new
    /// lookahead / present one. If not, the next measurement is later.
    pub(crate) fn pays(
        &mut self,
        seen: UnevenLoad,
        (has, would_have): (u64, u64),
        narrows: f64,
    ) -> bool {
        let pays = self.fixed.is_some()
            || has as f64 >= GAIN * would_have as f64
                && (narrows >= 1.0 || seen.round * narrows >= WORTH);
        self.term = if pays { SLICE } else { (2 * self.term).min(LATE) };
        pays
    }
}

struct LoadInterval {
    worked: f64,
    events: u64,
}

/// Fraction of all work that the first thread did in addition, at the others' time per event.
fn burden(stretch: &[LoadInterval]) -> f64 {
    let (first, others) = stretch.split_at(1);
    let all: f64 = stretch.iter().map(|s| s.worked).sum();
    let (worked, events) = others.iter().fold((0.0, 0), |(w, e), s| (w + s.worked, e + s.events));
    match events {
        0 => 0.0,
        _ => ((first[0].worked - first[0].events as f64 * worked / events as f64) / all).max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of 1 ms. Thread i works for `works[i]` of the time, at `rates[i]` events per second
    /// of work.
    fn seen(works: &[f64], rates: &[f64], rounds: u64) -> Vec<(u64, LoadVerdict)> {
        let (begun, mut balance, mut found) = (crate::clock::now(), Balance::new(), vec![]);
        for round in 0..rounds {
            let passed = round as f64 / 1e3;
            let threads = works.iter().zip(rates).map(|(work, rate)| ThreadLoad {
                waited: (1.0 - work) * passed,
                events: (work * passed * rate) as u64,
            });
            let seen = balance.look(begun + Duration::from_millis(round), threads);
            if let LoadVerdict::Uneven(uneven) = seen {
                balance.pays(uneven, (100, 100), 1.0);
            }
            if seen != LoadVerdict::Even {
                found.push((round, seen))
            }
        }
        found
    }

    #[test]
    fn threads_that_wait_for_one_are_seen_and_those_that_wait_for_each_other_are_not() {
        assert_eq!(seen(&[0.9, 0.9], &[1e6; 2], 1000), []);
        assert_eq!(
            seen(&[0.4, 0.4, 0.5], &[1e6; 3], 250),
            [(100, LoadVerdict::AllWait), (200, LoadVerdict::AllWait)],
            "meetings are dear"
        );
        let rounds = |works: &[f64]| -> Vec<u64> {
            seen(works, &[1e6; 2], 2000).iter().map(|(round, _)| *round).collect()
        };
        assert_eq!(rounds(&[0.5, 1.0]), [100, 300, 700, 1500], "ever more seldom, as it is no use");
        assert_eq!(rounds(&[1.0, 0.7]), [100, 300, 700, 1500])
    }

    #[test]
    fn what_the_first_does_besides_is_known_by_what_events_take_elsewhere() {
        let burden = |rates: [f64; 2]| match seen(&[1.0, 0.5], &rates, 150)[..] {
            [(_, LoadVerdict::Uneven(uneven))] => uneven.burden,
            ref other => panic!("{other:?}"),
        };
        assert_eq!(burden([1e6, 1e6]), 0.0, "it has more events");
        assert!((burden([0.5e6, 1e6]) - 0.5 / 1.5).abs() < 1e-3, "it has as many");
        assert_eq!(burden([1e6, 0.0]), 0.0, "nobody knows")
    }

    #[test]
    fn a_deal_has_to_gain_and_to_leave_enough_between_meetings() {
        let mut balance = Balance::new();
        let seen = UnevenLoad { burden: 0.0, round: 50e-6 };
        assert!(balance.pays(seen, (200, 120), 1.0));
        assert!(!balance.pays(seen, (200, 190), 1.0));
        assert!(balance.pays(seen, (200, 120), 0.5));
        assert!(!balance.pays(seen, (200, 120), 0.1), "5 microseconds between meetings")
    }
}
