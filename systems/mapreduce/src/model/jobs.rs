//! Jobs: what is to be done, what is done, where blocks and map outputs are.
use super::attempt::NONE;
use super::master::Master;
use super::message::{Event, Record};
use crate::settings::Settings;
use engine::*;

/// Where a map's output lies.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Output {
    pub(super) node: u32,
    pub(super) disk: u32,
}

#[derive(Rewind)]
pub(super) struct Tasks {
    maps: Table<u32, ()>,
    reduces: Table<u32, ()>,
}

impl Tasks {
    fn new(maps: u32, reduces: u32) -> Tasks {
        let all = |count: u32| (0..count).map(|task| (task, ())).collect();
        Tasks { maps: all(maps), reduces: all(reduces) }
    }

    pub(super) fn of(&self, map: bool) -> &Table<u32, ()> {
        if map { &self.maps } else { &self.reduces }
    }

    /// Adds one; not, if it is there.
    pub(super) fn add(&mut self, map: bool, task: u32) -> bool {
        if map { self.maps.insert(task, ()) } else { self.reduces.insert(task, ()) }
    }

    /// Takes one out, if it is there.
    pub(super) fn take(&mut self, map: bool, task: u32) {
        if map {
            self.maps.discard(&task)
        } else {
            self.reduces.discard(&task)
        };
    }
}

#[derive(Rewind)]
pub(super) struct Job {
    pub(super) submitted: Nanos,
    pub(super) master: Master,
    /// Since when its maps, its reduces are asked for; MAX: they are not.
    pub(super) asked: [Nanos; 2],
    /// Tasks without an attempt that runs.
    pub(super) pending: Tasks,
    pub(super) running: [u32; 2],
    pub(super) done: Tasks,
    /// Attempts that failed, of each task.
    pub(super) failures: Table<(bool, u32), u32>,
    /// Of maps that are known to be done, in the order of that.
    pub(super) outputs: Array<Output>,
    /// Of each map its replicas, side by side: node, disk.
    pub(super) blocks: Array<(u32, u32)>,
    /// When it got its last map, its last reduce, or could have begun to.
    pub(super) given: [Nanos; 2],
    /// When its tasks were last compared, maps and reduces.
    pub(super) looked: [Nanos; 2],
    /// It waits for a place beside a block since then; MAX: it does not.
    pub(super) waits: Nanos,
    /// The rule that withheld its last task of a kind.
    pub(super) withheld: [u32; 2],
    pub(super) failed: bool,
}

/// The place of a kind in pairs.
pub(super) fn kind(map: bool) -> usize {
    usize::from(!map)
}

impl Job {
    /// It arrives now; blocks lie where they were drawn.
    pub(super) fn new(number: u32, settings: &Settings, cx: &impl Context<Event, Record>) -> Job {
        let mut blocks = Array::new();
        for map in 0..settings.maps {
            let entity = u64::from(number) << 32 | u64::from(map);
            let mut draw = cx.draw("block", entity, 0);
            for (node, disk) in replicas(settings, &mut draw) {
                blocks.push((node, disk))
            }
        }
        let master = Master::new(number, settings.master, cx);
        let reduces = if settings.slow_start > 0.0 { Nanos::MAX } else { master.next(cx.now()) };
        Job {
            submitted: cx.now(),
            asked: [master.next(cx.now()), reduces],
            master,
            pending: Tasks::new(settings.maps, settings.reduces),
            running: [0; 2],
            done: Tasks::new(0, 0),
            failures: Table::new(),
            outputs: Array::new(),
            blocks,
            given: [cx.now(); 2],
            looked: [cx.now(); 2],
            waits: Nanos::MAX,
            withheld: [NONE; 2],
            failed: false,
        }
    }

    /// Replicas of a map's block.
    pub(super) fn replicas(&self, map: u32, settings: &Settings) -> &[(u32, u32)] {
        let each = settings.copies_of_block() as usize;
        let from = map as usize * each;
        &self.blocks[from..from + each]
    }

    /// A map more is done: if these are enough for reduces to start, they are asked for.
    pub(super) fn ask_for_reduces(&mut self, settings: &Settings, now: Nanos) {
        let enough = settings.slow_start * f64::from(settings.maps);
        if self.asked[1] == Nanos::MAX && self.done.of(true).len() as f64 >= enough {
            self.asked[1] = self.master.asks_for_reduces(now)
        }
    }

    /// Nothing is left to do.
    pub(super) fn is_over(&self, settings: &Settings) -> bool {
        let all = |map, all: u32| self.done.of(map).len() == all as usize;
        all(true, settings.maps) && all(false, settings.reduces)
    }
}

impl Settings {
    /// Replicas that a block has: no more than nodes.
    pub(super) fn copies_of_block(&self) -> u32 {
        self.replication.min(self.nodes)
    }
}

/// HDFS's placement for a writer outside: any node, one of another rack, one of the second's rack,
/// then any.
fn replicas(settings: &Settings, draw: &mut Draw) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    let nodes = u64::from(settings.nodes);
    let rack = |node: u32| settings.resources.rack(node);
    while found.len() < settings.copies_of_block() as usize {
        let fits = |node: u32, found: &[(u32, u32)]| {
            let other = |at: usize| rack(found[at].0);
            !found.iter().any(|(known, _)| *known == node)
                && match found.len() {
                    1 => settings.racks == 1 || rack(node) != other(0),
                    2 => settings.racks == 1 || rack(node) == other(1),
                    _ => true,
                }
        };
        // A rack may be too small for the rule: then any other node.
        let tries = (0..64).map(|_| units::narrow::<u32>(draw.below(nodes)));
        let tries: Vec<u32> = tries.collect();
        let free = |node: &&u32| !found.iter().any(|(known, _)| known == *node);
        let node = tries.iter().find(|node| fits(**node, &found)).or(tries.iter().find(free));
        let node = node.copied().unwrap_or_else(|| {
            (0..settings.nodes).find(|node| free(&node)).expect("fewer replicas than nodes")
        });
        let disks = u64::from(settings.resources.disks[node as usize]);
        found.push((node, units::narrow(draw.below(disks))))
    }
    found
}
