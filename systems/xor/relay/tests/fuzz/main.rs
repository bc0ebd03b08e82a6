//! Random bytes and conversations: no panic, and bounded memory.
//!
//! Two seconds each in `make test`. `FUZZ_SECONDS=900 cargo test --release -p xor-relay --test
//! fuzz` takes an hour. A failure prints its seed: `FUZZ_SEED=n` runs only that one.
mod draw;
#[allow(dead_code, reason = "shared with the other tests")]
#[path = "../it/faulty_disk.rs"]
mod faulty_disk;
mod memory;
#[allow(dead_code, reason = "shared with the other tests")]
#[path = "../it/net.rs"]
mod net;
mod sockets;

use draw::Dice;
use faulty_disk::FaultyDisk;
use net::{Faults, Net};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use xor_relay::disk::Disk;
use xor_relay::store::Store;
use xor_relay::transport::{Event, Transport, Write};
use xor_relay::wire::{HEAD, Head, Message, numbered, unnumbered};
use xor_relay::{Limits, Node};

#[global_allocator]
static MEMORY: memory::Counted = memory::Counted;

/// Held by one test at a time: memory is counted for all threads.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|e| e.into_inner())
}

#[allow(clippy::disallowed_methods, reason = "how long it runs is what is asked for")]
fn fuzz(what: &str, case: impl Fn(u64)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    if let Some(seed) = number("FUZZ_SEED") {
        return case(seed);
    }
    let (start, most) = (Instant::now(), Duration::from_secs(number("FUZZ_SECONDS").unwrap_or(2)));
    let mut seed = 0;
    while start.elapsed() < most {
        let named = std::panic::AssertUnwindSafe(|| case(seed));
        if let Err(panic) = std::panic::catch_unwind(named) {
            eprintln!("{what}: FUZZ_SEED={seed}");
            std::panic::resume_unwind(panic)
        }
        seed += 1
    }
    println!("{what}: {seed} cases")
}

/// Memory is bounded by a multiple of the message's bytes, whatever its counts.
#[test]
fn messages() {
    let _alone = alone();
    fuzz("messages", |seed| {
        let mut dice = Dice::new(seed);
        let bytes = dice.message(0).to_bytes();
        let bytes = dice.damaged(bytes);
        let most = 4_096 + 64 * bytes.len();
        let mut again = None;
        let peak = memory::peak(|| again = Message::from_bytes(&bytes).map(|m| m.to_bytes()));
        assert!(peak <= most, "{peak} bytes for a message of {}", bytes.len());
        assert!(again.is_none_or(|again| again == bytes), "it is read as something else");
        let head: [u8; HEAD] = std::array::from_fn(|_| dice.one(&[0, 0, 1, 2, 84, 255]));
        assert!(Head::from_bytes(&head).is_none_or(|read| read.to_bytes() == head));
    })
}

/// In bytes.
const RINGS: usize = 1 << 20;

/// Two parties send random messages to a node; one may claim to be another node.
#[test]
fn conversations() {
    let _alone = alone();
    fuzz("conversations", |seed| {
        let mut dice = Dice::new(seed);
        let net = Net::new(seed, Faults { cut: 100, ..Faults::default() });
        let disk = FaultyDisk::default();
        let limits = Limits { sessions: 3, memory: RINGS, objects: 20, is_threaded: false };
        let endpoint = net.join("node", None);
        let store = Store::open(Arc::new(disk)).expect("an empty disk");
        let mut node = Node::new(endpoint, store, limits);
        let mut parties: Vec<_> = (0..2).map(|_| net.join("party", None)).collect();
        let peak = memory::peak(|| {
            let mut links: Vec<u32> = parties.iter_mut().map(|p| p.connect("node", 0)).collect();
            let own = parties.iter_mut().map(|p| p.register(64, 4096).expect("memory"));
            let own: Vec<u32> = own.collect();
            let mut given = 0;
            for _ in 0..200 {
                let at = dice.below(2);
                let (party, link) = (&mut parties[at], links[at]);
                party.allow(link, own[at], 64);
                if dice.below(3) == 0 {
                    let (slot, imm) = (dice.below(200) as u32, dice.number() as u32);
                    let (ring, length) = (dice.one(&[given, given, 0, 9]), dice.one(&[64, 4096]));
                    let from = (own[at], dice.below(64));
                    party.write_imm(link, Write { from, length, ring, slot, imm, token: 1 })
                } else {
                    let message = numbered(dice.below(3) as u32, &dice.message(own[at]));
                    let bytes = if dice.below(4) == 0 { dice.damaged(message) } else { message };
                    party.send(link, bytes)
                }
                while net.deliver() || node.step(Duration::ZERO) {}
                for (party, link) in parties.iter_mut().zip(&mut links) {
                    while let Some(event) = party.poll(Duration::ZERO) {
                        match event {
                            Event::Message { bytes, .. } => match unnumbered(&bytes) {
                                Some((_, Message::SessionOpened { ring })) => given = ring,
                                Some(_) => {}
                                None => panic!("the node sends what is no message"),
                            },
                            Event::Down { .. } => *link = party.connect("node", 0),
                            _ => {}
                        }
                    }
                }
                assert!(node.sessions() <= limits.sessions);
            }
        });
        assert!(peak < 8 * RINGS, "{peak} bytes");
    })
}

/// Random files on a node's disk at its start.
#[test]
fn files() {
    let _alone = alone();
    fuzz("files", |seed| {
        let mut dice = Dice::new(seed);
        let disk = FaultyDisk::default();
        let write = |dice: &mut Dice, name: &str, content: Vec<u8>| {
            let blob = disk.create(name).expect("room");
            let content = dice.damaged(content);
            blob.write_at(&content, 0).expect("room");
        };
        for (name, magic) in [
            ("cluster".to_string(), b"TBXC"),
            (format!("{:032x}.committed", dice.below(4)), b"TBXO"),
            (format!("{:032x}.prepared", dice.below(4)), b"TBXO"),
            (String::from_utf8_lossy(&dice.bytes(40)).into_owned(), b"TBXC"),
        ] {
            let Message::Begin { entry, .. } = begin(&mut dice) else { unreachable!() };
            let Message::Enter { member, .. } = enter(&mut dice) else { unreachable!() };
            let mut content = magic.to_vec();
            content.extend(dice.one(&[1u32, 1, 2, 3]).to_le_bytes());
            match magic {
                b"TBXC" => xor_relay::wire::Field::put(&member, &mut content),
                _ => xor_relay::wire::Field::put(&entry, &mut content),
            }
            content.extend(crc32c::crc32c(&content).to_le_bytes());
            write(&mut dice, &name, content)
        }
        let peak = memory::peak(|| {
            let store = Store::open(Arc::new(disk.clone())).expect("it starts");
            let _ = (store.member(), store.count(), store.damaged().len());
        });
        assert!(peak < 1 << 20, "{peak} bytes");
    })
}

fn begin(dice: &mut Dice) -> Message {
    loop {
        if let begin @ Message::Begin { .. } = dice.message(0) {
            return begin;
        }
    }
}

fn enter(dice: &mut Dice) -> Message {
    loop {
        if let enter @ Message::Enter { .. } = dice.message(0) {
            return enter;
        }
    }
}
