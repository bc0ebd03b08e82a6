//! Time per start or end of a flow, by size of the cluster and streams per node.
//!
//! Random copies disk → NIC → NIC → disk with varying sizes. Each event is the end of one flow and
//! the start of the next, settled separately. `naive` fills from scratch at each event, like a
//! solver without memory.
//! `cargo bench -p hardware --bench fluid [-- NODES…]`
use hardware::*;
use rewind::Rewind;
use std::collections::VecDeque;
use std::time::Instant;
use units::{Bytes, BytesPerSec, Nanos};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// A network with numbers as in `Resources`, which is not used, so that only the solver is
/// measured.
#[derive(Clone, Copy)]
struct Site {
    nodes: u64,
    disks: u64,
    /// Nodes per rack; 0: only NICs limit the network.
    rack: u64,
}

impl Site {
    /// Per node NIC out, NIC in, disks; then per rack uplink out, uplink in.
    fn capacities(&self) -> Vec<Capacity> {
        let mb = |n| Capacity::fixed(BytesPerSec::mb(n));
        let node = || [125, 125].into_iter().chain((0..self.disks).map(|_| 150)).map(mb);
        let racks = if self.rack == 0 { 0 } else { self.nodes.div_ceil(self.rack) };
        // Half of the sum of a rack's NICs.
        let uplinks = (0..2 * racks).map(|_| mb(125 * self.rack / 2));
        (0..self.nodes).flat_map(|_| node()).chain(uplinks).collect()
    }

    fn copy(&self, dice: &mut Dice, source: u64) -> FlowSpec {
        let target = (source + 1 + dice.below(self.nodes - 1)) % self.nodes;
        let node = |node: u64| node * (2 + self.disks);
        let (read, write) = (dice.below(self.disks), dice.below(self.disks));
        let mut ids = vec![node(source) + 2 + read, node(source)];
        if self.rack > 0 && source / self.rack != target / self.rack {
            let uplink = |node: u64| self.nodes * (2 + self.disks) + node / self.rack * 2;
            ids.extend([uplink(source), uplink(target) + 1]);
        }
        ids.extend([node(target) + 1, node(target) + 2 + write]);
        let via = |path: Path, id: &u64| path.via(ResourceId(*id as u32));
        let path = ids.iter().fold(Path::new(Nanos(0)), via);
        FlowSpec::new(path, Bytes(64_000_000 + dice.below(64_000_000)))
    }
}

struct Run {
    micros: f64,
    first_ms: f64,
    changed: f64,
    evaluations: f64,
    visits: f64,
    fills: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    Follow,
    /// With the journal on: a mark at each event, committed after 64.
    Journalled,
    Naive,
}

/// Maximum seconds of warm-up, and of the measurement.
const TIME: f64 = 1.0;

fn run(site: Site, streams: u64, how: How) -> Run {
    let mut fluid = Fluid::new(&site.capacities());
    fluid.always_fill(how == How::Naive);
    let mut dice = Dice(1);
    let flows = site.nodes * streams;
    let mut source = vec![0; flows as usize];
    for i in 0..flows {
        let flow = fluid.start(Nanos(0), site.copy(&mut dice, i / streams));
        source[flow.0 as usize] = i / streams;
    }
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let began = Instant::now();
    fluid.settle();
    let first_ms = began.elapsed().as_secs_f64() * 1e3;
    let mut marks = VecDeque::new();
    if how == How::Journalled {
        fluid.journal(Some(0))
    }
    let mut changed = 0;
    let mut step = |fluid: &mut Fluid| {
        let (at, flow) = fluid.next_completion().expect("flows run for ever");
        fluid.finish(at, flow);
        changed += fluid.settle().flows.len();
        let from = source[flow.0 as usize];
        let next = fluid.start(at, site.copy(&mut dice, from));
        source[next.0 as usize] = from;
        changed += fluid.settle().flows.len();
        if how == How::Journalled {
            marks.push_back(fluid.mark());
            if marks.len() > 64 {
                fluid.commit(&marks.pop_front().expect("not empty"))
            }
        }
    };
    // Warm-up away from the common start: every flow has ended once, if time permits.
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let began = Instant::now();
    let mut warm = 0;
    while warm < flows && began.elapsed().as_secs_f64() < TIME {
        step(&mut fluid);
        warm += 1
    }
    let before = fluid.cost();
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let began = Instant::now();
    let mut events = 0;
    while events < 20_000 && began.elapsed().as_secs_f64() < TIME {
        step(&mut fluid);
        events += 1
    }
    let settled = 2.0 * events as f64;
    let micros = began.elapsed().as_secs_f64() * 1e6 / settled;
    let after = fluid.cost();
    let per = |now: u64, then: u64| (now - then) as f64 / settled;
    Run {
        micros,
        first_ms,
        changed: changed as f64 / (2.0 * (events + warm) as f64),
        evaluations: per(after.evaluations, before.evaluations),
        visits: per(after.visits, before.visits),
        fills: per(after.fills, before.fills),
    }
}

fn row(site: Site, streams: u64) {
    let flows = site.nodes * streams;
    let ours = run(site, streams, How::Follow);
    let journalled = run(site, streams, How::Journalled).micros / ours.micros;
    let naive = run(site, streams, How::Naive).micros;
    print!("{streams:7} {:6} {flows:7} {:9.1} {:8.1}", site.nodes, ours.micros, ours.changed);
    print!(" {:10.1} {:7.0} {:7.3}", ours.evaluations, ours.visits, ours.fills);
    println!(" {journalled:9.2} {naive:10.1} {:7.1} {:9.1}", naive / ours.micros, ours.first_ms);
}

fn main() {
    let asked: Vec<u64> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![32, 128, 512, 2048, 8192] } else { asked };
    let head = "streams  nodes   flows  us/event  changed  evaluated  visits  filled \
                journal×   naive us   ratio  start ms";
    println!("One disk a node, NICs alone limit the network\n{head}");
    for streams in [1, 2, 4, 8] {
        for &nodes in &sizes {
            row(Site { nodes, disks: 1, rack: 0 }, streams)
        }
    }
    if sizes.iter().all(|&nodes| nodes < 8192) {
        return;
    }
    println!("12 disks a node, racks of 40, uplinks of half the NICs\n{head}");
    for streams in [1, 2, 4, 8] {
        row(Site { nodes: 10_000, disks: 12, rack: 40 }, streams)
    }
}
