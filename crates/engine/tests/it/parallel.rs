//! Behaviour that needs several threads.
use crate::ranks::each;
use engine::{
    phold::{self, Setting},
    *,
};
use std::{cell::Cell, ops::ControlFlow};

const OPTIMISTIC: [Scheduler; 3] = [
    Scheduler::Optimistic { threads: 2 },
    Scheduler::Optimistic { threads: 3 },
    Scheduler::Optimistic { threads: 4 },
];

/// With a lookahead of 1 ns, speculation is often wrong.
#[test]
fn stragglers_change_nothing() {
    let (events, least) = if cfg!(miri) { (60, 0) } else { (4000, 10_000) };
    let mut undone = 0;
    let settings = [(8, 10, 4), (3, 4, 2), (2, 1, 1), (8, 1, 3), (40, 1, 5)];
    for (lps, population, seed) in settings.into_iter().take(if cfg!(miri) { 1 } else { 5 }) {
        let setting = Setting { lps, population, seed, lookahead: Nanos(1), ..Setting::default() };
        let setting = Setting { remote: 0.7, ..setting }.for_events(events);
        let once = phold::run(&setting, Scheduler::Sequential);
        for scheduler in OPTIMISTIC.into_iter().chain([Scheduler::Conservative { threads: 2 }]) {
            let also = phold::run(&setting, scheduler);
            assert_eq!((once.outcome, once.recorded), (also.outcome, also.recorded), "{setting:?}");
            undone += also.effort.rolled_back
        }
    }
    assert!(undone >= least, "only {undone} events were undone: this is a test of undoing")
}

/// Long enough for the choice, and for work on several threads.
#[test]
#[cfg_attr(miri, ignore = "it looks at 32 Ki events first")]
fn auto_changes_nothing() {
    for lps in [50, 20_000] {
        let setting = Setting { lps, ..Setting::default() }.for_events(100_000);
        let once = phold::run(&setting, Scheduler::Sequential);
        for threads in [1, 2, 3] {
            let also = phold::run(&setting, Scheduler::Auto { threads });
            assert_eq!((once.outcome, once.recorded), (also.outcome, also.recorded), "{lps}");
            let choice = also.effort.choice.expect("it was made");
            assert!((1..=threads).contains(&choice.threads), "{choice:?}")
        }
    }
}

/// A thread with sparse events is soon far ahead of the other, and has to wait.
#[test]
fn who_is_far_ahead_has_a_history_of_bounded_length() {
    let run = |scheduler| {
        let mut topology = Topology::new(Nanos(1), Nanos(1));
        let all = topology.place::<Event>(2, |i| i);
        let build = |id| Ticker { period: [Nanos(1), Nanos(1000)][id as usize], ticks: 0 };
        let mut world = World::new(Shared::new(topology), 1, Nanos::micros(40), build);
        all.iter().for_each(|lp| world.start(lp, Nanos(1), Event::Tick));
        world.run_with(scheduler, |_, _| (), |_| ControlFlow::Continue(()))
    };
    let (once, _) = run(Scheduler::Sequential);
    let (also, effort) = run(Scheduler::Optimistic { threads: 2 });
    assert_eq!(once, also);
    let longest = effort.threads.iter().map(|t| t.longest_history).max();
    assert!(longest < Some(9 * 1024), "{longest:?}")
}

/// One thread could run to the end, but its records wait for the other's; too many of them make it
/// wait.
#[test]
#[cfg_attr(miri, ignore = "millions of events")]
fn records_that_wait_are_bounded() {
    for scheduler in [Scheduler::Conservative { threads: 2 }, Scheduler::Optimistic { threads: 2 }]
    {
        let (delivered, waiting) = waiting(scheduler.into());
        assert_eq!(delivered, 2_800_000, "{scheduler}");
        assert!(waiting < 400_000, "{scheduler}: {waiting} of 800 000")
    }
    let in_two = each(2, |mut peers| {
        let scheduler = Scheduler::Conservative { threads: 1 };
        waiting(Execution::among(scheduler, Some(&mut peers)))
    });
    assert!(in_two[0].1 < 400_000, "{in_two:?}: the first process has the records of both")
}

/// Number of records, and the maximum that waited.
fn waiting(execution: Execution<'_>) -> (u64, u64) {
    let mut topology = Topology::new(Nanos(1), Nanos::secs(10));
    let all = topology.place::<Event>(2, |i| i);
    let build = |id| Ticker { period: [Nanos(100), Nanos(250)][id as usize], ticks: 0 };
    let mut world = World::new(Shared::new(topology), 1, Nanos::millis(200), build);
    all.iter().for_each(|lp| world.start(lp, Nanos(1), Event::Tick));
    let (delivered, mut waiting) = (Cell::new(0), 0);
    let (outcome, _) = world.run_with(
        execution,
        |_, _| delivered.set(delivered.get() + 1),
        |progress| {
            waiting = waiting.max(progress.events - delivered.get());
            ControlFlow::Continue(())
        },
    );
    assert_eq!(outcome.events, 2_800_000);
    (delivered.get(), waiting)
}

/// Events of megabytes: the history is bounded in bytes, not only in events.
#[test]
#[cfg_attr(miri, ignore = "hundreds of megabytes")]
fn what_can_be_undone_is_bounded_in_bytes() {
    let run = |scheduler| {
        let mut topology = Topology::new(Nanos(1), Nanos(1));
        let all = topology.place::<Load>(2, |i| i);
        let end = Nanos::micros(6);
        let mut world = World::new(Shared::new(topology), 1, end, |id| Carrier { id, sum: 0 });
        all.iter().for_each(|lp| world.start(lp, Nanos(1), Load(vec![])));
        world.run_with(scheduler, |_, _| (), |_| ControlFlow::Continue(()))
    };
    let (once, _) = run(Scheduler::Sequential);
    let (also, effort) = run(Scheduler::Optimistic { threads: 2 });
    assert_eq!(once, also);
    let histories: Vec<u64> = effort.threads.iter().map(|t| t.longest_history).collect();
    assert!(histories[1] < 128, "{histories:?}: of 300, each 4 MiB")
}

#[derive(Message)]
struct Load(Vec<u8>);

/// The first LP has many small events; the second one has few large events and is ahead.
#[derive(Rewind)]
struct Carrier {
    id: u32,
    sum: u64,
}

impl Model for Carrier {
    type Event = Load;
    type Record = Balance;
    fn handle(&mut self, Load(load): &Load, cx: &impl Context<Load, Balance>) {
        self.sum += load.iter().step_by(4096).map(|byte| *byte as u64).sum::<u64>();
        let (period, size) = [(Nanos(1), 0), (Nanos(20), 4 << 20)][self.id as usize];
        cx.after(period, Load(vec![self.sum as u8 | 1; size]))
    }
}

#[derive(Rewind)]
struct Ticker {
    period: Nanos,
    ticks: u64,
}

impl Model for Ticker {
    type Event = Event;
    type Record = Balance;
    fn handle(&mut self, _: &Event, cx: &impl Context<Event, Balance>) {
        self.ticks += 1;
        cx.record(Balance(self.ticks));
        cx.after(self.period, Event::Tick)
    }
}

#[derive(Message)]
enum Event {
    Tick,
    Deposit,
}

#[derive(Message)]
struct Balance(u64);

/// One account pays in, just before the other one takes out.
#[derive(Rewind)]
struct Account {
    other: Lp<Event>,
    pays: bool,
    balance: u64,
    log: Queue<u64>,
}

impl Model for Account {
    type Event = Event;
    type Record = Balance;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Balance>) {
        match event {
            Event::Deposit => self.balance += 1,
            Event::Tick => {
                cx.after(Nanos(1000), Event::Tick);
                if self.pays {
                    return cx.send(
                        self.other,
                        Delay::link(cx.link(self.other)).plus(Nanos(200)),
                        Event::Deposit,
                    );
                }
                self.log.push_back(cx.now().0);
                assert!(self.balance > 0, "overdrawn at {}", cx.now().0);
                self.balance -= 1
            }
        }
        cx.record(Balance(self.balance))
    }
}

/// `balance`: of both accounts at the start.
fn world(balance: u64, first_payment: u64, horizon: Nanos) -> World<'static, Account> {
    let mut topology = Topology::new(Nanos(1), Nanos(1));
    let all = topology.place::<Event>(2, |i| i);
    let build =
        move |id| Account { other: all.at(1 - id), pays: id == 0, balance, log: Queue::new() };
    let mut world = World::new(Shared::new(topology), 1, horizon, build);
    world.start(all.at(0), Nanos(first_payment), Event::Tick);
    world.start(all.at(1), Nanos(500), Event::Tick);
    world
}

fn accounts(scheduler: Scheduler, first_payment: u64) -> (Outcome, Effort, Vec<u64>) {
    let horizon = if cfg!(miri) { Nanos::micros(30) } else { Nanos::millis(4) };
    let world = world(0, first_payment, horizon);
    let mut sums = vec![];
    let (outcome, effort, sinks) =
        world.run_each(scheduler, |_| Sums(vec![]), |_| ControlFlow::Continue(()));
    sinks.into_iter().for_each(|Sums(rows)| sums.extend(rows));
    sums.sort_unstable();
    (outcome, effort, sums.into_iter().map(|(_, balance)| balance).collect())
}

struct Sums(Vec<(Stamp, u64)>);

impl Sink<Balance> for Sums {
    fn take(&mut self, stamp: Stamp, Balance(balance): Balance) {
        let last = self.0.last().map(|(stamp, _)| *stamp);
        assert!(last < Some(stamp), "each sink's records come in order");
        self.0.push((stamp, balance))
    }
}

/// A withdrawal before the deposit panics, on an inconsistent balance.
#[test]
fn a_panic_on_a_state_that_never_was_is_not_heard_of() {
    let (outcome, _, sums) = accounts(Scheduler::Sequential, 100);
    let mut undone = 0;
    for scheduler in OPTIMISTIC {
        let (also, effort, sums_too) = accounts(scheduler, 100);
        assert_eq!((outcome, &sums), (also, &sums_too));
        undone += effort.rolled_back
    }
    assert!(undone > 0, "nobody went ahead")
}

/// A certain panic has the same message under every scheduler.
#[test]
fn a_panic_that_is_certain_is_told_as_it_is() {
    let said = |scheduler| {
        let run = || accounts(scheduler, 2100);
        let said = std::panic::catch_unwind(run).expect_err("overdrawn");
        *said.downcast::<String>().expect("a text")
    };
    let once = said(Scheduler::Sequential);
    assert!(once.contains("overdrawn at 500"), "{once}");
    for scheduler in OPTIMISTIC {
        assert_eq!(said(scheduler), once)
    }
    assert_eq!(said(Scheduler::Conservative { threads: 2 }), once)
}

/// The hook interrupts all threads, also if one of them has panicked on an inconsistent state.
#[test]
fn a_run_on_several_threads_can_be_broken_off() {
    for scheduler in [Scheduler::Conservative { threads: 2 }, OPTIMISTIC[0]] {
        let endless = world(0, 100, Nanos(u64::MAX));
        let (outcome, _) = endless.run_with(scheduler, |_, _| (), |_| ControlFlow::Break(()));
        assert!(outcome.interrupted, "{scheduler}: {outcome:?}")
    }
}

/// A sink that panics ends the run on all threads.
#[test]
#[should_panic(expected = "the disk is full")]
fn a_sink_that_panics_is_heard() {
    let sink = |stamp: Stamp, _| assert!(stamp.at < Nanos(5000), "the disk is full");
    world(9, 1, Nanos::millis(4)).run(Scheduler::Conservative { threads: 2 }, sink);
}
