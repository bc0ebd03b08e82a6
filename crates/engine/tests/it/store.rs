//! A Master and its DataNodes: heartbeats, dead nodes, re-replication, reads of clients.
use crate::storage::{self, BlockId, Reply, Request};
use engine::*;

#[derive(Message)]
#[message(sends(storage::Reply))]
pub enum Event {
    #[from]
    Storage(Request),
    Boot,
    Heartbeat {
        node: u32,
        queued: u32,
    },
    HeartbeatDue,
    Monitor,
    Crash,
    /// Master to a source node: copy this block to `to`.
    Copy {
        block: BlockId,
        to: u32,
    },
    Packet {
        block: BlockId,
    },
    Received {
        node: u32,
        block: BlockId,
    },
    /// Master to a holder: read for a client.
    Serve {
        block: BlockId,
        reply_to: Lp<Reply>,
        tag: u64,
    },
    DiskDone,
}

#[derive(Message)]
pub enum Record {
    NodeDead { node: u32, blocks: u32 },
    Replicated { block: BlockId, node: u32 },
    Read { tag: u64, waited: Nanos },
    BytesRead { bytes: u64 },
}

/// Serves requests one after the other.
#[derive(Rewind)]
pub struct Disk {
    free_at: Nanos,
    bytes_per_ms: u64,
}
impl Disk {
    fn submit(&mut self, now: Nanos, bytes: u64) -> Nanos {
        self.free_at = self.free_at.max(now) + Nanos::micros(bytes * 1000 / self.bytes_per_ms);
        self.free_at
    }
}

/// Constants of the scenario, shared.
pub struct Settings {
    pub heartbeat: Nanos,
    pub dead_after: Nanos,
    pub block_bytes: u64,
    pub streams: u32,
    pub blocks: u32,
    pub replicas: u32,
}

/// The submodel's LPs in a system.
#[derive(Clone)]
pub struct Store {
    pub master: Lp<Event>,
    pub datanodes: Lps<Event>,
    pub settings: Shared<Settings>,
}

impl Store {
    pub fn place(topology: &mut Topology, nodes: u32, settings: Settings) -> Self {
        let master = topology.place(1, |_| 0).at(0);
        Store {
            master,
            datanodes: topology.place(nodes, |i| i % 4),
            settings: Shared::new(settings),
        }
    }
    /// `None` if the LP is not the store's.
    pub fn build(&self, id: u32) -> Option<Node> {
        if id == self.master.id() {
            return Some(Master::new(self).into());
        }
        self.datanodes.index(id).map(|index| DataNode::new(self, index).into())
    }
    pub fn start<M: Model>(&self, world: &mut World<M>)
    where
        M::Event: Carries<Event> + Message<Out = M::Event>,
    {
        world.start(self.master, Nanos(1), Event::Boot);
        for (i, d) in self.datanodes.iter().enumerate() {
            world.start(d, Nanos::millis(1 + i as u64), Event::Boot)
        }
    }
}

#[derive(Rewind, Model)]
pub enum Node {
    Name(Box<Master>),
    Data(Box<DataNode>),
}
impl From<Master> for Node {
    fn from(n: Master) -> Self {
        Node::Name(Box::new(n))
    }
}
impl From<DataNode> for Node {
    fn from(n: DataNode) -> Self {
        Node::Data(Box::new(n))
    }
}

// ---- Master ----

#[derive(Rewind)]
pub struct Master {
    settings: Shared<Settings>,
    datanodes: Lps<Event>,
    last_seen: Table<u32, Nanos>,
    /// Nodes that hold each block: a journalled container within another.
    holders: Table<BlockId, Table<u32, ()>>,
    needed: Queue<BlockId>,
    asked: u64,
}

impl Model for Master {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Boot | Event::Monitor => self.monitor(cx),
            Event::Heartbeat { node, queued } => {
                self.last_seen.insert(node, cx.now());
                if queued == 0 {
                    self.give_work(node, cx)
                }
            }
            Event::Received { node, block } => {
                self.holders.update(&block, |nodes| nodes.insert(node, ()));
                cx.record(Record::Replicated { block, node })
            }
            Event::Storage(Request::Read { block, reply_to, tag }) => {
                self.read(block, reply_to, tag, cx)
            }
            _ => unreachable!("Master: {event:?}"),
        }
    }
    fn finish(&self, cx: &impl Recorder<Record>) {
        if !self.needed.is_empty() {
            cx.record(Record::NodeDead { node: u32::MAX, blocks: self.needed.len() as u32 })
        }
    }
}

impl Master {
    fn new(h: &Store) -> Self {
        let s = &h.settings;
        let holders =
            |b: u32| (0..s.replicas).map(|r| ((b * 7 + r * 3) % h.datanodes.len(), ())).collect();
        Master {
            settings: h.settings.clone(),
            datanodes: h.datanodes,
            last_seen: Table::new(),
            needed: Queue::new(),
            asked: 0,
            holders: (0..s.blocks).map(|b| (BlockId(b), holders(b))).collect(),
        }
    }
    fn monitor(&mut self, cx: &impl Context<Event, Record>) {
        let limit = self.settings.dead_after;
        let dead: Vec<u32> = self
            .last_seen
            .iter()
            .filter(|(_, t)| cx.now() - **t > limit)
            .map(|(n, _)| *n)
            .collect();
        for node in dead {
            self.bury(node, cx)
        }
        cx.after(self.settings.heartbeat, Event::Monitor)
    }
    fn bury(&mut self, node: u32, cx: &impl Context<Event, Record>) {
        self.last_seen.discard(&node);
        let lost: Vec<BlockId> =
            self.holders.iter().filter(|(_, n)| n.contains(&node)).map(|(b, _)| *b).collect();
        cx.record(Record::NodeDead { node, blocks: lost.len() as u32 });
        for block in lost {
            self.holders.update(&block, |nodes| nodes.discard(&node));
            self.needed.push_back(block)
        }
    }
    /// An idle holder of the first needed block sends a copy to a random node.
    fn give_work(&mut self, node: u32, cx: &impl Context<Event, Record>) {
        let Some(block) = self.needed.pop_front() else { return };
        let nodes = self.holders.get(&block).expect("a known block");
        let target = cx.random().below(self.datanodes.len() as u64) as u32;
        if !nodes.contains(&node) || nodes.contains(&target) || !self.last_seen.contains(&target) {
            return self.needed.push_back(block);
        }
        let to = self.datanodes.at(node);
        cx.send(to, Delay::link(cx.link(to)), Event::Copy { block, to: target })
    }
    fn read(
        &mut self,
        block: BlockId,
        reply_to: Lp<Reply>,
        tag: u64,
        cx: &impl Context<Event, Record>,
    ) {
        let Some(nodes) = self.holders.get(&block).filter(|n| !n.is_empty()) else {
            return cx.send(reply_to, Delay::link(cx.link(reply_to)), Reply::Lost { tag });
        };
        self.asked += 1;
        let pick =
            cx.draw("read-holder", block.0 as u64, self.asked).below(nodes.len() as u64) as usize;
        let to = self.datanodes.at(*nodes.iter().nth(pick).expect("in range").0);
        cx.send(to, Delay::link(cx.link(to)), Event::Serve { block, reply_to, tag })
    }
}

// ---- DataNode ----

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
enum Job {
    Read { reply_to: Lp<Reply>, tag: u64, since: Nanos },
    CopyOut { block: BlockId, to: u32 },
    CopyIn { block: BlockId },
}

#[derive(Rewind)]
pub struct DataNode {
    settings: Shared<Settings>,
    master: Lp<Event>,
    datanodes: Lps<Event>,
    index: u32,
    disk: Disk,
    waiting: Queue<Job>,
    running: Queue<Job>,
    beat: Option<Timer>,
    crashed: bool,
}

impl Model for DataNode {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        if self.crashed {
            return;
        }
        match *event {
            Event::Boot | Event::HeartbeatDue => self.heartbeat(cx),
            Event::Crash => {
                self.crashed = true;
                if let Some(timer) = self.beat.take() {
                    assert!(cx.cancel(timer), "the beat was pending")
                }
            }
            Event::Serve { reply_to, tag, .. } => {
                self.waiting.push_back(Job::Read { reply_to, tag, since: cx.now() })
            }
            Event::Copy { block, to } => self.waiting.push_back(Job::CopyOut { block, to }),
            Event::Packet { block } => self.waiting.push_back(Job::CopyIn { block }),
            Event::DiskDone => self.done(cx),
            _ => unreachable!("DataNode: {event:?}"),
        }
        self.serve(cx)
    }
}

impl DataNode {
    fn new(h: &Store, index: u32) -> Self {
        DataNode {
            settings: h.settings.clone(),
            master: h.master,
            datanodes: h.datanodes,
            index,
            disk: Disk { free_at: Nanos::ZERO, bytes_per_ms: 150_000 },
            waiting: Queue::new(),
            running: Queue::new(),
            beat: None,
            crashed: false,
        }
    }
    fn heartbeat(&mut self, cx: &impl Context<Event, Record>) {
        let queued = (self.waiting.len() + self.running.len()) as u32;
        cx.send(
            self.master,
            Delay::link(cx.link(self.master)),
            Event::Heartbeat { node: self.index, queued },
        );
        self.beat = Some(cx.timer(self.settings.heartbeat, Event::HeartbeatDue))
    }
    fn serve(&mut self, cx: &impl Context<Event, Record>) {
        while (self.running.len() as u32) < self.settings.streams {
            let Some(job) = self.waiting.pop_front() else { return };
            self.running.push_back(job);
            let done = self.disk.submit(cx.now(), self.settings.block_bytes);
            cx.after(done - cx.now(), Event::DiskDone)
        }
    }
    fn done(&mut self, cx: &impl Context<Event, Record>) {
        let bytes = self.settings.block_bytes;
        match self.running.pop_front().expect("a running job") {
            Job::Read { reply_to, tag, since } => {
                cx.record(Record::Read { tag, waited: cx.now() - since });
                cx.send(
                    reply_to,
                    Delay::link(cx.link(reply_to)).plus(Nanos::millis(1)),
                    Reply::Done { tag, bytes },
                )
            }
            Job::CopyOut { block, to } => {
                let to = self.datanodes.at(to);
                cx.send(to, Delay::link(cx.link(to)), Event::Packet { block })
            }
            Job::CopyIn { block } => cx.send(
                self.master,
                Delay::link(cx.link(self.master)),
                Event::Received { node: self.index, block },
            ),
        }
    }
}
