//! An observer sees all that the trace hash covers, and changes nothing.
use engine::{
    phold::{self, Kinds, Setting},
    *,
};
use std::{ops::ControlFlow, thread};

fn setting(kinds: Kinds) -> Setting {
    let setting = Setting { lps: 30, population: 2, remote: 0.6, kinds, ..Setting::default() };
    setting.for_events(2000)
}

type Line = (Stamp, u128, String, String);

fn lines(setting: &Setting, execution: Execution<'_>) -> (Outcome, Vec<Line>) {
    let mut all = vec![];
    let measured = phold::run_observed(setting, execution, |seen| {
        all.push((seen.stamp, seen.hash, seen.event(), seen.records()))
    });
    (measured.outcome, all)
}

#[test]
fn all_that_is_hashed_is_seen() {
    for kinds in [Kinds::One, Kinds::Three] {
        let setting = setting(kinds);
        let plain = phold::run(&setting, Scheduler::Sequential).outcome;
        let (outcome, once) = lines(&setting, Scheduler::Sequential.into());
        assert_eq!(outcome, plain);
        let sum = once.iter().fold(0u128, |sum, (_, hash, ..)| sum.wrapping_add(*hash));
        assert_eq!(sum, plain.trace_hash);
        assert_eq!(once.len() as u64, plain.events + 30, "events, and last words of 30 LPs");
        assert!(once.is_sorted_by_key(|(stamp, ..)| (stamp.at, stamp.tie, stamp.lp)));
        for threads in 1..=3 {
            for scheduler in [
                Scheduler::Conservative { threads },
                Scheduler::Optimistic { threads },
                Scheduler::Stress { threads, stress: Stress::default() },
                Scheduler::RollbackCheck { depth: threads },
            ] {
                assert!(lines(&setting, scheduler.into()) == (plain, once.clone()), "{scheduler}")
            }
        }
    }
}

#[test]
fn the_first_process_sees_all() {
    let setting = setting(Kinds::One);
    let expected = lines(&setting, Scheduler::Sequential.into());
    let all = thread::scope(|scope| {
        let run = |mut peers: Neighbours| {
            let scheduler = Scheduler::Optimistic { threads: 2 };
            lines(&setting, Execution::among(scheduler, Some(&mut peers)))
        };
        let ranks = Neighbours::new(2).into_iter();
        let ranks: Vec<_> = ranks.map(|peers| scope.spawn(move || run(peers))).collect();
        ranks.into_iter().map(|rank| rank.join().expect("no panics")).collect::<Vec<_>>()
    });
    assert!(all[0] == expected);
    assert_eq!(all[1], (expected.0, vec![]))
}

#[derive(Message)]
struct Tick;

#[derive(Message)]
enum Note {
    Ticks(u64),
    Over,
}

/// Records none, one or two things, and some at the end.
#[derive(Rewind)]
struct Clock(u64);

impl Model for Clock {
    type Event = Tick;
    type Record = Note;
    fn handle(&mut self, _: &Tick, cx: &impl Context<Tick, Note>) {
        self.0 += 1;
        (0..self.0 % 3).for_each(|n| cx.record(Note::Ticks(n)));
        cx.after(Nanos(10), Tick)
    }
    fn finish(&self, cx: &impl Recorder<Note>) {
        if self.0 > 2 {
            cx.record(Note::Ticks(self.0));
            cx.record(Note::Over)
        }
    }
}

#[test]
fn records_come_as_without_a_witness() {
    let world = || {
        let mut topology = Topology::new(Nanos(5), Nanos(5));
        let all = topology.place::<Tick>(2, |_| 0);
        let mut world = World::new(Shared::new(topology), 1, Nanos(55), |_| Clock(0));
        world.start(all.at(0), Nanos(1), Tick);
        world.start(all.at(1), Nanos(44), Tick);
        world
    };
    let (mut plain, mut rows, mut seen) = (vec![], vec![], vec![]);
    let outcome = world().run(Scheduler::Sequential, |stamp, note| plain.push((stamp, note)));
    let (also, _) = world().run_observed(
        Scheduler::Sequential,
        |stamp, note| rows.push((stamp, note)),
        |committed| {
            let at = committed.stamp.at.0;
            seen.push(format!("{at} {} [{}]", committed.event(), committed.records()))
        },
        |_| ControlFlow::Continue(()),
    );
    assert_eq!((also, rows), (outcome, plain));
    let expected = [
        "1 Tick [Ticks { 0: 0 }]",
        "11 Tick [Ticks { 0: 0 }, Ticks { 0: 1 }]",
        "21 Tick []",
        "31 Tick [Ticks { 0: 0 }]",
        "41 Tick [Ticks { 0: 0 }, Ticks { 0: 1 }]",
        "44 Tick [Ticks { 0: 0 }]",
        "51 Tick []",
        "54 Tick [Ticks { 0: 0 }, Ticks { 0: 1 }]",
        "55  [Ticks { 0: 6 }, Over]",
        "55  []",
    ];
    assert_eq!(seen, expected)
}
