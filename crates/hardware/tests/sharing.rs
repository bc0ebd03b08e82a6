//! Waiting in line and fluid sharing agree within 2 % where both apply.
use hardware::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::{Bytes, BytesPerSec, Nanos};

const CHUNK: Bytes = Bytes(256 << 10);
/// Chunks of a stream that may stand at one server: enough to keep it busy.
const CREDITS: u64 = 4;

struct Flow {
    path: Vec<usize>,
    bytes: Bytes,
}

fn flow(path: &[usize], mib: u64) -> Flow {
    Flow { path: path.into(), bytes: Bytes::mib(mib) }
}

fn fixed(mb: u64) -> Capacity {
    Capacity::fixed(BytesPerSec::mb(mb))
}

/// Streams of chunks through servers, with credits from server to server: a chunk goes on when
/// fewer than
/// `CREDITS` of its stream stand at the next one (as TCP's buffers do along a pipeline).
struct Line<'a> {
    flows: &'a [Flow],
    servers: Vec<Server>,
    /// By stream and hop: chunks at the server or served and waiting to go on, and those that wait.
    here: Vec<Vec<u64>>,
    served: Vec<Vec<u64>>,
    /// By stream: chunks that have not begun.
    unsent: Vec<u64>,
    /// When which stream's chunk is served at which hop.
    events: BinaryHeap<Reverse<(Nanos, u64, usize, usize)>>,
    sent: u64,
}

impl Line<'_> {
    /// Puts a chunk in line at a hop if the stream has credit there; says whether it had.
    fn enter(&mut self, now: Nanos, stream: usize, hop: usize) -> bool {
        if self.here[stream][hop] == CREDITS {
            return false;
        }
        self.here[stream][hop] += 1;
        let server = &mut self.servers[self.flows[stream].path[hop]];
        let request = Request { stream: stream as u64, bytes: CHUNK, direction: Direction::Read };
        let ends = server.submit(now, request).ends;
        self.sent += 1;
        self.events.push(Reverse((ends, self.sent, stream, hop)));
        true
    }

    /// A chunk may have room to leave a hop, and then one behind it, up to the source.
    fn pull(&mut self, now: Nanos, stream: usize, hop: usize) {
        let last = hop + 1 == self.flows[stream].path.len();
        while self.served[stream][hop] > 0 && (last || self.enter(now, stream, hop + 1)) {
            self.served[stream][hop] -= 1;
            self.here[stream][hop] -= 1;
        }
        if hop > 0 { self.pull(now, stream, hop - 1) } else { self.send(now, stream) }
    }

    fn send(&mut self, now: Nanos, stream: usize) {
        while self.unsent[stream] > 0 && self.enter(now, stream, 0) {
            self.unsent[stream] -= 1
        }
    }
}

fn queued(capacity: &[Capacity], flows: &[Flow]) -> Vec<Nanos> {
    let none: Vec<Vec<u64>> = flows.iter().map(|flow| vec![0; flow.path.len()]).collect();
    let mut line = Line {
        flows,
        servers: capacity.iter().map(|&c| Server::new(c)).collect(),
        here: none.clone(),
        served: none,
        unsent: flows.iter().map(|flow| flow.bytes.0 / CHUNK.0).collect(),
        events: BinaryHeap::new(),
        sent: 0,
    };
    let mut ends = vec![Nanos(0); flows.len()];
    (0..flows.len()).for_each(|stream| line.send(Nanos(0), stream));
    while let Some(Reverse((now, _, stream, hop))) = line.events.pop() {
        ends[stream] = now;
        line.served[stream][hop] += 1;
        line.pull(now, stream, hop);
    }
    ends
}

fn fluid(capacity: &[Capacity], flows: &[Flow]) -> Vec<Nanos> {
    let mut fluid = Fluid::new(capacity);
    for flow in flows {
        let via = |path: Path, &id: &usize| path.via(ResourceId(id as u32));
        let path = flow.path.iter().fold(Path::new(Nanos(0)), via);
        fluid.start(Nanos(0), FlowSpec::new(path, flow.bytes));
    }
    let mut ends = vec![Nanos(0); flows.len()];
    fluid.settle();
    while let Some((at, flow)) = fluid.next_completion() {
        ends[flow.0 as usize] = at;
        fluid.finish(at, flow);
        fluid.settle();
    }
    ends
}

fn agree(what: &str, capacity: &[Capacity], flows: &[Flow]) {
    let (queued, fluid) = (queued(capacity, flows), fluid(capacity, flows));
    println!("{what}");
    for (queued, fluid) in queued.iter().zip(&fluid) {
        let off = queued.as_secs() / fluid.as_secs() - 1.0;
        println!(
            "  queue {:.4} s, fluid {:.4} s: {:+.2} %",
            queued.as_secs(),
            fluid.as_secs(),
            off * 100.0
        );
        assert!(off.abs() < 0.02, "{what}: queue {queued:?}, fluid {fluid:?}");
    }
}

#[test]
fn equal_flows_over_one_link() {
    for n in 1..=6 {
        let flows: Vec<Flow> = (0..n).map(|_| flow(&[0], 128)).collect();
        agree(&format!("{n} over one link"), &[fixed(125)], &flows);
    }
}

#[test]
fn equal_flows_over_a_disk_that_seeks() {
    for quarters in [0, 2, 4] {
        let (seek, batch, curve) =
            (Nanos::millis(8), Bytes::mib(1), cluster::DiskCurve::quarters(quarters));
        let disk = Capacity { seek, batch, curve, ..fixed(150) };
        for n in 1..=6 {
            let flows: Vec<Flow> = (0..n).map(|_| flow(&[0], 128)).collect();
            agree(&format!("{n} over one disk, g = {quarters}/4"), &[disk], &flows);
        }
    }
}

#[test]
fn a_chain_of_different_rates() {
    let chain = [fixed(150), fixed(125), fixed(500), fixed(65)];
    agree("down the chain", &chain, &[flow(&[0, 1, 2, 3], 128)]);
    agree("up the chain", &chain, &[flow(&[3, 2, 1, 0], 128)]);
}

#[test]
fn two_bottlenecks() {
    // One flow is held at the first link to 50, and leaves 150 of the second to the third.
    let links = [fixed(100), fixed(200)];
    agree("one held before", &links, &[flow(&[0], 128), flow(&[0, 1], 128), flow(&[1], 384)]);
    agree("one held behind", &links, &[flow(&[0], 128), flow(&[1, 0], 128), flow(&[1], 384)]);
    // Both in one disk, and one of them behind a slow NIC.
    let ends = [fixed(150), fixed(40), fixed(125)];
    agree("a slow NIC", &ends, &[flow(&[0, 1], 64), flow(&[0, 2], 176)]);
}

/// Copies among nodes in a ring: disk, NIC out, NIC in, disk; all alike, so all end together.
#[test]
fn a_ring_of_copies() {
    let node = [fixed(130), fixed(125), fixed(125)];
    let capacity: Vec<Capacity> = (0..5).flat_map(|_| node).collect();
    let copy = |from: usize| {
        let to = (from + 1) % 5;
        flow(&[3 * from, 3 * from + 1, 3 * to + 2, 3 * to], 128)
    };
    agree("a ring", &capacity, &[0, 1, 2, 3, 4].map(copy));
}
