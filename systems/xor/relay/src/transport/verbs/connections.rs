//! The transport between processes: TCP, with RDMA verbs for blocks if the operator chose them.
use super::device::Device;
use super::end::{End, Pins, Stage};
use super::pair::Pair;
use super::rdma_message::{Address, RdmaMessage};
use super::ring::Pinned;
use crate::error::Error;
use crate::memory::{Memory, Ring};
use crate::refusals::RefusedPeers;
use crate::transport::{Event, Kind, Link, Tcp, TcpOptions, Traffic, Transport, Waker, Write};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::ops::DerefMut;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time of polling before a wait on the bell, which costs a system call. On a shared core, longer
/// polling would take time from the peer.
const SPIN: Duration = Duration::from_micros(20);
/// Polls between two checks of the sockets under load.
const ROUNDS: u32 = 16;
/// A peer that does not confirm a revoked ring within this time is gone.
const SILENCE: Duration = Duration::from_secs(10);

/// A released ring that a device may still access.
struct ReleasedRing {
    pinned: Pinned,
    _memory: Memory,
}

/// Connections over TCP. With a device each has a queue pair, and rings are pinned.
pub struct Connections {
    // Drop order: queue pairs, then pinned regions, then memory.
    ends: BTreeMap<Link, End>,
    pins: Pins,
    released: BTreeMap<Ring, ReleasedRing>,
    tcp: Tcp,
    events: VecDeque<Event>,
    rounds: u32,
    device: Option<Arc<Device>>,
}

impl Connections {
    /// For clients: no listener.
    ///
    /// # Errors
    /// Bad input if there is no RDMA device; failed if there is no socket.
    pub fn client(kind: Kind, options: TcpOptions) -> Result<Connections, Error> {
        Connections::over(kind, "no socket", || Tcp::client(options))
    }

    /// # Errors
    /// Bad input if there is no RDMA device; failed if the address cannot be used.
    pub fn listen(
        kind: Kind,
        address: SocketAddr,
        options: TcpOptions,
    ) -> Result<Connections, Error> {
        let what = format!("cannot listen on {address}");
        Connections::over(kind, &what, || Tcp::listen(address, options))
    }

    fn over(
        kind: Kind,
        what: &str,
        tcp: impl FnOnce() -> io::Result<Tcp>,
    ) -> Result<Connections, Error> {
        let failed = |e: io::Error| Error::Failed(format!("{what}: {e}"));
        let device = match kind {
            Kind::Tcp => None,
            Kind::Verbs => Some(Device::open().map_err(|e| match e.kind() {
                io::ErrorKind::NotFound => Error::BadInput(e.to_string()),
                _ => failed(e),
            })?),
        };
        let mut tcp = tcp().map_err(failed)?;
        if device.is_some() {
            tcp.accept_rdma()
        }
        let (ends, pins, released) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Ok(Connections { ends, pins, released, tcp, events: VecDeque::new(), rounds: 0, device })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.tcp.address()
    }

    /// Blocks of this connection go by RDMA. A peer without a device is served over TCP.
    pub fn is_paired(&self, link: Link) -> bool {
        self.ends.get(&link).is_some_and(End::is_paired)
    }

    fn fail(&mut self, link: Link, why: String) {
        self.tcp.close(link);
        if self.ends.remove(&link).is_some() {
            self.free_released();
            self.events.push_back(Event::Down { link, why })
        }
    }

    fn reply(&mut self, link: Link, message: RdmaMessage) {
        self.tcp.send_rdma_message(link, &message.to_bytes())
    }

    /// Handles completions of all queue pairs and posts waiting blocks.
    fn look(&mut self) {
        let (mut failed, mut answers) = (Vec::new(), Vec::new());
        for (&link, end) in &mut self.ends {
            let done = end.poll(link, &self.pins, &mut self.events);
            let sent = end.send(link, &self.pins, &mut self.events);
            match done.and_then(|done| sent.map(|()| done)) {
                Ok(done) => answers.extend(done.into_iter().map(|message| (link, message))),
                Err(why) => failed.push((link, why)),
            }
        }
        answers.into_iter().for_each(|(link, message)| self.reply(link, message));
        failed.into_iter().for_each(|(link, why)| self.fail(link, why));
        if !self.released.is_empty() {
            self.free_released();
            self.drop_unresponsive()
        }
    }

    /// Frees released memory that no device uses any more.
    fn free_released(&mut self) {
        let ends = &self.ends;
        self.released.retain(|ring, _| ends.values().any(|end| end.uses(*ring)))
    }

    /// Ends connections to peers that do not confirm a revoked ring.
    fn drop_unresponsive(&mut self) {
        let now = self.tcp.now();
        let is_late = |end: &End| end.asked_since().is_some_and(|since| now >= since + SILENCE);
        let late: Vec<Link> =
            self.ends.iter().filter(|(_, end)| is_late(end)).map(|(link, _)| *link).collect();
        late.into_iter().for_each(|link| self.fail(link, "does not release a ring".into()))
    }

    /// Handles sockets; waits at most `wait` or until the device's bell rings.
    fn serve(&mut self, wait: Duration) {
        let Some(device) = self.device.clone() else { return };
        self.tcp.turn(wait, Some(device.bell()));
        if device.take_events() {
            self.ends.values_mut().filter_map(End::pair).for_each(Pair::disarm)
        }
        while let Some(event) = self.tcp.take_event() {
            self.handle_event(event)
        }
        while let Some((link, bytes)) = self.tcp.take_rdma_message() {
            let handled = match RdmaMessage::from_bytes(&bytes) {
                Some(message) => self.handle_rdma_message(link, message),
                None => Err("sent an invalid RDMA message".into()),
            };
            if let Err(why) = handled {
                self.fail(link, why)
            }
        }
    }

    fn handle_event(&mut self, event: Event) {
        match event {
            Event::Opened(link) => drop(self.ends.insert(link, End::new(Stage::Fresh))),
            Event::Up(link) => match self.pair(link) {
                Ok(pair) => {
                    self.reply(link, RdmaMessage::Pair(pair.address()));
                    self.ends.insert(link, End::new(Stage::Asked(pair)));
                }
                Err(e) => {
                    self.tcp.close(link);
                    self.events.push_back(Event::Down { link, why: e.to_string() })
                }
            },
            Event::Down { link, mut why } => {
                let end = self.ends.remove(&link);
                self.free_released();
                if end.is_some_and(|end| matches!(end.stage, Stage::Asked(_))) {
                    why += " in reply to an RDMA request: was the node started with --transport \
                            verbs?"
                }
                self.events.push_back(Event::Down { link, why })
            }
            Event::Message { link, bytes } => {
                // A peer that begins with a message does not use RDMA.
                if let Some(end) = self.ends.get_mut(&link)
                    && matches!(end.stage, Stage::Fresh)
                {
                    end.stage = Stage::Plain;
                    self.events.push_back(Event::Opened(link))
                }
                self.events.push_back(Event::Message { link, bytes })
            }
            Event::Arrived { .. } | Event::Sent { .. } | Event::Woken(_) => {
                self.events.push_back(event)
            }
        }
    }

    fn pair(&self, link: Link) -> io::Result<Pair> {
        let device = self.device.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        Pair::new(device, device.place(self.tcp.local(link))?)
    }

    fn handle_rdma_message(&mut self, link: Link, message: RdmaMessage) -> Result<(), String> {
        if let RdmaMessage::Pair(address) = message {
            return self.meet(link, &address);
        }
        let Some(end) = self.ends.get_mut(&link) else { return Ok(()) };
        if !end.is_paired() {
            return Err("names rings before there is a queue pair".into());
        }
        match message {
            RdmaMessage::Pair(_) => Ok(()),
            RdmaMessage::Grant(grant) => end.granted(grant),
            RdmaMessage::Revoke(handle) => {
                let answer = end.revoked(handle, link, &mut self.events);
                answer.into_iter().for_each(|message| self.reply(link, message));
                Ok(())
            }
            RdmaMessage::Revoked(handle) => {
                // Earlier blocks are complete: handle them while their handle is still known.
                let answers = end.poll(link, &self.pins, &mut self.events)?;
                end.let_go(handle)?;
                answers.into_iter().for_each(|message| self.reply(link, message));
                self.free_released();
                Ok(())
            }
        }
    }

    /// Handles the address of the peer's queue pair.
    fn meet(&mut self, link: Link, address: &Address) -> Result<(), String> {
        let Some(end) = self.ends.get_mut(&link) else { return Ok(()) };
        let text = |e: io::Error| e.to_string();
        match std::mem::replace(&mut end.stage, Stage::Plain) {
            Stage::Asked(pair) => {
                pair.connect(address).map_err(text)?;
                end.stage = Stage::Paired(pair);
                self.events.push_back(Event::Up(link))
            }
            Stage::Fresh => {
                let pair = self.pair(link).map_err(text)?;
                pair.connect(address).map_err(text)?;
                // The peer writes only into granted rings; grants follow this message.
                self.reply(link, RdmaMessage::Pair(pair.address()));
                self.ends.insert(link, End::new(Stage::Paired(pair)));
                self.events.push_back(Event::Opened(link))
            }
            Stage::Paired(_) | Stage::Plain => return Err("requests RDMA too late".into()),
        }
        Ok(())
    }

    /// Waits after an unsuccessful poll: first polling, then asleep.
    fn wait(&mut self, started: Instant, wait: Duration) {
        if started.elapsed() < SPIN.min(wait) {
            return self.serve(Duration::ZERO);
        }
        self.ends.values_mut().filter_map(End::pair).for_each(Pair::arm);
        // Completions before the bell was armed do not ring it.
        self.look();
        let left = wait.saturating_sub(started.elapsed());
        self.serve(if self.events.is_empty() { left } else { Duration::ZERO })
    }
}

impl Transport for Connections {
    fn is_node(&self, link: Link, node: usize) -> bool {
        self.tcp.is_node(link, node)
    }

    fn takes_address(&self, address: &str) -> bool {
        crate::transport::is_address(address)
    }

    fn peer(&self, link: Link) -> Option<String> {
        self.tcp.peer(link)
    }

    fn take_refused(&mut self) -> RefusedPeers {
        self.tcp.take_refused()
    }

    fn traffic(&self) -> Traffic {
        self.tcp.traffic()
    }

    fn connect(&mut self, address: &str, node: usize) -> Link {
        self.tcp.connect(address, node)
    }

    fn close(&mut self, link: Link) {
        self.ends.remove(&link);
        self.free_released();
        self.tcp.close(link);
        self.events.retain(|event| !event.is_of(link));
    }

    fn register(&mut self, slots: usize, slot_bytes: usize) -> io::Result<Ring> {
        let ring = self.tcp.register(slots, slot_bytes)?;
        let Some(device) = &self.device else { return Ok(ring) };
        // SAFETY: the memory lies on the heap and is never made larger. It goes after what is
        // pinned: here by the order of fields, in `release` by that of `ReleasedRing`.
        match unsafe { Pinned::new(device, self.tcp.ring(ring)) } {
            Ok(pinned) => {
                self.pins.insert(ring, pinned);
                Ok(ring)
            }
            Err(e) => {
                self.tcp.release(ring);
                Err(e)
            }
        }
    }

    fn release(&mut self, ring: Ring) {
        let now = self.tcp.now();
        let mut answers = Vec::new();
        for (&link, end) in &mut self.ends {
            answers.extend(end.release(ring, now).map(|message| (link, message)))
        }
        answers.into_iter().for_each(|(link, message)| self.reply(link, message));
        if let (Some(pinned), Some(memory)) = (self.pins.remove(&ring), self.tcp.take_ring(ring)) {
            self.released.insert(ring, ReleasedRing { pinned, _memory: memory });
        }
        self.free_released()
    }

    fn allow(&mut self, link: Link, ring: Ring, slots: usize) {
        self.tcp.allow(link, ring, slots);
        let Some(end) = self.ends.get_mut(&link) else { return };
        let (Some(pinned), true) = (self.pins.get(&ring), end.is_paired()) else { return };
        match end.allow(ring, slots) {
            Ok(handle) => {
                let grant = pinned.grant(ring, handle, slots);
                self.reply(link, RdmaMessage::Grant(grant))
            }
            Err(why) => self.fail(link, why),
        }
    }

    fn memory(&mut self, ring: Ring) -> impl DerefMut<Target = Memory> + '_ {
        self.tcp.ring(ring)
    }

    fn registered(&self) -> usize {
        let given_back: usize = self.released.values().map(|ring| ring.pinned.bytes()).sum();
        self.tcp.registered() + given_back
    }

    fn write_imm(&mut self, link: Link, write: Write) {
        match self.ends.get_mut(&link) {
            Some(end) if end.is_paired() => end.push(write),
            _ => self.tcp.write_imm(link, write),
        }
    }

    fn send(&mut self, link: Link, message: Vec<u8>) {
        self.tcp.send(link, message)
    }

    fn poll(&mut self, wait: Duration) -> Option<Event> {
        if self.device.is_none() {
            return self.tcp.poll(wait);
        }
        let started = crate::clock::now();
        while self.events.is_empty() {
            self.look();
            self.rounds = (self.rounds + 1) % ROUNDS;
            if self.rounds == 0 {
                self.serve(Duration::ZERO)
            }
            if !self.events.is_empty() {
                break;
            }
            let is_over = started.elapsed() >= wait;
            self.wait(started, wait);
            if is_over {
                break;
            }
        }
        self.events.pop_front()
    }

    fn waker(&self) -> Waker {
        self.tcp.waker()
    }

    fn now(&self) -> Duration {
        self.tcp.now()
    }
}
