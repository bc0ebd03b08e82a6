//! Blocks from one end to the other over loopback: through the `tcp` transport, and through a bare
//! socket. A measure of what the transport costs, and none of a network.
use crate::transport::{Event, Tcp, TcpOptions, Transport, Write};
use std::io::{Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// Slots of the receiver's ring: about 1 MB, which stays in the cache.
fn slots(block: usize) -> usize {
    ((1 << 20) / block).clamp(4, 64)
}

/// One thread writes blocks, one reads them into one place \[MB/s\].
///
/// # Panics
/// Where loopback sockets cannot be had.
pub fn bare(block: usize, lasts: Duration) -> f64 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    let sender = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        let bytes = vec![7; block];
        let started = crate::clock::now();
        while started.elapsed() < lasts {
            if stream.write_all(&bytes).is_err() {
                break;
            }
        }
    });
    let (mut stream, _) = listener.accept().expect("somebody comes");
    let mut place = vec![0; block];
    let (started, mut bytes) = (crate::clock::now(), 0);
    while stream.read_exact(&mut place).is_ok() {
        bytes += block
    }
    let rate = bytes as f64 / 1e6 / started.elapsed().as_secs_f64();
    sender.join().expect("it ends");
    rate
}

/// The same through the transport: into slots, each acknowledged when a quarter of the ring is in.
///
/// # Panics
/// Where loopback sockets cannot be had.
pub fn through(block: usize, lasts: Duration) -> f64 {
    let listening = Tcp::listen("127.0.0.1:0".parse().expect("an address"), TcpOptions::default());
    let mut here = listening.expect("a port");
    let address = here.address().expect("bound").to_string();
    let sender = std::thread::spawn(move || send(&address, block, lasts));
    let ring = here.register(slots(block), block);
    let (mut started, mut blocks, mut peer) = (crate::clock::now(), 0, None);
    loop {
        match here.poll(Duration::from_secs(5)) {
            Some(Event::Opened(link)) => {
                here.allow(link, ring, slots(block));
                here.send(link, vec![ring as u8]);
                (started, peer) = (crate::clock::now(), Some(link));
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
    let rate = (blocks * block) as f64 / 1e6 / started.elapsed().as_secs_f64();
    sender.join().expect("it ends");
    rate
}

fn send(address: &str, block: usize, lasts: Duration) {
    let mut there = Tcp::client(TcpOptions::default()).expect("a socket");
    let own = there.register(1, block);
    let link = there.connect(address);
    let (mut begun, mut credits, mut next) = (None, 0, 0);
    loop {
        match there.poll(Duration::from_secs(5)) {
            Some(Event::Message { .. }) if begun.is_none() => {
                begun = Some(crate::clock::now());
                credits = slots(block)
            }
            Some(Event::Message { .. }) => credits += slots(block) / 4,
            Some(Event::Up(_) | Event::Sent { .. }) => {}
            _ => return,
        }
        if begun.is_some_and(|begun| begun.elapsed() >= lasts) {
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
