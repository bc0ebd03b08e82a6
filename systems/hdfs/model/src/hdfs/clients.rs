//! Client load during the repair: `[workload.foreground]`.
//!
//! *Open loop*: requests begin at random times (Poisson), however long others take. The n-th one is
//! the same under every setting, so that settings can be compared. *Closed loop*: a client begins
//! its next request a think time after its last.
//!
//! A read comes from the replica nearest to its client (`NetworkTopology.sortByDistance`): with
//! probability `local` the client is on a node that holds one. A write uses the pipeline of
//! `BlockPlacementPolicyDefault`, with the client's own node as its first target. Written blocks
//! are not in the block map, so none is lost.
//!
//! An order has few targets ([`Order::MOST_TARGETS`]), `dfs.replication` may be more. Such a write
//! is several concurrent streams, each from the last target of the one before, and ends with the
//! last. HDFS sends one stream at the rate of its slowest hop: here only that hop's stream takes as
//! long, the others end earlier.
use super::{
    messages::{CopyId, Event, Order, Purpose, Record},
    setup::{Setup, counts, view_of},
};
use cluster::{Admin, BlockIndex, DiskId, NodeId};
use engine::{Array, Context, Draw, Model, Nanos, Recorder, Rewind, Scalar, Shared, Table};
use hardware::transport::flow;
use hdfs_policy::{NodeView, View, placement};
use hdfs_scenario::{Foreground, Replica};
use units::u32_of;

/// First request number, above those of the NameNode's copies.
const FIRST: u32 = 0x8000_0000;

/// Draws of a node or reader before giving up.
const TRIES: u32 = 64;

/// `client` of open-loop requests.
const NO_CLIENT: u32 = u32::MAX;

/// A stream of a request under way; the first one represents the request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
struct Request {
    order: Order,
    /// The stream has ended; others of its request have not.
    whole: bool,
    /// First attempt.
    begun: Nanos,
    /// Number among requests of its kind, for its random numbers.
    n: u64,
    tries: u32,
    client: u32,
}

#[derive(Rewind)]
pub struct Clients {
    setup: Shared<Setup>,
    odds: Shared<NodeProbabilities>,
    nodes: Array<NodeView>,
    failed: Table<(NodeId, DiskId), ()>,
    /// Streams of unfinished requests; `order.task` is the number of the request.
    open: Table<CopyId, Request>,
    begun: u32,
}

/// Cumulative probabilities of drawing a node.
struct NodeProbabilities {
    reads: Vec<f64>,
    writes: Vec<f64>,
}

impl NodeProbabilities {
    fn new(setup: &Setup, load: &Foreground) -> NodeProbabilities {
        let n = setup.cluster.nodes.len();
        let sums = |share: &dyn Fn(usize) -> f64| {
            let mut sum = 0.0;
            (0..n)
                .map(|node| {
                    sum += share(node);
                    sum
                })
                .collect()
        };
        match &load.shares {
            Some(shares) => {
                NodeProbabilities { reads: sums(&|n| shares[n].0), writes: sums(&|n| shares[n].1) }
            }
            None => {
                let held = held(setup);
                NodeProbabilities { reads: sums(&|n| held[n]), writes: sums(&|_| 1.0) }
            }
        }
    }
}

/// Bytes on each node at the start; equal for all if the map is partial.
fn held(setup: &Setup) -> Vec<f64> {
    let nodes = (0..u32_of(setup.cluster.nodes.len())).map(NodeId);
    if !setup.all_blocks {
        return nodes.map(|_| 1.0).collect();
    }
    let bytes = |node| setup.by_node.of(node).iter().map(|b| setup.held_bytes(*b).0 as f64).sum();
    nodes.map(bytes).collect()
}

/// Number of a client's `n`-th request among all requests.
fn number(client: u32, n: u32) -> u64 {
    u64::from(client) << 32 | u64::from(n)
}

/// Inverse of [`number`]: the lower half.
fn nth(number: u64) -> u32 {
    units::narrow(number & u64::from(u32::MAX))
}

/// A node drawn from cumulative odds; `None` if all are 0.
fn pick(sums: &[f64], draw: &mut Draw) -> Option<NodeId> {
    let all = sums.last().copied().filter(|sum| *sum > 0.0)?;
    let at = draw.unit() * all;
    Some(NodeId(units::narrow::<u32>(sums.partition_point(|sum| *sum <= at).min(sums.len() - 1))))
}

impl Clients {
    pub fn new(setup: Shared<Setup>) -> Clients {
        let load = setup.foreground.as_ref().expect("clients exist where there is a load");
        let odds = Shared::new(NodeProbabilities::new(&setup, load));
        let nodes = setup.cluster.nodes.iter().map(view_of).collect();
        let (failed, open) = (Table::new(), Table::new());
        Clients { setup, odds, nodes, failed, open, begun: 0 }
    }

    fn load(&self) -> &Foreground {
        self.setup.foreground.as_ref().expect("clients exist where there is a load")
    }

    fn boot(&mut self, cx: &impl Context<Event, Record>) {
        let start = self.load().start;
        for write in [false, true] {
            self.await_next(write, 0, start, cx)
        }
        let clients = self.load().readers + self.load().writers;
        for client in 0..clients {
            let phase = cx.draw("client-phase", client as u64, 0).below(1_000_000_000);
            cx.after(start + Nanos(phase), Event::ClientReady { client, n: 0 })
        }
    }

    /// Open loop: schedules the `n`-th request, a random time after the one before or after
    /// `start`.
    fn await_next(&self, write: bool, n: u64, start: Nanos, cx: &impl Context<Event, Record>) {
        let rate = if write { self.load().writes } else { self.load().reads };
        if rate > 0.0 {
            let mean = Nanos(units::floored_u64(1e9 / rate));
            let pause = cx.draw(name(write), n, 0).exponential(mean);
            cx.after(start + pause.max(Nanos(1)), Event::RequestDue { write, n })
        }
    }

    fn due(&mut self, write: bool, n: u64, cx: &impl Context<Event, Record>) {
        self.begin(write, n, NO_CLIENT, cx);
        self.await_next(write, n + 1, Nanos::ZERO, cx)
    }

    fn ready(&mut self, client: u32, n: u32, cx: &impl Context<Event, Record>) {
        let write = client >= self.load().readers;
        self.begin(write, number(client, n), client, cx)
    }

    fn begin(&mut self, write: bool, n: u64, client: u32, cx: &impl Context<Event, Record>) {
        self.attempt((write, n), client, cx.now(), 0, cx)
    }

    /// Starts attempt `tries` of a request; dropped if no node can serve it.
    fn attempt(
        &mut self,
        (write, n): (bool, u64),
        client: u32,
        begun: Nanos,
        tries: u32,
        cx: &impl Context<Event, Record>,
    ) {
        let mut draw = cx.draw(name(write), n, u64::from(tries) + 1);
        self.begun += 1;
        let id = CopyId(FIRST | self.begun);
        let orders = match write {
            true => self.write(id, &mut draw).unwrap_or_default(),
            false => self.read(id, &mut draw).into_iter().collect(),
        };
        self.begun += orders.iter().skip(1).map(|_| 1).sum::<u32>();
        for order in orders {
            let stream = Request { order, whole: false, begun, n, tries, client };
            self.open.insert(order.first, stream);
            self.setup.flow(&order, None, cx)
        }
    }

    fn read(&self, id: CopyId, draw: &mut Draw) -> Option<Order> {
        let mut replica = || {
            let source = self.live(&self.odds.reads, draw)?;
            let held = draw.pick(self.setup.by_node.of(source)).copied();
            let disk = match held {
                Some(block) => self.disk_of(block, source),
                None => self.sound_disk(source, draw)?,
            };
            Some((source, held, disk))
        };
        let sound = |(node, _, disk): &(NodeId, _, DiskId)| !self.failed.contains(&(*node, *disk));
        let (source, held, disk) = (0..TRIES).map_while(|_| replica()).find(sound)?;
        let reader = match draw.chance(self.load().local) {
            true => source,
            false => self.reader(source, held, draw)?,
        };
        let what = (held.unwrap_or(BlockIndex(u32::MAX)), self.load().read_bytes);
        Some(Order::new(Purpose::Read, id, what, (source, disk), &[reader]))
    }

    /// A client to which no live replica is nearer than that of `source`.
    fn reader(&self, source: NodeId, held: Option<BlockIndex>, draw: &mut Draw) -> Option<NodeId> {
        let rack = |node: NodeId| self.nodes[node.at()].rack;
        let replicas = held.map_or(&[][..], |block| self.setup.blocks.replicas(block));
        let live = |r: &&Replica| self.nodes[r.node.at()].alive && counts(r.state);
        let others = || replicas.iter().filter(live).map(|r| r.node).filter(|n| *n != source);
        let nearer = |reader: NodeId| {
            let in_rack = rack(reader) == rack(source);
            others().any(|n| n == reader || (!in_rack && rack(n) == rack(reader)))
        };
        let mut found = None;
        for _ in 0..TRIES {
            let node = NodeId(units::narrow::<u32>(draw.below(self.nodes.len() as u64)));
            if node != source && self.nodes[node.at()].alive {
                found = Some(node);
                if !nearer(node) {
                    break;
                }
            }
        }
        found.or(Some(source))
    }

    /// The streams of a write, the first one first; `None` if no node accepts it.
    fn write(&self, id: CopyId, draw: &mut Draw) -> Option<Vec<Order>> {
        let writer = self.live(&self.odds.writes, draw)?;
        let (bytes, load) = (self.load().write_bytes, (0, u32_of(self.nodes.len())));
        let (nodes, racks) = (&self.nodes[..], &self.setup.racks[..]);
        let view = View { nodes, racks, load_factor: None, load, avoid_stale: false, uplinks: &[] };
        let replicas = self.setup.hdfs.replication;
        let dice = &mut |n: u64| draw.below(n);
        let mut targets = placement::place_new_block(Some(writer), replicas, bytes, view, dice);
        placement::sort_as_pipeline(writer, &mut targets, view);
        let (what, mut from) = ((BlockIndex(u32::MAX), bytes), writer);
        let mut orders = Vec::with_capacity(targets.len().div_ceil(Order::MOST_TARGETS));
        for (number, part) in (id.0..).zip(targets.chunks(Order::MOST_TARGETS)) {
            let first = CopyId(number);
            let order = Order::new(Purpose::Write, first, what, (from, DiskId(0)), part);
            let mut order = order.in_task(id);
            for &target in part {
                order.write_to(target, self.sound_disk(target, draw)?);
                from = target
            }
            orders.push(order)
        }
        Some(orders)
    }

    fn live(&self, sums: &[f64], draw: &mut Draw) -> Option<NodeId> {
        let alive = |node: &NodeId| self.nodes[node.at()].alive;
        let drawn = (0..TRIES).filter_map(|_| pick(sums, draw)).find(alive);
        drawn.or_else(|| (0..u32_of(self.nodes.len())).map(NodeId).find(alive))
    }

    fn disk_of(&self, block: BlockIndex, node: NodeId) -> DiskId {
        let replicas = self.setup.blocks.replicas(block);
        replicas.iter().find(|r| r.node == node).expect("a block of this node").disk
    }

    fn sound_disk(&self, node: NodeId, draw: &mut Draw) -> Option<DiskId> {
        let disks = u64::from(self.setup.resources().disks(node).max(1));
        let first = draw.below(disks);
        let all = (0..disks).map(|turn| DiskId(units::narrow::<u16>((first + turn) % disks)));
        all.into_iter().find(|disk| !self.failed.contains(&(node, *disk)))
    }

    /// A stream has ended or broken off; ignored if it was given up.
    fn served(&mut self, reply: &flow::Reply, cx: &impl Context<Event, Record>) {
        let (flow::Reply::Done { tag } | flow::Reply::Broken { tag, .. }) = *reply;
        let Some(&Request { order, .. }) = self.open.get(&CopyId(tag)) else { return };
        if matches!(reply, flow::Reply::Broken { .. }) {
            return self.retry(order.task, cx);
        }
        self.open.update(&order.first, |stream| stream.whole = true);
        if order.first != order.task {
            cx.record(Record::Streamed(order))
        }
        if self.streams(order.task).all(|stream| stream.whole) {
            let request = self.close(order.task);
            let Request { order, begun, tries, .. } = request;
            cx.record(Record::Request { order, begun, tries });
            self.think(request, cx)
        }
    }

    /// Streams of an open request, the first one first.
    fn streams(&self, request: CopyId) -> impl Iterator<Item = &Request> {
        let behind = self.open.range(request..=CopyId(u32::MAX)).map(|(_, stream)| stream);
        behind.take_while(move |stream| stream.order.task == request)
    }

    /// Removes a request; returns its first stream.
    fn close(&mut self, request: CopyId) -> Request {
        let all: Vec<CopyId> = self.streams(request).map(|stream| stream.order.first).collect();
        let first = self.open.remove(&request).expect("an open request");
        for stream in &all {
            self.open.discard(stream);
        }
        first
    }

    /// Retries a request with another replica or pipeline.
    fn retry(&mut self, request: CopyId, cx: &impl Context<Event, Record>) {
        for stream in self.streams(request).filter(|stream| !stream.whole) {
            self.setup.cut(&stream.order, cx)
        }
        let Request { order, begun, n, tries, client, .. } = self.close(request);
        let write = order.purpose == Purpose::Write;
        self.attempt((write, n), client, begun, tries + 1, cx)
    }

    fn think(&self, request: Request, cx: &impl Context<Event, Record>) {
        let Request { client, n, .. } = request;
        if client != NO_CLIENT {
            let pause = cx.draw("think", n, 0).exponential(self.load().think);
            cx.after(pause, Event::ClientReady { client, n: nth(n) + 1 })
        }
    }

    /// Breaks off streams at a node or disk; their requests are retried.
    fn break_off(&mut self, which: impl Fn(&Order) -> bool, cx: &impl Context<Event, Record>) {
        let hit = self.open.values().filter(|stream| !stream.whole && which(&stream.order));
        let mut requests: Vec<CopyId> = hit.map(|stream| stream.order.task).collect();
        // Streams of one request are adjacent.
        requests.dedup();
        requests.into_iter().for_each(|request| self.retry(request, cx))
    }

    fn lose(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        self.nodes.update(node.at(), |view| view.alive = false);
        self.break_off(|order| order.involves(node), cx)
    }

    fn lose_disk(&mut self, node: NodeId, disk: DiskId, cx: &impl Context<Event, Record>) {
        self.failed.insert((node, disk), ());
        self.break_off(|order| order.uses(node, disk), cx)
    }

    /// A leaving node gets no new blocks.
    fn leave(&mut self, node: NodeId, maintenance: bool) {
        let admin = if maintenance { Admin::EnteringMaintenance } else { Admin::Decommissioning };
        self.nodes.update(node.at(), |view| view.admin = admin as u8)
    }
}

fn name(write: bool) -> &'static str {
    if write { "foreground-write" } else { "foreground-read" }
}

impl Model for Clients {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Boot => self.boot(cx),
            Event::RequestDue { write, n } => self.due(write, n, cx),
            Event::ClientReady { client, n } => self.ready(client, n, cx),
            Event::Flow(ref reply) => self.served(reply, cx),
            Event::Lost(node) => self.lose(node, cx),
            Event::Back(node) => self.nodes.update(node.at(), |view| view.alive = true),
            Event::DiskLost(node, disk) => self.lose_disk(node, disk, cx),
            Event::Leave { node, maintenance } => self.leave(node, maintenance),
            _ => unreachable!("the clients were sent {event:?}"),
        }
    }

    fn finish(&self, cx: &impl Recorder<Record>) {
        for request in self.open.values().filter(|stream| stream.order.first == stream.order.task) {
            let (order, begun) = (request.order, request.begun);
            cx.record(Record::Unserved { order, begun })
        }
    }
}
