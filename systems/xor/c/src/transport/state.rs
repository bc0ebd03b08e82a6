//! What a handle of a transport holds, in safe code. The transport itself trusts whoever uses it;
//! here rings, slots and links are looked up before it is asked.
use crate::handle::{Outcome, Problem, c_text};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, c_char};
use std::net::ToSocketAddrs;
use std::path::Path;
use std::time::Duration;
use xor_protocol::object::MAX_BLOCK;
use xor_relay::keys::Keys;
use xor_relay::memory::Ring;
use xor_relay::transport::{Event, Link, Tcp, TcpOptions, Transport as _, Waker, Write};
use xor_relay::wire::MAX_MESSAGE;

/// Bytes of a slot, at most: `TENBIN_MOST_SLOT`.
const MOST_SLOT: usize = MAX_BLOCK as usize;

/// `tenbin_write`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The sender's ring.
    pub from_ring: u32,
    pub from_slot: u32,
    /// The receiver's ring.
    pub to_ring: u32,
    pub to_slot: u32,
    /// Bytes.
    pub length: u32,
    pub imm: u32,
    pub token: u64,
}

/// `tenbin_event`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Happened {
    /// `TENBIN_NOTHING` or another.
    pub kind: i32,
    pub link: u32,
    pub ring: u32,
    pub slot: u32,
    pub imm: u32,
    /// Of a write, or of a waker.
    pub token: u64,
    /// Bytes.
    pub length: usize,
    pub data: *const u8,
}

/// What `tenbin_transport` is.
#[derive(Default)]
pub struct End {
    tcp: Option<Tcp>,
    address: CString,
    /// Rings that are registered: slots, and bytes of each.
    rings: BTreeMap<Ring, (usize, usize)>,
    /// Links of which no end has been told.
    links: BTreeSet<Link>,
    /// What the last event points to.
    last: Vec<u8>,
}

/// Handles go from thread to thread, and threads share wakers: the header says so.
const _: fn() = || {
    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}
    is_send::<Tcp>();
    is_send::<xor_relay::client::Client<Tcp>>();
    is_sync::<Waker>();
};

impl End {
    pub(super) fn open(&mut self, listen: Option<&str>, keys: Option<&Path>) -> Outcome {
        let keys = keys.map(Keys::read).transpose()?;
        let options = TcpOptions { keys, ..TcpOptions::default() };
        let Some(listen) = listen else {
            let tcp = Tcp::client(options);
            self.tcp = Some(tcp.map_err(|e| Problem::failed(format!("no socket: {e}")))?);
            return Ok(());
        };
        let bad = |why: &str| Problem::bad(format!("{listen}: {why}: expected HOST:PORT"));
        let found = listen.to_socket_addrs().map_err(|e| bad(&e.to_string()))?.next();
        let found = found.ok_or_else(|| bad("no such host"))?;
        let failed = |e| Problem::failed(format!("cannot listen on {listen}: {e}"));
        let tcp = Tcp::listen(found, options).map_err(failed)?;
        self.address = c_text(&tcp.address().map_err(failed)?.to_string());
        self.tcp = Some(tcp);
        Ok(())
    }

    pub(super) fn tcp(&mut self) -> Result<&mut Tcp, Problem> {
        self.tcp.as_mut().ok_or_else(|| Problem::failed("the transport could not be opened"))
    }

    /// The transport, for a link that there is.
    pub(super) fn tcp_of(&mut self, link: Link) -> Result<&mut Tcp, Problem> {
        match self.links.contains(&link) {
            true => self.tcp(),
            false => Err(Problem::bad(format!("there is no link {link}"))),
        }
    }

    pub(super) fn address(&mut self) -> Result<*const c_char, Problem> {
        self.tcp()?;
        Ok(self.address.as_ptr())
    }

    pub(super) fn connect(&mut self, address: &str, node: usize) -> Result<Link, Problem> {
        let link = self.tcp()?.connect(address, node);
        self.links.insert(link);
        Ok(link)
    }

    pub(super) fn disconnect(&mut self, link: Link) -> Outcome {
        self.tcp_of(link)?.close(link);
        self.links.remove(&link);
        Ok(())
    }

    pub(super) fn register(&mut self, slots: usize, slot_bytes: usize) -> Result<Ring, Problem> {
        let tcp = self.tcp()?;
        if slots == 0 || u32::try_from(slots).is_err() || !(1..=MOST_SLOT).contains(&slot_bytes) {
            let expected = format!("expected slots, each of 1 to {MOST_SLOT} bytes");
            return Err(Problem::bad(format!("{slots} slots of {slot_bytes} bytes: {expected}")));
        }
        let bytes = slots.checked_mul(slot_bytes);
        // Rust ends the process where memory is lacking: what cannot be had is found out before.
        match bytes.map(|bytes| Vec::<u8>::new().try_reserve_exact(bytes)) {
            Some(Ok(())) => {}
            _ => {
                return Err(Problem::failed(format!("no memory for {slots} × {slot_bytes} bytes")));
            }
        }
        let ring = tcp.register(slots, slot_bytes).map_err(|e| Problem::failed(e.to_string()))?;
        self.rings.insert(ring, (slots, slot_bytes));
        Ok(ring)
    }

    /// Slots of a ring, and bytes of each.
    fn ring(&self, ring: Ring) -> Result<(usize, usize), Problem> {
        let known = self.rings.get(&ring).copied();
        known.ok_or_else(|| Problem::bad(format!("no ring has the number {ring}")))
    }

    /// Bytes of a slot that there is.
    fn slot_bytes(&self, ring: Ring, slot: u32) -> Result<usize, Problem> {
        let (slots, bytes) = self.ring(ring)?;
        match (slot as usize) < slots {
            true => Ok(bytes),
            false => Err(Problem::bad(format!("ring {ring} has {slots} slots, and none {slot}"))),
        }
    }

    pub(super) fn release(&mut self, ring: Ring) -> Outcome {
        self.ring(ring)?;
        self.tcp()?.release(ring);
        self.rings.remove(&ring);
        Ok(())
    }

    pub(super) fn allow(&mut self, link: Link, ring: Ring, slots: usize) -> Outcome {
        let (all, _) = self.ring(ring)?;
        if slots > all {
            return Err(Problem::bad(format!("ring {ring} has {all} slots, not {slots}")));
        }
        self.tcp_of(link)?.allow(link, ring, slots);
        Ok(())
    }

    /// A ring's memory stays where it is until it is released.
    pub(super) fn slot(&mut self, ring: Ring, slot: u32) -> Result<*mut u8, Problem> {
        let bytes = self.slot_bytes(ring, slot)?;
        Ok(self.tcp()?.memory(ring).get_mut(slot as usize, bytes).as_mut_ptr())
    }

    pub(super) fn write(&mut self, link: Link, block: &Block) -> Outcome {
        let most = self.slot_bytes(block.from_ring, block.from_slot)?;
        let length = block.length as usize;
        if !(1..=most).contains(&length) {
            let ring = block.from_ring;
            let words = format!("a block of {length} bytes from slots of {most} in ring {ring}");
            return Err(Problem::bad(words));
        }
        let write = Write {
            from: (block.from_ring, block.from_slot as usize),
            length,
            ring: block.to_ring,
            slot: block.to_slot,
            imm: block.imm,
            token: block.token,
        };
        self.tcp_of(link)?.write_imm(link, write);
        Ok(())
    }

    pub(super) fn send(&mut self, link: Link, message: &[u8]) -> Outcome {
        let length = message.len();
        if !(1..=MAX_MESSAGE).contains(&length) {
            let expected = format!("expected 1 to {MAX_MESSAGE}");
            return Err(Problem::bad(format!("a message of {length} bytes: {expected}")));
        }
        self.tcp_of(link)?.send(link, message.to_vec());
        Ok(())
    }

    pub(super) fn poll(&mut self, wait: Duration) -> Result<Happened, Problem> {
        let event = self.tcp()?.poll(wait);
        self.last = Vec::new();
        let (link, ring, slot, imm) = (0, 0, 0, 0);
        let (token, length, data) = (0, 0, std::ptr::null());
        let none = Happened { kind: 0, link, ring, slot, imm, token, length, data };
        Ok(match event {
            None => none,
            Some(Event::Opened(link)) => {
                self.links.insert(link);
                Happened { kind: 1, link, ..none }
            }
            Some(Event::Up(link)) => Happened { kind: 2, link, ..none },
            Some(Event::Down { link, why }) => {
                self.links.remove(&link);
                self.last = c_text(&why).into_bytes_with_nul();
                let length = self.last.len() - 1;
                Happened { kind: 3, link, length, data: self.last.as_ptr(), ..none }
            }
            Some(Event::Message { link, bytes }) => {
                self.last = bytes;
                let (length, data) = (self.last.len(), self.last.as_ptr());
                Happened { kind: 4, link, length, data, ..none }
            }
            Some(Event::Arrived { link, ring, slot, length, imm }) => {
                Happened { kind: 5, link, ring, slot, imm, length, ..none }
            }
            Some(Event::Sent { link, token }) => Happened { kind: 6, link, token, ..none },
            Some(Event::Woken(token)) => Happened { kind: 7, token, ..none },
        })
    }
}
