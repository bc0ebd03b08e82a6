//! Handlers and chains without an end are reported, with LP and time.
use engine::*;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

#[derive(Message)]
enum Event {
    /// Repeats with a delay of 0.
    AtOnce,
    /// Repeats after 100 µs.
    Tick,
    /// Keeps its thread busy \[ms of real time\].
    Sleep(u64),
    /// Ends the run at 20 ms.
    End,
    /// Arrives before the receiver's next event, which needs it.
    Leave,
    /// Has no effect.
    Noise,
    /// Without a `Leave`: records for ever.
    Spend,
    /// Without a `Leave`: grows a container for ever.
    Keep,
    /// Without a `Leave`: sets large values for ever.
    Hoard,
    /// Without a `Leave`: sends itself large payloads for ever.
    Waste,
    Load(Vec<u64>),
    /// Without a `Leave`: panics.
    Need,
    /// Without a `Leave`: repeats with a delay of 0.
    Hasten,
}

/// Panics of `Need` without a `Leave`.
static FAILED: AtomicU64 = AtomicU64::new(0);

/// Maximum bytes that one `Hoard` has set, and that one `Waste` has sent.
static HOARDED: AtomicU64 = AtomicU64::new(0);
static WASTED: AtomicU64 = AtomicU64::new(0);

#[derive(Rewind, Default)]
struct Worker {
    done: u64,
    leaves: u64,
    kept: Queue<u64>,
    hoard: Var<Vec<u64>>,
    /// Receives a `Leave` or `Noise` at each tick.
    spender: Option<Lp<Event>>,
}

impl Model for Worker {
    type Event = Event;
    type Record = ();
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, ()>) {
        self.done += 1;
        match event {
            Event::AtOnce => cx.after(Nanos::ZERO, Event::AtOnce),
            Event::Tick => {
                cx.after(Nanos::micros(100), Event::Tick);
                if let Some(spender) = self.spender {
                    let word = if cx.me().id() == 0 { Event::Leave } else { Event::Noise };
                    cx.send(spender, Delay::link(cx.link(spender)), word)
                }
            }
            Event::End => cx.stop(Nanos::millis(20)),
            Event::Leave => self.leaves += 1,
            Event::Noise => {}
            Event::Spend => {
                let mut owed = 1;
                while owed > 0 {
                    cx.record(());
                    owed -= self.leaves.min(owed)
                }
                self.leaves -= 1;
                cx.after(Nanos::micros(200), Event::Spend)
            }
            Event::Keep => {
                while self.leaves == 0 {
                    self.kept.push_back(self.done)
                }
                self.leaves -= 1;
                cx.after(Nanos::micros(200), Event::Keep)
            }
            Event::Hoard => {
                let mut hoarded = 0;
                while self.leaves == 0 {
                    self.hoard.set(vec![self.done; 128]);
                    hoarded += 1024;
                    HOARDED.fetch_max(hoarded, Relaxed);
                }
                self.leaves -= 1;
                cx.after(Nanos::micros(200), Event::Hoard)
            }
            Event::Waste => {
                let mut wasted = 0;
                while std::hint::black_box(self.leaves) == 0 {
                    cx.after(Nanos::millis(1), Event::Load(vec![7; 2048]));
                    wasted += 16_384;
                    WASTED.fetch_max(wasted, Relaxed);
                }
                self.leaves -= 1;
                cx.after(Nanos::micros(200), Event::Waste)
            }
            Event::Load(_) => {}
            Event::Need if self.leaves == 0 => {
                FAILED.fetch_add(1, Relaxed);
                panic!("no leave")
            }
            Event::Need => {
                self.leaves -= 1;
                cx.after(Nanos::micros(200), Event::Need)
            }
            Event::Hasten if self.leaves == 0 => cx.after(Nanos::ZERO, Event::AtOnce),
            Event::Hasten => {}
            Event::Sleep(ms) => std::thread::sleep(Duration::from_millis(*ms)),
        }
    }
}

fn world(starts: &[(u32, u64, Event)]) -> World<'static, Worker> {
    let mut topology = Topology::new(Nanos::micros(50), Nanos::micros(50));
    let all = topology.place::<Event>(80, |_| 0);
    let spender = move |id| (id == 0 || (10..20).contains(&id)).then(|| all.at(79));
    let build = move |id| Worker { spender: spender(id), ..Worker::default() };
    let mut world = World::new(Shared::new(topology), 1, Nanos::secs(10), build);
    for (lp, at, event) in starts {
        world.start(all.at(*lp), Nanos(*at), event.clone())
    }
    world
}

/// The same event under every scheduler, with other events in between.
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

/// A `Hasten` before its `Leave` is speculation on an inconsistent state. The real livelock begins
/// later.
#[test]
fn what_never_was_is_no_part_of_a_livelock() {
    let said = |scheduler| {
        let hasten = (79, 100_000, Event::Hasten);
        let world = world(&[(0, 1, Event::Tick), hasten, (79, 100_100, Event::AtOnce)]);
        let run = AssertUnwindSafe(|| world.run(scheduler, |_, _| ()));
        let said = catch_unwind(run).expect_err("it would go on for 10 000 000 000 events");
        said.downcast::<String>().expect("a message")
    };
    let first = said(Scheduler::Sequential);
    assert!(first.contains("4.294404ms"), "{first}");
    for threads in [2, 3, 4] {
        assert_eq!(said(Scheduler::Optimistic { threads }), first, "{threads}")
    }
}

/// Two simultaneous livelocks do not hide each other, whatever their LP numbers.
#[test]
fn each_of_two_livelocks_is_a_livelock() {
    let both = [(3, 1_000, Event::AtOnce), (67, 1_000, Event::AtOnce)];
    let world = world(&both);
    let run = AssertUnwindSafe(|| world.run(Scheduler::Sequential, |_, _| ()));
    assert!(catch_unwind(run).is_err(), "it would go on for 20 000 000 000 events")
}

/// A runaway event before its `Leave` would run for ever, on an inconsistent state. It is aborted
/// and waits until it is certain.
#[test]
fn a_runaway_handler_on_a_state_that_never_was_is_undone() {
    let run = |scheduler, runaway: Event| {
        let starts = [(0, 1, Event::Tick), (79, 100_000, runaway), (1, 2, Event::End)];
        world(&starts).run_with(scheduler, |_, _| (), |_| std::ops::ControlFlow::Continue(()))
    };
    for runaway in [Event::Spend, Event::Keep, Event::Hoard, Event::Waste] {
        let (once, _) = run(Scheduler::Sequential, runaway.clone());
        let mut ahead = 0;
        for threads in [2, 3, 4] {
            let (also, effort) = run(Scheduler::Optimistic { threads }, runaway.clone());
            assert_eq!(once, also);
            ahead += effort.threads.iter().map(|t| t.ahead).sum::<u64>()
        }
        assert!(ahead > 0, "nobody went ahead")
    }
    // Memory is limited, too: a million changes or 65 536 actions would take 1 GB per thread.
    for taken in [&HOARDED, &WASTED] {
        let taken = taken.load(Relaxed) >> 20;
        assert!((1..=700).contains(&taken), "{taken} MiB")
    }
}

/// A `Need` before its `Leave` panics. After the second panic it waits until it is certain, because
/// each may have taken long.
#[test]
fn who_panicked_twice_on_states_that_never_were_waits() {
    let run = |scheduler| {
        let mut starts: Vec<_> = (10..20).map(|lp| (lp, lp as u64, Event::Tick)).collect();
        let (leaves, needs) = (14_900_000, 15_000_000);
        starts.extend([
            (0, leaves, Event::Tick),
            (79, needs, Event::Need),
            (1, leaves, Event::End),
        ]);
        world(&starts).run(scheduler, |_, _| ())
    };
    let once = run(Scheduler::Sequential);
    for threads in [2, 3, 4] {
        FAILED.store(0, Relaxed);
        let stress = Stress { seed: 1, planted: None };
        assert_eq!(run(Scheduler::Stress { threads, stress }), once);
        let failed = FAILED.load(Relaxed);
        assert!((1..=4).contains(&failed), "an event failed {failed} times on {threads} threads")
    }
}

/// There is one watchdog per process: reports about other tests are ignored.
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
