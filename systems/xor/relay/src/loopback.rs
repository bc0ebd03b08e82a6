//! Blocks from one end to the other: through the `tcp` transport, and through a bare socket. Over
//! loopback a measure of what the transport costs, and none of a network; on a [`Road`] between
//! hosts a measure of both.
use crate::keys::Keys;
use crate::transport::{Event, Tcp, TcpOptions, Transport, Write};
use std::collections::VecDeque;
use std::io::{Read, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// Bytes that a bare socket is handed at once.
const AT_ONCE: usize = 256 << 10;
/// After so long without anything an end is gone.
const SILENCE: Duration = Duration::from_secs(5);

/// Slots of the receiver's ring: about 1 MB, which stays in the cache.
fn slots(block: usize) -> usize {
    ((1 << 20) / block).clamp(4, 64)
}

/// Blocks of this size that a bare socket is handed at once, for as many bytes as the transport
/// hands it.
pub fn at_once(block: usize) -> usize {
    (AT_ONCE / block).clamp(1, slots(block))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Party {
    Sender,
    Between,
    Receiver,
}

/// Where the parties are; each is a thread.
#[derive(Clone, Copy)]
pub struct Road<'r> {
    /// At which address one listens who does.
    pub between: IpAddr,
    /// At which address the receiver listens.
    pub receiver: IpAddr,
    /// What a thread does first: it goes to its host.
    pub enter: &'r (dyn Fn(Party) + Sync),
}

/// All parties on this machine, without a link between them.
pub const LOOPBACK: Road<'static> = Road {
    between: IpAddr::V4(Ipv4Addr::LOCALHOST),
    receiver: IpAddr::V4(Ipv4Addr::LOCALHOST),
    enter: &|_| {},
};

impl Road<'_> {
    /// A thread that receives and says where, and one that sends there; what the first measures.
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

    /// One thread writes blocks, so many a call, and one reads them \[MB/s\].
    ///
    /// # Panics
    /// Where sockets cannot be had.
    pub fn bare(&self, block: usize, at_once: usize, lasts: Duration) -> f64 {
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

    /// The most that a socket carries in blocks of this size: one a call, or as many as the
    /// transport hands the kernel, whatever is more \[MB/s\].
    ///
    /// # Panics
    /// As for [`Road::bare`].
    pub fn raw(&self, block: usize, lasts: Duration) -> f64 {
        self.bare(block, 1, lasts / 2).max(self.bare(block, at_once(block), lasts / 2))
    }

    /// The same through the transport, encrypted where there are keys: into slots, each
    /// acknowledged when a quarter of the ring is in.
    ///
    /// # Panics
    /// As for [`Road::bare`].
    pub fn through(&self, block: usize, lasts: Duration, keys: Option<&Ends>) -> f64 {
        let own = keys.map(|ends| ends.client.clone());
        self.run(
            |address| send(address, block, lasts, own),
            |tell| {
                let keys = keys.map(|ends| ends.node.clone());
                receive(listening(self.receiver, keys, tell), block)
            },
        )
    }

    /// The same with a node between, which hands each block on from the slot that it came into: no
    /// xor and no copy.
    ///
    /// # Panics
    /// As for [`Road::bare`].
    pub fn relayed(&self, block: usize, lasts: Duration) -> f64 {
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

/// What the two ends of an encrypted connection show.
pub struct Ends {
    /// Node 0.
    pub node: Keys,
    pub client: Keys,
}

fn listening(at: IpAddr, keys: Option<Keys>, tell: &Sender<String>) -> Tcp {
    let options = TcpOptions { keys, ..TcpOptions::default() };
    let here = Tcp::listen(SocketAddr::new(at, 0), options).expect("a port");
    // Nobody waits for it any more where the other thread has ended.
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

/// Between two others: a slot is free again when its block has gone on.
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
