//! Limits of a run: its end, its interruption, dropped events.
use engine::*;
use std::ops::ControlFlow;

#[derive(Message)]
enum Event {
    Tick { every: Nanos, name: String },
    StopAt(Nanos),
    Never,
}

#[derive(Message)]
struct Seen(u64);

#[derive(Rewind, Default)]
struct Clock {
    ticks: u64,
}

impl Model for Clock {
    type Event = Event;
    type Record = Seen;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Seen>) {
        match event {
            Event::Tick { every, .. } => {
                self.ticks += 1;
                cx.record(Seen(cx.now().0));
                cx.after(*every, event.clone())
            }
            Event::StopAt(at) => {
                cx.stop(*at);
                cx.after(Nanos::MAX, Event::Never)
            }
            Event::Never => panic!("never"),
        }
    }
    fn finish(&self, cx: &impl Recorder<Seen>) {
        cx.record(Seen(1_000_000_000 + self.ticks))
    }
}

fn world(horizon: u64) -> World<'static, Clock> {
    let mut topology = Topology::new(Nanos(5), Nanos(5));
    let all = topology.place::<Event>(2, |_| 0);
    let mut world = World::new(Shared::new(topology), 1, Nanos(horizon), |_| Clock::default());
    let tick = |every| Event::Tick { every: Nanos(every), name: "a clock".into() };
    world.start(all.at(0), Nanos(0), tick(10));
    world.start(all.at(1), Nanos(3), tick(0));
    world.start(all.at(1), Nanos(horizon), tick(1));
    world.start(all.at(0), Nanos(20), Event::StopAt(Nanos(40)));
    world.start(all.at(1), Nanos(21), Event::StopAt(Nanos(30)));
    world
}

fn times(world: World<Clock>, scheduler: Scheduler) -> (Outcome, Vec<u64>) {
    let mut seen = vec![];
    let outcome = world.run(scheduler, |stamp, Seen(time)| {
        assert!(time >= 1_000_000_000 || stamp.at.0 == time);
        seen.push(time)
    });
    (outcome, seen)
}

#[test]
fn a_run_is_exactly_the_events_before_its_end() {
    for scheduler in [Scheduler::Sequential, Scheduler::RollbackCheck { depth: 4 }] {
        // Stopped at 30: ticks of the first at 0, 10, 20; of the second at 3, 4, …, 29.
        let (outcome, seen) = times(world(100), scheduler);
        assert_eq!((outcome.end, outcome.last), (Nanos(30), Nanos(29)));
        assert_eq!(outcome.events, 3 + 27 + 2);
        assert_eq!(seen[seen.len() - 2..], [1_000_000_003, 1_000_000_027]);
        // The horizon comes first.
        let (outcome, _) = times(world(15), scheduler);
        assert_eq!((outcome.end, outcome.events), (Nanos(15), 2 + 12));
        let (outcome, seen) = times(world(0), scheduler);
        assert_eq!((outcome.events, seen), (0, vec![1_000_000_000, 1_000_000_000]));
    }
}

#[test]
fn the_progress_hook_can_break_a_run_off() {
    for scheduler in [Scheduler::Sequential, Scheduler::RollbackCheck { depth: 4 }] {
        let mut topology = Topology::new(Nanos(5), Nanos(5));
        let all = topology.place::<Event>(1, |_| 0);
        let mut world = World::new(Shared::new(topology), 1, Nanos::MAX, |_| Clock::default());
        world.start(all.at(0), Nanos(0), Event::Tick { every: Nanos(1), name: String::new() });
        let mut calls = vec![];
        let (outcome, _) = world.run_with(
            scheduler,
            |_, _| (),
            |progress| {
                calls.push(progress.events);
                if calls.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert!(outcome.interrupted && outcome.events == calls[2], "{outcome:?} {calls:?}");
        assert!(calls.windows(2).all(|w| w[0] < w[1] && w[1] - w[0] <= 1 << 16));
    }
}

#[test]
fn the_seed_ranks_the_senders_of_equal_times() {
    let first = |seed| {
        let mut topology = Topology::new(Nanos(5), Nanos(5));
        let all = topology.place::<Event>(8, |_| 0);
        let mut world = World::new(Shared::new(topology), seed, Nanos(12), |_| Clock::default());
        for lp in all.iter() {
            world.start(lp, Nanos(1), Event::Tick { every: Nanos(9), name: String::new() })
        }
        let mut order = vec![];
        world.run(Scheduler::Sequential, |stamp, _| {
            if stamp.at == Nanos(10) {
                order.push(stamp.lp)
            }
        });
        assert_eq!(order.len(), 8);
        order
    };
    let orders: Vec<_> = (0..20).map(first).collect();
    let firsts: std::collections::BTreeSet<u32> = orders.iter().map(|o| o[0]).collect();
    assert!(firsts.len() >= 6, "ties favour no LP over many seeds: {firsts:?}");
}

/// Several threads build the LPs; a panic of the model's function is reported as it is.
#[test]
fn a_panic_while_lps_are_made_is_the_authors_own() {
    let made = |bad: u32, threads| {
        let mut topology = Topology::new(Nanos(5), Nanos(5));
        topology.place::<Event>(100_000, |_| 0);
        let world = World::new(Shared::new(topology), 1, Nanos(10), move |id| {
            assert_ne!(id, bad, "no such disk");
            Clock { ticks: id as u64 }
        });
        let (mut next, mut take) = (0, vec![]);
        world.run(Scheduler::Conservative { threads }, |stamp, Seen(ticks)| {
            assert_eq!((stamp.lp, ticks), (next, 1_000_000_000 + next as u64));
            next += 1;
            take.push(ticks)
        });
        take.len()
    };
    assert_eq!((1..=4).map(|threads| made(u32::MAX, threads)).collect::<Vec<_>>(), [100_000; 4]);
    for bad in [0, 50_000, 99_999] {
        let told = std::panic::catch_unwind(|| made(bad, 3)).expect_err("LP `bad` is not made");
        let said = told.downcast_ref::<String>().expect("what assert_ne says");
        assert!(said.contains("no such disk"), "{said}")
    }
}

/// Number of events left.
#[derive(Message)]
struct Left(u64);

/// Each event takes 1 ms; one LP has all events.
#[derive(Rewind, Default)]
struct Slow(u64);

impl Model for Slow {
    type Event = Left;
    type Record = Seen;
    fn handle(&mut self, event: &Left, cx: &impl Context<Left, Seen>) {
        std::thread::sleep(std::time::Duration::from_millis(1));
        self.0 += 1;
        if event.0 > 0 {
            cx.after(Nanos::millis(1), Left(event.0 - 1))
        }
    }
}

#[test]
fn word_comes_and_a_run_can_be_broken_off_however_long_events_take() {
    let schedulers = [
        Scheduler::Sequential,
        Scheduler::Auto { threads: 2 },
        Scheduler::Conservative { threads: 2 },
        Scheduler::Optimistic { threads: 2 },
    ];
    for scheduler in schedulers {
        // With delays as long as the run, a round may take all events.
        let mut topology = Topology::new(Nanos::secs(4000), Nanos::secs(4000));
        let all = topology.place::<Left>(4, |n| n % 2);
        let build = |_| Slow::default();
        let mut world = World::new(Shared::new(topology), 1, Nanos::secs(3600), build);
        world.start(all.at(3), Nanos(0), Left(3_000));
        let (mut heard, mut last) = (0, 0);
        let hook = |p: Progress| {
            (heard, last) = (heard + 1, p.events);
            if heard == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (outcome, _) = world.run_with(scheduler, |_, _| (), hook);
        assert!(outcome.interrupted && last < 1_500, "{scheduler}: {last} events");
    }
}
