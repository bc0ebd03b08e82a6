//! Several processes in one run: here threads that are connected by channels.
use engine::{
    phold::{self, PholdRun, Setting},
    *,
};
use std::{ops::ControlFlow, panic, thread};

/// The result of each process.
pub(crate) fn each<R: Send>(count: usize, run: impl Fn(Neighbours) -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let run = &run;
        let all = Neighbours::new(count).into_iter();
        let ranks: Vec<_> = all.map(|peers| scope.spawn(move || run(peers))).collect();
        ranks.into_iter().map(|rank| rank.join().expect("it caught its panics")).collect()
    })
}

fn all_schedulers() -> impl Iterator<Item = Scheduler> {
    let with = |threads| {
        [
            Scheduler::Conservative { threads },
            Scheduler::Optimistic { threads },
            Scheduler::Auto { threads },
        ]
    };
    (1..=2).flat_map(with).chain([Scheduler::Sequential])
}

#[test]
fn processes_change_nothing() {
    for (lps, lookahead) in [(60, Nanos::millis(100)), (7, Nanos(1)), (3, Nanos::millis(10))] {
        let setting = Setting { lps, lookahead, population: 3, remote: 0.6, ..Setting::default() };
        let setting = setting.for_events(5000);
        let once = phold::run(&setting, Scheduler::Sequential);
        for (count, scheduler) in (1..=3).flat_map(|n| all_schedulers().map(move |s| (n, s))) {
            let all: Vec<PholdRun> = each(count, |mut peers| {
                phold::run_on(&setting, Execution::among(scheduler, Some(&mut peers)))
            });
            let recorded = all.iter().fold(0u64, |sum, one| sum.wrapping_add(one.recorded));
            assert_eq!(recorded, once.recorded, "{scheduler:?} in {count}");
            for one in all {
                assert_eq!(one.outcome, once.outcome, "{scheduler:?} in {count}")
            }
        }
    }
}

#[derive(Message)]
struct Tick;

#[derive(Message)]
struct Count(u64);

/// Passes a tick round; the LP that gets the `fatal`th one panics.
#[derive(Rewind)]
struct Player {
    next: Lp<Tick>,
    count: u64,
    fatal: u64,
}

impl Model for Player {
    type Event = Tick;
    type Record = Count;
    fn handle(&mut self, _: &Tick, cx: &impl Context<Tick, Count>) {
        self.count += 1;
        assert!(self.count < self.fatal, "{} is too many", self.count);
        cx.record(Count(self.count));
        cx.send(self.next, Delay::link(cx.link(self.next)), Tick)
    }
    fn finish(&self, cx: &impl Recorder<Count>) {
        cx.record(Count(1000 + self.count))
    }
}

const PLAYERS: u32 = 5;

fn round(fatal: u64, horizon: Nanos) -> World<'static, Player> {
    let mut topology = Topology::new(Nanos(10), Nanos(10));
    let all = topology.place::<Tick>(PLAYERS, |_| 0);
    let build =
        move |id| Player { next: all.at((id + 1) % PLAYERS), count: 0, fatal: fatal + id as u64 };
    let mut world = World::new(Shared::new(topology), 1, horizon, build);
    all.iter().for_each(|lp| world.start(lp, Nanos(1), Tick));
    world
}

type Rows = Vec<(Stamp, u64)>;

fn rows(execution: Execution<'_>) -> (Outcome, Rows) {
    let mut rows = vec![];
    let sink = |stamp, Count(n)| rows.push((stamp, n));
    let (outcome, _) =
        round(u64::MAX - 9, Nanos(5000)).run_with(execution, sink, |_| ControlFlow::Continue(()));
    (outcome, rows)
}

/// In the order of a sequential run, with the records of `finish`.
#[test]
fn the_first_process_gets_all_records() {
    let (outcome, expected) = rows(Scheduler::Sequential.into());
    assert_eq!(expected.len() as u64, outcome.events + PLAYERS as u64);
    for (count, scheduler) in (1..=3).flat_map(|n| all_schedulers().map(move |s| (n, s))) {
        let all = each(count, |mut peers| rows(Execution::among(scheduler, Some(&mut peers))));
        for (rank, (also, rows)) in all.into_iter().enumerate() {
            assert_eq!(also, outcome, "{scheduler:?} in {count}");
            let expected: &[_] = if rank == 0 { &expected } else { &[] };
            assert!(rows == expected, "{scheduler:?} in {count}: other records in rank {rank}")
        }
    }
}

fn said(execution: Execution<'_>) -> String {
    let run = || {
        let world = round(100, Nanos(50_000));
        world.run_with(execution, |_, _| (), |_| ControlFlow::Continue(()))
    };
    let said = panic::catch_unwind(panic::AssertUnwindSafe(run)).expect_err("it is fatal");
    match said.downcast::<PeerLost>() {
        Ok(lost) => format!("lost: {lost}"),
        Err(said) => *said.downcast::<String>().expect("a text"),
    }
}

/// One process has the panic of a sequential run; the others report that it failed.
#[test]
fn a_panic_ends_all_processes() {
    let expected = said(Scheduler::Sequential.into());
    assert_eq!(expected, "100 is too many");
    for scheduler in all_schedulers() {
        let all = each(3, |mut peers| said(Execution::among(scheduler, Some(&mut peers))));
        let (told, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|s| *s == expected);
        assert_eq!(told.len(), 1, "{scheduler:?}: {told:?} {others:?}");
        assert!(others.iter().all(|s| s == "lost: another rank has failed"), "{others:?}")
    }
}

#[test]
fn unlike_runs_do_not_begin() {
    let all = each(2, |mut peers| {
        let scheduler = Scheduler::Conservative { threads: 1 };
        let horizon = Nanos(5000 + peers.rank() as u64);
        let execution = Execution::among(scheduler, Some(&mut peers));
        let run =
            || round(9999, horizon).run_with(execution, |_, _| (), |_| ControlFlow::Continue(()));
        let said = panic::catch_unwind(panic::AssertUnwindSafe(run)).expect_err("they differ");
        said.downcast::<PeerLost>().expect("who is lost").0
    });
    assert!(all[0].starts_with("rank 1 and rank 0 differ in end of the run: "), "{all:?}");
    assert!(all[1].starts_with("rank 0 and rank 1 differ in end of the run: "), "{all:?}")
}

/// The loss of a process is detected, whatever the others do.
#[test]
fn a_process_that_is_gone_is_missed() {
    for threads in [1, 2] {
        let all = each(2, |mut peers| {
            if peers.rank() == 1 {
                let mut bags = vec![vec![0; 64], vec![]];
                let _ = peers.swap(&mut bags);
                return String::from("gone");
            }
            let scheduler = Scheduler::Conservative { threads };
            said(Execution::among(scheduler, Some(&mut peers)))
        });
        assert!(all[0].starts_with("lost: rank 1 "), "{all:?}")
    }
}

/// Every LP is built once, by its own process.
#[test]
fn each_builds_its_own() {
    let built = std::sync::Mutex::new(vec![]);
    each(3, |mut peers| {
        let mut topology = Topology::new(Nanos(10), Nanos(10));
        let all = topology.place::<Tick>(9, |_| 0);
        let world = World::new(Shared::new(topology), 1, Nanos(100), |id| {
            built.lock().expect("no thread panics with it").push(id);
            Player { next: all.at(id), count: 0, fatal: 9 }
        });
        let scheduler = Scheduler::Conservative { threads: 2 };
        let execution = Execution::among(scheduler, Some(&mut peers));
        world.run_with(execution, |_, _| (), |_| ControlFlow::Continue(()))
    });
    let mut built = built.into_inner().expect("as above");
    built.sort_unstable();
    assert_eq!(built, (0..9).collect::<Vec<u32>>())
}
