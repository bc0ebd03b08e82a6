//! Whether the LPs had better be rebalanced: one thread has more to do than the others, which wait
//! for it.
//!
//! What there is to do moves during a run: a rack is lost and its neighbours work, a job ends. How
//! long threads wait says that it has moved; by what LPs have sent since it is dealt again.
use std::time::{Duration, Instant};

/// Over so long threads are watched; twice as long after each time that dealing would not help.
const SLICE: Duration = Duration::from_millis(100);
const LATE: Duration = Duration::from_secs(10);

/// The part of their time that threads wait on average, above that of the one that waits least.
const UNEVEN: f64 = 0.13;

/// All threads wait so much of their time: for cores that others use, or for meetings.
const IDLE: f64 = 0.3;

/// What a thread has to have to do between two meetings where a new deal brings them closer [s].
const WORTH: f64 = 20e-6;

/// The thread that has most has to get so much less.
const GAIN: f64 = 1.15;

/// How far a thread is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mileage {
    /// Waiting for others since the run began \[s\].
    pub(crate) waited: f64,
    pub(crate) events: u64,
}

/// For the thread that leads.
pub(crate) struct Balance {
    then: Option<Then>,
    term: Duration,
    /// Without looking at anything: every so many rounds.
    fixed: Option<u64>,
}

/// Where a stretch of a run began.
struct Then {
    at: Instant,
    threads: Vec<Mileage>,
    rounds: u64,
}

/// What was seen of a stretch of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Seen {
    /// Nothing to be mended.
    Even,
    /// All threads wait much of their time.
    AllWait,
    /// They have unevenly much to do.
    Uneven(Uneven),
}

/// How unevenly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Uneven {
    /// The part of all work that the first thread did besides its events.
    pub(crate) burden: f64,
    /// From meeting to meeting \[s\].
    pub(crate) round: f64,
}

impl Balance {
    pub(crate) fn new() -> Self {
        Balance { then: None, term: SLICE, fixed: None }
    }

    /// Off every so many rounds.
    #[cfg(test)]
    pub(crate) fn restless(rounds: u64) -> Self {
        Balance { fixed: Some(rounds), ..Balance::new() }
    }

    /// What was seen so far says nothing of what comes.
    pub(crate) fn forget(&mut self) {
        self.then = None
    }

    /// After a round: how the threads have fared.
    pub(crate) fn look(&mut self, now: Instant, threads: impl Iterator<Item = Mileage>) -> Seen {
        let Some(then) = &mut self.then else {
            self.then = Some(Then { at: now, threads: threads.collect(), rounds: 0 });
            return Seen::Even;
        };
        then.rounds += 1;
        let lasted = now.saturating_duration_since(then.at);
        if let Some(rounds) = self.fixed {
            let uneven = Seen::Uneven(Uneven { burden: 0.0, round: WORTH });
            return if then.rounds.is_multiple_of(rounds) { uneven } else { Seen::Even };
        }
        if lasted < self.term {
            return Seen::Even;
        }
        let (threads, lasted): (Vec<_>, _) = (threads.collect(), lasted.as_secs_f64());
        let round = lasted / then.rounds as f64;
        let stretch = then.threads.iter().zip(&threads).map(|(then, now)| Stretch {
            worked: (lasted - (now.waited - then.waited)).max(0.0),
            events: now.events - then.events,
        });
        let stretch: Vec<Stretch> = stretch.collect();
        let most = stretch.iter().map(|s| s.worked).fold(0.0, f64::max);
        let mean = stretch.iter().map(|s| s.worked).sum::<f64>() / stretch.len() as f64;
        self.then = Some(Then { at: now, threads, rounds: 0 });
        if most - mean > UNEVEN * lasted {
            Seen::Uneven(Uneven { burden: burden(&stretch), round })
        } else if most < (1.0 - IDLE) * lasted {
            Seen::AllWait
        } else {
            Seen::Even
        }
    }

    /// Whether to rebalance, by what the thread that has most has, and would have; `narrows`: the
    /// new least delay between threads, as a part of the present one. Looks later again if not.
    pub(crate) fn pays(
        &mut self,
        seen: Uneven,
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

struct Stretch {
    worked: f64,
    events: u64,
}

/// What the first thread did that was not like the others' events.
fn burden(stretch: &[Stretch]) -> f64 {
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

    /// Rounds of a millisecond, in which thread i works so much of the time, for so many events a
    /// second of work.
    fn seen(works: &[f64], rates: &[f64], rounds: u64) -> Vec<(u64, Seen)> {
        let (begun, mut balance, mut found) = (crate::clock::now(), Balance::new(), vec![]);
        for round in 0..rounds {
            let passed = round as f64 / 1e3;
            let threads = works.iter().zip(rates).map(|(work, rate)| Mileage {
                waited: (1.0 - work) * passed,
                events: (work * passed * rate) as u64,
            });
            let seen = balance.look(begun + Duration::from_millis(round), threads);
            if let Seen::Uneven(uneven) = seen {
                balance.pays(uneven, (100, 100), 1.0);
            }
            if seen != Seen::Even {
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
            [(100, Seen::AllWait), (200, Seen::AllWait)],
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
            [(_, Seen::Uneven(uneven))] => uneven.burden,
            ref other => panic!("{other:?}"),
        };
        assert_eq!(burden([1e6, 1e6]), 0.0, "it has more events");
        assert!((burden([0.5e6, 1e6]) - 0.5 / 1.5).abs() < 1e-3, "it has as many");
        assert_eq!(burden([1e6, 0.0]), 0.0, "nobody knows")
    }

    #[test]
    fn a_deal_has_to_gain_and_to_leave_enough_between_meetings() {
        let mut balance = Balance::new();
        let seen = Uneven { burden: 0.0, round: 50e-6 };
        assert!(balance.pays(seen, (200, 120), 1.0));
        assert!(!balance.pays(seen, (200, 190), 1.0));
        assert!(balance.pays(seen, (200, 120), 0.5));
        assert!(!balance.pays(seen, (200, 120), 0.1), "5 microseconds between meetings")
    }
}
