//! Jobs: tasks to do and done, places of blocks and map outputs.
use super::attempt::NONE;
use super::delay::LocalityWait;
use super::master::Master;
use super::message::{Event, Record};
use crate::settings::Settings;
use engine::*;

#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Output {
    pub(super) node: u32,
    pub(super) disk: u32,
    /// Position of the node's page cache when the map was reported.
    pub(super) at: u64,
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

    /// Returns false if it is there already.
    pub(super) fn add(&mut self, map: bool, task: u32) -> bool {
        if map { self.maps.insert(task, ()) } else { self.reduces.insert(task, ()) }
    }

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
    /// When maps and reduces are requested; MAX: not yet.
    pub(super) requested_at: [Nanos; 2],
    /// Tasks without a running attempt.
    pub(super) pending: Tasks,
    pub(super) running: [u32; 2],
    pub(super) done: Tasks,
    pub(super) failures: Table<(bool, u32), u32>,
    /// Outputs of maps known to be done, in order of completion.
    pub(super) outputs: Array<Output>,
    /// Node and disk of each replica; those of a map are adjacent.
    pub(super) blocks: Array<(u32, u32)>,
    /// When the job last got a map, and a reduce; before that, when it could have.
    pub(super) given: [Nanos; 2],
    /// When running maps, and reduces, were last compared.
    pub(super) looked: [Nanos; 2],
    pub(super) locality: LocalityWait,
    /// Rules that last withheld a map, and a reduce; `NONE`: none.
    pub(super) withheld: [u32; 2],
    pub(super) failed: bool,
}

/// Index of maps (0) or reduces (1) in pairs.
pub(super) fn kind(map: bool) -> usize {
    usize::from(!map)
}

impl Job {
    pub(super) fn new(number: u32, settings: &Settings, cx: &impl Context<Event, Record>) -> Job {
        let mut blocks = Array::new();
        let writers = writers(number, settings, cx);
        for map in 0..settings.maps {
            let entity = u64::from(number) << 32 | u64::from(map);
            let mut draw = cx.draw("block", entity, 0);
            let turn = u64::from(map) * u64::from(settings.writers) / u64::from(settings.maps);
            let writer = writers.get(units::usize_of(turn)).copied();
            for (node, disk) in replicas(settings, writer, &mut draw) {
                blocks.push((node, disk))
            }
        }
        let master = Master::new(number, settings.master, cx);
        let reduces = if settings.slow_start > 0.0 { Nanos::MAX } else { master.next(cx.now()) };
        Job {
            submitted: cx.now(),
            requested_at: [master.next(cx.now()), reduces],
            master,
            pending: Tasks::new(settings.maps, settings.reduces),
            running: [0; 2],
            done: Tasks::new(0, 0),
            failures: Table::new(),
            outputs: Array::new(),
            blocks,
            given: [cx.now(); 2],
            looked: [cx.now(); 2],
            locality: LocalityWait::default(),
            withheld: [NONE; 2],
            failed: false,
        }
    }

    pub(super) fn replicas(&self, map: u32, settings: &Settings) -> &[(u32, u32)] {
        let each = settings.copies_of_block() as usize;
        let from = map as usize * each;
        &self.blocks[from..from + each]
    }

    pub(super) fn ask_for_reduces(&mut self, settings: &Settings, now: Nanos) {
        let enough = settings.slow_start * f64::from(settings.maps);
        if self.requested_at[1] == Nanos::MAX && self.done.of(true).len() as f64 >= enough {
            self.requested_at[1] = self.master.asks_for_reduces(now)
        }
    }

    pub(super) fn is_over(&self, settings: &Settings) -> bool {
        let all = |map, all: u32| self.done.of(map).len() == all as usize;
        all(true, settings.maps) && all(false, settings.reduces)
    }
}

impl Settings {
    /// At most one replica per node.
    pub(super) fn copies_of_block(&self) -> u32 {
        self.replication.min(self.nodes)
    }
}

/// Nodes of the maps of randomwriter that wrote a job's input, which had the cluster to themselves.
/// Nodes are in the order of their heartbeats; each gets its share of the maps, by its slots.
fn writers(number: u32, settings: &Settings, cx: &impl Context<Event, Record>) -> Vec<u32> {
    let all = settings.writers;
    let mut draw = cx.draw("writers", number.into(), 0);
    let mut order: Vec<(u64, u32)> =
        (0..settings.nodes).map(|n| (draw.below(1 << 62), n)).collect();
    order.sort_unstable();
    let slots = |node: u32| settings.map_slots[node as usize];
    let shares = |(_, node): &(u64, u32)| {
        let share = settings.even_share(true, slots(*node), all.into());
        vec![*node; share as usize]
    };
    order.iter().flat_map(shares).cycle().take(all as usize).collect()
}

/// Block placement of HDFS: the writer's node, or any if it is outside the cluster, a node of
/// another rack, a node of the second one's rack, then any.
fn replicas(settings: &Settings, writer: Option<u32>, draw: &mut Draw) -> Vec<(u32, u32)> {
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
        // A rack may have too few nodes for the rule: then any other node.
        let tries = (0..64).map(|_| units::narrow::<u32>(draw.below(nodes)));
        let tries: Vec<u32> = tries.collect();
        let free = |node: &&u32| !found.iter().any(|(known, _)| known == *node);
        let node = tries.iter().find(|node| fits(**node, &found)).or(tries.iter().find(free));
        let node = writer.filter(|_| found.is_empty()).or(node.copied()).unwrap_or_else(|| {
            (0..settings.nodes).find(|node| free(&node)).expect("fewer replicas than nodes")
        });
        let disks = u64::from(settings.resources.disks[node as usize]);
        found.push((node, units::narrow(draw.below(disks))))
    }
    found
}
