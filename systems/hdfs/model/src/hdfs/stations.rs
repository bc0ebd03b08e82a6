//! Queue sharing: where chunks stand in line. A chunk is served by one resource of its path after
//! the other; a DataNode and a rack's switch each own some of them.
use super::{
    messages::{Chunk, CopyId, Event, Order, Record},
    setup::Setup,
};
use cluster::NodeId;
use engine::{Context, Delay, Lp, Nanos, Rewind, Shared, Table};
use hardware::{Capacity, Direction, Path, Request, ResourceId, Server};
use units::{Bytes, BytesPerSec};

/// One resource and the chunks in front of it, served by start-time fair queueing (Goyal, Vin and
/// Cheng 1996): streams take turns in proportion to their bytes, as a disk's scheduler and TCP let
/// them. First come first served would give most to whoever has most chunks waiting.
#[derive(Rewind)]
struct Station {
    server: Server,
    /// By start tag [bytes of virtual time].
    line: Table<(u64, CopyId), Chunk>,
    /// Where each stream's next chunk is to start at the earliest.
    tags: Table<CopyId, u64>,
    /// Start tag of the chunk being served.
    virtual_time: u64,
    busy: bool,
}

impl Station {
    fn join(&mut self, chunk: Chunk) {
        let copy = chunk.order.first;
        let tag = self.tags.get(&copy).map_or(self.virtual_time, |&t| t.max(self.virtual_time));
        self.tags.insert(copy, tag + chunk.bytes);
        self.line.insert((tag, copy), chunk);
    }

    /// The next chunk to be served, and when it will be through.
    fn next(&mut self, now: Nanos) -> Option<(Chunk, Nanos)> {
        let Some((&(tag, copy), &chunk)) = self.line.first() else {
            self.tags.clear();
            (self.virtual_time, self.busy) = (0, false);
            return None;
        };
        self.line.discard(&(tag, copy));
        (self.virtual_time, self.busy) = (tag, true);
        let read = chunk.hop == 0 && chunk.order.purpose.reads_disk();
        let direction = if read { Direction::Read } else { Direction::Write };
        let (stream, bytes) = (copy.0 as u64, Bytes(chunk.bytes));
        Some((chunk, self.server.submit(now, Request { stream, bytes, direction }).ends))
    }
}

/// The resources of one LP.
#[derive(Rewind)]
pub struct Stations {
    setup: Shared<Setup>,
    all: Table<ResourceId, Station>,
    /// Resources that give less than they were built for [bytes/s].
    slow: Table<ResourceId, u64>,
}

impl Stations {
    /// Nobody stands in line. Stations appear when they are first used.
    pub fn new(setup: Shared<Setup>) -> Stations {
        Stations { setup, all: Table::new(), slow: Table::new() }
    }

    /// A resource gives no more than this, to chunks that come from now on.
    pub fn slow(&mut self, at: ResourceId, rate: u64, cx: &impl Context<Event, Record>) {
        self.slow.insert(at, rate);
        let capacity = self.capacity(at);
        let busy = self.all.update(&at, |s| {
            s.server.set_capacity(capacity);
            s.busy
        });
        cx.record(Record::Slow { resource: at.0, rate: capacity.rate.0 });
        if busy == Some(true) {
            let rate = capacity.rate.0 as f64;
            cx.record(Record::Use { resource: at.0, rate, queue: 1 })
        }
    }

    /// Nobody stands in line any more.
    pub fn restart(&mut self) {
        self.all.clear()
    }

    fn capacity(&self, at: ResourceId) -> Capacity {
        let built = self.setup.resources.capacity(at);
        self.slow.get(&at).map_or(built, |rate| built.at_most(BytesPerSec(*rate)))
    }

    /// A chunk arrives at a resource of this LP, or has been served by one. Returns it when it has
    /// been served by the last of its path.
    pub fn pass(&mut self, chunk: Chunk, cx: &impl Context<Event, Record>) -> Option<Chunk> {
        let path = self.path(&chunk.order);
        let here = path[chunk.hop as usize];
        if !chunk.served {
            self.join(here, chunk, cx);
            return None;
        }
        let chunk = slower(chunk, cx.now() - chunk.since, Some(chunk.hop));
        self.serve_next(here, cx);
        let Some(&next) = path.get(chunk.hop as usize + 1) else { return Some(chunk) };
        let chunk = Chunk { hop: chunk.hop + 1, served: false, ..chunk };
        match self.owner(next) == self.owner(here) {
            true => self.join(next, chunk, cx),
            false => self.forward(chunk, here, next, cx),
        }
        None
    }

    fn join(&mut self, at: ResourceId, chunk: Chunk, cx: &impl Context<Event, Record>) {
        let chunk = Chunk { since: cx.now(), ..chunk };
        let capacity = self.capacity(at);
        let new = || Station {
            server: Server::new(capacity),
            line: Table::new(),
            tags: Table::new(),
            virtual_time: 0,
            busy: false,
        };
        let was_busy = self.all.update_or_insert(at, new, |s| {
            s.join(chunk);
            s.busy
        });
        if !was_busy {
            let rate = capacity.rate.0 as f64;
            cx.record(Record::Use { resource: at.0, rate, queue: 1 });
            self.serve_next(at, cx)
        }
    }

    fn serve_next(&mut self, at: ResourceId, cx: &impl Context<Event, Record>) {
        match self.all.update(&at, |s| s.next(cx.now())).flatten() {
            Some((chunk, through)) => {
                cx.after(through - cx.now(), Event::Chunk(Chunk { served: true, ..chunk }))
            }
            None => cx.record(Record::Use { resource: at.0, rate: 0.0, queue: 0 }),
        }
    }

    /// To the LP of the next hop; between two uplinks lies the way between the racks.
    fn forward(
        &self,
        chunk: Chunk,
        here: ResourceId,
        next: ResourceId,
        cx: &impl Context<Event, Record>,
    ) {
        let to = self.owner(next);
        let of_rack = |r| self.setup.resources.get(r).node().is_none();
        let racks = self.setup.inter_rack_latency;
        // Two switches are as far apart; the one link, in no rack, is a hop from everybody.
        let more = if self.is_one_link(here) { racks } else { Nanos::ZERO };
        let way = if of_rack(here) && of_rack(next) { racks } else { more };
        let chunk = slower(chunk, way, None);
        cx.send(to, Delay::link(cx.link(to)).plus(more), Event::Chunk(chunk))
    }

    fn is_one_link(&self, resource: ResourceId) -> bool {
        let r = self.setup.resources.get(resource);
        r.node().is_none() && r.rack().is_none()
    }

    /// The LP where a resource stands.
    fn owner(&self, resource: ResourceId) -> Lp<Event> {
        let (lps, r) = (&self.setup.lps, self.setup.resources.get(resource));
        match (r.node(), r.rack()) {
            (Some(NodeId(node)), _) => lps.datanodes.at(node),
            (None, Some(rack)) => lps.network.at(rack.0),
            (None, None) => lps.network.at(0),
        }
    }

    pub(super) fn path(&self, order: &Order) -> Path {
        self.setup.path(order)
    }
}

/// Notes where the chunk has taken longest: waiting and being served at a hop, or on the way
/// between two racks.
fn slower(mut chunk: Chunk, took: Nanos, hop: Option<u8>) -> Chunk {
    if took > chunk.slowest {
        (chunk.slowest, chunk.slowest_hop) = (took, hop)
    }
    chunk
}
