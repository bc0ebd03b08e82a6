//! The model without an engine, for both hand-written loops.

#[path = "../../src/log.rs"]
mod log;
use log::ln;

pub(crate) const LOOKAHEAD: u64 = 100_000_000;
const MEAN: f64 = 900_000_000.0;

/// 64 bytes, like the engine's.
pub(crate) type Payload = [u64; 8];

pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// An LP in its cache line, with its generator and the sequence number for ties.
#[repr(align(64))]
#[derive(Clone, Default)]
pub(crate) struct Node {
    random: u64,
    pub(crate) sent: u64,
    handled: u64,
    sum: u64,
    last: [u64; 3],
}

impl Node {
    pub(crate) fn new(id: u32) -> Self {
        Node { random: mix(id as u64 + 1), sent: (id as u64 + 1) << 40, ..Default::default() }
    }
    #[inline(always)]
    fn bits(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.random)
    }
    #[inline(always)]
    fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
    }
    #[inline(always)]
    pub(crate) fn delay(&mut self) -> u64 {
        LOOKAHEAD + (MEAN * -ln(self.unit())) as u64
    }
    /// Receiver, delay and payload.
    #[inline(always)]
    pub(crate) fn handle(&mut self, me: u32, lps: u32, job: &Payload) -> (u32, u64, Payload) {
        self.handled += 1;
        self.sum = self.sum.wrapping_add(job[0]);
        self.last[(self.handled % 3) as usize] = job[7];
        let remote = self.unit() < 0.25;
        let to = if remote { ((self.bits() as u128 * lps as u128) >> 64) as u32 } else { me };
        let delay = self.delay();
        let mut words = *job;
        words[0] = self.bits();
        words[7] = self.handled;
        self.sent += 1;
        (to, delay, words)
    }
}

/// A checksum, so that the compiler drops nothing; both loops must agree on it.
pub(crate) fn checksum(nodes: &[Node]) -> u64 {
    nodes
        .iter()
        .enumerate()
        .fold(0, |sum, (i, n)| sum ^ mix(n.sum ^ mix(n.handled ^ i as u64) ^ n.last[0]))
}

/// Compares the loops: the first run of each size is stored and checked against the others.
pub(crate) fn agree(lps: u32, events: u64, nodes: &[Node]) {
    use std::{collections::BTreeMap, sync::Mutex};
    static SEEN: Mutex<BTreeMap<(u32, u64), u64>> = Mutex::new(BTreeMap::new());
    let sum = checksum(nodes);
    let mut seen = SEEN.lock().expect("one thread");
    assert_eq!(*seen.entry((lps, events)).or_insert(sum), sum, "the two loops differ");
}
