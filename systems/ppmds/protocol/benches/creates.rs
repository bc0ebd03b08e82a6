//! Creates per second of one server, and bytes per entry, with names of 16 bytes:
//! `cargo bench -p ppmds-protocol --bench creates -- [CREATES]`.
//!
//! The goal is 160 bytes per entry, with names in each client's order and in random order.
#![allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
use ppmds_protocol::message::{Ask, Message, Peer};
use ppmds_protocol::{
    Attributes, Ino, Key, List, Name, Net, Operation, Options, Placement, ROOT, Reads, Rules,
    Server, Spread, Store, Timer, contention, root,
};
use std::time::Instant;

struct One;

impl Placement for One {
    fn home(&self, _: Ino) -> u32 {
        0
    }
    fn list(&self, _: Ino) -> List {
        List::new(Spread::Hash, vec![0])
    }
}

#[derive(Default)]
struct Count(u64);

impl Net for Count {
    fn send(&mut self, _: Peer, _: Message) {
        self.0 += 1
    }
    fn later(&mut self, _: u64, _: Timer) {}
    fn now(&self) -> u64 {
        0
    }
}

/// Clients that create round-robin, each with its own names, as in mdtest.
const CLIENTS: u64 = 352;

/// The client of the n-th create, and its own number.
fn number(n: u64) -> u64 {
    ((n % CLIENTS) << 32) | (n / CLIENTS)
}

/// A bijection that scatters the numbers.
fn shuffled(n: u64) -> u64 {
    n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

fn name(number: u64) -> Name {
    let digit = |at: usize| b"0123456789abcdef"[(number >> (60 - 4 * at) & 15) as usize];
    Name::new(&std::array::from_fn::<u8, 16, _>(digit)).expect("letters and digits")
}

fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4_096
}

fn measure(what: &str, creates: u64, mut create: impl FnMut(u64)) {
    let (before, started) = (resident(), Instant::now());
    (0..creates).for_each(&mut create);
    let wall = started.elapsed().as_secs_f64();
    let bytes = (resident() - before) as f64 / creates as f64;
    println!(
        "{what:<24} {:>6.2} M creates/s {bytes:>6.0} bytes an entry",
        creates as f64 / wall / 1e6
    )
}

fn main() {
    let creates = std::env::args().find_map(|a| a.parse().ok()).unwrap_or(2_000_000);
    let options = Options {
        by_server: true,
        reads: Reads::Shared,
        contention: contention::ALL[0],
        wait: 1_000_000,
        resend_base_ns: None,
        evidence: false,
        contents: false,
    };
    let rules = Rules { options: &options, placement: &One };
    for (what, named) in
        [("in the clients' orders", number as fn(u64) -> u64), ("in no order", shuffled)]
    {
        let mut store = Store::new(0);
        store.begin(ROOT, &root(&One), 0);
        let (mut server, mut net) = (Server::new(store), Count::default());
        measure(what, creates, |n| {
            let key = Key::entry(ROOT, &name(named(n)));
            let operation = Operation::Create(key, Attributes { mode: 0o644, owner: 1, group: 1 });
            let number = u32::try_from(n).unwrap_or(0);
            let ask = Ask { client: 0, number, oldest: number, step: 1, operation };
            server.handle_message(&Message::Ask(ask), &rules, &mut net)
        });
        assert_eq!(net.0, creates)
    }
}
