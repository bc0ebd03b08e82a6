//! Chunk-hops per second of queue sharing on one core: chunks served by a resource.
//!
//! Each node of a cluster sends two flows to random nodes. Each flow that ends is replaced, until
//! MILLISECONDS have passed. A flow moves MEBIBYTES. Before and after, the same thread runs PHOLD
//! with as many LPs: on a machine with other load, the ratio is more reliable than the rate.
//! `cargo bench -p hardware --bench transport [-- NODES MILLISECONDS SCHEDULER MEBIBYTES]`, where
//! the scheduler is `sequential` or `conservative` on two threads.
#![allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
use cluster::{
    Admin, Channels, Cluster, DiskCurve, DiskId, DiskSpec, Hardware, InterRack, Network, NodeId,
    Rack, RackId, Sharing,
};
use engine::*;
use hardware::{
    Resources,
    transport::{self, Ports, Record, Settings, Transport, flow},
};
use std::time::Instant;
use units::{Bytes, BytesPerSec};

const PER_RACK: u32 = 40;
const STREAMS: u32 = 2;
const CHUNK: Bytes = Bytes(64 << 10);

mod sender {
    use super::*;

    #[derive(Message)]
    #[message(sends(flow::Request))]
    pub enum Event {
        Begin,
        #[from]
        Answer(flow::Reply),
    }

    #[derive(Message)]
    pub struct Record;

    #[derive(Rewind)]
    pub struct Node {
        pub ports: Shared<Ports>,
        pub node: u32,
        pub tag: u32,
        pub until: Nanos,
        pub bytes: Bytes,
    }

    impl Model for Node {
        type Event = Event;
        type Record = Record;
        fn handle(&mut self, _: &Event, cx: &impl Context<Event, Record>) {
            if cx.now() >= self.until {
                return;
            }
            let (r, mut dice) = (self.ports.resources(), cx.random());
            let others = u64::from(r.nodes()) - 1;
            let to = NodeId((self.node + 1 + dice.below(others) as u32) % r.nodes());
            let mut disk = || DiskId(dice.below(12) as u16);
            let path = r.path(NodeId(self.node), disk(), to, disk());
            let flow = flow::FlowName { owner: cx.me().port(), tag: self.tag };
            self.tag += 1;
            self.ports.start(cx, flow::Start { flow, peer: None, path, bytes: self.bytes })
        }
    }
}

#[derive(Rewind, Wiring)]
enum Site {
    #[hears(flow::Request)]
    Transport(transport::Node),
    #[hears(flow::Reply)]
    Sender(sender::Node),
}

fn resources(nodes: u32) -> Resources {
    let node = |i: u32| cluster::Node {
        host: format!("n{i}"),
        address: format!("n{i}:9866"),
        rack: RackId(i / PER_RACK),
        alive: true,
        admin: Admin::InService,
        capacity: Bytes::mb(1),
        remaining: Bytes::mb(1),
        xceivers: 0,
        disks: 12,
    };
    let rack = |r: u32| Rack {
        name: format!("/r{r}"),
        nodes: (r * PER_RACK..nodes.min((r + 1) * PER_RACK)).map(NodeId).collect(),
    };
    let cluster = Cluster {
        name: "bench".into(),
        nodes: (0..nodes).map(node).collect(),
        racks: (0..nodes.div_ceil(PER_RACK)).map(rack).collect(),
    };
    let (rate, seek, batch) = (BytesPerSec::mb(150), Nanos::micros(12_360), Bytes::mib(4));
    let hardware = Hardware {
        disk: DiskSpec { rate, seek, batch, curve: DiskCurve::KEPT, channels: Channels::Shared },
        disks_per_node: 12,
        nic: BytesPerSec::gbit(10),
        nic_latency: Nanos::micros(50),
        inter_rack: BytesPerSec::gbit(100),
        inter_rack_latency: Nanos::micros(100),
        inter_rack_kind: InterRack::Uplinks,
    };
    Resources::build(&cluster, &hardware)
}

fn argument(place: usize, otherwise: &str) -> String {
    let mut given = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    given.nth(place).unwrap_or(otherwise.into())
}

/// PHOLD's rate on this thread, in millions of events per second.
fn phold(lps: u32) -> f64 {
    let setting = phold::Setting { lps, ..phold::Setting::default() }.for_events(2_000_000);
    let (worked, run) = (engine::worked_s(), phold::run(&setting, Scheduler::Sequential));
    run.outcome.events as f64 / 1e6 / (engine::worked_s() - worked)
}

fn main() {
    let nodes: u32 = argument(0, "10000").parse().expect("a number of nodes");
    let millis: u64 = argument(1, "200").parse().expect("simulated milliseconds");
    let scheduler = match argument(2, "sequential").as_str() {
        "conservative" => Scheduler::Conservative { threads: 2 },
        _ => Scheduler::Sequential,
    };
    let bytes = Bytes::mib(argument(3, "16").parse().expect("mebibytes"));
    let until = Nanos::millis(millis);
    let resources = resources(nodes);
    let mut topology = Topology::tree(Nanos::micros(50));
    let joined = topology.group(topology.root(), Nanos::micros(150));
    let racks: Vec<Group> =
        (0..nodes.div_ceil(PER_RACK)).map(|_| topology.group(joined, Nanos::micros(50))).collect();
    let settings = Settings { sharing: Sharing::Queue, chunk: CHUNK, network: Network::Fair };
    let transport = Transport::place(&mut topology, &racks, resources, settings);
    let senders = topology.place_in::<sender::Event>(nodes, |i| racks[(i / PER_RACK) as usize]);
    let mut world =
        World::new(Shared::new(topology), 1, Nanos::secs(1_000), |id| match transport.build(id) {
            Some(node) => Site::from(node),
            None => {
                let node = senders.index(id).expect("a sender");
                let ports = Shared::clone(&transport.ports);
                sender::Node { ports, node, tag: 0, until, bytes }.into()
            }
        });
    for (i, sender) in (0..).zip(senders.iter()) {
        for stream in 0..STREAMS {
            world.start(sender, Nanos(u64::from(i * STREAMS + stream)), sender::Event::Begin)
        }
    }
    let lps = 2 * nodes + units::u32_of(racks.len());
    let before = phold(lps);
    let (mut hops, mut flows) = (0u64, 0u64);
    let (begun, worked) = (Instant::now(), engine::worked_s());
    let outcome = world.run(scheduler, |_, record| match record {
        SiteRecord::Transport(Record::Spent { chunks, .. }) => hops += u64::from(chunks),
        SiteRecord::Transport(Record::Ended { .. }) => flows += 1,
        _ => {}
    });
    // On a busy machine wall-clock time exceeds the thread's CPU time.
    let wall = begun.elapsed().as_secs_f64();
    let seconds = match scheduler {
        Scheduler::Sequential => engine::worked_s() - worked,
        _ => wall,
    };
    println!(
        "queue, {nodes} nodes, {scheduler}: {flows} flows, {:.1} M chunk-hops, {:.1} M events in \
         {seconds:.1} s of work, {wall:.1} s by the clock: {:.2} M chunk-hops/s, {:.2} M events/s",
        hops as f64 / 1e6,
        outcome.events as f64 / 1e6,
        hops as f64 / 1e6 / seconds,
        outcome.events as f64 / 1e6 / seconds,
    );
    let after = phold(lps);
    println!(
        "PHOLD of {lps} LPs beside it: {before:.2} M events/s before, {after:.2} M after; a \
         chunk-hop takes as long as {:.1} of its events",
        (before + after) / 2.0 / (hops as f64 / 1e6 / seconds)
    );
}
