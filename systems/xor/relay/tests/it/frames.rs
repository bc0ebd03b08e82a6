//! Blocks with their heads together, cut at any byte by the socket.
use crate::world::bytes;
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;
use xor_relay::memory::Ring;
use xor_relay::transport::{Event, Link, Tcp, TcpOptions, Transport};
use xor_relay::wire::{Head, VERSION};

const SLOTS: usize = 8;
const SLOT: usize = 512;

/// A listening end, a bare socket that has greeted it, and the ring that it may write into.
struct Receiver {
    end: Tcp,
    link: Link,
    ring: Ring,
    peer: TcpStream,
}

impl Receiver {
    fn new() -> Receiver {
        let mut end = Tcp::listen("127.0.0.1:0".parse().expect("it is one"), TcpOptions::default())
            .expect("a port");
        let mut peer = TcpStream::connect(end.address().expect("bound")).expect("it listens");
        peer.set_nodelay(true).expect("a socket");
        peer.write_all(&Head::Hello { version: VERSION }.to_bytes()).expect("a socket");
        let Some(Event::Opened(link)) = end.poll(Duration::from_secs(9)) else {
            panic!("it has greeted")
        };
        let ring = end.register(SLOTS, SLOT).expect("memory");
        end.allow(link, ring, SLOTS);
        Receiver { end, link, ring, peer }
    }

    /// Sends bytes in parts of `part` bytes; returns all events.
    fn send(&mut self, all: &[u8], part: usize) -> Vec<Event> {
        let mut events = Vec::new();
        for part in all.chunks(part) {
            let _ = self.peer.write_all(part);
            events.extend(std::iter::from_fn(|| self.end.poll(Duration::from_millis(2))))
        }
        events
    }
}

/// The nth block, for slot 7 − n.
fn block(n: usize) -> Vec<u8> {
    bytes(n as u64, 1 + n * 73)
}

fn head(ring: Ring, n: usize) -> Head {
    Head::Block { length: block(n).len() as u32, ring, slot: 7 - n as u32, imm: n as u32 }
}

fn together(ring: Ring, count: usize) -> Vec<u8> {
    let mut all = Head::Blocks { count: count as u32 }.to_bytes().to_vec();
    (0..count).for_each(|n| all.extend(head(ring, n).to_bytes()));
    (0..count).for_each(|n| all.extend(block(n)));
    all
}

fn message(text: &str) -> Vec<u8> {
    [&Head::of_message(text.as_bytes()).to_bytes()[..], text.as_bytes()].concat()
}

#[test]
fn blocks_that_come_together_arrive_one_by_one_wherever_they_are_cut() {
    for part in [1, 7, 19, 20, 21, 64, 500, 100_000] {
        let mut receiver = Receiver::new();
        let (ring, link) = (receiver.ring, receiver.link);
        let all = [together(ring, 5), message("then"), together(ring, 2)].concat();
        let events = receiver.send(&all, part);
        let arrived = |n: usize| Event::Arrived {
            link,
            ring,
            slot: 7 - n as u32,
            length: block(n).len(),
            imm: n as u32,
        };
        let mut expected: Vec<Event> = (0..5).map(arrived).collect();
        expected.push(Event::Message { link, bytes: b"then".to_vec() });
        expected.extend((0..2).map(arrived));
        assert_eq!(events, expected, "in parts of {part}");
        for n in 0..5 {
            let memory = receiver.end.memory(ring);
            assert!(memory.get(7 - n, block(n).len()) == block(n), "block {n} in parts of {part}");
        }
    }
}

#[test]
fn blocks_for_a_ring_that_is_given_back_among_them_are_skipped() {
    for part in [13, 100, 4096] {
        let mut receiver = Receiver::new();
        let all = [together(receiver.ring, 6), message("then")].concat();
        let (first, rest) = all.split_at(300);
        let before = receiver.send(first, part).len();
        assert!((1..6).contains(&before), "some are complete: {before}");
        receiver.end.release(receiver.ring);
        let (bytes, link) = (b"then".to_vec(), receiver.link);
        assert_eq!(
            receiver.send(rest, part),
            [Event::Message { link, bytes }],
            "in parts of {part}"
        );
    }
}

/// The heads of two blocks, for a ring.
type TwoHeads = fn(Ring) -> [Head; 2];

#[test]
fn blocks_that_do_not_belong_together_end_the_connection() {
    let of = |count: u32, heads: &[Head]| {
        let heads = [&[Head::Blocks { count }], heads].concat();
        heads.into_iter().flat_map(Head::to_bytes).collect::<Vec<u8>>()
    };
    let cases: [(&str, TwoHeads); 4] = [
        ("one slot twice", |ring| [head(ring, 1), head(ring, 1)]),
        ("two rings", |ring| [head(ring, 1), head(ring + 1, 2)]),
        ("no blocks", |_| [Head::of_message(b"abc"); 2]),
        ("more than a slot", |ring| {
            let length = SLOT as u32 + 1;
            [head(ring, 1), Head::Block { length, ring, slot: 3, imm: 0 }]
        }),
    ];
    for (what, heads) in cases {
        let mut receiver = Receiver::new();
        let events = receiver.send(&of(2, &heads(receiver.ring)), 1000);
        assert!(matches!(events[..], [Event::Down { .. }]), "{what}: {events:?}");
    }
}
