//! Blocks from one end to the other through the `tcp` transport, beside a loop over a bare socket
//! with blocks of the same size; loopback, in turn, MB/s.
//!
//! `cargo bench -p xor-relay --bench tcp`
#![allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
use std::io::{Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use xor_relay::transport::{Event, Tcp, TcpOptions, Transport, Write};

/// Slots of the receiver's ring: about 1 MB, which stays in the cache.
fn slots(block: usize) -> usize {
    ((1 << 20) / block).clamp(4, 64)
}

const LASTS: Duration = Duration::from_millis(700);
const ROUNDS: usize = 5;

fn seconds(from: Instant) -> f64 {
    from.elapsed().as_secs_f64()
}

/// One thread writes blocks, one reads them into one place.
fn bare(block: usize) -> f64 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    let sender = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        let bytes = vec![7; block];
        let started = Instant::now();
        while started.elapsed() < LASTS {
            if stream.write_all(&bytes).is_err() {
                break;
            }
        }
    });
    let (mut stream, _) = listener.accept().expect("somebody comes");
    let mut place = vec![0; block];
    let (started, mut bytes) = (Instant::now(), 0);
    while stream.read_exact(&mut place).is_ok() {
        bytes += block
    }
    let rate = bytes as f64 / 1e6 / seconds(started);
    sender.join().expect("it ends");
    rate
}

/// The same through the transport: into slots, each acknowledged when a quarter of the ring is in.
fn relayed(block: usize) -> f64 {
    let listening = Tcp::listen("127.0.0.1:0".parse().expect("an address"), TcpOptions::default());
    let mut here = listening.expect("a port");
    let address = here.address().expect("bound").to_string();
    let sender = std::thread::spawn(move || send(&address, block));
    let ring = here.register(slots(block), block);
    let (mut started, mut blocks, mut peer) = (Instant::now(), 0, None);
    loop {
        match here.poll(Duration::from_secs(5)) {
            Some(Event::Opened(link)) => {
                here.allow(link, ring, slots(block));
                here.send(link, vec![ring as u8]);
                (started, peer) = (Instant::now(), Some(link));
            }
            Some(Event::Arrived { .. }) => {
                blocks += 1;
                if blocks % (slots(block) / 4) == 0
                    && let Some(link) = peer
                {
                    here.send(link, vec![1])
                }
            }
            _ => break,
        }
    }
    let rate = (blocks * block) as f64 / 1e6 / seconds(started);
    sender.join().expect("it ends");
    rate
}

fn send(address: &str, block: usize) {
    let mut there = Tcp::client(TcpOptions::default()).expect("a socket");
    let own = there.register(1, block);
    let link = there.connect(address);
    let (mut begun, mut credits, mut next) = (None, 0, 0);
    loop {
        match there.poll(Duration::from_secs(5)) {
            Some(Event::Message { .. }) if begun.is_none() => {
                begun = Some(Instant::now());
                credits = slots(block)
            }
            Some(Event::Message { .. }) => credits += slots(block) / 4,
            Some(Event::Up(_) | Event::Sent { .. }) => {}
            _ => return,
        }
        if begun.is_some_and(|begun| begun.elapsed() >= LASTS) {
            there.close(link);
            return;
        }
        while credits > 0 {
            credits -= 1;
            let slot = (next % slots(block)) as u32;
            next += 1;
            let from = (own, 0);
            there.write_imm(link, Write { from, length: block, ring: 0, slot, imm: 0, token: 0 })
        }
    }
}

fn main() {
    println!("{:>8} {:>10} {:>10} {:>8}", "bytes", "bare", "transport", "ratio");
    for block in [4 << 10, 16 << 10, 64 << 10, 1 << 20] {
        let (mut best, mut best_bare) = (0.0f64, 0.0f64);
        for _ in 0..ROUNDS {
            best_bare = best_bare.max(bare(block));
            best = best.max(relayed(block));
        }
        println!("{block:>8} {best_bare:>10.0} {best:>10.0} {:>8.2}", best / best_bare);
    }
}
