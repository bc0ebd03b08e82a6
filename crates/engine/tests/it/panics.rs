//! What was recorded when a handler panicked: what a sequential run has recorded by then.
use engine::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

use std::{thread::sleep, time::Duration};

#[derive(Message)]
struct Tick;

#[derive(Rewind)]
struct Clock {
    /// Who does not survive its tenth tick.
    is_mortal: bool,
    ticks: u64,
}

impl Model for Clock {
    type Event = Tick;
    type Record = Tick;
    fn handle(&mut self, _: &Tick, cx: &impl Context<Tick, Tick>) {
        self.ticks += 1;
        cx.record(Tick);
        assert!(!self.is_mortal || self.ticks < 10, "the tenth tick");
        cx.after(Nanos(1000), Tick)
    }
}

/// All tick at once: in what order, the seed says.
fn recorded(scheduler: Scheduler, seed: u64) -> Vec<Stamp> {
    let mut topology = Topology::new(Nanos(700), Nanos(700));
    let all = topology.place::<Tick>(12, |_| 0);
    let build = |id| Clock { is_mortal: id == 5, ticks: 0 };
    let mut world = World::new(Shared::new(topology), seed, Nanos::MAX, build);
    all.iter().for_each(|clock| world.start(clock, Nanos(0), Tick));
    let mut stamps = vec![];
    let run = AssertUnwindSafe(|| world.run(scheduler, |stamp, _| stamps.push(stamp)));
    assert!(catch_unwind(run).is_err(), "the fifth does not survive");
    stamps
}

#[test]
fn all_that_comes_before_a_panic_is_let_out_and_nothing_after_it() {
    for seed in 0..10 {
        let first = recorded(Scheduler::Sequential, seed);
        assert!((12 * 9..12 * 10).contains(&first.len()), "{first:?}");
        for threads in 2..5 {
            for scheduler in [
                Scheduler::Conservative { threads },
                Scheduler::Optimistic { threads },
                Scheduler::Stress { threads, stress: Stress { seed, planted: None } },
            ] {
                assert_eq!(recorded(scheduler, seed), first, "{scheduler:?}, seed {seed}")
            }
        }
    }
}

#[derive(Message)]
enum Event {
    End,
    Fail,
}

#[derive(Rewind)]
struct Frail {
    events: u64,
}

impl Model for Frail {
    type Event = Event;
    type Record = ();
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, ()>) {
        self.events += 1;
        match event {
            Event::End => {
                // Others go ahead meanwhile.
                sleep(Duration::from_millis(20));
                cx.stop(Nanos(1500))
            }
            Event::Fail => panic!("an event that never was"),
        }
    }
}

#[test]
fn what_panics_ahead_of_the_end_and_beyond_it_never_was() {
    let run = |scheduler, at| {
        let mut topology = Topology::new(Nanos(1000), Nanos(1000));
        let all = topology.place::<Event>(2, |i| i);
        let build = |_| Frail { events: 0 };
        let mut world = World::new(Shared::new(topology), 1, Nanos::secs(1), build);
        world.start(all.at(0), Nanos(1), Event::End);
        world.start(all.at(1), Nanos(at), Event::Fail);
        catch_unwind(AssertUnwindSafe(|| world.run(scheduler, |_, ()| ()))).ok()
    };
    let stress = Stress::default();
    for at in [1499, 1500, 5000] {
        let first = run(Scheduler::Sequential, at);
        assert_eq!(first.is_none(), at < 1500);
        for scheduler in [
            Scheduler::Conservative { threads: 2 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::Stress { threads: 2, stress },
        ] {
            assert_eq!(run(scheduler, at), first, "{scheduler:?}, at {at}")
        }
    }
}
