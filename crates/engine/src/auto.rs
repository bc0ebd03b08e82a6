//! Which scheduler: looked at while the run is going on.
//!
//! It begins as a sequential one. From its first events follow what an event costs, and how many
//! fall within the least delay between threads; from these, whether several threads have enough to
//! do between two meetings. Only then are the LPs dealt to threads, by what they have sent so far,
//! and the run goes on from there. A run that stays sequential is looked at again now and then; in
//! one that does not, the first thread goes on alone while that is faster (see `Pace`).
use crate::{
    Choice, Message, Model,
    conservative::{self, Begin},
    outcome::{Lead, Tally},
    parallel::{balance::Balance, front::Front, merge::Outlet, pace::Pace, slots::Slots},
    start::{Ended, Start, Team},
    watch::Stride,
    worker::{Alone, Worker},
};
use std::time::{Duration, Instant};

/// Events that are looked at, after as many that warm the caches up.
const PROBE: u64 = 1 << 14;

/// So many are enough where they take this long.
const FEW: u64 = 64;
const LONG: Duration = Duration::from_millis(50);

/// Before several threads are taken: how often leading is timed.
const REHEARSALS: usize = 8;

/// A sequential run is looked at again after so long.
const AGAIN: Duration = Duration::from_millis(250);

/// Work of a thread between two meetings that is worth meeting for: a meeting costs one or two
/// microseconds, and one thread that has more to do than the others as much again. A core that is
/// wanted elsewhere costs more; but that is seen (`Pace`), and then one thread goes on alone.
const WORTH: Duration = Duration::from_micros(8);

/// On at most as many threads as there are outlets.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    mut outlets: Vec<O>,
    mut front: impl Front<M::Record, O>,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, pending, frame, ranks } = start;
    let (threads, lookahead) = (outlets.len(), team.partition.lookahead());
    let mut worker = Worker::new(frame, pending, Slots::new(&mut lps), ranks, Alone);
    let (outlet, mut stride, begun) = (&mut outlets[0], Stride::start(), crate::clock::now());
    // Where the run is over before anything was seen there was nothing to choose.
    worker.tally.effort.choice = Some(Choice { threads: 1, ..Choice::default() });
    let mut slice = Slice::from(&worker.tally);
    while step(&mut worker, stride.next(), Way::Straight, outlet, &mut front).0 {
        let Some(spent) = slice.of(&worker.tally, stride.last()) else { continue };
        let choice = choose(threads, lookahead, spent);
        worker.tally.effort.choice = Some(choice);
        if choice.threads == 1 {
            continue;
        }
        let rehearsed = rehearse(&mut worker, &mut stride, outlet, &mut front);
        let Some(led) = rehearsed else { break };
        worker.rest();
        let (frame, pending, tally) = worker.into_parts();
        outlets.truncate(choice.threads);
        let start = Start { lps, pending, frame, ranks };
        let known = (choice, led, begun.elapsed().as_secs_f64());
        return together(start, team, tally, known, outlets, front);
    }
    let stop = worker.actions().stop;
    ((worker.tally, stop, lps), outlets)
}

/// How records get out.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// At once: there are no others to wait for.
    Straight,
    /// As they do where there are.
    Merged,
}

/// Some events, and word of them. Whether the run goes on; and where records are merged, how long
/// it took to bring them into order and to hear how far the run is.
fn step<M: Model, O: Outlet<M::Record>>(
    worker: &mut Worker<'_, M, Alone>,
    most: u64,
    way: Way,
    outlet: &mut O,
    front: &mut impl Front<M::Record, O>,
) -> (bool, Duration)
where
    M::Event: Message<Out = M::Event>,
{
    let mut take = |stamp, record| match way {
        Way::Straight => front.take(outlet, stamp, record),
        Way::Merged => outlet.put(stamp, record),
    };
    let goes_on = worker.work(u64::MAX, most, &mut take);
    worker.actions().pending.tidy();
    let begun = (way == Way::Merged).then(crate::clock::now);
    if way == Way::Merged {
        outlet.flush()
    }
    let stop = worker.actions().stop;
    let (events, frontier) = (worker.tally.events, worker.tally.last);
    let verdict = front.lead(Lead { frontier, tie: 0, events, stop });
    worker.tally.interrupted |= verdict.is_break();
    (goes_on && verdict.is_continue(), begun.map_or(Duration::ZERO, |begun| begun.elapsed()))
}

/// A few steps as if there were several threads: which part of the time leading takes. `None` if
/// the run does not go on.
fn rehearse<M: Model, O: Outlet<M::Record>>(
    worker: &mut Worker<'_, M, Alone>,
    stride: &mut Stride,
    outlet: &mut O,
    front: &mut impl Front<M::Record, O>,
) -> Option<f64>
where
    M::Event: Message<Out = M::Event>,
{
    let (begun, mut led) = (crate::clock::now(), Duration::ZERO);
    for _ in 0..REHEARSALS {
        let (goes_on, took) = step(worker, stride.next(), Way::Merged, outlet, front);
        if !goes_on {
            return None;
        }
        led += took
    }
    Some(led.as_secs_f64() / begun.elapsed().as_secs_f64().max(1e-9))
}

/// Goes on on several threads: LPs are dealt by what they have sent so far. The first thread also
/// leads, which took this part of the time; it has worked alone for so long [s].
fn together<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    before: Tally,
    (choice, led, alone_s): (Choice, f64, f64),
    outlets: Vec<O>,
    mut front: impl Front<M::Record, O>,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let weight = |lp| 1 + start.lps.sent(lp, &start.ranks);
    let all: u64 = (0..start.frame.lps).map(weight).sum();
    let burden = all as f64 * led / (1.0 - led).max(0.01);
    let team = team.of(choice.threads, &start.frame.topology, units::floored_u64(burden), weight);
    let pace = Pace::new(1e9 / choice.grain_ns, before.events, crate::clock::now());
    let (pace, balance) = (Some(pace), Some(Balance::new()));
    let lead = |lead: Lead| front.lead(lead);
    let done = before.events;
    let begin = Begin { before, pace, balance, profiler: None };
    let (mut ended, outlets) = conservative::run(start, team, begin, outlets, lead);
    if let Some(first) = ended.0.effort.threads.first_mut() {
        (first.committed, first.seconds) = (first.committed + done, first.seconds + alone_s)
    }
    (ended, outlets)
}

/// A stretch of a run: where it began.
struct Slice {
    events: u64,
    simulated: u64,
    real: Instant,
    /// How many there were before; the first one warms the caches up.
    before: u32,
}

/// How much there was to do in a stretch of a run: events, simulated time \[ns\], real time.
type Spent = (u64, u64, Duration);

impl Slice {
    /// The first, from now on.
    fn from(tally: &Tally) -> Self {
        let Tally { events, last, .. } = *tally;
        Slice { events, simulated: last, real: crate::clock::now(), before: 0 }
    }

    /// What was spent in it, if it is over by a look at the clock not long ago; then the next one
    /// begins.
    fn of(&mut self, tally: &Tally, looked: Instant) -> Option<Spent> {
        let events = tally.events - self.events;
        let about = looked.saturating_duration_since(self.real);
        let enough = events >= PROBE || (events >= FEW && about >= LONG);
        // While all happens at one moment nothing is known of windows.
        let enough = enough && tally.last > self.simulated;
        if !enough || (self.before > 1 && about < AGAIN) {
            return None;
        }
        let lasted = self.real.elapsed();
        let (before, simulated) = (self.before, self.simulated);
        *self = Slice { before: before.saturating_add(1), ..Slice::from(tally) };
        (before > 0).then_some((events, tally.last - simulated, lasted))
    }
}

/// `lookahead` is the least delay between threads \[ns\].
fn choose(threads: usize, lookahead: u64, (events, simulated, real): Spent) -> Choice {
    let grain_ns = real.as_nanos() as f64 / events as f64;
    let events_per_window = events as f64 * lookahead as f64 / simulated.max(1) as f64;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work_ns = events_per_window * grain_ns;
    let useful = units::usize_of(units::floored_u64(work_ns / WORTH.as_nanos() as f64));
    let most = threads.min(cores);
    Choice { threads: most.min(useful).max(1), most, events_per_window, grain_ns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_need_something_to_do_between_two_meetings() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let probe = |nanos| Duration::from_nanos(nanos * PROBE);
        let threads = |window: f64, grain| {
            let simulated = (PROBE as f64 * 1e6 / window) as u64;
            choose(cores, 1_000_000, (PROBE, simulated, probe(grain))).threads
        };
        assert_eq!(threads(100.0, 50), 1, "5 microseconds are not worth it");
        assert_eq!(threads(0.1, 5000), 1, "windows are empty");
        assert_eq!(threads(1e6, 50), cores);
        assert_eq!(choose(1, 1_000_000, (PROBE, 1, probe(50))).threads, 1)
    }
}
