//! The contract of all transports, tested on each: two ends, a link, rings.
//!
//! Without an RDMA device the tests of `verbs` print that they are skipped. `make test-verbs` runs
//! them with a software device of the kernel.
use crate::net::{Faults, Net};
use crate::world::bytes;
use std::collections::BTreeMap;
use std::time::Duration;
use xor_relay::client::Error;
use xor_relay::memory::Ring;
use xor_relay::transport::{Connections, Event, Kind, Link, Tcp, TcpOptions, Transport, Write};

/// A test fails after this time without an event.
const PATIENCE: Duration = Duration::from_secs(60);
const SLOTS: usize = 16;
const SLOT: usize = 4096;

/// Two ends; `a` has connected to `b`.
struct Two<A, B> {
    a: A,
    b: B,
    at_a: Link,
    at_b: Link,
}

impl<A: Transport, B: Transport> Two<A, B> {
    fn new(mut a: A, mut b: B, address: &str) -> Two<A, B> {
        let at_a = a.connect(address, 0);
        let (mut is_up, mut opened) = (false, None);
        let started = a.now();
        while !is_up || opened.is_none() {
            assert!(a.now() < started + PATIENCE, "no connection");
            match a.poll(Duration::from_millis(1)) {
                Some(Event::Up(link)) => is_up = link == at_a,
                Some(event) => panic!("{event:?}"),
                None => {}
            }
            if let Some(Event::Opened(link)) = b.poll(Duration::from_millis(1)) {
                opened = Some(link)
            }
        }
        Two { a, b, at_a, at_b: opened.expect("it was waited for") }
    }

    /// Serves both ends until `heard` returns true. Its last argument: the event is of `a`.
    fn until(&mut self, mut heard: impl FnMut(&mut Two<A, B>, Event, bool) -> bool) {
        let mut last = self.a.now();
        loop {
            assert!(self.a.now() < last + PATIENCE, "nothing happens");
            let wait = Duration::from_millis(1);
            for is_a in [true, false] {
                let event = if is_a { self.a.poll(wait) } else { self.b.poll(wait) };
                let Some(event) = event else { continue };
                last = self.a.now();
                if heard(self, event, is_a) {
                    return;
                }
            }
        }
    }

    /// A ring of each end; `a` may write into that of `b`. Later events at `a` follow the grant.
    fn rings(&mut self) -> (Ring, Ring) {
        let from = self.a.register(SLOTS, SLOT).expect("memory");
        (from, self.granted())
    }

    fn granted(&mut self) -> Ring {
        let to = self.b.register(SLOTS, SLOT).expect("memory");
        self.b.allow(self.at_b, to, SLOTS - 1);
        self.b.send(self.at_b, to.to_le_bytes().to_vec());
        let expected = to.to_le_bytes().to_vec();
        self.until(|_, event, is_a| {
            is_a && matches!(event, Event::Message { bytes, .. } if bytes == expected)
        });
        to
    }
}

/// The nth block, with its own length and content.
fn block(n: u32) -> Vec<u8> {
    bytes(n.into(), 1 + (n as usize * 977) % SLOT)
}

/// Blocks of all lengths through all slots, repeatedly: each arrives complete, in its slot, with
/// its own 32 bits.
fn blocks_arrive<A: Transport, B: Transport>(mut two: Two<A, B>) {
    const BLOCKS: u32 = 600;
    let (from, to) = two.rings();
    let mut free: Vec<usize> = (0..SLOTS).collect();
    let mut room: Vec<u32> = (0..SLOTS as u32 - 1).collect();
    let (mut next, mut sent, mut came) = (0, 0, 0);
    let mut expected: BTreeMap<u32, u32> = BTreeMap::new();
    let mut write = |two: &mut Two<A, B>, free: &mut Vec<usize>, room: &mut Vec<u32>| {
        let mut started = Vec::new();
        while next < BLOCKS
            && let Some(slot) = room.pop()
        {
            let Some(place) = free.pop() else {
                room.push(slot);
                break;
            };
            let content = block(next);
            two.a.memory(from).get_mut(place, content.len()).copy_from_slice(&content);
            let (length, imm, token) = (content.len(), 0xfff0_0000 | next, place as u64);
            let block = Write { from: (from, place), length, ring: to, slot, imm, token };
            two.a.write_imm(two.at_a, block);
            started.push((slot, next));
            next += 1
        }
        started
    };
    expected.extend(write(&mut two, &mut free, &mut room));
    two.until(|two, event, is_a| {
        match event {
            Event::Sent { token, .. } if is_a => {
                // A late read of the slot would see this.
                two.a.memory(from).get_mut(token as usize, SLOT).fill(0xee);
                free.push(token as usize);
                sent += 1
            }
            Event::Arrived { ring, slot, length, imm, .. } if !is_a => {
                let n = expected.remove(&slot).expect("a block that was sent");
                assert_eq!((ring, length, imm), (to, block(n).len(), 0xfff0_0000 | n));
                assert!(two.b.memory(to).get(slot as usize, length) == block(n), "block {n}");
                two.b.send(two.at_b, slot.to_le_bytes().to_vec());
                came += 1
            }
            Event::Message { bytes, .. } if is_a => {
                room.push(u32::from_le_bytes(bytes.try_into().expect("a slot")))
            }
            event => panic!("{event:?}"),
        }
        expected.extend(write(two, &mut free, &mut room));
        (sent, came) == (BLOCKS, BLOCKS)
    });
}

fn messages_keep_their_order<A: Transport, B: Transport>(mut two: Two<A, B>) {
    let messages: Vec<Vec<u8>> = (0..40).map(|n| bytes(n, 1 + n as usize * 6_700)).collect();
    for message in &messages {
        two.a.send(two.at_a, message.clone())
    }
    let mut came = 0;
    two.until(|_, event, _| {
        let Event::Message { bytes, .. } = event else { panic!("{event:?}") };
        assert!(bytes == messages[came], "message {came}");
        came += 1;
        came == messages.len()
    });
}

/// A ring is released while blocks for it are in transit. Its memory does not change any more; a
/// late block ends at most its link.
fn a_ring_is_given_back<A: Transport, B: Transport>(mut two: Two<A, B>) {
    for round in 0..20 {
        let (from, to) = two.rings();
        for slot in 0..SLOTS as u32 - 1 {
            let (imm, token) = (slot, slot.into());
            let from = (from, slot as usize);
            two.a.write_imm(two.at_a, Write { from, length: SLOT, ring: to, slot, imm, token })
        }
        let mut left = round % 4;
        if left > 0 {
            two.until(|_, event, is_a| {
                left -= usize::from(!is_a && matches!(event, Event::Arrived { .. }));
                left == 0
            });
        }
        two.b.release(to);
        // The link survives, and a new ring receives only its own blocks.
        let other = two.granted();
        two.a.memory(from).get_mut(0, SLOT).fill(round as u8);
        let write =
            Write { from: (from, 0), length: SLOT, ring: other, slot: 3, imm: 9, token: 99 };
        two.a.write_imm(two.at_a, write);
        two.until(|_, event, is_a| match event {
            Event::Arrived { ring, slot, imm, .. } if !is_a => {
                assert!((ring, slot, imm) == (other, 3, 9) || ring == to);
                ring == other
            }
            Event::Sent { .. } => false,
            event => panic!("{event:?}"),
        });
        for slot in 0..SLOTS {
            let filled = if slot == 3 { round as u8 } else { 0 };
            assert!(two.b.memory(other).get(slot, SLOT).iter().all(|b| *b == filled), "{slot}");
        }
        two.a.release(from);
        two.b.release(other);
    }
    // When both ends have released everything, no memory stays registered.
    let started = two.a.now();
    while (two.a.registered(), two.b.registered()) != (0, 0) {
        assert!(two.a.now() < started + PATIENCE, "a ring is kept");
        two.a.poll(Duration::from_millis(1));
        two.b.poll(Duration::from_millis(1));
    }
}

/// Forbidden writes: beyond the allowed slots, and into a ring that was not granted.
fn who_breaks_the_rules_is_gone<A: Transport, B: Transport>(make: &dyn Fn() -> Two<A, B>) {
    for (slot, other, length) in [(SLOTS as u32 - 1, 0, SLOT), (0, 7, SLOT), (1, 0, SLOT + 1)] {
        let mut two = make();
        let (_, to) = two.rings();
        let from = (two.a.register(1, 2 * SLOT).expect("memory"), 0);
        let (ring, imm, token) = (to + other, 1, 2);
        two.a.write_imm(two.at_a, Write { from, length, ring, slot, imm, token });
        let (mut a, mut b) = (false, false);
        two.until(|_, event, is_a| {
            match (event, is_a) {
                (Event::Down { .. }, true) => a = true,
                (Event::Down { .. }, false) => b = true,
                (Event::Sent { .. }, true) => {}
                (event, _) => panic!("{event:?}"),
            }
            a && b
        });
    }
}

fn who_goes_is_missed<A: Transport, B: Transport>(two: Two<A, B>) {
    let Two { mut a, mut b, at_a, at_b } = two;
    b.close(at_b);
    let started = a.now();
    loop {
        assert!(a.now() < started + PATIENCE, "it was not missed");
        let event = a.poll(Duration::from_millis(1));
        assert_eq!(b.poll(Duration::from_millis(1)), None, "it knows it already");
        match event {
            Some(Event::Down { link, why }) => {
                return assert_eq!((link, &why[..]), (at_a, "closed the connection"));
            }
            Some(event) => panic!("{event:?}"),
            None => {}
        }
    }
}

macro_rules! promises {
    ($transport:ident, $make:expr) => {
        mod $transport {
            #[test]
            fn blocks_arrive() {
                $make.into_iter().for_each(super::blocks_arrive)
            }

            #[test]
            fn messages_keep_their_order() {
                $make.into_iter().for_each(super::messages_keep_their_order)
            }

            #[test]
            fn a_ring_is_given_back() {
                $make.into_iter().for_each(super::a_ring_is_given_back)
            }

            #[test]
            fn who_breaks_the_rules_is_gone() {
                if $make.is_some() {
                    super::who_breaks_the_rules_is_gone(&|| $make.expect("it was there"))
                }
            }

            #[test]
            fn who_goes_is_missed() {
                $make.into_iter().for_each(super::who_goes_is_missed)
            }
        }
    };
}

promises!(mem, super::in_memory());
promises!(tcp, super::over_tcp());
promises!(verbs, super::over_verbs());

fn in_memory() -> Option<Two<impl Transport, impl Transport>> {
    let net = Net::new(7, Faults::default());
    let drive = || {
        let net = net.clone();
        Some(Box::new(move || net.deliver()) as Box<dyn FnMut() -> bool>)
    };
    let (a, b) = (net.join("a", drive()), net.join("b", drive()));
    Some(Two::new(a, b, "b"))
}

fn over_tcp() -> Option<Two<Tcp, Tcp>> {
    let any = "127.0.0.1:0".parse().expect("an address");
    let b = Tcp::listen(any, TcpOptions::default()).expect("a port");
    let address = b.address().expect("it listens").to_string();
    Some(Two::new(Tcp::client(TcpOptions::default()).expect("a socket"), b, &address))
}

/// A client with a device; prints a line if there is none.
pub fn device() -> Option<Connections> {
    match Connections::client(Kind::Verbs, TcpOptions::default()) {
        Ok(verbs) => Some(verbs),
        Err(Error::BadInput(why)) => {
            eprintln!("skipped: {why}");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

fn over_verbs() -> Option<Two<Connections, Connections>> {
    let a = device()?;
    let any = "127.0.0.1:0".parse().expect("an address");
    let b = Connections::listen(Kind::Verbs, any, TcpOptions::default()).expect("a port");
    let address = b.address().expect("it listens").to_string();
    let two = Two::new(a, b, &address);
    assert!(two.a.is_paired(two.at_a) && two.b.is_paired(two.at_b), "blocks use RDMA");
    Some(two)
}
