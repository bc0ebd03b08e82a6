//! Records before a handler's panic: the same as in a sequential run.
use engine::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

use std::{thread::sleep, time::Duration};

#[derive(Message)]
struct Tick;

#[derive(Rewind)]
struct Clock {
    /// Panics at its tenth tick.
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

/// All clocks tick at the same times, in an order that the seed draws.
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
                // Other threads speculate meanwhile.
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

/// A change in progress; `mark` must not be called during it.
#[derive(Default)]
struct Half {
    is_begun: bool,
}

impl Digest for Half {
    fn digest(&self, _: &mut Hasher) {}
}

impl Rewind for Half {
    type Mark = ();
    fn mark(&self) {
        assert!(!self.is_begun, "a change is half done")
    }
    fn rewind(&mut self, _: &()) {
        self.is_begun = false
    }
    fn commit(&mut self, _: &()) {}
    fn journal(&mut self, _: Option<u64>) {}
}

#[derive(Message)]
enum Step {
    /// To the LP that has the key: it sends the key to the door, after 20 ms of real time.
    Send(Lp<Step>),
    Key,
    Enter,
}

#[derive(Message)]
struct Entered(u32);

#[derive(Rewind, Default)]
struct Door {
    is_open: bool,
    change: Half,
    entered: u32,
}

impl Model for Door {
    type Event = Step;
    type Record = Entered;
    fn handle(&mut self, event: &Step, cx: &impl Context<Step, Entered>) {
        match *event {
            Step::Send(door) => {
                sleep(Duration::from_millis(20));
                cx.notify(door, Step::Key)
            }
            Step::Key => self.is_open = true,
            Step::Enter => {
                self.change.is_begun = true;
                assert!(self.is_open, "the door is closed");
                (self.change.is_begun, self.entered) = (false, self.entered + 1);
                cx.record(Entered(self.entered))
            }
        }
    }
}

/// The first `Enter` before the `Key` panics within a change; two more have the same time.
#[test]
fn what_comes_to_a_state_that_a_panic_left_half_done_is_not_lost() {
    let run = |scheduler| {
        let mut topology = Topology::new(Nanos(1000), Nanos(1000));
        let all = topology.place::<Step>(2, |i| i);
        let (build, mut seen) = (|_| Door::default(), vec![]);
        let mut world = World::new(Shared::new(topology), 1, Nanos::secs(1), build);
        world.start(all.at(0), Nanos(1), Step::Send(all.at(1)));
        (0..3).for_each(|_| world.start(all.at(1), Nanos(5000), Step::Enter));
        let outcome = world.run(scheduler, |_, Entered(n)| seen.push(n));
        (outcome, seen)
    };
    let first = run(Scheduler::Sequential);
    assert_eq!(first.1, [1, 2, 3]);
    for scheduler in [
        Scheduler::Optimistic { threads: 2 },
        Scheduler::Stress { threads: 2, stress: Stress::default() },
    ] {
        assert_eq!(run(scheduler), first, "{scheduler:?}")
    }
}
