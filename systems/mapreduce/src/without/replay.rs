//! The replay: heartbeats, starts and ends of flows, in the order of time.
use super::dice::Dice;
use super::done_task::DoneTask;
use super::share::{Holder, Share, via};
use super::shuffle::{Output, ReduceAction, Shuffle};
use super::slots::{Assignment, Slots};
use super::work;
use crate::settings::Settings;
use hardware::FlowSpec;
use std::collections::{BTreeMap, BTreeSet};
use std::vec::IntoIter;
use units::{Bytes, Nanos};

/// Limit on simulated time.
const FAR: Nanos = Nanos::secs(1 << 24);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Event {
    Beats(u32),
    /// An attempt's JVM has started.
    Starts(u32),
}

#[derive(Clone, Copy, Debug)]
enum FlowOwner {
    Phase(u32),
    Copy(u32),
    /// With the bytes spilled.
    Spill(u32, u64),
    /// Reads outside of all jobs.
    Foreign,
}

struct Attempt<'a> {
    did: &'a DoneTask,
    given: Assignment,
    shuffle: Option<Shuffle<'a>>,
    /// Remaining phases.
    phases: IntoIter<FlowSpec>,
}

/// A run that is replayed.
pub(super) struct Replay<'a> {
    settings: &'a Settings,
    dice: Dice,
    did: BTreeMap<(u32, bool, u32), &'a DoneTask>,
    slots: Slots<'a>,
    share: Share<FlowOwner>,
    clock: BTreeSet<(Nanos, Event)>,
    attempts: BTreeMap<u32, Attempt<'a>>,
    started_at: u32,
}

impl<'a> Replay<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        all: &'a [DoneTask],
        gone: &[Holder],
        dice: Dice,
    ) -> Replay<'a> {
        let mut share = Share::new(&settings.resources, gone);
        if !gone.contains(&Holder::Disk) {
            foreign(settings, &mut share)
        }
        Replay {
            settings,
            dice,
            did: all.iter().map(|did| ((did.job, did.map, did.task), did)).collect(),
            slots: Slots::new(settings, all, dice),
            share,
            clock: first_beats(settings, all),
            attempts: BTreeMap::new(),
            started_at: 0,
        }
    }

    /// When the last task is known to be done.
    pub(super) fn run(mut self) -> Nanos {
        let mut now = Nanos::ZERO;
        while !self.slots.are_done() && now < FAR {
            let through = self.share.next().unwrap_or(Nanos::MAX);
            match self.clock.first().copied().filter(|(at, _)| *at < through) {
                Some((at, event)) => {
                    now = at;
                    self.clock.pop_first();
                    self.happens(now, event)
                }
                None => {
                    now = through;
                    self.is_through(now)
                }
            }
        }
        now
    }

    fn happens(&mut self, now: Nanos, event: Event) {
        match event {
            Event::Beats(node) => {
                self.beats(node, now);
                self.clock.insert((now + self.settings.heartbeat, event));
            }
            Event::Starts(number) => self.starts(number, now),
        }
    }

    fn is_through(&mut self, now: Nanos) {
        match self.share.end(now) {
            Some(FlowOwner::Phase(number)) => self.goes_on(number, now),
            Some(FlowOwner::Copy(number)) => self.shuffles(number, now, Shuffle::end_copy),
            Some(FlowOwner::Spill(number, bytes)) => {
                self.shuffles(number, now, |shuffle| shuffle.end_spill(bytes))
            }
            Some(FlowOwner::Foreign) | None => {}
        }
    }

    /// A node says what has ended, and gets what it has slots for.
    fn beats(&mut self, node: u32, now: Nanos) {
        for ended in self.slots.report_ended(node).iter().filter(|ended| ended.map) {
            self.notify_reduces(ended.job, ended.output(), now)
        }
        for given in self.slots.assign_tasks(node, now) {
            let did = self.did[&(given.job, given.map, given.task)];
            let attempt = Attempt { did, given, shuffle: None, phases: Vec::new().into_iter() };
            self.attempts.insert(self.started_at, attempt);
            self.clock.insert((now + self.settings.startup, Event::Starts(self.started_at)));
            self.started_at += 1
        }
    }

    /// Informs the copying reduces of a job of an output.
    fn notify_reduces(&mut self, job: u32, output: Output, now: Nanos) {
        let of_it = self.attempts.iter().filter(|(_, attempt)| attempt.given.job == job);
        let reduces: Vec<u32> = of_it.map(|(number, _)| *number).collect();
        for number in reduces {
            self.shuffles(number, now, |shuffle| shuffle.add_output(output))
        }
    }

    fn starts(&mut self, number: u32, now: Nanos) {
        let (settings, dice) = (self.settings, self.dice);
        let Some(attempt) = self.attempts.get_mut(&number) else { return };
        let Attempt { did, given, .. } = attempt;
        if given.map {
            attempt.phases = work::of_map(settings, did, given, dice).into_iter();
            return self.goes_on(number, now);
        }
        let known = self.slots.outputs(given.job);
        let shuffle =
            Shuffle::new(settings, did.bytes[2], known, dice.copies(given.job, given.task));
        attempt.shuffle = Some(shuffle);
        self.shuffles(number, now, |_| {})
    }

    /// Starts the next phase that has something to do, or ends the attempt.
    fn goes_on(&mut self, number: u32, now: Nanos) {
        let Some(attempt) = self.attempts.get_mut(&number) else { return };
        match attempt.phases.find(|phase| phase.bytes > Bytes(0)) {
            Some(phase) => self.share.start(now, phase, FlowOwner::Phase(number)),
            None => {
                self.slots.end_task(attempt.given);
                self.attempts.remove(&number);
            }
        }
    }

    /// Applies a change to a copying reduce, and starts what it may copy and spill. Starts its
    /// other phases when all outputs have arrived.
    fn shuffles(&mut self, number: u32, now: Nanos, change: impl FnOnce(&mut Shuffle<'a>)) {
        let (settings, dice) = (self.settings, self.dice);
        let Some(attempt) = self.attempts.get_mut(&number) else { return };
        let Some(shuffle) = &mut attempt.shuffle else { return };
        change(shuffle);
        let Assignment { node, disk, .. } = attempt.given;
        while let Some(next) = shuffle.next() {
            let (path, bytes, whose) = match next {
                ReduceAction::Copy { output, in_memory } => {
                    let path = work::of_copy(settings, output, in_memory, node);
                    (path, Bytes(shuffle.part), FlowOwner::Copy(number))
                }
                ReduceAction::Spill(bytes) => {
                    let own = via(settings.resources.disk(node, disk));
                    (own, settings.written(bytes), FlowOwner::Spill(number, bytes))
                }
            };
            match next {
                ReduceAction::Copy { .. } if path.is_empty() || bytes == Bytes(0) => {
                    shuffle.end_copy()
                }
                _ => self.share.start(now, FlowSpec::new(path, bytes), whose),
            }
        }
        if shuffle.is_over() {
            let on_disk = [shuffle.on_disk, shuffle.last_spill()];
            attempt.shuffle = None;
            let phases = work::of_reduce(settings, attempt.did, &attempt.given, on_disk, dice);
            attempt.phases = phases.into_iter();
            self.goes_on(number, now)
        }
    }
}

/// First heartbeats. For a node that got a task they are known from its start.
fn first_beats(settings: &Settings, all: &[DoneTask]) -> BTreeSet<(Nanos, Event)> {
    let (beat, nodes) = (settings.heartbeat.0, u64::from(settings.nodes));
    let mut first: Vec<u64> = (0..nodes).map(|node| node * beat / nodes).collect();
    for did in all {
        first[did.node as usize] = did.started_at.0 % beat
    }
    first.into_iter().map(Nanos).zip((0..).map(Event::Beats)).collect()
}

fn foreign(settings: &Settings, share: &mut Share<FlowOwner>) {
    let machine = &settings.resources;
    for node in 0..settings.nodes {
        for place in 0..settings.foreign.min(machine.disks[node as usize]) {
            let reads = FlowSpec::new(via(machine.disk(node, place)), Bytes(1 << 52));
            share.start(Nanos::ZERO, reads, FlowOwner::Foreign)
        }
    }
}
