//! PHOLD, the standard benchmark of event engines (Fujimoto 1990), as an ordinary model.
//!
//! Every LP has `population` jobs at the start. Each job that arrives is answered by a new one:
//! with probability `remote` for an LP drawn from all, else for the LP itself. Its delay is
//! `lookahead` + an exponential time, with a mean of one second for both. Payloads have 64 bytes
//! with all tags. Each event draws from the engine's generator, records one value, and is hashed
//! with both.
//!
//! ```
//! use engine::{Scheduler, phold::{Setting, run}};
//! let setting = Setting { lps: 100, ..Setting::default() }.for_events(1000);
//! let a = run(&setting, Scheduler::Sequential);
//! let b = run(&setting, Scheduler::RollbackCheck { depth: 4 });
//! assert_eq!(a.outcome, b.outcome);
//! assert!(a.outcome.events > 800);
//! ```
mod kinds;
pub(crate) mod one;
pub use crate::machine::peak_rss_bytes;
use crate::{
    CommittedEvent, Cores, Draw, Effort, Execution, Lp, Lps, Message, Model, Nanos, Outcome,
    Profile, Scheduler, Shared, Sink, Stamp, Topology, World, machine::worked_s,
};
use std::ops::ControlFlow;

/// Mean delay of a job, with the lookahead \[ns\].
const MEAN: Nanos = Nanos(1_000_000_000);

/// Parameters of a PHOLD run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Number of logical processes.
    pub lps: u32,
    /// Jobs per LP at the start, and on average later.
    pub population: u32,
    /// Fraction of the LPs that hold jobs at the start: the first ones.
    pub awake: f64,
    /// The probability that a job goes to an LP drawn from all.
    pub remote: f64,
    /// Fraction of all events that go to the first LP; 0 treats it like all others.
    pub hot: f64,
    /// Steps of additional computation per event; some nanoseconds each.
    pub work: u32,
    /// Least delay; at most one second.
    pub lookahead: Nanos,
    /// One kind of LP and event, or three of each behind `#[derive(Model)]`.
    pub kinds: Kinds,
    /// Seed of all random numbers.
    pub seed: u64,
    /// The end of the run. Every LP handles about `population` events per second.
    pub horizon: Nanos,
}

/// Number of kinds of LP and of event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kinds {
    /// One of each.
    One,
    /// Three of each.
    Three,
}

impl Default for Setting {
    /// 1024 LPs of one kind, one job each, a quarter of them remote, a lookahead of a tenth, for
    /// 1000 s.
    fn default() -> Self {
        Setting {
            lps: 1024,
            population: 1,
            awake: 1.0,
            remote: 0.25,
            hot: 0.0,
            work: 0,
            lookahead: Nanos::millis(100),
            kinds: Kinds::One,
            seed: 1,
            horizon: Nanos::secs(1000),
        }
    }
}

impl Setting {
    /// Sets the horizon for about `events` committed events.
    pub fn for_events(mut self, events: u64) -> Self {
        let jobs = (self.awake_lps() * self.population as u64).max(1);
        self.horizon = Nanos::from_secs(events as f64 / jobs as f64);
        self
    }

    fn awake_lps(&self) -> u64 {
        units::floored_u64((self.lps as f64 * self.awake).ceil())
    }
}

/// Result and costs of a run.
#[derive(Clone, Debug)]
pub struct PholdRun {
    /// Events, trace hash, end.
    pub outcome: Outcome,
    /// Costs of the run.
    pub effort: Effort,
    /// Wall-clock time of the run, with building its LPs \[s\].
    pub seconds: f64,
    /// CPU time of the calling thread \[s\].
    pub worked_s: f64,
    /// Peak memory of this process so far \[bytes\]; 0 if the system does not report it.
    pub peak_rss_bytes: u64,
    /// Wrapping sum of all records.
    pub recorded: u64,
}

impl PholdRun {
    /// Committed events per second of wall-clock time.
    pub fn events_per_second(&self) -> f64 {
        self.outcome.events as f64 / self.seconds
    }

    /// Committed events / handled events; 1 if nothing is rolled back.
    pub fn efficiency(&self) -> f64 {
        let committed = self.outcome.events as f64;
        committed / (committed + self.effort.rolled_back as f64).max(1.0)
    }
}

struct Rules {
    lps: u64,
    remote: f64,
    /// Probability that a job goes to the first LP, drawn before all else.
    hot: f64,
    work: u32,
    /// Mean of the delay beyond the lookahead \[ns\].
    mean: Nanos,
}

impl Rules {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "measured hot path: fewer than 2^31 LPs")]
    fn target<E>(&self, draw: &mut Draw, all: Lps<E>, me: Lp<E>) -> Lp<E> {
        if self.hot > 0.0 && draw.chance(self.hot) {
            return all.at(0);
        }
        if draw.chance(self.remote) { all.at(draw.below(self.lps) as u32) } else { me }
    }
}

#[derive(Message)]
pub(crate) struct Value(u64);

/// A thread's sink: a sum needs no order.
struct Sum<'a, F> {
    sum: u64,
    value: &'a F,
}

impl<R, F: Fn(R) -> u64> Sink<R> for Sum<'_, F> {
    const ORDERED: bool = false;
    #[inline(always)]
    fn take(&mut self, _: Stamp, record: R) {
        self.sum = self.sum.wrapping_add((self.value)(record))
    }
}

/// Builds the world and runs it.
///
/// # Panics
/// If there is no LP, or the lookahead is above one second.
pub fn run(setting: &Setting, scheduler: Scheduler) -> PholdRun {
    run_on(setting, scheduler.into())
}

/// As [`run`], also with other processes; `recorded` is what this process received.
///
/// # Panics
/// As [`run`]; with [`PeerLost`](crate::PeerLost) if another process is gone.
pub fn run_on(setting: &Setting, execution: Execution<'_>) -> PholdRun {
    assert!(setting.lps > 0, "PHOLD needs an LP");
    assert!(setting.lookahead <= MEAN, "the lookahead is part of the mean delay, a second");
    match setting.kinds {
        Kinds::One => time(one::world(setting), execution, |value| value.0),
        Kinds::Three => time(kinds::world(setting), execution, |value| value.0),
    }
}

/// Predicts the work of a scheduler's threads, each on a core of its own.
///
/// # Panics
/// As [`run`].
pub fn profile(setting: &Setting, scheduler: Scheduler, cores: Cores) -> (Outcome, Profile) {
    let sink = |_| |_, _| ();
    let (outcome, profile, _) = match setting.kinds {
        Kinds::One => one::world(setting).profile_each(scheduler, cores, sink),
        Kinds::Three => kinds::world(setting).profile_each(scheduler, cores, sink),
    };
    (outcome, profile)
}

/// As [`run_on`], slower, with an observer. With several processes the first receives all events.
///
/// # Panics
/// As [`run_on`].
pub fn run_observed(
    setting: &Setting,
    execution: Execution<'_>,
    observer: impl FnMut(&CommittedEvent<'_>),
) -> PholdRun {
    assert!(setting.lps > 0, "PHOLD needs an LP");
    assert!(setting.lookahead <= MEAN, "the lookahead is part of the mean delay, a second");
    let (go_on, mut recorded) = (|_| ControlFlow::Continue(()), 0u64);
    let sink = |_, Value(value)| recorded = recorded.wrapping_add(value);
    let measured = timed(|| match setting.kinds {
        Kinds::One => one::world(setting).run_observed(execution, sink, observer, go_on),
        Kinds::Three => kinds::world(setting).run_observed(execution, sink, observer, go_on),
    });
    PholdRun { recorded, ..measured }
}

fn time<M: Model>(
    world: World<'_, M>,
    execution: Execution<'_>,
    value: impl Fn(M::Record) -> u64 + Sync,
) -> PholdRun
where
    M::Event: Message<Out = M::Event>,
{
    let (sink, mut recorded) = (|_| Sum { sum: 0, value: &value }, 0u64);
    let measured = timed(|| {
        let go_on = |_| ControlFlow::Continue(());
        let (outcome, effort, sums) = world.run_each(execution, sink, go_on);
        recorded = sums.iter().fold(0, |all, one| all.wrapping_add(one.sum));
        (outcome, effort)
    });
    PholdRun { recorded, ..measured }
}

/// `recorded` stays 0.
fn timed(run: impl FnOnce() -> (Outcome, Effort)) -> PholdRun {
    let (begin, worked) = (crate::clock::now(), worked_s());
    let (outcome, effort) = run();
    let (seconds, worked_s) = (begin.elapsed().as_secs_f64(), worked_s() - worked);
    let peak_rss_bytes = peak_rss_bytes();
    PholdRun { outcome, effort, seconds, worked_s, peak_rss_bytes, recorded: 0 }
}

/// The world of a setting, with its first jobs.
fn prepare<'a, M: Model<Event: 'a>>(
    setting: &Setting,
    build: impl Fn(u32, Shared<Rules>, Lps<M::Event>) -> M + Sync + 'a,
    job: impl Fn(u64) -> M::Event,
) -> World<'a, M>
where
    M::Event: Message<Out = M::Event> + crate::Carries<M::Event>,
{
    let mut topology = Topology::new(setting.lookahead, setting.lookahead);
    let all = topology.place::<M::Event>(setting.lps, |_| 0);
    let rules = Shared::new(Rules {
        lps: setting.lps as u64,
        remote: setting.remote,
        // Jobs at the first LP stay there as often as elsewhere, in addition to those that arrive.
        hot: setting.hot * setting.remote / (1.0 - (1.0 - setting.remote) * setting.hot),
        work: setting.work,
        mean: MEAN - setting.lookahead,
    });
    let mut world = World::new(Shared::new(topology), setting.seed, setting.horizon, {
        let rules = rules.clone();
        move |id| build(id, rules.clone(), all)
    });
    for (i, lp) in all.iter().enumerate().take(units::usize_of(setting.awake_lps())) {
        for k in 0..setting.population as u64 {
            let n = i as u64 * setting.population as u64 + k;
            let mut draw = Draw::keyed(setting.seed, "phold-start", n, 0);
            let at = setting.lookahead + draw.exponential(rules.mean);
            world.start(lp, at, job(draw.bits()))
        }
    }
    world
}

/// Steps of [`work`] that take this time on this machine now \[µs\]; for [`Setting::work`].
pub fn steps(micros: f64) -> u32 {
    if micros == 0.0 {
        return 0;
    }
    let (steps, begin) = (20_000_000, crate::clock::now());
    work(steps);
    let all = units::rounded_u64(micros * steps as f64 / begin.elapsed().as_secs_f64() / 1e6);
    u32::try_from(all).unwrap_or(u32::MAX)
}

/// A computation of `steps` steps that the compiler cannot shorten.
pub fn work(steps: u32) {
    let x = (0..steps).fold(1u64, |x, _| x.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (x >> 29));
    std::hint::black_box(x);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes<M: Model>() -> (usize, usize) {
        (size_of::<M::Event>(), size_of::<M>())
    }

    #[test]
    fn an_event_fits_a_cache_line_and_a_state_leaves_eight_bytes_of_one() {
        for (name, (event, state)) in
            [("one", sizes::<one::Node>()), ("three", sizes::<kinds::Node>())]
        {
            println!("{name}: an event has {event} bytes, an LP's state {state}");
            assert!(event == 64 && state <= 56, "{name}: {event} {state}")
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow; `it parallel` does as much")]
    fn all_schedulers_agree() {
        for kinds in [Kinds::One, Kinds::Three] {
            for population in [1, 5] {
                let setting = Setting { lps: 60, population, kinds, ..Setting::default() };
                let setting = setting.for_events(5000);
                let a = run(&setting, Scheduler::Sequential);
                let b = run(&setting, Scheduler::RollbackCheck { depth: 5 });
                assert_eq!((a.outcome, a.recorded), (b.outcome, b.recorded));
                assert!((4500..5500).contains(&a.outcome.events), "{}", a.outcome.events);
                for threads in [1, 2, 3, 100] {
                    let b = run(&setting, Scheduler::Conservative { threads });
                    assert_eq!((a.outcome, a.recorded), (b.outcome, b.recorded), "{threads}");
                    let b = run(&setting, Scheduler::Optimistic { threads });
                    assert_eq!((a.outcome, a.recorded), (b.outcome, b.recorded), "{threads}");
                }
            }
        }
    }
}
