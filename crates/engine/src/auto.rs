//! Which scheduler: looked at while the run is going on.
//!
//! It begins as a sequential one. From its first events follow what an event costs, and how many
//! fall within the least delay between threads; from these, whether several threads have enough to
//! do between two meetings. Only then are the LPs dealt to threads, and the run goes on from there.
use crate::{
    Message, Model,
    conservative::{self, Lead},
    outcome::{Tally, Verdict},
    parallel::{merge::Outlet, slots::Slots},
    watch::STRIDE,
    worker::{Alone, Worker},
    world::{Ended, Start, Team},
};
use std::time::{Duration, Instant};

/// Events that are looked at, after as many that warm the caches up.
const PROBE: u64 = 16 * STRIDE;

/// Work of a thread between two meetings that is worth meeting for: a meeting costs one or two
/// microseconds, and a core that is wanted elsewhere costs more.
const WORTH: Duration = Duration::from_micros(20);

/// What the choice was made from, and what it was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Choice {
    /// On so many threads; 1 is sequential.
    pub threads: usize,
    /// Events within the least delay between threads.
    pub events_per_window: f64,
    /// Wall-clock time of an event \[ns\]; 0 where the run was over before there was a choice.
    pub grain_ns: f64,
}

/// On at most as many threads as there are outlets.
pub(crate) fn run<M: Model, O: Outlet<M::Record>>(
    start: Start<M>,
    team: Team<'_, '_>,
    mut outlets: Vec<O>,
    mut lead: impl FnMut(Lead) -> Verdict,
) -> (Ended<M>, Vec<O>)
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, pending, frame, ranks } = start;
    let mut worker = Worker::new(frame, pending, Slots::new(&mut lps), ranks, Alone);
    let outlet = &mut outlets[0];
    let mut sink = |stamp, record| outlet.put(stamp, record);
    let mut goes_on = worker.work(u64::MAX, PROBE, &mut sink);
    let (first, begun) = (worker.tally.last, Instant::now());
    goes_on = goes_on && worker.work(u64::MAX, PROBE, &mut sink);
    let spent = (worker.tally.last - first, begun.elapsed());
    // Where the run is over by then there was nothing to choose.
    let none = Choice { threads: 1, ..Choice::default() };
    let choice =
        if goes_on { choose(outlets.len(), team.partition.lookahead(), spent) } else { none };
    worker.tally.effort.choice = Some(choice);
    if goes_on && choice.threads > 1 {
        let (frame, pending, tally) = worker.into_parts();
        let start = Start { lps, pending, frame, ranks };
        let team = match choice.threads == outlets.len() {
            true => team,
            false => team.of(choice.threads, &start.frame.topology),
        };
        outlets.truncate(choice.threads);
        return conservative::run(start, team, tally, outlets, lead);
    }
    let outlet = &mut outlets[0];
    while goes_on {
        goes_on = worker.work(u64::MAX, STRIDE, &mut |stamp, record| outlet.put(stamp, record));
        let stop = worker.deeds().stop;
        worker.deeds().pending.tidy();
        outlet.flush();
        let Tally { events, last, .. } = worker.tally;
        if lead(Lead { frontier: last, events, stop }).is_break() {
            worker.tally.interrupted = true;
            break;
        }
    }
    outlet.flush();
    let stop = worker.deeds().stop;
    ((worker.tally, stop, lps), outlets)
}

/// `lookahead` is the least delay between threads \[ns\]; `spent` the simulated \[ns\] and the real
/// time of the events that were looked at.
fn choose(threads: usize, lookahead: u64, (simulated, real): (u64, Duration)) -> Choice {
    let grain_ns = real.as_nanos() as f64 / PROBE as f64;
    let events_per_window = PROBE as f64 * lookahead as f64 / simulated.max(1) as f64;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work_ns = events_per_window * grain_ns;
    let useful = (work_ns / WORTH.as_nanos() as f64) as usize;
    let threads = threads.min(cores).min(useful).max(1);
    Choice { threads, events_per_window, grain_ns }
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
            choose(cores, 1_000_000, (simulated, probe(grain))).threads
        };
        assert_eq!(threads(100.0, 50), 1, "5 microseconds are not worth it");
        assert_eq!(threads(0.1, 5000), 1, "windows are empty");
        assert_eq!(threads(1e6, 50), cores);
        assert_eq!(choose(1, 1_000_000, (1, probe(50))).threads, 1)
    }
}
