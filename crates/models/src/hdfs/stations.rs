//! Queue sharing: where chunks stand in line. A chunk is served by one resource of its path after the other; a
//! DataNode and a rack's switch each own some of them.
use super::{
    messages::{Chunk, Event, Order, Record},
    setup::Setup,
};
use crate::hardware::{Path, ResourceId};
use cluster::NodeId;
use engine::{Context, Delay, Lp, Nanos, Rewind, Shared, Table};

/// The resources of one LP.
#[derive(Rewind)]
pub struct Stations {
    setup: Shared<Setup>,
    servers: Table<ResourceId, Server>,
}

impl Stations {
    /// Nobody stands in line. Servers appear when they are first used.
    pub fn new(setup: Shared<Setup>) -> Stations {
        Stations { setup, servers: Table::new() }
    }

    /// A chunk arrives at a resource of this LP, or has been served by one. Returns it when it has been served by
    /// the last of its path.
    pub fn pass(&mut self, chunk: Chunk, cx: &impl Context<Event, Record>) -> Option<Chunk> {
        if !chunk.served {
            self.submit(chunk, cx);
            return None;
        }
        let chunk = self.served(chunk, cx);
        let path = self.path(&chunk.order);
        let Some(&next) = path.get(chunk.hop as usize + 1) else { return Some(chunk) };
        let here = path[chunk.hop as usize];
        let chunk = Chunk { hop: chunk.hop + 1, served: false, since: cx.now(), ..chunk };
        match self.owner(next) == self.owner(here) {
            true => self.submit(chunk, cx),
            false => self.forward(chunk, here, next, cx),
        }
        None
    }

    fn submit(&mut self, chunk: Chunk, cx: &impl Context<Event, Record>) {
        let path = self.path(&chunk.order);
        let resource = path[chunk.hop as usize];
        let (stream, bytes) = (chunk.order.copy.0, chunk.bytes);
        let capacity = self.setup.resources.capacity(resource);
        let (was_idle, done) = self.servers.update_or_insert(
            resource,
            || Server::new(capacity),
            |s| (s.is_idle(cx.now()), s.submit(cx.now(), stream, units::Bytes(bytes as u64))),
        );
        if was_idle {
            let rate = capacity.rate.0 as f64;
            cx.record(Record::Use { resource: resource.0, rate, queue: 1 })
        }
        let since = if chunk.since == Nanos::ZERO { cx.now() } else { chunk.since };
        cx.after(done - cx.now(), Event::Chunk(Chunk { served: true, since, ..chunk }))
    }

    /// The chunk is through this resource: where did it take longest?
    fn served(&self, mut chunk: Chunk, cx: &impl Context<Event, Record>) -> Chunk {
        let resource = self.path(&chunk.order)[chunk.hop as usize];
        let here = (cx.now() - chunk.since).0.min(u32::MAX as u64) as u32;
        if here > chunk.slowest_ns {
            (chunk.slowest_ns, chunk.slowest_hop) = (here, chunk.hop)
        }
        if self.servers.get(&resource).is_some_and(|s| s.is_idle(cx.now())) {
            cx.record(Record::Use { resource: resource.0, rate: 0.0, queue: 0 })
        }
        chunk
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
        let between = of_rack(here) && (of_rack(next) || self.is_one_link(here));
        let way = if between { self.setup.inter_rack_latency } else { Nanos::ZERO };
        cx.send(to, Delay::link(cx.link(to)).plus(way), Event::Chunk(chunk))
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
        let r = &self.setup.resources;
        r.path(order.source, order.source_disk, order.target, order.target_disk)
    }
}

#[derive(Clone, Copy, Debug, engine::Scalar)]
struct Server { capacity: crate::hardware::Capacity, free: Nanos, last: u32 }
impl Server {
    fn new(capacity: crate::hardware::Capacity) -> Server { Server { capacity, free: Nanos::ZERO, last: u32::MAX } }
    fn is_idle(&self, now: Nanos) -> bool { self.free <= now }
    fn submit(&mut self, now: Nanos, stream: u32, bytes: units::Bytes) -> Nanos {
        let _ = stream;
        self.free = self.free.max(now) + self.capacity.rate.time_for(bytes);
        self.free
    }
}
