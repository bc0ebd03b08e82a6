//! Two systems over one transport, under any scheduler.
use super::{Job, mover, reader};
use cluster::{
    Admin, Channels, Cluster, DiskCurve, DiskId, DiskSpec, Hardware, InterRack, Network, NodeId,
    Rack, RackId, Sharing,
};
use engine::*;
use hardware::{
    Path, Resources,
    transport::{self, Record, Settings, Transport, flow},
};
use units::{Bytes, BytesPerSec};

#[derive(Rewind, Wiring)]
pub enum Site {
    #[hears(flow::Request)]
    Transport(transport::Node),
    #[hears(flow::Reply)]
    Mover(mover::Node),
    #[hears(flow::Reply)]
    Reader(reader::Node),
}

#[derive(Clone, Default)]
pub struct Plan {
    pub jobs: Vec<Job>,
    /// The read, and how often it is repeated from time 0.
    pub reads: Option<(Job, u32)>,
    /// Times at which jobs are cut, and their tags.
    pub stops: Vec<(Nanos, u32)>,
    pub faults: Vec<(Nanos, Fault)>,
}

#[derive(Clone, Copy)]
pub enum Fault {
    Lost(NodeId),
    Back(NodeId),
    Slow(hardware::ResourceId, BytesPerSec),
}

#[derive(Default, PartialEq, Debug)]
pub struct Seen {
    /// By job: time and kind of its end.
    pub ends: Vec<Vec<(Nanos, flow::Reply)>>,
    pub reads: Vec<Nanos>,
    pub transport: Vec<(Nanos, Record)>,
    pub outcome: Option<Outcome>,
}

pub fn resources(racks: u32, nodes: u32, kind: InterRack) -> Resources {
    let node = |i: u32| cluster::Node {
        host: format!("n{i}"),
        address: format!("10.0.0.{i}:9866"),
        rack: RackId(i % racks),
        alive: true,
        admin: Admin::InService,
        capacity: Bytes::mb(1000),
        remaining: Bytes::mb(1000),
        xceivers: 0,
        disks: 3,
    };
    let of = |rack: u32| (0..nodes).filter(move |i| i % racks == rack).map(NodeId).collect();
    let cluster = Cluster {
        name: "site".into(),
        nodes: (0..nodes).map(node).collect(),
        racks: (0..racks).map(|r| Rack { name: format!("/r{r}"), nodes: of(r) }).collect(),
    };
    let (seek, batch, curve) = (Nanos::millis(5), Bytes::mib(1), DiskCurve::KEPT);
    let hardware = Hardware {
        disk: DiskSpec {
            rate: BytesPerSec::mb(150),
            seek,
            batch,
            curve,
            channels: Channels::Shared,
        },
        disks_per_node: 3,
        nic: BytesPerSec::mb(125),
        nic_latency: Nanos::micros(100),
        inter_rack: BytesPerSec::mb(200),
        inter_rack_latency: Nanos::micros(300),
        inter_rack_kind: kind,
    };
    Resources::build(&cluster, &hardware)
}

/// A copy from a disk of a node to a disk of another.
pub fn copy(r: &Resources, from: (u32, u16), to: (u32, u16)) -> Path {
    r.path(NodeId(from.0), DiskId(from.1), NodeId(to.0), DiskId(to.1))
}

pub fn run(resources: &Resources, sharing: Sharing, plan: &Plan, scheduler: Scheduler) -> Seen {
    let mut topology = Topology::tree(Nanos::micros(100));
    let root = topology.root();
    let joined = topology.group(root, Nanos::micros(400));
    let racks = (0..resources.nodes()).map(|n| resources.rack_of(NodeId(n)).0).max().unwrap() + 1;
    let racks: Vec<Group> =
        (0..racks).map(|_| topology.group(joined, Nanos::micros(100))).collect();
    let settings = Settings { sharing, chunk: Bytes(256 << 10), network: Network::Fair };
    let transport = Transport::place(&mut topology, &racks, resources.clone(), settings);
    let mover = topology.place_in::<mover::Event>(1, |_| root).at(0);
    let reader = topology.place_in::<reader::Event>(1, |_| root).at(0);
    let ports = Shared::clone(&transport.ports);
    let (jobs, job) = (Shared::new(plan.jobs.clone()), plan.reads.as_ref().map(|(job, _)| *job));
    let mut world = World::new(Shared::new(topology), 7, Nanos::secs(100), |id| {
        let ports = Shared::clone(&transport.ports);
        if let Some(node) = transport.build(id) {
            return Site::from(node);
        }
        if id == mover.id() {
            return mover::Node { ports, jobs: Shared::clone(&jobs) }.into();
        }
        let left = plan.reads.as_ref().map_or(0, |(_, times)| *times);
        reader::Node { ports, job: Shared::new(job), left, read: 0 }.into()
    });
    for (tag, job) in (0..).zip(&plan.jobs) {
        world.start(mover, job.at, mover::Event::Go(tag))
    }
    for &(at, tag) in &plan.stops {
        world.start(mover, at, mover::Event::Stop(tag))
    }
    if plan.reads.is_some() {
        world.start(reader, Nanos(0), reader::Event::Begin)
    }
    for &(at, fault) in &plan.faults {
        match fault {
            Fault::Lost(node) => world.start(ports.of_node(node), at, flow::Request::Lost(node)),
            Fault::Back(node) => world.start(ports.of_node(node), at, flow::Request::Back(node)),
            Fault::Slow(resource, rate) => {
                world.start(ports.of(resource), at, flow::Request::Slow { resource, rate })
            }
        }
    }
    let mut seen = Seen { ends: vec![vec![]; plan.jobs.len()], ..Seen::default() };
    let outcome = world.run(scheduler, |stamp, record| match record {
        SiteRecord::Mover(mover::Record { tag, end }) => {
            seen.ends[tag as usize].push((stamp.at, end))
        }
        SiteRecord::Reader(reader::Record { read }) => {
            seen.reads.push(stamp.at);
            assert_eq!(seen.reads.len(), read as usize)
        }
        SiteRecord::Transport(record) => seen.transport.push((stamp.at, record)),
    });
    seen.outcome = Some(outcome);
    seen
}

/// Checks that all schedulers agree; returns one of the equal results.
pub fn run_everywhere(resources: &Resources, sharing: Sharing, plan: &Plan) -> Seen {
    let seen = run(resources, sharing, plan, Scheduler::Sequential);
    for scheduler in [
        Scheduler::RollbackCheck { depth: 8 },
        Scheduler::Conservative { threads: 2 },
        Scheduler::Optimistic { threads: 2 },
        Scheduler::Stress { threads: 2, stress: Stress { seed: 3, planted: None } },
        Scheduler::Auto { threads: 2 },
    ] {
        let other = run(resources, sharing, plan, scheduler);
        assert_eq!(other.outcome, seen.outcome, "{scheduler}");
        assert!(other == seen, "{scheduler}: other records of the same hash");
    }
    seen
}
