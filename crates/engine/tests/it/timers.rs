//! Timers: cancelled, set again, expired; under several schedulers.
use engine::*;

#[derive(Message)]
enum Event {
    Step,
    Due { n: u64 },
}

#[derive(Message)]
enum Record {
    Due { n: u64, live: u32 },
    Cancelled { n: u64, was_live: bool },
}

/// Sets and cancels timers at random; knows which must be live.
#[derive(Rewind, Default)]
struct Patient {
    armed: Table<u64, (Timer, bool)>,
    n: u64,
}

impl Model for Patient {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Due { n } => {
                let live = self.armed.update(&n, |t| std::mem::take(&mut t.1)).expect("armed");
                assert!(live, "timer {n} was cancelled and is due");
                cx.record(Record::Due { n, live: self.live() })
            }
            Event::Step => self.step(cx),
        }
    }
}

impl Patient {
    fn live(&self) -> u32 {
        self.armed.values().filter(|t| t.1).count() as u32
    }
    fn step(&mut self, cx: &impl Context<Event, Record>) {
        let mut draw = cx.random();
        for _ in 0..draw.below(4) {
            let far = if draw.chance(0.1) { 1 << 40 } else { 3000 };
            let timer = cx.timer(Nanos(draw.below(far)), Event::Due { n: self.n });
            self.armed.insert(self.n, (timer, true));
            self.n += 1
        }
        for _ in 0..draw.below(4) {
            let Some(n) = (self.n > 0).then(|| draw.below(self.n)) else { break };
            let (timer, live) = *self.armed.get(&n).expect("armed");
            let was_live = cx.cancel(timer);
            assert_eq!(was_live, live, "timer {n}");
            self.armed.update(&n, |t| t.1 = false);
            cx.record(Record::Cancelled { n, was_live })
        }
        cx.after(Nanos(1 + draw.below(1000)), Event::Step)
    }
}

fn run(scheduler: Scheduler, seed: u64) -> (Outcome, [u32; 2]) {
    let mut topology = Topology::new(Nanos(5), Nanos(5));
    let all = topology.place::<Event>(3, |_| 0);
    let mut world = World::new(Shared::new(topology), seed, Nanos(60_000), |_| Patient::default());
    all.iter().for_each(|lp| world.start(lp, Nanos(0), Event::Step));
    let mut seen = [0, 0];
    let outcome = world.run(scheduler, |_, record| match record {
        Record::Due { .. } => seen[0] += 1,
        Record::Cancelled { was_live, .. } => seen[1] += was_live as u32,
    });
    (outcome, seen)
}

#[test]
fn cancelled_timers_are_not_due_and_others_are() {
    for seed in 0..10 {
        let result = run(Scheduler::Sequential, seed);
        let [due, cancelled] = result.1;
        assert!(due > 100 && cancelled > 40, "{result:?}");
        for depth in [1, 2, 7] {
            assert_eq!(result, run(Scheduler::RollbackCheck { depth }, seed));
            let threads = depth.clamp(2, 4);
            assert_eq!(result, run(Scheduler::Conservative { threads }, seed));
            assert_eq!(result, run(Scheduler::Optimistic { threads }, seed));
            let stress = Stress { seed, planted: None };
            assert_eq!(result, run(Scheduler::Stress { threads, stress }, seed));
            assert_eq!(result, run(Scheduler::Auto { threads }, seed));
        }
    }
}

/// Sets a long timeout again at every step, as a failure detector does.
#[derive(Rewind, Default)]
struct Detector {
    timeout: Option<Timer>,
    steps: u64,
}

impl Model for Detector {
    type Event = Event;
    type Record = ();
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, ()>) {
        assert!(*event == Event::Step, "never silent for that long");
        if let Some(timer) = self.timeout.take() {
            assert!(cx.cancel(timer))
        }
        self.timeout = Some(cx.timer(Nanos::secs(600), Event::Due { n: 0 }));
        self.steps += 1;
        cx.after(Nanos::millis(1), Event::Step)
    }
}

#[test]
fn cancelled_timeouts_do_not_pile_up() {
    let mut topology = Topology::new(Nanos(5), Nanos(5));
    let all = topology.place::<Event>(1, |_| 0);
    let mut world = World::new(Shared::new(topology), 1, Nanos::secs(300), |_| Detector::default());
    world.start(all.at(0), Nanos(0), Event::Step);
    let outcome = world.run(Scheduler::Sequential, |_, _| ());
    assert_eq!(outcome.events, 300_000);
}

/// Cancels a timer of another LP.
#[derive(Rewind, Default)]
struct Meddler;

#[derive(Message)]
enum Gossip {
    Tell(Lp<Gossip>),
    Of(Timer),
    Due,
}

impl Model for Meddler {
    type Event = Gossip;
    type Record = ();
    fn handle(&mut self, event: &Gossip, cx: &impl Context<Gossip, ()>) {
        match event {
            Gossip::Tell(to) => {
                let timer = cx.timer(Nanos(5_000), Gossip::Due);
                cx.send(*to, Delay::link(cx.link(*to)), Gossip::Of(timer))
            }
            Gossip::Of(timer) => {
                cx.cancel(*timer);
            }
            Gossip::Due => {}
        }
    }
}

#[test]
fn only_who_set_a_timer_can_cancel_it() {
    let said = |scheduler| {
        let mut topology = Topology::new(Nanos(5), Nanos(5));
        let all = topology.place::<Gossip>(2, |i| i);
        let mut world = World::new(Shared::new(topology), 1, Nanos(9_000), |_| Meddler);
        world.start(all.at(0), Nanos(10), Gossip::Tell(all.at(1)));
        let run = std::panic::AssertUnwindSafe(|| world.run(scheduler, |_, _| ()));
        let said = std::panic::catch_unwind(run).expect_err("it is another's");
        *said.downcast::<String>().expect("a text")
    };
    let once = said(Scheduler::Sequential);
    assert!(once.starts_with("LP 1 at 15 ns cancels a timer of another LP"), "{once}");
    for scheduler in [
        Scheduler::RollbackCheck { depth: 2 },
        Scheduler::Conservative { threads: 2 },
        Scheduler::Optimistic { threads: 2 },
    ] {
        assert_eq!(said(scheduler), once, "{scheduler}")
    }
}
