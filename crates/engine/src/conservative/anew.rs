//! LPs are dealt to threads anew, in the middle of a run.
//!
//! All threads go as far as one and the same time, so that none has committed anything later than
//! what another may still get; then they come back, events change hands, and they set out again.
use super::Fault;
use crate::{
    Model, Topology,
    cx::Frame,
    effort::Timing,
    outcome::Tally,
    parallel::{
        balance::{Balance, Uneven},
        partition::Partition,
    },
    pending::{Entry, Pending},
    population::Population,
    rank::Ranks,
};

/// What a thread sets out with, and comes back with.
pub(super) struct Kit<M: Model, O> {
    pub(super) frame: Frame,
    pub(super) pending: Pending<M::Event>,
    pub(super) tally: Tally,
    pub(super) outlet: O,
    pub(super) timing: Timing,
    /// Events that were done before the threads set out first.
    pub(super) before: u64,
    /// Meetings so far.
    pub(super) rounds: u64,
    pub(super) quit: bool,
    pub(super) fault: Option<Fault>,
}

impl<M: Model, O> Kit<M, O> {
    /// For a thread that continues a tally.
    pub(super) fn new(frame: Frame, pending: Pending<M::Event>, tally: Tally, outlet: O) -> Self {
        let (before, timing) = (tally.events, Timing::start());
        Kit { frame, pending, tally, outlet, timing, before, rounds: 0, quit: false, fault: None }
    }
}

/// What LPs have to do, by what they send.
pub(super) struct Sent(Vec<u64>);

impl Sent {
    /// Counted from the beginning.
    pub(super) fn new() -> Self {
        Sent(vec![])
    }

    /// What each LP has sent since this was asked before, and 1.
    fn since<M: Model>(&mut self, lps: &Population<M>, count: u32, ranks: &Ranks) -> Vec<u64> {
        let now: Vec<u64> = (0..count).map(|lp| lps.sent(lp, ranks)).collect();
        let then = std::mem::replace(&mut self.0, now);
        let before = then.into_iter().chain(std::iter::repeat(0));
        self.0.iter().zip(before).map(|(now, then)| 1 + now - then).collect()
    }

    /// Who is to have which LPs from now on, if that is worth a change.
    pub(super) fn deal<M: Model>(
        &mut self,
        present: &Partition,
        (seen, balance): (Uneven, &mut Balance),
        topology: &Topology,
        (lps, ranks): (&Population<M>, &Ranks),
    ) -> Option<Partition> {
        let weights = self.since(lps, topology.len(), ranks);
        let all: u64 = weights.iter().sum();
        let burden = (all as f64 * seen.burden / (1.0 - seen.burden).max(0.01)) as u64;
        let weight = |lp: u32| weights[lp as usize];
        let new = Partition::new(topology, present.threads(), burden, weight);
        let most = (present.most(burden, weight), new.most(burden, weight));
        let narrows = new.lookahead() as f64 / present.lookahead() as f64;
        balance.pays(seen, most, narrows).then_some(new)
    }
}

/// Events go to whom their LPs belong to now.
pub(super) fn hand_over<M: Model, O>(kits: &mut [Kit<M, O>], partition: &Partition) {
    let mut given: Vec<Vec<(Entry, M::Event)>> = kits.iter().map(|_| vec![]).collect();
    for (me, kit) in kits.iter_mut().enumerate() {
        let give = |entry: Entry, event| given[partition.owner(entry.dst)].push((entry, event));
        kit.pending.take_out(|lp| partition.owner(lp) == me, give)
    }
    for (kit, given) in kits.iter_mut().zip(given) {
        given.into_iter().for_each(|(entry, event)| kit.pending.take_in(entry, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Context, Delay, Lp, Message, Nanos, Rewind, Scheduler, Shared, Sink, Stamp, Timer, World,
        conservative::{Begin, run},
        parallel::{merge::Direct, pace::Pace},
        world::{Team, end},
    };
    use std::ops::ControlFlow;

    #[derive(Message)]
    enum Event {
        Word(u64),
        GiveUp,
    }

    #[derive(Message)]
    struct Heard(u64);

    /// Passes words on; each renews its patience, a timer that was often set on another thread.
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
        for (threads, rounds, pace) in
            [(2, 1, None), (3, 1, None), (4, 3, Some(Pace::restless())), (3, 50, None)]
        {
            let start = world().all(1);
            let partition = Partition::new(&start.frame.topology, threads, 0, |_| 1);
            let team = Team { partition, here: 0..threads, crossing: None };
            let (before, balance) = (Tally::default(), Some(Balance::restless(rounds)));
            let begin = Begin { before, pace, balance, profiler: None };
            let sinks = (0..threads).map(|_| Direct(Rows::default())).collect();
            let (ended, sinks) = run(start, team, begin, sinks, |_| ControlFlow::Continue(()));
            let (got, effort) = end(ended, &mut |_, _| ());
            assert_eq!(got, outcome, "{threads} threads, every {rounds} rounds");
            let deals = effort.deals;
            assert!(
                cfg!(miri) || deals > 20 / rounds,
                "{threads} threads, every {rounds} rounds: {deals} deals"
            );
            let mut rows = vec![];
            for Direct(Rows(own)) in sinks {
                assert!(own.is_sorted_by_key(|(stamp, _)| *stamp), "a thread's are in order");
                rows.extend(own)
            }
            rows.sort_by_key(|(stamp, _)| *stamp);
            assert!(rows == want, "other records")
        }
    }
}
