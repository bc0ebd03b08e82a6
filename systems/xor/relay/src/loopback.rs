//! Measures blocks between two ends, through the `tcp` transport and through a plain socket. Over
//! loopback this is the cost of the transport; a [`BenchRoute`] between hosts includes the network.
use crate::transport::{Event, Tcp, TcpOptions, Transport, Write};
use keys::Keys;
use std::collections::VecDeque;
use std::io::{Read, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// Bytes of a call on a plain socket.
const AT_ONCE: usize = 256 << 10;
/// An end that is silent for this time is gone.
const SILENCE: Duration = Duration::from_secs(5);

fn slots(block: usize) -> usize {
    ((1 << 20) / block).clamp(4, 64)
}

/// Blocks of a call on a plain socket, for as many bytes as the transport passes in a call.
pub fn at_once(block: usize) -> usize {
    (AT_ONCE / block).clamp(1, slots(block))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Party {
    Sender,
    Between,
    Receiver,
}

/// Addresses of the parties; each is a thread.
#[derive(Clone, Copy)]
pub struct BenchRoute<'r> {
    /// Where the relaying node listens.
    pub between: IpAddr,
    pub receiver: IpAddr,
    /// Each thread calls this first, to move to its host.
    pub enter: &'r (dyn Fn(Party) + Sync),
}

pub const LOOPBACK: BenchRoute<'static> = BenchRoute {
    between: IpAddr::V4(Ipv4Addr::LOCALHOST),
    receiver: IpAddr::V4(Ipv4Addr::LOCALHOST),
    enter: &|_| {},
};

impl BenchRoute<'_> {
    /// Runs a receiver, which publishes its address, and a sender; returns the receiver's result.
    fn run(
        &self,
        send: impl FnOnce(&str) + Send,
        receive: impl FnOnce(&Sender<String>) -> f64 + Send,
    ) -> f64 {
        let (tell, told) = channel::<String>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                (self.enter)(Party::Sender);
                let Ok(address) = told.recv() else { return };
                send(&address)
            });
            let receiver = scope.spawn(move || {
                (self.enter)(Party::Receiver);
                receive(&tell)
            });
            receiver.join().expect("it ends")
        })
    }

    /// One thread writes `at_once` blocks a call, another reads them \[MB/s\].
    ///
    /// # Panics
    /// If no socket is available.
    pub fn socket_rate_at(&self, block: usize, at_once: usize, lasts: Duration) -> f64 {
        let send = |address: &str| {
            let mut stream = TcpStream::connect(address).expect("it listens");
            stream.set_nodelay(true).expect("a socket");
            let bytes = vec![7; block * at_once];
            let started = crate::clock::now();
            while started.elapsed() < lasts && stream.write_all(&bytes).is_ok() {}
        };
        self.run(send, |tell| {
            let listener = TcpListener::bind((self.receiver, 0)).expect("a port");
            tell.send(listener.local_addr().expect("bound").to_string()).expect("it waits");
            let (mut stream, _) = listener.accept().expect("somebody comes");
            let mut place = vec![0; block * at_once];
            let (started, mut bytes) = (crate::clock::now(), 0);
            while let Ok(read) = stream.read(&mut place)
                && read > 0
            {
                bytes += read
            }
            bytes as f64 / 1e6 / started.elapsed().as_secs_f64()
        })
    }

    /// Maximum of a plain socket with blocks of this size \[MB/s\]: one block a call, or
    /// [`at_once`] blocks, as the transport does.
    ///
    /// # Panics
    /// Like [`BenchRoute::socket_rate_at`].
    pub fn socket_rate(&self, block: usize, lasts: Duration) -> f64 {
        self.socket_rate_at(block, 1, lasts / 2).max(self.socket_rate_at(
            block,
            at_once(block),
            lasts / 2,
        ))
    }

    /// Throughput of the transport into slots \[MB/s\], with TLS if there are keys. The receiver
    /// acknowledges each quarter of the ring.
    ///
    /// # Panics
    /// Like [`BenchRoute::socket_rate_at`].
    pub fn transport_rate(&self, block: usize, lasts: Duration, keys: Option<&EndKeys>) -> f64 {
        let own = keys.map(|ends| ends.client.clone());
        self.run(
            |address| send(address, block, lasts, own),
            |tell| {
                let keys = keys.map(|ends| ends.node.clone());
                receive(listening(self.receiver, keys, tell), block)
            },
        )
    }

    /// Like [`BenchRoute::transport_rate`] with a node in between. It forwards each block from its
    /// slot, without xor or copy.
    ///
    /// # Panics
    /// Like [`BenchRoute::socket_rate_at`].
    pub fn relayed_rate(&self, block: usize, lasts: Duration) -> f64 {
        let (tell_last, told_last) = channel::<String>();
        let (tell_via, told_via) = channel::<String>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                (self.enter)(Party::Between);
                let between = listening(self.between, None, &tell_via);
                let Ok(last) = told_last.recv() else { return };
                forward(between, &last, block)
            });
            let sender = move |last: &str| {
                let _ = tell_last.send(last.into());
                let Ok(via) = told_via.recv() else { return };
                send(&via, block, lasts, None)
            };
            self.run(sender, |tell| receive(listening(self.receiver, None, tell), block))
        })
    }
}

pub struct EndKeys {
    /// Keys of node 0.
    pub node: Keys,
    pub client: Keys,
}

fn listening(at: IpAddr, keys: Option<Keys>, tell: &Sender<String>) -> Tcp {
    let options = TcpOptions { keys, ..TcpOptions::default() };
    let here = Tcp::listen(SocketAddr::new(at, 0), options).expect("a port");
    // The other thread may have ended.
    let _ = tell.send(here.address().expect("bound").to_string());
    here
}

fn receive(mut here: Tcp, block: usize) -> f64 {
    let ring = here.register(slots(block), block).expect("memory");
    let (mut started, mut blocks, mut peer) = (crate::clock::now(), 0, None);
    loop {
        match here.poll(SILENCE) {
            Some(Event::Opened(link)) => {
                here.allow(link, ring, slots(block));
                here.send(link, vec![ring as u8]);
                peer = Some(link);
            }
            Some(Event::Arrived { .. }) => {
                if blocks == 0 {
                    started = crate::clock::now()
                }
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
    (blocks * block) as f64 / 1e6 / started.elapsed().as_secs_f64()
}

/// Forwards blocks; a slot is free again when its block was sent.
fn forward(mut node: Tcp, last: &str, block: usize) {
    let count = slots(block);
    let ring = node.register(count, block).expect("memory");
    let out = node.connect(last, 0);
    let (mut from, mut is_greeted, mut is_ready) = (None, false, false);
    let (mut waiting, mut credits, mut next, mut freed) = (VecDeque::new(), 0, 0, 0);
    loop {
        match node.poll(SILENCE) {
            Some(Event::Opened(link)) => {
                node.allow(link, ring, count);
                from = Some(link)
            }
            Some(Event::Message { link, .. }) if link == out => {
                credits += if is_ready { count / 4 } else { count };
                is_ready = true
            }
            Some(Event::Arrived { slot, .. }) => waiting.push_back(slot as usize),
            Some(Event::Sent { .. }) => {
                freed += 1;
                if freed % (count / 4) == 0
                    && let Some(link) = from
                {
                    node.send(link, vec![1])
                }
            }
            Some(Event::Up(_)) => {}
            _ => return,
        }
        if is_ready
            && !is_greeted
            && let Some(link) = from
        {
            node.send(link, vec![ring as u8]);
            is_greeted = true
        }
        while credits > 0
            && let Some(slot) = waiting.pop_front()
        {
            credits -= 1;
            let (to, from) = ((next % count) as u32, (ring, slot));
            next += 1;
            node.write_imm(out, Write { from, length: block, ring: 0, slot: to, imm: 0, token: 0 })
        }
    }
}

fn send(address: &str, block: usize, lasts: Duration, keys: Option<Keys>) {
    let options = TcpOptions { keys, ..TcpOptions::default() };
    let mut there = Tcp::client(options).expect("a socket");
    let own = there.register(1, block).expect("memory");
    let link = there.connect(address, 0);
    let (mut begun, mut credits, mut next) = (None, 0, 0);
    loop {
        match there.poll(SILENCE) {
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
