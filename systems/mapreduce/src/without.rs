//! What a run would take *at best* without its disks, its network, or with cores for all: worked
//! out from its trace alone, by going through its slots once more (blocked-time analysis,
//! Ousterhout et al. 2015).
//!
//! ```text
//!  attempts as they were ─► without what one holder held ─► slots, heartbeats, order ─► end
//!                                              but no sooner than the others can carry
//! ```
//! A task keeps its place in the order in which tasks began; a node's tasks share its cores, and
//! its NIC where the disks are gone. What this cannot know is what else changes: who sends to
//! whom, and which maps stay local. Eight of ten cases are within 5 % of the run; the worst is
//! 35 % too soon, where NICs of 100 Mbit/s come next (`tests/simulated/truth.rs`).
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
    /// Its time, piece by piece.
    pub parts: Vec<Part>,
}

/// A piece of an attempt's time.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Who held it.
    pub holder: Holder,
    /// From when.
    pub from: Nanos,
    /// To when.
    pub to: Nanos,
    /// How long the same takes at least where that one is gone.
    pub least: Nanos,
    /// How long its bytes take over a NIC that is its own.
    pub over_nic: Nanos,
}

/// What never changes.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Slots of maps and of reduces, node by node.
    pub slots: [Vec<u32>; 2],
    /// Cores, node by node.
    pub cores: Vec<u32>,
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
    /// What a reduce's copies take over a NIC that is its own.
    pub copies_alone: Nanos,
    /// What they take at least where all slots copy: by NICs, by uplinks.
    pub copies: BTreeMap<Holder, Nanos>,
}

/// The end of the run without a holder.
pub fn without(machine: &Machine, all: &[Did], gone: &[Holder]) -> Nanos {
    let others = machine.least.iter().filter(|(holder, _)| !gone.contains(holder));
    let least = others.map(|(_, time)| *time).max().unwrap_or_default();
    Slots::new(machine, all, gone).run().max(least)
}

/// Parts of a core and of the node's NIC: what a task takes of them, or is given.
#[derive(Clone, Copy, Debug)]
struct Use {
    core: f64,
    nic: f64,
}

/// Work \[ns\]: on a core, over the node's NIC, and elsewhere.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    core: f64,
    nic: f64,
    other: f64,
}

impl Work {
    fn all(&self) -> f64 {
        self.core + self.nic + self.other
    }

    /// Goes on for so long \[ns\], of which a core and the NIC give `part`: what is left over.
    fn goes_on(&mut self, time: f64, part: Use) -> f64 {
        let takes = self.core / part.core + self.nic / part.nic + self.other;
        if takes <= time {
            *self = Work::default();
            return time - takes;
        }
        let left = 1.0 - time / takes;
        let Work { core, nic, other } = *self;
        *self = Work { core: core * left, nic: nic * left, other: other * left };
        0.0
    }
}

/// A task as it goes through the slots once more.
struct Task {
    job: u32,
    /// Until it waits for maps; a map has all its work here.
    first: Work,
    /// Since the last map output.
    rest: Work,
}

/// The slots of all nodes.
struct Slots<'m> {
    machine: &'m Machine,
    waiting: [Vec<Task>; 2],
    free: [Vec<u32>; 2],
    /// Of each node, attempts that run, and until when they have gone on.
    running: Vec<Vec<Running>>,
    until: Vec<Nanos>,
    /// Cores of each node; without bound where they are what is gone.
    cores: Vec<f64>,
    /// Of each job: maps done, when the last one was heard of.
    done: BTreeMap<u32, (u32, Nanos)>,
    end: Nanos,
    /// Nodes by their next heartbeat.
    beats: BTreeSet<(Nanos, usize)>,
}

struct Running {
    map: bool,
    job: u32,
    first: Work,
    rest: Work,
}

impl Running {
    /// The parts of a core and of the NIC that it takes where nobody else is.
    fn takes(&self) -> Use {
        let work = if self.first.all() > 0.0 { &self.first } else { &self.rest };
        let all = work.all().max(1e-9);
        Use { core: work.core / all, nic: work.nic / all }
    }
}

impl<'m> Slots<'m> {
    fn new(machine: &'m Machine, all: &[Did], gone: &[Holder]) -> Slots<'m> {
        let mut order: Vec<&Did> = all.iter().collect();
        order.sort_by_key(|did| (did.begun, did.node));
        let mut waiting = [Vec::new(), Vec::new()];
        for did in order.into_iter().rev() {
            waiting[usize::from(!did.map)].push(task(did, gone, machine))
        }
        Slots {
            waiting,
            free: machine.slots.clone(),
            running: machine.slots[0].iter().map(|_| Vec::new()).collect(),
            until: machine.slots[0].iter().map(|_| Nanos::ZERO).collect(),
            cores: match gone.contains(&Holder::Core) {
                true => vec![f64::INFINITY; machine.cores.len()],
                false => machine.cores.iter().map(|cores| f64::from(*cores)).collect(),
            },
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
        let from = std::mem::replace(&mut self.until[node], now);
        let (mut cores, mut nic) = (0.0, 0.0);
        for one in &running {
            let Use { core, nic: its } = one.takes();
            (cores, nic) = (cores + core, nic + its)
        }
        let over = |has: f64, wanted: f64| if wanted > has { has / wanted } else { 1.0 };
        let part = Use { core: over(self.cores[node], cores), nic: over(1.0, nic) };
        for mut one in running {
            match self.goes_on(&mut one, from, now, part) {
                false => self.running[node].push(one),
                true => {
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
                self.running[node].push(Running { map: kind == 0, job, first, rest })
            }
        }
    }

    /// Goes on from then to now: whether it has ended. A reduce's last copies begin when its last
    /// map is heard of.
    fn goes_on(&self, one: &mut Running, from: Nanos, now: Nanos, part: Use) -> bool {
        let time = (now - from).0 as f64;
        let mut left = one.first.goes_on(time, part);
        if !one.map {
            let (maps, heard) = self.done.get(&one.job).copied().unwrap_or_default();
            if maps < self.machine.maps {
                return false;
            }
            left = left.min(now.saturating_sub(heard.max(from)).0 as f64)
        }
        if one.first.all() > 0.0 {
            return false;
        }
        one.rest.goes_on(left, part);
        one.rest.all() <= 0.0
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

/// Its work without the holder: parts before the last map output, and after it. Who waited for a
/// core has that much work for one: how long it waits for it then is found again. So it is with
/// what goes over the NIC, where the disks are gone that had held it back.
fn task(did: &Did, gone: &[Holder], machine: &Machine) -> Task {
    let (mut first, mut rest) = (Work::default(), Work::default());
    let no_disks = gone.contains(&Holder::Disk);
    for part in &did.parts {
        let Part { holder, from, to, least, over_nic } = part;
        let took = (*to - *from).0 as f64;
        let left = if gone.contains(holder) { took.min(least.0 as f64) } else { took };
        let work = match did.map || *from < did.told {
            true => &mut first,
            false => &mut rest,
        };
        match holder {
            Holder::Slots { .. } | Holder::Rule(_) | Holder::Maps => {}
            Holder::Core => work.core += took.min(least.0 as f64),
            Holder::Compute => work.core += left,
            Holder::Disk if no_disks => work.nic += took.min(over_nic.0 as f64),
            _ => work.other += left,
        }
    }
    let copies = machine.copies.iter().filter(|(holder, _)| !gone.contains(holder));
    if !did.map && no_disks {
        first.nic += machine.copies_alone.0 as f64
    }
    if !did.map {
        first.other += copies.map(|(_, time)| time.0).max().unwrap_or_default() as f64
    }
    Task { job: did.job, first, rest }
}
