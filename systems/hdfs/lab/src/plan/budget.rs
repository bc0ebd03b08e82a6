//! What a search may cost. A plan is asked for by somebody who waits: where one run takes long,
//! fewer points are tried, and the answer says so. Work is counted, not seconds, so that the answer
//! is that of the input and not of how busy the machine is. A clock ends it only where somebody
//! asks for that; clients beside whom not even the first run ends in time are refused by one.
use super::point::Point;
use crate::job::Done;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use units::{Nanos, floored_u64};

/// Of a whole search: a minute of one core, half of one on two.
const WORK: u64 = 200_000_000;

/// What an event costs; a record costs 1. Where many copies share, an event has many records.
const EVENT: u64 = 10;

/// Beside clients most events are theirs, and few share: so many cost as one of a repair alone.
/// (Plans of the shop on one machine: 0.10 µs a unit beside 60 reads a second, 0.30 µs without.)
const CLIENTS: u64 = 3;

/// A cluster on which one run is already long gets as many of them as this.
const RUNS: u64 = 12;

/// A cluster of more nodes than [`SMALL`] gets so many runs, if they are no more than [`LONG`].
const MANY: u64 = 36;

/// The work of such a search: two minutes of two cores.
const LONG: u64 = 4 * WORK;

/// Of the whole at most that much is kept back for the figures of the answer.
const KEPT: f64 = 0.35;

/// Beside clients a cluster of no more nodes than this is not large: what takes long there is they,
/// and any number of them can be given.
const SMALL: usize = 400;

/// So long the first run beside clients may take on a cluster that is not large, its reading
/// included.
const FIRST: Duration = Duration::from_secs(15);

/// A run is not called too slow before this.
const EARLY: Duration = Duration::from_secs(2);

/// And on a large one.
const PATIENCE: Duration = Duration::from_secs(600);

/// An account of work, and a clock where somebody asked for one.
pub struct Budget {
    started: Instant,
    whole: u64,
    /// After so long no run goes on.
    clock: Option<Duration>,
    /// As many as the first one there is time for at least.
    runs: u64,
    /// After so long not even the first run goes on.
    first: Option<Duration>,
    spent: u64,
    /// Kept back until the search is over.
    kept: u64,
    /// Of the first run of each point.
    costs: BTreeMap<Point, u64>,
    cut: bool,
    late: bool,
    pressed: bool,
}

/// This part (0–1) of a number of events.
fn part_of(whole: u64, part: f64) -> u64 {
    floored_u64(whole as f64 * part)
}

impl Budget {
    /// As much as anybody waits for.
    pub fn start() -> Budget {
        Budget { runs: RUNS, clock: None, ..Budget::of(WORK, Duration::ZERO) }
    }

    /// The same, and no longer than that from now on: then another time the answer may be another
    /// one.
    pub fn within(self, clock: Duration) -> Budget {
        Budget { started: crate::clock::now(), clock: Some(clock), ..self }
    }

    /// As much work as that, however long one run is, and no longer than that.
    pub fn of(work: u64, clock: Duration) -> Budget {
        Budget {
            started: crate::clock::now(),
            whole: work,
            clock: Some(clock),
            runs: 0,
            first: None,
            spent: 0,
            kept: 0,
            costs: BTreeMap::new(),
            cut: false,
            late: false,
            pressed: false,
        }
    }

    /// The same on a cluster of so many nodes: on a large one it is usual that a run is long.
    pub fn on(self, nodes: usize) -> Budget {
        Budget { runs: if nodes > SMALL { MANY } else { RUNS }, ..self }
    }

    /// The same beside clients, whose number bounds nothing: a run may take as long as one likes.
    pub fn beside_clients(self, nodes: usize) -> Budget {
        match nodes > SMALL {
            true => Budget { first: Some(PATIENCE), ..self },
            false => {
                let first = self.clock.map_or(FIRST, |clock| clock.min(FIRST));
                Budget { first: Some(first), runs: 0, ..self }
            }
        }
    }

    /// A run of a point is over; the first one says how long one takes here.
    pub fn took(&mut self, point: &Point, work: u64) {
        if self.costs.is_empty() {
            self.lasted(work, self.started.elapsed())
        }
        self.paid(point, work)
    }

    /// What the first run costs says what the whole may; beside clients it may not take too long
    /// until it has been read.
    fn lasted(&mut self, work: u64, until: Duration) {
        let most = if self.runs == MANY { LONG.max(RUNS * work) } else { u64::MAX };
        self.pressed = self.runs * work > most;
        self.whole = self.whole.max((self.runs * work).min(most));
        if self.runs == 0 {
            self.late |= self.first.is_some_and(|first| until > first)
        }
    }

    fn paid(&mut self, point: &Point, work: u64) {
        self.spent += work;
        self.costs.entry(point.clone()).or_insert(work);
    }

    /// By such a part more: for what is asked of a search beside the rest.
    pub fn grow(&mut self, part: f64) {
        self.whole += part_of(self.whole, part)
    }

    /// How many of `points`, the first ones, can be run `each` so many times before this part of
    /// the whole is spent; `least` in any case. What was never run costs what the dearest did.
    pub fn affords(&mut self, points: &[Point], each: usize, part: f64, least: usize) -> usize {
        let whole = self.whole - self.kept;
        let left = part_of(whole, part).saturating_sub(self.spent);
        let dearest = self.dearest();
        let cost = |point| self.costs.get(point).copied().unwrap_or(dearest) * each as u64;
        let sums = points.iter().scan(0, |sum, point| {
            *sum += cost(point);
            Some(*sum)
        });
        let many = sums.take_while(|sum| *sum <= left).count().max(least.min(points.len()));
        self.cut |= many < points.len();
        many
    }

    /// How many of `seeds` every one of `points` further points can have for this part of the
    /// whole, if they cost what the dearest did; `least` in any case.
    pub fn seeds(&mut self, seeds: usize, points: usize, part: f64, least: usize) -> usize {
        let dearest = self.dearest().max(1);
        let many = part_of(self.whole, part) / (dearest * points as u64);
        let many = usize::try_from(many).unwrap_or(usize::MAX).max(least).min(seeds);
        self.cut |= many < seeds;
        many
    }

    /// Keeps back what so many runs cost.
    pub fn keep(&mut self, runs: usize) {
        let most = part_of(self.whole, KEPT);
        self.kept = most.min(self.dearest().saturating_mul(runs as u64))
    }

    /// How many of `seeds` each of these points can have of all that is left, what was kept back
    /// included.
    pub fn of_the_rest(&mut self, points: &[Point], seeds: usize) -> usize {
        self.kept = 0;
        let cost = |point| self.costs.get(point).copied().unwrap_or(self.dearest());
        let each: u64 = points.iter().map(cost).sum();
        let left = self.whole.saturating_sub(self.spent);
        usize::try_from(left / each.max(1)).unwrap_or(usize::MAX).min(seeds)
    }

    fn dearest(&self) -> u64 {
        self.costs.values().copied().max().unwrap_or(0)
    }

    /// Whether runs that are on their way have to end: the first one never does, unless it is
    /// clients that make it long, for without it there is no answer.
    pub fn is_over(&self) -> bool {
        let clock = if self.costs.is_empty() { self.first } else { self.clock };
        clock.is_some_and(|clock| self.started.elapsed() > clock)
    }

    /// Whether the first run cannot be over when it has to be: clients have been at work for that
    /// `wall` time, in which so much was simulated, and `least` is to be simulated before there is
    /// anything to repair.
    pub fn is_hopeless(&self, wall: Duration, simulated: Nanos, least: Nanos) -> bool {
        let Some(first) = self.first.filter(|_| self.costs.is_empty()) else { return false };
        let times = least.as_secs() / simulated.as_secs().max(1e-3);
        wall > EARLY && times > 1.0 && wall.as_secs_f64() * times > first.as_secs_f64()
    }

    /// How long it has run.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// A run was broken off, or not begun: by the user, or else by the clock.
    pub fn broke_off(&mut self, by_user: bool) {
        self.late |= !by_user;
        self.cut |= !by_user
    }

    /// Whether less was tried than there was to try.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether a run takes so long that even on a large cluster there is no time for many.
    pub fn is_pressed(&self) -> bool {
        self.pressed
    }

    /// Whether it was the clock that cut: then another time the answer may be another one.
    pub fn was_late(&self) -> bool {
        self.late
    }
}

/// What a run costs.
pub fn work(done: &Done) -> u64 {
    let work = EVENT * done.events + done.records;
    if hdfs_trace::has_requests(&done.trace) { work / CLIENTS } else { work }
}

#[cfg(test)]
mod tests {
    use super::super::knob::Knob;
    use super::*;

    /// Without a clock nothing but work says how much is tried: neither how long a run takes, nor
    /// how many cores there are. A first run beside clients that takes too long is refused.
    #[test]
    fn no_clock_ends_a_search_that_was_not_asked_for() {
        let after = |nodes: usize, work: u64, s: f64| {
            let mut budget = Budget::start().on(nodes);
            budget.lasted(work, Duration::from_secs_f64(s));
            (budget.whole, budget.is_pressed(), budget.clock, budget.was_late())
        };
        for s in [0.1, 1e5] {
            assert_eq!(after(SMALL, 1, s), (WORK, false, None, false));
            assert_eq!(after(SMALL, WORK, s), (RUNS * WORK, false, None, false));
            assert_eq!(after(SMALL + 1, WORK / 10, s), (MANY * WORK / 10, false, None, false));
            assert_eq!(after(SMALL + 1, WORK / 5, s), (LONG, true, None, false));
            assert_eq!(after(SMALL + 1, WORK, s), (RUNS * WORK, true, None, false));
        }
        let late = |s: Duration| {
            let mut budget = Budget::start().on(SMALL).beside_clients(SMALL);
            budget.lasted(WORK, s);
            budget.was_late()
        };
        assert_eq!((late(FIRST), late(FIRST + EARLY)), (false, true));
        assert!(!Budget::start().within(Duration::from_secs(60)).is_over());
        let mut asked = Budget::start().within(Duration::ZERO);
        assert!(!asked.is_over(), "the present settings are run in any case");
        asked.took(&Point::example(), 1);
        assert!(asked.is_over());
    }

    /// What cannot be over in time is not waited for.
    #[test]
    fn a_hopeless_first_run_is_known_early() {
        let budget = Budget::start().beside_clients(SMALL);
        let (s, least) = (Duration::from_secs, Nanos::from_secs(120.0));
        assert!(!budget.is_hopeless(s(1), Nanos::from_secs(1.0), least), "too early to tell");
        assert!(!budget.is_hopeless(s(3), Nanos::from_secs(30.0), least), "12 s of 15");
        assert!(budget.is_hopeless(s(3), Nanos::from_secs(20.0), least), "18 s of 15");
        assert!(!budget.is_hopeless(s(16), Nanos::from_secs(121.0), least), "the repair goes on");
        let mut later = Budget::start().beside_clients(SMALL);
        later.paid(&Point::example(), 1);
        assert!(!later.is_hopeless(s(3), Nanos::from_secs(1.0), least), "not the first");
        assert!(!Budget::start().is_hopeless(s(30), Nanos::from_secs(1.0), least), "no clients");
    }

    #[test]
    fn what_is_dear_is_tried_less_and_told() {
        let now = Point::example();
        let points: Vec<Point> = (3..13).map(|n| now.with(Knob::Multiplier, n)).collect();
        let mut cheap = Budget::start();
        cheap.paid(&now, WORK / 100_000);
        assert_eq!(cheap.affords(&points, 10, 0.5, 1), 10);
        assert_eq!(cheap.seeds(10, 4, 0.4, 3), 10);
        assert!(!cheap.is_cut());
        let mut dear = Budget::start();
        dear.paid(&points[0], WORK / 100_000);
        dear.paid(&points[1], WORK / 10);
        assert_eq!(dear.affords(&points, 10, 1.0, 0), 1);
        assert!(dear.is_cut());
        assert_eq!(dear.affords(&points, 10, 1.0, 2), 2);
        assert_eq!(dear.seeds(10, 4, 0.4, 3), 3, "one seed each, were three not the least");
        // What is kept back is not there before the rest is given out.
        let mut kept = Budget::start();
        kept.paid(&now, WORK / 10);
        kept.keep(3);
        assert_eq!(kept.affords(&points, 1, 1.0, 0), 6, "one is spent, three are kept");
        assert_eq!(kept.of_the_rest(&points[..3], 10), 3, "nine are left");
        // What is spent is gone, whatever the clock says.
        dear.paid(&points[2], WORK);
        assert_eq!(dear.affords(&points[..1], 1, 1.0, 0), 0);
    }
}
