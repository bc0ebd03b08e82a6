//! What was recorded when a handler panicked: what a sequential run has recorded by then.
use engine::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
