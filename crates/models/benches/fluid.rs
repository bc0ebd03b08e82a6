//! Time per start or end of a flow, by size of the cluster and streams per node.
//!
//! Random copies disk → NIC → NIC → disk, sizes jittered; each event is one flow's end and the next one's start,
//! settled apart. `naive` fills everything anew at each event, as solvers without memory do.
//! `cargo bench -p models --bench fluid [-- NODES…]`
use models::hardware::*;
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

/// Per node: disk, NIC out, NIC in.
fn copy(dice: &mut Dice, nodes: u64, source: u64) -> FlowSpec {
    let target = (source + 1 + dice.below(nodes - 1)) % nodes;
    let ids = [3 * source, 3 * source + 1, 3 * target + 2, 3 * target];
    let path = ids.iter().fold(Path::new(Nanos(0)), |path, &id| path.via(ResourceId(id as u32)));
    FlowSpec::new(path, Bytes(64_000_000 + dice.below(64_000_000)))
}

struct Run {
    micros: f64,
    changed: f64,
    evaluations: f64,
    visits: f64,
    fills: f64,
}

fn run(nodes: u64, streams: u64, events: u64, naive: bool) -> Run {
    let node = [BytesPerSec::mb(150), BytesPerSec::mb(125), BytesPerSec::mb(125)];
    let capacity: Vec<Capacity> = (0..nodes).flat_map(|_| node.map(Capacity::fixed)).collect();
    let mut fluid = Fluid::new(&capacity);
    fluid.always_fill(naive);
    let mut dice = Dice(1);
    let mut source = vec![0; (nodes * streams) as usize];
    for i in 0..nodes * streams {
        let flow = fluid.start(Nanos(0), copy(&mut dice, nodes, i / streams));
        source[flow.0 as usize] = i / streams;
    }
    fluid.settle();
    let mut changed = 0;
    let mut step = |fluid: &mut Fluid| {
        let (at, flow) = fluid.next_completion().expect("flows run for ever");
        fluid.finish(at, flow);
        changed += fluid.settle().flows.len();
        let from = source[flow.0 as usize];
        let next = fluid.start(at, copy(&mut dice, nodes, from));
        source[next.0 as usize] = from;
        changed += fluid.settle().flows.len();
    };
    // Away from the common start: every flow has ended once.
    let warm = if naive { events } else { nodes * streams };
    (0..warm).for_each(|_| step(&mut fluid));
    let before = fluid.cost();
    let began = Instant::now();
    (0..events).for_each(|_| step(&mut fluid));
    let settled = 2.0 * events as f64;
    let micros = began.elapsed().as_secs_f64() * 1e6 / settled;
    let after = fluid.cost();
    let per = |now: u64, then: u64| (now - then) as f64 / settled;
    Run {
        micros,
        changed: changed as f64 / (2.0 * (events + warm) as f64),
        evaluations: per(after.evaluations, before.evaluations),
        visits: per(after.visits, before.visits),
        fills: per(after.fills, before.fills),
    }
}

fn main() {
    let asked: Vec<u64> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![32, 128, 512, 2048, 8192] } else { asked };
    println!(
        "streams  nodes   flows  us/event  changed  evaluated  visits  filled  naive us  ratio"
    );
    for streams in [1, 2, 4, 8] {
        for &nodes in &sizes {
            let flows = nodes * streams;
            let events = if streams > 2 { 400_000 / flows.max(400) } else { 20_000 };
            let ours = run(nodes, streams, events.max(30), false);
            print!("{streams:7} {nodes:6} {flows:7} {:9.1}", ours.micros);
            print!(" {:8.1} {:10.1} {:7.0}", ours.changed, ours.evaluations, ours.visits);
            print!(" {:7.3}", ours.fills);
            if flows <= 16_384 {
                let naive = run(nodes, streams, (200_000 / flows).clamp(20, 2000), true).micros;
                print!(" {naive:9.1} {:6.1}", naive / ours.micros);
            }
            println!();
        }
    }
}
