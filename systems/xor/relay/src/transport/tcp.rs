//! TCP: received bytes go from the socket straight into their slot.
mod acceptor;
mod channel;
mod conn;
mod disconnect;
mod socket;

pub use socket::TcpOptions;

use super::{Event, Link, Traffic, Transport, Waker, Write};
use crate::memory::{Memory, Ring, Rings};
use crate::refusals::RefusedPeers;
use acceptor::{AT_A_TIME, Accepted, Acceptor, CROWDED, FULL};
use channel::Channel;
use conn::Conn;
use disconnect::Disconnect;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::ops::DerefMut;
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Limit of one process.
const MOST_CONNECTIONS: usize = 4096;

pub struct Tcp {
    options: TcpOptions,
    acceptor: Option<Acceptor>,
    conns: BTreeMap<Link, Conn>,
    next: Link,
    rings: Rings,
    events: VecDeque<Event>,
    refused: RefusedPeers,
    /// The layer above has an RDMA device and handles messages about RDMA.
    accepts_rdma: bool,
    waker: Waker,
    bell: UnixStream,
    woken: mpsc::Receiver<u64>,
    started: Instant,
}

impl Tcp {
    /// For clients: no listener.
    pub fn client(options: TcpOptions) -> io::Result<Tcp> {
        let (bell, ringer) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        ringer.set_nonblocking(true)?;
        let (waker, woken) = Waker::silent();
        Ok(Tcp {
            options,
            acceptor: None,
            conns: BTreeMap::new(),
            next: 0,
            rings: Rings::default(),
            events: VecDeque::new(),
            refused: RefusedPeers::default(),
            accepts_rdma: false,
            waker: Waker { bell: Some(Arc::new(ringer)), ..waker },
            bell,
            woken,
            started: crate::clock::now(),
        })
    }

    pub fn listen(address: SocketAddr, options: TcpOptions) -> io::Result<Tcp> {
        let acceptor = Acceptor::open(address, &options)?;
        Ok(Tcp { acceptor: Some(acceptor), ..Tcp::client(options)? })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.acceptor.as_ref().ok_or_else(|| io::Error::other("no listener"))?.address()
    }

    fn add(&mut self, conn: Conn) -> Link {
        let link = self.next;
        self.next += 1;
        self.conns.insert(link, conn);
        link
    }

    fn accept(&mut self) {
        let now = crate::clock::now();
        for _ in 0..AT_A_TIME {
            let Some(acceptor) = &mut self.acceptor else { return };
            match acceptor.accept(now) {
                Accepted::Connection(stream, from) => self.take_in(stream, from.ip(), now),
                Accepted::Nothing => return,
                Accepted::OutOfDescriptors => {
                    let first = acceptor.first_to_go(&self.conns);
                    return match first {
                        Some(link) => self.reject(link, FULL),
                        None => self.refused.note("somebody", FULL),
                    };
                }
            }
        }
    }

    /// Adds a new connection. If connections or descriptors run out, an unidentified one is closed.
    fn take_in(&mut self, stream: TcpStream, from: IpAddr, now: Instant) {
        let Some(acceptor) = &mut self.acceptor else { return };
        let is_full = acceptor.is_reserved(&stream) || self.conns.len() >= MOST_CONNECTIONS;
        if is_full || acceptor.is_crowded(&self.conns) {
            let why = if is_full { FULL } else { CROWDED };
            match acceptor.first_to_go(&self.conns) {
                Some(link) => self.reject(link, why),
                None => return self.refused.note(&from.to_string(), why),
            }
        }
        if socket::tune(&stream, &self.options).is_ok() {
            let channel = Channel::new(stream, self.options.keys.as_ref(), None);
            let link = self.add(Conn::new(channel, false, self.accepts_rdma));
            if let Some(acceptor) = &mut self.acceptor {
                acceptor.add(link, from, now)
            }
        }
    }

    /// Closes a rejected connection.
    fn reject(&mut self, link: Link, why: &str) {
        if let Some(conn) = self.conns.remove(&link) {
            self.refused.note(&address_of(&conn), why);
            self.events.push_back(Event::Down { link, why: why.into() })
        }
    }

    fn end_late(&mut self) {
        let Some(acceptor) = &mut self.acceptor else { return };
        for (link, why) in acceptor.late(&self.conns, crate::clock::now()) {
            self.reject(link, &why)
        }
    }

    /// Sends waiting data; closes links that fail.
    fn flush(&mut self) {
        let links: Vec<Link> =
            self.conns.iter().filter(|(_, c)| c.wants_to_write()).map(|(l, _)| *l).collect();
        for link in links {
            self.with(link, |conn, rings, events| conn.flush(link, rings, events))
        }
    }

    fn with(
        &mut self,
        link: Link,
        work: impl FnOnce(&mut Conn, &mut Rings, &mut VecDeque<Event>) -> Result<(), Disconnect>,
    ) {
        let Some(conn) = self.conns.get_mut(&link) else { return };
        if let Err(disconnect) = work(conn, &mut self.rings, &mut self.events) {
            if conn.is_refused(&disconnect) {
                self.refused.note(&address_of(conn), &disconnect.0)
            }
            let Disconnect(why) = disconnect;
            self.conns.remove(&link);
            self.events.push_back(Event::Down { link, why })
        }
    }

    /// From now on, messages about RDMA are kept for [`Tcp::take_rdma_message`].
    pub(super) fn accept_rdma(&mut self) {
        self.accepts_rdma = true
    }

    pub(super) fn take_rdma_message(&mut self) -> Option<(Link, Vec<u8>)> {
        self.conns
            .iter_mut()
            .find_map(|(link, conn)| Some((*link, conn.rdma_messages.pop_front()?)))
    }

    /// Sends a message about RDMA, in order with other messages.
    pub(super) fn send_rdma_message(&mut self, link: Link, message: &[u8]) {
        self.with(link, |conn, _, _| conn.push_rdma_message(message))
    }

    /// The local address of a connection.
    pub(super) fn local(&self, link: Link) -> Option<IpAddr> {
        Some(self.conns.get(&link)?.stream().local_addr().ok()?.ip())
    }

    /// # Panics
    /// If the ring is not registered.
    pub(super) fn ring(&mut self, ring: Ring) -> &mut Memory {
        self.rings.find_mut(ring).unwrap_or_else(|| panic!("ring {ring} is not registered"))
    }

    /// Releases a ring and returns its memory.
    pub(super) fn take_ring(&mut self, ring: Ring) -> Option<Memory> {
        if let Some(memory) = self.rings.find(ring) {
            self.conns.values_mut().for_each(|conn| conn.forget(ring, memory))
        }
        self.rings.release(ring)
    }

    /// The next event, without polling sockets.
    pub(super) fn take_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Sends waiting data. If that caused no event, waits for sockets or `also` and handles them.
    pub(super) fn turn(&mut self, wait: Duration, also: Option<BorrowedFd<'_>>) {
        self.flush();
        if self.events.is_empty() {
            self.wait(wait, also)
        }
    }

    fn wait(&mut self, wait: Duration, also: Option<BorrowedFd<'_>>) {
        let now = crate::clock::now();
        let wait = self.acceptor.as_ref().map_or(wait, |acceptor| acceptor.rest(now, wait));
        let mut links = Vec::with_capacity(self.conns.len());
        let mut fds = Vec::with_capacity(self.conns.len() + 3);
        fds.push(PollFd::new(&self.bell, PollFlags::IN));
        let listener = self.acceptor.as_mut().and_then(|acceptor| acceptor.listener(now));
        fds.extend(listener.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        let first = fds.len();
        for (link, conn) in &self.conns {
            links.push(*link);
            fds.push(PollFd::new(conn.stream(), conn.interest()));
        }
        if let Some(also) = also {
            fds.push(PollFd::from_borrowed_fd(also, PollFlags::IN))
        }
        let wait = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: wait.subsec_nanos().into() };
        if poll(&mut fds, Some(&wait)).is_err() {
            return; // Interrupted by a signal: the caller looks at its flag.
        }
        let ready: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
        drop(fds);
        if !ready[0].is_empty() {
            self.drain_bell()
        }
        for (link, flags) in links.into_iter().zip(&ready[first..]).filter(|(_, f)| !f.is_empty()) {
            self.with(link, |conn, rings, events| conn.ready(*flags, link, rings, events))
        }
        // Existing connections first: their hello may have arrived just now.
        if first > 1 && !ready[1].is_empty() {
            self.accept()
        }
        self.end_late()
    }

    fn drain_bell(&mut self) {
        let mut buffer = [0; 64];
        while matches!(self.bell.read(&mut buffer), Ok(n) if n > 0) {}
        self.events.extend(self.woken.try_iter().map(Event::Woken));
    }
}

impl Transport for Tcp {
    fn is_node(&self, link: Link, node: usize) -> bool {
        self.conns.get(&link).is_some_and(|conn| conn.is_node(node))
    }

    fn takes_address(&self, address: &str) -> bool {
        crate::transport::is_address(address)
    }

    fn peer(&self, link: Link) -> Option<String> {
        self.conns.get(&link).map(address_of)
    }

    fn take_refused(&mut self) -> RefusedPeers {
        std::mem::take(&mut self.refused)
    }

    fn traffic(&self) -> Traffic {
        let waiting = self.acceptor.as_ref().map_or(0, |acceptor| acceptor.waiting(&self.conns));
        Traffic { connections: self.conns.len(), waiting }
    }

    fn connect(&mut self, address: &str, node: usize) -> Link {
        match socket::connect(address, &self.options) {
            Ok(stream) => {
                let keys = self.options.keys.as_ref();
                let channel = Channel::new(stream, keys, Some(node));
                self.add(Conn::new(channel, true, self.accepts_rdma))
            }
            Err(e) => {
                let link = self.next;
                self.next += 1;
                self.events.push_back(Event::Down { link, why: e.to_string() });
                link
            }
        }
    }

    fn close(&mut self, link: Link) {
        if let Some(mut conn) = self.conns.remove(&link) {
            // A last message that fits into the socket's buffer is still sent.
            let _ = conn.flush(link, &mut self.rings, &mut VecDeque::new());
            conn.end();
        }
        self.events.retain(|event| !event.is_of(link));
    }

    fn register(&mut self, slots: usize, slot_bytes: usize) -> io::Result<Ring> {
        Ok(self.rings.register(slots, slot_bytes))
    }

    fn release(&mut self, ring: Ring) {
        self.take_ring(ring);
    }

    fn allow(&mut self, link: Link, ring: Ring, slots: usize) {
        if let Some(conn) = self.conns.get_mut(&link) {
            conn.allowed.insert(ring, slots);
        }
    }

    fn memory(&mut self, ring: Ring) -> impl DerefMut<Target = Memory> + '_ {
        self.ring(ring)
    }

    fn registered(&self) -> usize {
        self.rings.bytes()
    }

    fn write_imm(&mut self, link: Link, write: Write) {
        if let Some(conn) = self.conns.get_mut(&link) {
            conn.push_block(write)
        }
    }

    fn send(&mut self, link: Link, message: Vec<u8>) {
        self.with(link, |conn, _, _| conn.push_message(&message))
    }

    fn poll(&mut self, wait: Duration) -> Option<Event> {
        let begun = crate::clock::now();
        while self.events.is_empty() {
            let left = wait.saturating_sub(begun.elapsed());
            self.turn(left, None);
            // Progress may have caused no event yet: half a block, a connection without its hello.
            if left.is_zero() {
                break;
            }
        }
        self.events.pop_front()
    }

    fn waker(&self) -> Waker {
        self.waker.clone()
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Without the port, which means nothing for clients.
fn address_of(conn: &Conn) -> String {
    conn.stream().peer_addr().map_or_else(|_| "somebody".into(), |peer| peer.ip().to_string())
}
