//! What never ends: told of, with who and when.
use engine::*;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    time::Duration,
};

#[derive(Message)]
enum Event {
    /// Again, for at once.
    AtOnce,
    /// Again, a while later.
    Tick,
    /// Keeps its LP busy in real time \[ms\].
    Sleep(u64),
}

#[derive(Rewind, Default)]
struct Worker {
    done: u64,
}

impl Model for Worker {
    type Event = Event;
    type Record = ();
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, ()>) {
        self.done += 1;
        match event {
            Event::AtOnce => cx.after(Nanos::ZERO, Event::AtOnce),
            Event::Tick => cx.after(Nanos::micros(100), Event::Tick),
            Event::Sleep(ms) => std::thread::sleep(Duration::from_millis(*ms)),
        }
    }
}

fn world(starts: &[(u32, u64, Event)]) -> World<'static, Worker> {
    let mut topology = Topology::new(Nanos::micros(50), Nanos::micros(50));
    let all = topology.place::<Event>(8, |_| 0);
    let mut world = World::new(Shared::new(topology), 1, Nanos::secs(10), |_| Worker::default());
    for (lp, at, event) in starts {
        world.start(all.at(*lp), Nanos(*at), event.clone())
    }
    world
}

/// The same event under every scheduler, though others go on beside it.
#[test]
fn a_livelock_is_told_with_who_and_when() {
    let said = |scheduler| {
        let world = world(&[(3, 1_000, Event::AtOnce), (6, 5, Event::Tick), (1, 7, Event::Tick)]);
        let run = AssertUnwindSafe(|| world.run(scheduler, |_, _| ()));
        let said = catch_unwind(run).expect_err("it would go on for 10 000 000 000 events");
        said.downcast::<String>().expect("a message")
    };
    let first = said(Scheduler::Sequential);
    assert!(first.starts_with("livelock: LP 3 ") && first.contains("4.195304ms"), "{first}");
    for scheduler in [
        Scheduler::Conservative { threads: 2 },
        Scheduler::Optimistic { threads: 2 },
        Scheduler::Auto { threads: 2 },
    ] {
        assert_eq!(said(scheduler), first, "{scheduler:?}")
    }
}

/// The watchdog is one for the process: what other tests do is not told here.
#[test]
fn a_handler_that_does_not_return_is_told_of() {
    let told = Arc::new(Mutex::new(vec![]));
    let tell = Arc::clone(&told);
    set_watchdog([Duration::from_millis(100), Duration::from_millis(200)], move |stuck| {
        tell.lock().expect("a list").push(*stuck)
    });
    for scheduler in [
        Scheduler::Sequential,
        Scheduler::Conservative { threads: 2 },
        Scheduler::Optimistic { threads: 2 },
    ] {
        told.lock().expect("a list").clear();
        let starts = [(2, 777, Event::Sleep(600)), (5, 3, Event::Tick)];
        world(&starts).run(scheduler, |_, _| ());
        let told = told.lock().expect("a list");
        let of_ours: Vec<_> = told.iter().filter(|stuck| stuck.at == Nanos(777)).collect();
        assert_eq!(of_ours.len(), 2, "{scheduler:?}: {told:?}");
        assert!(of_ours.iter().all(|stuck| stuck.lp == 2));
        assert!(of_ours[1].lasted >= Duration::from_millis(200))
    }
}
