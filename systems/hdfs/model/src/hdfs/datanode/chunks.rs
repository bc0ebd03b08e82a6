//! Queue sharing at a DataNode: both ends of a copy that moves chunk by chunk, at most a window
//! ahead of what the target has on disk.
use crate::hdfs::{
    messages::{Chunk, CopyId, Event, Order, Record},
    setup::Setup,
    stations::Stations,
};
use engine::{Context, Nanos, Rewind, Shared, Table};
use hardware::ResourceId;
use units::u32_of;

/// Chunks under way of one copy, for each target of a pipeline: enough to keep every stage busy
/// (six stages, and one each waiting at the two slowest), as HDFS's packet queue of 80 packets
/// does.
const WINDOW: u32 = 8;

/// What the source has still to read, and what is not on the target's disk yet \[bytes\].
type Left = (u64, u64);

/// Copies sent and received.
#[derive(Rewind)]
pub struct Chunks {
    setup: Shared<Setup>,
    stations: Stations,
    sending: Table<CopyId, Left>,
    /// Not yet on disk \[bytes\].
    receiving: Table<CopyId, u64>,
    /// Time that chunks of an order spent where they spent most, of resources and the way between
    /// the racks (`None`).
    spent: Table<(CopyId, Option<u32>), Nanos>,
}

impl Chunks {
    /// Nothing on its way.
    pub fn new(setup: Shared<Setup>) -> Chunks {
        let stations = Stations::new(Shared::clone(&setup));
        let (sending, receiving, spent) = (Table::new(), Table::new(), Table::new());
        Chunks { setup, stations, sending, receiving, spent }
    }

    /// Source: the target is ready.
    pub fn start(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        if !order.purpose.is_foreground() {
            order.legs().for_each(|leg| cx.record(Record::Started(leg)))
        }
        let bytes = order.bytes.0;
        self.sending.insert(order.first, (bytes, bytes));
        for _ in 0..WINDOW * u32_of(order.targets().len()) {
            self.read(order, cx)
        }
    }

    /// Source: the next chunk, if there is one, goes to the disk's line.
    fn read(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        let Some(&(unread, unwritten)) = self.sending.get(&order.first) else { return };
        let bytes = unread.min(self.setup.model.chunk.0.max(1));
        if bytes == 0 {
            return;
        }
        self.sending.update(&order.first, |left| *left = (unread - bytes, unwritten));
        let chunk = Chunk {
            order,
            bytes,
            hop: 0,
            served: false,
            slowest_hop: Some(0),
            slowest: Nanos::ZERO,
            since: cx.now(),
        };
        self.stations.pass(chunk, cx);
    }

    /// A chunk at a node of its pipeline; returns the order whose last chunk is on the disk of its
    /// last target, this node.
    pub fn chunk(&mut self, chunk: Chunk, cx: &impl Context<Event, Record>) -> Option<Order> {
        let written = self.stations.pass(chunk, cx)?;
        let (order, bytes) = (written.order, written.bytes);
        let source = self.setup.lps.datanodes.at(order.source.0);
        cx.tell(source, Event::Ack(written));
        self.note(&written);
        let whole = order.bytes.0;
        let left = self.receiving.get(&order.first).copied().unwrap_or(whole) - bytes;
        self.receiving.insert(order.first, left);
        (left == 0).then_some(order)
    }

    fn note(&mut self, chunk: &Chunk) {
        let path = self.stations.path(&chunk.order);
        let resource = chunk.slowest_hop.map(|hop| path[hop as usize].0);
        let slowest = (chunk.order.first, resource);
        self.spent.update_or_insert(slowest, || Nanos::ZERO, |sum| *sum += chunk.slowest);
    }

    /// Last target: the copy is whole. What held the pipeline up held all its copies up.
    pub fn tell_spent(&mut self, order: &Order, cx: &impl Context<Event, Record>) {
        for (resource, time) in self.forget(order.first) {
            order.legs().for_each(|leg| cx.record(Record::Spent { copy: leg.copy, resource, time }))
        }
    }

    /// Last target: nothing of it arrives any more; says where its chunks have spent their time.
    pub fn forget(&mut self, first: CopyId) -> Vec<(Option<u32>, Nanos)> {
        self.receiving.discard(&first);
        let mine = (first, None)..=(first, Some(u32::MAX));
        let spent: Vec<_> = self.spent.range(mine).map(|(&(_, r), &time)| (r, time)).collect();
        for (resource, _) in &spent {
            self.spent.discard(&(first, *resource));
        }
        spent
    }

    /// Source: a chunk is on the target's disk; returns the order when it was the last.
    pub fn ack(&mut self, chunk: Chunk, cx: &impl Context<Event, Record>) -> Option<Order> {
        let bytes = chunk.bytes;
        let left = self.sending.update(&chunk.order.first, |(_, unwritten)| {
            *unwritten -= bytes;
            *unwritten
        })?;
        if left > 0 {
            self.read(chunk.order, cx);
            return None;
        }
        self.close(chunk.order.first);
        Some(chunk.order)
    }

    /// Source: the copy moves no more.
    pub fn close(&mut self, first: CopyId) {
        self.sending.discard(&first);
    }

    /// A resource of this node gives no more than this [bytes/s].
    pub fn slow(&mut self, at: ResourceId, rate: u64, cx: &impl Context<Event, Record>) {
        self.stations.slow(at, rate, cx)
    }

    /// The node starts anew: nothing is on its way through it.
    pub fn restart(&mut self) {
        self.sending.clear();
        self.receiving.clear();
        self.stations.restart()
    }
}
