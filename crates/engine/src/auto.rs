//! The `auto` scheduler: begins sequentially and starts conservative threads if they pay.
//!
//! It measures the wall-clock time of an event, and the events within the least delay between
//! threads. If each thread would have enough work between two barriers, LPs are distributed by the
//! messages that they have sent so far. A sequential run is measured again every `AGAIN`. Once
//! several threads run, the first one works alone while that is faster (see `Pace`).
use crate::{
    Choice, Message, Model,
    conservative::{self, ConservativeOptions},
    outcome::{Lead, Tally},
    parallel::{balance::Balance, front::Front, merge::Outlet, pace::Pace, slots::Slots},
    start::{RunState, Start, Team},
    watch::Stride,
    worker::{SingleThread, Worker},
};
use std::time::{Duration, Instant};

/// Events of a measured slice. The first slice only warms up the caches.
const PROBE: u64 = 1 << 14;

/// A slice of `FEW` events is enough if it took `LONG`.
const FEW: u64 = 64;
const LONG: Duration = Duration::from_millis(50);

/// Steps in which the cost of coordination is timed before threads start.
const REHEARSALS: usize = 8;

/// Wall-clock time between two measurements of a sequential run.
const AGAIN: Duration = Duration::from_millis(250);

/// Minimum work of a thread between two barriers. A barrier costs 1 or 2 µs, and uneven load as
/// much again. If other processes need a core it costs more; `Pace` detects that and continues on
/// one thread.
const WORTH: Duration = Duration::from_micros(8);

/// Runs on at most as many threads as there are outlets.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    mut outlets: Vec<O>,
    mut front: impl Front<M::Record, O>,
) -> (RunState<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, pending, frame, ranks } = start;
    let (threads, lookahead) = (outlets.len(), team.partition.lookahead());
    let mut worker = Worker::new(frame, pending, Slots::new(&mut lps), ranks, SingleThread);
    let (outlet, mut stride, begun) = (&mut outlets[0], Stride::start(), crate::clock::now());
    // The result if the run ends before the first measurement.
    worker.tally.effort.choice = Some(Choice { threads: 1, ..Choice::default() });
    let mut slice = Slice::from(&worker.tally);
    while step(&mut worker, stride.next(), OutputMode::Straight, outlet, &mut front).0 {
        let Some(spent) = slice.of(&worker.tally, stride.last()) else { continue };
        let choice = choose(threads, lookahead, spent);
        worker.tally.effort.choice = Some(choice);
        if choice.threads == 1 {
            continue;
        }
        let rehearsed = rehearse(&mut worker, &mut stride, outlet, &mut front);
        let Some(led) = rehearsed else { break };
        worker.set_idle();
        let (frame, pending, tally) = worker.into_parts();
        outlets.truncate(choice.threads);
        let start = Start { lps, pending, frame, ranks };
        let known = (choice, led, begun.elapsed().as_secs_f64());
        return together(start, team, tally, known, outlets, front);
    }
    let stop = worker.actions().stop;
    ((worker.tally, stop, lps), outlets)
}

#[derive(Clone, Copy, PartialEq)]
enum OutputMode {
    /// Straight to the sink: no other thread has earlier records.
    Straight,
    /// Through the merge, as with several threads.
    Merged,
}

/// Handles up to `most` events and reports progress. Returns whether the run continues, and for
/// `OutputMode::Merged` the time to merge records and report.
fn step<M: Model, O: Outlet<M::Record>>(
    worker: &mut Worker<'_, M, SingleThread>,
    most: u64,
    way: OutputMode,
    outlet: &mut O,
    front: &mut impl Front<M::Record, O>,
) -> (bool, Duration)
where
    M::Event: Message<Out = M::Event>,
{
    let mut take = |stamp, record| match way {
        OutputMode::Straight => front.take(outlet, stamp, record),
        OutputMode::Merged => outlet.put(stamp, record),
    };
    let goes_on = worker.work(u64::MAX, most, &mut take);
    worker.actions().pending.tidy();
    let begun = (way == OutputMode::Merged).then(crate::clock::now);
    if way == OutputMode::Merged {
        outlet.flush()
    }
    let stop = worker.actions().stop;
    let (events, frontier) = (worker.tally.events, worker.tally.last);
    let verdict = front.lead(Lead { frontier, tie: 0, events, stop });
    worker.tally.interrupted |= verdict.is_break();
    (goes_on && verdict.is_continue(), begun.map_or(Duration::ZERO, |begun| begun.elapsed()))
}

/// Runs some steps as with several threads. Returns the fraction of time (0–1) that coordination
/// takes; `None` if the run ends.
fn rehearse<M: Model, O: Outlet<M::Record>>(
    worker: &mut Worker<'_, M, SingleThread>,
    stride: &mut Stride,
    outlet: &mut O,
    front: &mut impl Front<M::Record, O>,
) -> Option<f64>
where
    M::Event: Message<Out = M::Event>,
{
    let (begun, mut led) = (crate::clock::now(), Duration::ZERO);
    for _ in 0..REHEARSALS {
        let (goes_on, took) = step(worker, stride.next(), OutputMode::Merged, outlet, front);
        if !goes_on {
            return None;
        }
        led += took
    }
    Some(led.as_secs_f64() / begun.elapsed().as_secs_f64().max(1e-9))
}

/// Continues on several threads, with LPs distributed by the messages that they have sent so far.
/// `led`: fraction of time (0–1) that the first thread needs for coordination. `alone_s`: time that
/// it has worked alone \[s\].
fn together<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    before: Tally,
    (choice, led, alone_s): (Choice, f64, f64),
    outlets: Vec<O>,
    mut front: impl Front<M::Record, O>,
) -> (RunState<M>, Vec<O>)
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
    let begin = ConservativeOptions { before, pace, balance, profiler: None };
    let (mut ended, outlets) = conservative::run(start, team, begin, outlets, lead);
    if let Some(first) = ended.0.effort.threads.first_mut() {
        (first.committed, first.seconds) = (first.committed + done, first.seconds + alone_s)
    }
    (ended, outlets)
}

struct Slice {
    events: u64,
    simulated: u64,
    real: Instant,
    /// Slices before this one.
    before: u32,
}

/// Events, simulated time \[ns\] and wall-clock time of a slice.
type SliceCost = (u64, u64, Duration);

impl Slice {
    fn from(tally: &Tally) -> Self {
        let Tally { events, last, .. } = *tally;
        Slice { events, simulated: last, real: crate::clock::now(), before: 0 }
    }

    /// If the slice has enough events, returns its costs and begins the next slice. `looked`: the
    /// last clock reading. The first slice returns `None`.
    fn of(&mut self, tally: &Tally, looked: Instant) -> Option<SliceCost> {
        let events = tally.events - self.events;
        let about = looked.saturating_duration_since(self.real);
        let enough = events >= PROBE || (events >= FEW && about >= LONG);
        // Events per window are unknown until simulated time advances.
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

/// `lookahead`: least delay between threads \[ns\].
fn choose(threads: usize, lookahead: u64, (events, simulated, real): SliceCost) -> Choice {
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
