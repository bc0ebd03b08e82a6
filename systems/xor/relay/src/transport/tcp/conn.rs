//! A connection: frames in both directions, never blocking.
mod body;
mod out;

use super::channel::Channel;
use super::disconnect::{CLOSED, Disconnect, SILENT, failed};
use super::{Event, Link, Write};
use crate::memory::{Memory, Ring, Rings};
use crate::wire::{HEAD, Head, VERSION};
use body::{Block, Body, together};
use out::Out;
use rustix::event::PollFlags;
use std::collections::{BTreeMap, VecDeque};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Instant;

/// Limit of reads from a connection before others are handled \[bytes\].
const TURN: usize = 1 << 20;

/// Largest block for a released ring \[bytes\].
const MOST_BLOCK: usize = xor_protocol::object::MAX_BLOCK as usize;

/// First bytes of a TLS alert.
const ALERT: [u8; 2] = [21, 3];

pub(super) struct Conn {
    channel: Channel,
    is_ours: bool,
    is_connected: bool,
    /// The peer's hello has arrived.
    is_greeted: bool,
    /// A first message has arrived.
    has_spoken: bool,
    /// Arrival of the first bytes after the hello.
    first_began: Option<Instant>,
    /// Rings that the peer may write into, with the number of slots.
    pub(super) allowed: BTreeMap<Ring, usize>,
    head: [u8; HEAD],
    head_filled: usize,
    body: Body,
    body_filled: usize,
    out: Out,
    /// Messages about RDMA are accepted.
    accepts_rdma: bool,
    pub(super) rdma_messages: VecDeque<Vec<u8>>,
}

impl Conn {
    pub(super) fn new(channel: Channel, is_ours: bool, accepts_rdma: bool) -> Conn {
        Conn {
            channel,
            is_ours,
            is_connected: !is_ours,
            is_greeted: false,
            has_spoken: false,
            first_began: None,
            allowed: BTreeMap::new(),
            head: [0; HEAD],
            head_filled: 0,
            body: Body::None,
            body_filled: 0,
            out: Out::new(Head::Hello { version: VERSION }),
            accepts_rdma,
            rdma_messages: VecDeque::new(),
        }
    }

    /// An incoming connection was rejected, by its failure or by the limits.
    pub(super) fn is_refused(&self, disconnect: &Disconnect) -> bool {
        !self.is_ours && ![CLOSED, SILENT].contains(&disconnect.0.as_str())
    }

    pub(super) fn is_greeted(&self) -> bool {
        self.is_greeted
    }

    pub(super) fn is_unidentified(&self) -> bool {
        !self.has_spoken
    }

    pub(super) fn first_began(&self) -> Option<Instant> {
        self.first_began
    }

    pub(super) fn stream(&self) -> &TcpStream {
        self.channel.stream()
    }

    pub(super) fn is_node(&self, node: usize) -> bool {
        self.channel.is_node(node)
    }

    pub(super) fn end(&mut self) {
        self.channel.end()
    }

    pub(super) fn push_block(&mut self, write: Write) {
        self.out.push_block(write)
    }

    pub(super) fn push_message(&mut self, message: &[u8]) -> Result<(), Disconnect> {
        self.out.push_message(message)
    }

    pub(super) fn push_rdma_message(&mut self, message: &[u8]) -> Result<(), Disconnect> {
        self.out.push(Head::RdmaMessage { length: message.len() as u32 }, message)
    }

    pub(super) fn forget(&mut self, ring: Ring, memory: &Memory) {
        self.out.forget(ring, memory)
    }

    pub(super) fn wants_to_write(&self) -> bool {
        self.is_connected && self.has_more()
    }

    fn has_more(&self) -> bool {
        !self.out.is_empty() && self.channel.takes() || self.channel.wants_to_write()
    }

    pub(super) fn interest(&self) -> PollFlags {
        match self.is_connected && !self.has_more() {
            true => PollFlags::IN,
            false => PollFlags::IN | PollFlags::OUT,
        }
    }

    pub(super) fn flush(
        &mut self,
        link: Link,
        rings: &mut Rings,
        events: &mut VecDeque<Event>,
    ) -> Result<(), Disconnect> {
        self.out.flush(&mut self.channel, rings, &mut |token| {
            events.push_back(Event::Sent { link, token })
        })?;
        self.channel.flush().map_err(failed)
    }

    pub(super) fn ready(
        &mut self,
        flags: PollFlags,
        link: Link,
        rings: &mut Rings,
        events: &mut VecDeque<Event>,
    ) -> Result<(), Disconnect> {
        if !self.is_connected {
            if let Some(e) = self.stream().take_error().map_err(failed)? {
                return Err(failed(e));
            }
            self.is_connected = flags.contains(PollFlags::OUT);
        }
        if flags.contains(PollFlags::OUT) {
            self.flush(link, rings, events)?
        }
        let readable = PollFlags::IN | PollFlags::HUP | PollFlags::ERR;
        match self.is_connected && flags.intersects(readable) {
            true => self.read(link, rings, events),
            false => Ok(()),
        }
    }

    fn read(
        &mut self,
        link: Link,
        rings: &mut Rings,
        events: &mut VecDeque<Event>,
    ) -> Result<(), Disconnect> {
        let mut taken = 0;
        // Decrypted bytes must be used up: the socket does not announce them.
        while taken < TURN || self.channel.has_read() {
            let Some(read) = self.read_some(rings)? else { return Ok(()) };
            taken += read;
            let body = read.min(self.body_room());
            self.body_filled += body;
            self.head_filled += read - body;
            self.advance(link, rings, events)?;
            if !self.has_spoken && self.is_greeted && self.head_filled + self.body.length() > 0 {
                self.first_began.get_or_insert_with(crate::clock::now);
            }
        }
        Ok(())
    }

    /// Bytes missing from the body.
    fn body_room(&self) -> usize {
        self.body.length() - self.body_filled
    }

    /// One system call reads the rest of the body in place, and the next head after it.
    fn read_some(&mut self, rings: &mut Rings) -> Result<Option<usize>, Disconnect> {
        if let Body::Blocks(ring, _) = &self.body
            && rings.find(*ring).is_none()
        {
            self.body = Body::Skip(self.body.length())
        }
        let mut nowhere = [0; _];
        let head = &mut self.head[self.head_filled..];
        let mut places = self.body.places(self.body_filled, head, (rings, &mut nowhere));
        match self.channel.read_vectored(&mut places) {
            Ok(0) if self.head_filled >= 2 && self.head[..2] == ALERT => {
                Err(Disconnect("requires a client certificate: pass --keys DIR".into()))
            }
            Ok(0) => Err(Disconnect(CLOSED.into())),
            Ok(read) => Ok(Some(read)),
            Err(e) if e.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(e) if e.kind() == ErrorKind::Interrupted => Ok(None),
            Err(e) => Err(failed(e)),
        }
    }

    /// Handles the complete parts of a body, then a complete head.
    fn advance(
        &mut self,
        link: Link,
        rings: &Rings,
        events: &mut VecDeque<Event>,
    ) -> Result<(), Disconnect> {
        self.body_filled = self.body.take_blocks(self.body_filled, link, events);
        if self.body_room() > 0 {
            return Ok(());
        }
        self.body_filled = 0;
        match std::mem::replace(&mut self.body, Body::None) {
            Body::None | Body::Skip(_) | Body::Blocks(..) => {}
            Body::Message(bytes, sum) if crc32c::crc32c(&bytes) == sum => {
                self.has_spoken = true;
                events.push_back(Event::Message { link, bytes })
            }
            Body::Message(..) => {
                return Err(Disconnect("a message was changed in transit: wrong checksum".into()));
            }
            Body::RdmaMessage(bytes) => {
                self.has_spoken = true;
                self.rdma_messages.push_back(bytes)
            }
            Body::Heads(bytes) => {
                let (ring, blocks) = together(&bytes)?;
                self.body = self.blocks(ring, blocks, rings)?;
                return Ok(());
            }
        }
        if self.head_filled < HEAD {
            return Ok(());
        }
        self.head_filled = 0;
        let no_frame = || Disconnect("sent an invalid frame".into());
        self.body = match Head::from_bytes(&self.head).ok_or_else(no_frame)? {
            Head::Hello { version } => return self.greeted(version, link, events),
            _ if !self.is_greeted => return Err(Disconnect("sent no hello".into())),
            Head::Message { length: 0, .. } => {
                return Err(Disconnect("sent an empty message".into()));
            }
            Head::Message { length, sum } => Body::Message(vec![0; length as usize], sum),
            Head::RdmaMessage { .. } if !self.accepts_rdma => {
                return Err(Disconnect("requires RDMA, but this end uses only TCP".into()));
            }
            Head::RdmaMessage { length } => Body::RdmaMessage(vec![0; length as usize]),
            Head::Block { length, ring, slot, imm } => {
                let block = Block { slot, length: length as usize, imm };
                self.blocks(ring, [block].into(), rings)?
            }
            Head::Blocks { count } => Body::Heads(vec![0; count as usize * HEAD]),
        };
        Ok(())
    }

    /// Checks that the peer may write these blocks. Blocks for a released ring are skipped.
    fn blocks(
        &self,
        ring: Ring,
        blocks: VecDeque<Block>,
        rings: &Rings,
    ) -> Result<Body, Disconnect> {
        for block in &blocks {
            self.may_write(block, ring, rings)?
        }
        let body = Body::Blocks(ring, blocks);
        Ok(match rings.find(ring) {
            Some(_) => body,
            None => Body::Skip(body.length()),
        })
    }

    fn greeted(
        &mut self,
        version: u32,
        link: Link,
        events: &mut VecDeque<Event>,
    ) -> Result<(), Disconnect> {
        if version != VERSION {
            return Err(Disconnect(format!("uses protocol version {version}, expected {VERSION}")));
        }
        if self.is_greeted {
            return Err(Disconnect("sent two hellos".into()));
        }
        self.is_greeted = true;
        events.push_back(if self.is_ours { Event::Up(link) } else { Event::Opened(link) });
        Ok(())
    }

    fn may_write(&self, block: &Block, ring: Ring, rings: &Rings) -> Result<(), Disconnect> {
        let Block { slot, length, .. } = *block;
        let slots = self.allowed.get(&ring).copied().unwrap_or(0);
        let most = rings.find(ring).map_or(MOST_BLOCK, Memory::slot_bytes);
        match (slot as usize) < slots && (1..=most).contains(&length) {
            true => Ok(()),
            false => Err(Disconnect(format!(
                "must not write {length} bytes to slot {slot} of ring {ring}"
            ))),
        }
    }
}
