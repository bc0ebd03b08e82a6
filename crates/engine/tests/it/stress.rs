//! An adversary between the threads, and faults of the engine that it must reveal.
use crate::faults::Forgetful;
use engine::{
    phold::{self, Setting},
    *,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Little lookahead, many messages between threads.
fn setting(lps: u32, seed: u64) -> Setting {
    let setting = Setting { lps, population: 2, seed, remote: 0.6, ..Setting::default() };
    let events = if cfg!(miri) { 60 } else { 6000 };
    Setting { lookahead: Nanos::millis(1), ..setting }.for_events(events)
}

fn stress(threads: usize, seed: u64, planted: Option<PlantedBug>) -> Scheduler {
    Scheduler::Stress { threads, stress: Stress { seed, planted } }
}

#[test]
fn what_is_held_back_and_reordered_changes_nothing() {
    let (mut undone, seeds) = (0, if cfg!(miri) { 1 } else { 2 });
    let settings = [(7, 3), (2, 2), (40, 2), (100, 4)];
    for (lps, threads) in settings.into_iter().take(if cfg!(miri) { 1 } else { 4 }) {
        for seed in 0..seeds {
            let setting = setting(lps, seed);
            let once = phold::run(&setting, Scheduler::Sequential);
            let also = phold::run(&setting, stress(threads, seed, None));
            let also_said = (also.outcome, also.recorded);
            assert_eq!((once.outcome, once.recorded), also_said, "{setting:?} on {threads}");
            undone += also.effort.rolled_back
        }
    }
    assert!(cfg!(miri) || undone > 20_000, "only {undone} events were undone")
}

/// With many LPs, few have speculated beyond a delayed message, unless batches are long.
#[test]
#[cfg_attr(miri, ignore = "it takes many LPs")]
fn much_is_undone_among_many_lps_too() {
    let setting = Setting { lps: 20_000, ..Setting::default() }.for_events(200_000);
    let once = phold::run(&setting, Scheduler::Sequential);
    let also = phold::run(&setting, stress(2, 1, None));
    assert_eq!((once.outcome, once.recorded), (also.outcome, also.recorded));
    let undone = also.effort.rolled_back;
    assert!(undone > 20_000, "only {undone} events were undone")
}

/// `None` if the run panics.
fn hash(setting: &Setting, scheduler: Scheduler) -> Option<u128> {
    let run = AssertUnwindSafe(|| phold::run(setting, scheduler));
    catch_unwind(run).ok().map(|measured| measured.outcome.trace_hash)
}

#[test]
#[cfg_attr(miri, ignore = "it takes many events to go wrong")]
fn faults_of_the_engine_are_found() {
    for seed in 0..2 {
        let setting = setting(40, seed);
        let right = hash(&setting, Scheduler::Sequential);
        assert_eq!(hash(&setting, stress(2, seed, None)), right);
        for fault in [PlantedBug::LosesRecall, PlantedBug::CommitsEarly] {
            let wrong = hash(&setting, stress(2, seed, Some(fault)));
            assert_ne!(wrong, right, "{fault:?} was not found with seed {seed}")
        }
    }
}

#[derive(Message)]
struct Job(u64);

/// Passes jobs on, and keeps them in a container that may not journal.
#[derive(Rewind)]
struct Keeper {
    all: Lps<Job>,
    kept: Forgetful,
}

impl Model for Keeper {
    type Event = Job;
    type Record = ();
    fn handle(&mut self, Job(n): &Job, cx: &impl Context<Job, ()>) {
        self.kept.push(*n);
        let mut draw = cx.random();
        let to = self.all.at(draw.below(self.all.len() as u64) as u32);
        let delay = Delay::link(cx.link(to)).plus(draw.exponential(Nanos::micros(1)));
        cx.send(to, delay, Job(n + 1))
    }
}

fn keepers(journals: bool, scheduler: Scheduler) -> Outcome {
    let mut topology = Topology::new(Nanos(10), Nanos(10));
    let all = topology.place::<Job>(20, |_| 0);
    let keeper = |_| Keeper { all, kept: Forgetful::new(journals) };
    let horizon = Nanos::micros(if cfg!(miri) { 3 } else { 200 });
    let mut world = World::new(Shared::new(topology), 1, horizon, keeper);
    all.iter().for_each(|lp| world.start(lp, Nanos(1), Job(0)));
    world.run(scheduler, |_, ()| ())
}

/// The rollback check names the field (see `faults`); a scheduler that rolls back gets another
/// hash.
#[test]
fn a_container_that_does_not_journal_is_found() {
    let scheduler = stress(2, 1, None);
    let run = |journals, scheduler| keepers(journals, scheduler).trace_hash;
    assert_eq!(run(true, scheduler), run(true, Scheduler::Sequential));
    assert!(cfg!(miri) || run(false, scheduler) != run(false, Scheduler::Sequential))
}

#[derive(Message)]
enum Beat {
    /// Repeats every second and starts a chain of words.
    Beat,
    /// Number of hops left.
    Word(u32),
}

/// Idle most of the time; then words travel quickly.
#[derive(Rewind)]
struct Gossip {
    all: Lps<Beat>,
    heard: u64,
}

impl Model for Gossip {
    type Event = Beat;
    type Record = ();
    fn handle(&mut self, event: &Beat, cx: &impl Context<Beat, ()>) {
        self.heard += 1;
        let left = match event {
            Beat::Beat => {
                cx.after(Nanos::secs(1), Beat::Beat);
                20
            }
            Beat::Word(left) => *left,
        };
        if left > 0 {
            let to = self.all.at(cx.random().below(self.all.len() as u64) as u32);
            cx.send(to, Delay::link(cx.link(to)), Beat::Word(left - 1))
        }
    }
}

/// Delayed words reach receivers that are seconds ahead. Their anti-messages are delayed, too, and
/// so on. The echo ends nevertheless.
#[test]
#[cfg_attr(miri, ignore = "it takes many events to echo")]
fn echoes_of_what_is_undone_die_away() {
    let run = |scheduler| {
        let mut topology = Topology::new(Nanos::micros(100), Nanos::micros(100));
        let all = topology.place::<Beat>(20, |_| 0);
        let gossip = |_| Gossip { all, heard: 0 };
        let mut world = World::new(Shared::new(topology), 1, Nanos::secs(40), gossip);
        all.iter().for_each(|lp| world.start(lp, Nanos(1 + lp.id() as u64), Beat::Beat));
        world.run_with(scheduler, |_, _| (), |_| std::ops::ControlFlow::Continue(()))
    };
    let (once, _) = run(Scheduler::Sequential);
    let (also, effort) = run(stress(4, 1, None));
    assert_eq!(once, also);
    let undone = effort.rolled_back / once.events;
    assert!((3..12).contains(&undone), "{undone} events are undone for each")
}
