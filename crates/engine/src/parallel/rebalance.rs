//! Rebalances LPs over threads in the middle of a run.
//!
//! All threads stop at one time, so that none has committed anything later than a message to
//! another. Then events move to their new owners, and the threads continue.
use super::{
    balance::{Balance, LoadVerdict, ThreadLoad, UnevenLoad},
    partition::Partition,
    shared::Shared,
};
use crate::{
    Topology,
    pending::{Entry, Pending},
};
use rewind::Wire;
use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Instant,
};

/// When and how LPs are rebalanced; part of the first thread.
pub(crate) struct Rebalance {
    /// `None`: no rebalancing.
    balance: Option<Balance>,
    /// Time at which all threads stop \[ns\]; `seen` is the reason.
    level: u64,
    seen: Option<UnevenLoad>,
    /// By LP: messages sent when `deal` was last called.
    sent: Vec<u64>,
    pub(crate) rebalances: u64,
}

impl Rebalance {
    pub(crate) fn new(balance: Option<Balance>) -> Self {
        Rebalance { balance, level: u64::MAX, seen: None, sent: vec![], rebalances: 0 }
    }

    /// Time at which all threads stop \[ns\]; `u64::MAX`: none.
    pub(crate) fn level(&self) -> u64 {
        self.level
    }

    pub(crate) fn forget(&mut self) {
        if let Some(balance) = &mut self.balance {
            balance.forget()
        }
    }

    /// The run ends before all threads have stopped.
    pub(crate) fn give_up(&mut self) {
        self.seen = None
    }

    /// Call after a round. Plans a stop if the load is uneven.
    pub(crate) fn look<E: Wire>(
        &mut self,
        now: Instant,
        shared: &Shared<E>,
        round: u64,
    ) -> LoadVerdict {
        let Some(balance) = &mut self.balance else { return LoadVerdict::Even };
        let seen = balance.look(now, mileage(shared, round));
        if let LoadVerdict::Uneven(uneven) = seen {
            (self.seen, self.level) = (Some(uneven), shared.reach(round))
        }
        seen
    }

    /// Call when all threads have returned. `None`: they did not stop for a rebalancing. `sent`:
    /// messages that an LP has sent so far.
    pub(crate) fn deal(
        &mut self,
        present: &Partition,
        topology: &Topology,
        sent: impl FnMut(u32) -> u64,
    ) -> Option<RebalanceOutcome> {
        self.level = u64::MAX;
        let (seen, balance) = (self.seen.take()?, self.balance.as_mut()?);
        let now: Vec<u64> = (0..topology.len()).map(sent).collect();
        let then = std::mem::replace(&mut self.sent, now);
        let before = then.into_iter().chain(std::iter::repeat(0));
        let weights: Vec<u64> = self.sent.iter().zip(before).map(|(n, t)| 1 + n - t).collect();
        let all: u64 = weights.iter().sum();
        let burden = (all as f64 * seen.burden / (1.0 - seen.burden).max(0.01)) as u64;
        let weight = |lp: u32| weights[lp as usize];
        let new = Partition::new(topology, present.threads(), burden, weight);
        let most = (present.most(burden, weight), new.most(burden, weight));
        let narrows = new.lookahead() as f64 / present.lookahead() as f64;
        if !balance.pays(seen, most, narrows) {
            return Some(RebalanceOutcome::AsBefore);
        }
        self.rebalances += 1;
        Some(RebalanceOutcome::Rebalanced(new))
    }
}

pub(crate) enum RebalanceOutcome {
    AsBefore,
    Rebalanced(Partition),
}

impl RebalanceOutcome {
    /// Moves events to the owners of their LPs; the result has a new barrier.
    pub(crate) fn shared<'a, P: Wire, E: 'a>(
        self,
        present: &Shared<P>,
        threads: impl Iterator<Item = &'a mut Pending<E>>,
    ) -> Arc<Shared<P>> {
        let partition = match self {
            RebalanceOutcome::AsBefore => Arc::clone(&present.partition),
            RebalanceOutcome::Rebalanced(new) => {
                hand_over(threads.collect(), &new);
                Arc::new(new)
            }
        };
        Shared::new(partition, present.here.clone(), present.here.len())
    }
}

fn mileage<E: Wire>(shared: &Shared<E>, round: u64) -> impl Iterator<Item = ThreadLoad> {
    let notes = shared.here.clone().map(move |i| shared.barrier.notes(i, round));
    notes.map(|notes| ThreadLoad {
        waited: notes.waited.load(Relaxed) as f64 / 1e9,
        events: notes.events.load(Relaxed),
    })
}

fn hand_over<E>(mut threads: Vec<&mut Pending<E>>, partition: &Partition) {
    let mut given: Vec<Vec<(Entry, E)>> = threads.iter().map(|_| vec![]).collect();
    for (me, pending) in threads.iter_mut().enumerate() {
        let give = |entry: Entry, event| given[partition.owner(entry.dst)].push((entry, event));
        pending.take_out(|lp| partition.owner(lp) == me, give)
    }
    for (pending, given) in threads.into_iter().zip(given) {
        given.into_iter().for_each(|(entry, event)| pending.take_in(entry, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Context, Delay, Lp, Message, Model, Nanos, Rewind, Scheduler, Shared, Sink, Stamp, Timer,
        World,
        conservative::{self, ConservativeOptions},
        optimistic::{self, OptimisticOptions},
        outcome::Tally,
        parallel::{merge::Direct, pace::Pace},
        start::Team,
        world::end,
    };
    use std::ops::ControlFlow;

    #[derive(Message)]
    enum Event {
        Word(u64),
        GiveUp,
    }

    #[derive(Message)]
    struct Heard(u64);

    /// Passes words on. Each word renews a timeout, whose timer was often set on another thread.
    #[derive(Rewind, Default)]
    struct Patient {
        timer: Option<Timer>,
        heard: u64,
        gave_up: u64,
    }

    impl Model for Patient {
        type Event = Event;
        type Record = Heard;
        fn handle(&mut self, event: &Event, cx: &impl Context<Event, Heard>) {
            let mut draw = cx.random();
            match event {
                Event::Word(word) => {
                    let was_live = self.timer.take().is_some_and(|timer| cx.cancel(timer));
                    self.heard += 1;
                    cx.record(Heard(word ^ self.heard << 32 ^ (was_live as u64) << 63));
                    let to = Lp::new(draw.below(LPS as u64) as u32);
                    let delay = Delay::link(cx.link(to)).plus(draw.exponential(Nanos(200)));
                    cx.send(to, delay, Event::Word(draw.bits()))
                }
                Event::GiveUp => {
                    self.gave_up += 1;
                    cx.record(Heard(self.gave_up))
                }
            }
            self.timer = Some(cx.timer(Nanos(300) + draw.exponential(Nanos(900)), Event::GiveUp))
        }
    }

    const LPS: u32 = 40;

    fn world() -> World<'static, Patient> {
        let mut topology = Topology::new(Nanos(5), Nanos(30));
        let all = topology.place::<Event>(LPS, |i| i % 5);
        let end = Nanos(if cfg!(miri) { 1_000 } else { 40_000 });
        let mut world = World::new(Shared::new(topology), 3, end, |_| Patient::default());
        for (i, lp) in all.iter().enumerate().take(12) {
            world.start(lp, Nanos(i as u64 % 3), Event::Word(i as u64))
        }
        world
    }

    #[derive(Default)]
    struct Rows(Vec<(Stamp, Heard)>);

    impl Sink<Heard> for Rows {
        fn take(&mut self, stamp: Stamp, record: Heard) {
            self.0.push((stamp, record))
        }
    }

    #[test]
    fn dealing_all_the_time_changes_nothing() {
        let mut want = vec![];
        let outcome = world().run(Scheduler::Sequential, |stamp, heard| want.push((stamp, heard)));
        for (threads, rounds, is_restless) in
            [(2, 1, false), (3, 1, false), (4, 3, true), (3, 50, false)]
        {
            for is_optimistic in [false, true] {
                let start = world().all(1);
                let partition = Partition::new(&start.frame.topology, threads, 0, |_| 1);
                let team = Team { partition, here: 0..threads, exchange: None };
                let balance = Some(Balance::always_changing(rounds));
                let pace = is_restless.then(Pace::always_changing);
                let sinks = (0..threads).map(|_| Direct(Rows::default())).collect();
                let go_on = |_| ControlFlow::Continue(());
                let (ended, sinks) = match is_optimistic {
                    false => {
                        let begin = ConservativeOptions {
                            before: Tally::default(),
                            pace,
                            balance,
                            profiler: None,
                        };
                        conservative::run(start, team, begin, sinks, go_on)
                    }
                    true => {
                        let alone = is_restless.then(Pace::always_changing);
                        let options = OptimisticOptions {
                            pace,
                            alone,
                            balance,
                            ..OptimisticOptions::default()
                        };
                        optimistic::run(start, team, options, sinks, go_on)
                    }
                };
                let (got, effort) = end(ended, &mut |_, _| ());
                let name = format!(
                    "{threads} threads, every {rounds} rounds, optimistic: {is_optimistic}, \
                     {effort:?}"
                );
                assert_eq!(got, outcome, "{name}");
                assert!(cfg!(miri) || effort.rebalances > 20 / rounds, "{name}");
                assert!(cfg!(miri) || !is_optimistic || effort.rolled_back > 20, "{name}");
                let mut rows = vec![];
                for Direct(Rows(own)) in sinks {
                    assert!(own.is_sorted_by_key(|(stamp, _)| *stamp), "{name}: out of order");
                    rows.extend(own)
                }
                rows.sort_by_key(|(stamp, _)| *stamp);
                assert!(rows == want, "{name}: other records")
            }
        }
    }
}
