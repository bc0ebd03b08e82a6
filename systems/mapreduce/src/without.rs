//! What a run would take *at best* without its disks, its network, or with cores for all: worked
//! out from its trace alone, by going through its slots once more (blocked-time analysis,
//! Ousterhout et al. 2015).
//!
//! ```text
//!  attempts as they were ─► without what one holder held ─► slots, heartbeats, order ─► end
//!                                              but no sooner than the others can carry
//! ```
//! A task keeps its place in the order in which tasks began. What this cannot know is how the
//! others get busier when one holder is gone, but for the least that they need: so the truth is
//! later, by up to a fifth of the run where the network comes next
//! (`tests/simulated/truth.rs`).
use crate::tale::Holder;
use std::collections::{BTreeMap, BTreeSet};
use units::Nanos;

/// No run goes on for so long.
const FAR: Nanos = Nanos::secs(1 << 24);

/// An attempt that did its task.
#[derive(Clone, Debug)]
pub struct Did {
    /// Of which job.
    pub job: u32,
    /// A map, or a reduce.
    pub map: bool,
    /// Where.
    pub node: u32,
    /// Given to its node.
    pub begun: Nanos,
    /// Its last map output was there.
    pub told: Nanos,
    /// Who held it from when to when, and how long the same takes at least where that one is gone.
    pub parts: Vec<(Holder, Nanos, Nanos, Nanos)>,
}

/// What never changes.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Slots of maps and of reduces, node by node.
    pub slots: [Vec<u32>; 2],
    /// Between two of a node.
    pub heartbeat: Nanos,
    /// Between two jobs.
    pub arrival: Nanos,
    /// Maps of a job.
    pub maps: u32,
    /// Part of them that must be done before reduces start.
    pub slow_start: f64,
    /// What all attempts need of each kind, if all of that kind carry the same.
    pub least: BTreeMap<Holder, Nanos>,
    /// What a reduce's copies take at least where all slots copy: by NICs, by uplinks.
    pub copies: BTreeMap<Holder, Nanos>,
}

/// The end of the run without a holder.
pub fn without(machine: &Machine, all: &[Did], gone: &[Holder]) -> Nanos {
    let others = machine.least.iter().filter(|(holder, _)| !gone.contains(holder));
    let least = others.map(|(_, time)| *time).max().unwrap_or_default();
    Slots::new(machine, all, gone).run().max(least)
}

/// A task as it goes through the slots once more.
struct Task {
    job: u32,
    /// Until it waits for maps; a map has all its work here.
    first: Nanos,
    /// Since the last map output.
    rest: Nanos,
}

/// The slots of all nodes.
struct Slots<'m> {
    machine: &'m Machine,
    waiting: [Vec<Task>; 2],
    free: [Vec<u32>; 2],
    /// Of each node, attempts that run: when they end; of reduces that wait for maps, not yet.
    running: Vec<Vec<Running>>,
    /// Of each job: maps done, when the last one was heard of.
    done: BTreeMap<u32, (u32, Nanos)>,
    end: Nanos,
    /// Nodes by their next heartbeat.
    beats: BTreeSet<(Nanos, usize)>,
}

struct Running {
    map: bool,
    job: u32,
    first: Nanos,
    rest: Nanos,
}

impl<'m> Slots<'m> {
    fn new(machine: &'m Machine, all: &[Did], gone: &[Holder]) -> Slots<'m> {
        let mut order: Vec<&Did> = all.iter().collect();
        order.sort_by_key(|did| (did.begun, did.node));
        let copies = machine.copies.iter().filter(|(holder, _)| !gone.contains(holder));
        let copies = copies.map(|(_, time)| *time).max().unwrap_or_default();
        let mut waiting = [Vec::new(), Vec::new()];
        for did in order.into_iter().rev() {
            waiting[usize::from(!did.map)].push(task(did, gone, copies))
        }
        Slots {
            waiting,
            free: machine.slots.clone(),
            running: machine.slots[0].iter().map(|_| Vec::new()).collect(),
            done: BTreeMap::new(),
            end: Nanos::ZERO,
            beats: beats(machine, all),
            machine,
        }
    }

    /// Heartbeats of all nodes, until all is done.
    fn run(mut self) -> Nanos {
        while let Some((now, node)) = self.beats.pop_first().filter(|(now, _)| *now < FAR) {
            self.beat(node, now);
            let left = self.waiting.iter().any(|all| !all.is_empty());
            if !left && self.running.iter().all(Vec::is_empty) {
                break;
            }
            self.beats.insert((now + self.machine.heartbeat, node));
        }
        self.end
    }

    /// A node says what has ended, and gets what it has room for.
    fn beat(&mut self, node: usize, now: Nanos) {
        let running = std::mem::take(&mut self.running[node]);
        for one in running {
            match self.ends(&one).filter(|end| *end <= now) {
                None => self.running[node].push(one),
                Some(_) => {
                    self.free[usize::from(!one.map)][node] += 1;
                    self.end = now;
                    if one.map {
                        let done = self.done.entry(one.job).or_default();
                        *done = (done.0 + 1, now)
                    }
                }
            }
        }
        for kind in [0, 1] {
            // One reduce a heartbeat, as Hadoop 1.x gives.
            let most = if kind == 0 { self.free[0][node] } else { self.free[1][node].min(1) };
            for _ in 0..most {
                let Some(task) = self.next(kind, now) else { break };
                self.free[kind][node] -= 1;
                let Task { job, first, rest } = task;
                self.running[node].push(Running { map: kind == 0, job, first: now + first, rest })
            }
        }
    }

    /// When it ends; a reduce's last copies begin when its last map is heard of.
    fn ends(&self, one: &Running) -> Option<Nanos> {
        if one.map {
            return Some(one.first + one.rest);
        }
        let (maps, heard) = self.done.get(&one.job).copied().unwrap_or_default();
        (maps >= self.machine.maps).then(|| one.first.max(heard) + one.rest)
    }

    /// The first in the order that may begin.
    fn next(&mut self, kind: usize, now: Nanos) -> Option<Task> {
        let machine = self.machine;
        let least = machine.slow_start * f64::from(machine.maps);
        let done = &self.done;
        let may = |task: &Task| {
            let here = machine.arrival * u64::from(task.job) <= now;
            let maps = done.get(&task.job).map_or(0, |done| done.0);
            here && (kind == 0 || f64::from(maps) >= least)
        };
        let place = self.waiting[kind].iter().rposition(may)?;
        Some(self.waiting[kind].remove(place))
    }
}

/// The first heartbeat of each node: those at which it got something are known.
fn beats(machine: &Machine, all: &[Did]) -> BTreeSet<(Nanos, usize)> {
    let beat = machine.heartbeat.0.max(1);
    let nodes = machine.slots[0].len();
    let mut first: Vec<u64> = (0..nodes as u64).map(|node| node * beat / nodes as u64).collect();
    for did in all {
        first[did.node as usize] = did.begun.0 % beat
    }
    first.into_iter().map(Nanos).zip(0..).collect()
}

/// Its work without the holder: parts before the last map output, and after it.
fn task(did: &Did, gone: &[Holder], copies: Nanos) -> Task {
    let (mut first, mut rest) = (Nanos::ZERO, Nanos::ZERO);
    for (holder, from, to, least) in &did.parts {
        let took = *to - *from;
        let left = if gone.contains(holder) { (*least).min(took) } else { took };
        match holder {
            Holder::Slots { .. } | Holder::Rule(_) | Holder::Maps => {}
            _ if did.map || *from < did.told => first += left,
            _ => rest += left,
        }
    }
    if !did.map {
        first += copies
    }
    Task { job: did.job, first, rest }
}
