//! The copies on Tenbin's fluid solver.
use crate::copies::{Copies, Copy, Site};
use crate::cpu;
use cluster::{
    Admin, Channels, Cluster, DiskCurve, DiskId, DiskSpec, Hardware, InterRack, Network, Node,
    NodeId, Rack, RackId,
};
use hardware::{FlowId, FlowSpec, Fluid, Path, Resources, lv08};
use std::collections::VecDeque;
use std::time::Instant;
use units::{Bytes, BytesPerSec, Nanos};

pub struct Outcome {
    /// Start and end of each copy \[s\]; none for those that had not ended.
    pub times: Vec<Option<(f64, f64)>>,
    /// CPU time of a copy that ended, without the first copy.
    pub micros_per_copy: f64,
}

/// Simulates until all copies ended or `seconds` have passed.
pub fn run(copies: &Copies, seconds: f64) -> Outcome {
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let began = Instant::now();
    let mut run = Run::new(copies);
    while run.ended == 0 && run.step() {}
    let (from, before) = (cpu::seconds(began), run.ended);
    while run.step() {
        if run.ended % 64 < 2 && began.elapsed().as_secs_f64() > seconds {
            break;
        }
    }
    let micros = (cpu::seconds(began) - from) * 1e6;
    Outcome { micros_per_copy: micros / (run.ended - before) as f64, times: run.times }
}

fn resources(site: &Site) -> Resources {
    let node = |i: u32| Node {
        host: format!("dn{i}"),
        address: String::new(),
        rack: RackId(site.rack_of(i)),
        alive: true,
        admin: Admin::InService,
        capacity: Bytes(0),
        remaining: Bytes(0),
        xceivers: 0,
        disks: 1,
    };
    let in_rack = |rack| (0..site.nodes).filter(move |&i| site.rack_of(i) == rack).map(NodeId);
    let rack = |rack: u32| Rack { name: format!("/r{rack}"), nodes: in_rack(rack).collect() };
    let cluster = Cluster {
        name: String::new(),
        nodes: (0..site.nodes).map(node).collect(),
        racks: (0..site.racks).map(rack).collect(),
    };
    let hardware = Hardware {
        disk: DiskSpec {
            rate: BytesPerSec(site.disk),
            seek: Nanos(0),
            batch: Bytes(1),
            curve: DiskCurve::KEPT,
            channels: Channels::Shared,
        },
        disks_per_node: 1,
        nic: BytesPerSec(site.nic),
        nic_latency: Nanos(site.latency),
        inter_rack: BytesPerSec(site.link),
        inter_rack_latency: Nanos(site.link_latency),
        inter_rack_kind: InterRack::OneLink,
    };
    match site.network {
        Network::Lv08 => Resources::build(&cluster, &lv08::effective(&hardware)),
        _ => Resources::build(&cluster, &hardware),
    }
}

struct Run<'a> {
    copies: &'a Copies,
    resources: Resources,
    fluid: Fluid,
    /// By source: its copies that have not begun.
    queue: Vec<VecDeque<usize>>,
    /// Copies whose first byte is under way, by time: inside a rack, and between racks.
    under_way: [VecDeque<(Nanos, usize)>; 2],
    copy_of: Vec<usize>,
    began: Vec<Nanos>,
    times: Vec<Option<(f64, f64)>>,
    ended: usize,
}

impl Run<'_> {
    fn new(copies: &Copies) -> Run<'_> {
        let site = &copies.site;
        let resources = resources(site);
        let mut queue = vec![VecDeque::new(); site.nodes as usize];
        for (number, copy) in copies.list.iter().enumerate() {
            queue[copy.source as usize].push_back(number)
        }
        let mut run = Run {
            copies,
            fluid: Fluid::new(resources.capacities()),
            resources,
            queue,
            under_way: Default::default(),
            copy_of: vec![0; (site.nodes * site.streams) as usize],
            began: vec![Nanos::ZERO; copies.list.len()],
            times: vec![None; copies.list.len()],
            ended: 0,
        };
        for source in 0..site.nodes {
            (0..site.streams).for_each(|_| run.send_next(Nanos::ZERO, source))
        }
        run
    }

    /// A source's next copy begins; its bytes flow when the way's latency is over.
    fn send_next(&mut self, now: Nanos, source: u32) {
        let Some(number) = self.queue[source as usize].pop_front() else { return };
        let latency = self.path(number).latency;
        let far = latency > self.resources.shortest_latency();
        self.began[number] = now;
        self.under_way[far as usize].push_back((now + latency, number));
    }

    /// All that happens at the next instant; false where nothing does.
    fn step(&mut self) -> bool {
        let end = self.fluid.next_completion().map(|(at, _)| at);
        let start = self.under_way.iter().filter_map(|line| line.front()).map(|(at, _)| *at).min();
        let Some(now) = start.into_iter().chain(end).min() else { return false };
        while let Some((_, flow)) = self.fluid.next_completion().filter(|(at, _)| *at == now) {
            self.end(now, flow);
        }
        for far in [0, 1] {
            while self.under_way[far].front().is_some_and(|(at, _)| *at == now) {
                let (_, number) = self.under_way[far].pop_front().expect("just seen");
                self.start(now, number)
            }
        }
        self.fluid.settle();
        true
    }

    fn path(&self, number: usize) -> Path {
        let Copy { source, target, .. } = self.copies.list[number];
        self.resources.path(NodeId(source), DiskId(0), NodeId(target), DiskId(0))
    }

    fn start(&mut self, now: Nanos, number: usize) {
        let (path, resources) = (self.path(number), &self.resources);
        let mut spec = FlowSpec::new(path, Bytes(self.copies.list[number].bytes));
        if self.copies.site.network == Network::Lv08 {
            spec.weight = resources.lv08_weight(&path);
            spec.back = Some(resources.reverse(&path))
        } else {
            spec.weight = path.latency_weight(resources.shortest_latency())
        }
        let flow = self.fluid.start(now, spec);
        self.copy_of[flow.0 as usize] = number
    }

    fn end(&mut self, now: Nanos, flow: FlowId) {
        let number = self.copy_of[flow.0 as usize];
        self.fluid.finish(now, flow);
        self.fluid.settle();
        self.ended += 1;
        self.times[number] = Some((self.began[number].as_secs(), now.as_secs()));
        self.send_next(now, self.copies.list[number].source)
    }
}
