//! How blocks and messages get to the other end.
//!
//! The trait is what RDMA verbs can do, and no more: memory is registered as a *ring*; a peer that
//! was allowed to writes a block from its own ring straight into a slot of it, with 32 bits that
//! the owner is told (write with immediate); small messages are sent beside; completions are
//! polled. Of the order only this is promised: messages of one link arrive in the order in which
//! they were sent. A block may overtake anything.
mod tcp;
mod verbs;

pub use tcp::{Tcp, TcpOptions};
pub use verbs::Connections;

use crate::memory::{Memory, Ring};
use crate::refusals::Refused;
use std::io;
use std::ops::DerefMut;
use std::sync::mpsc;
use std::time::Duration;

/// A connection's number at one of its ends. Not used again.
pub type Link = u32;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Kind {
    #[default]
    Tcp,
    /// By RDMA verbs, where the peer has a device, too.
    Verbs,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Tcp => "tcp",
            Kind::Verbs => "verbs",
        }
    }
}

/// A block on its way out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The sender's ring and slot. They must not change before [`Event::Sent`].
    pub from: (Ring, usize),
    /// Bytes.
    pub length: usize,
    /// The receiver's ring.
    pub ring: Ring,
    pub slot: u32,
    pub imm: u32,
    /// What [`Event::Sent`] will say.
    pub token: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    Opened(Link),
    /// A connection that was begun here stands.
    Up(Link),
    /// A connection is no more.
    Down {
        link: Link,
        why: String,
    },
    Message {
        link: Link,
        bytes: Vec<u8>,
    },
    /// A block lies in a slot.
    Arrived {
        link: Link,
        ring: Ring,
        slot: u32,
        /// Bytes.
        length: usize,
        imm: u32,
    },
    /// A block has left its slot, which may now change.
    Sent {
        link: Link,
        /// Of the [`Write`].
        token: u64,
    },
    /// A [`Waker`] was called.
    Woken(u64),
}

impl Event {
    pub fn is_of(&self, link: Link) -> bool {
        match self {
            Event::Opened(own)
            | Event::Up(own)
            | Event::Down { link: own, .. }
            | Event::Message { link: own, .. }
            | Event::Arrived { link: own, .. }
            | Event::Sent { link: own, .. } => *own == link,
            Event::Woken(_) => false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    pub connections: usize,
    /// Of these: came from outside, and their hello has not.
    pub waiting: usize,
}

/// Lets another thread be heard by [`Transport::poll`].
#[derive(Clone, Debug)]
pub struct Waker {
    numbers: mpsc::Sender<u64>,
    bell: Option<std::sync::Arc<std::os::unix::net::UnixStream>>,
}

impl Waker {
    /// One without a bell, and where its numbers come out.
    pub fn silent() -> (Waker, mpsc::Receiver<u64>) {
        let (numbers, woken) = mpsc::channel();
        (Waker { numbers, bell: None }, woken)
    }

    /// [`Event::Woken`] with this number will come.
    pub fn wake(&self, number: u64) {
        use rustix::net::{SendFlags, send};
        // Who has ended needs no waking.
        let _ = self.numbers.send(number);
        if let Some(bell) = &self.bell {
            // If it is full, it rings already; that nobody listens any more is no signal's matter.
            let _ = send(&**bell, &[1], SendFlags::NOSIGNAL);
        }
    }
}

/// Whether a text is HOST:PORT, with an IPv6 address in brackets.
pub fn is_address(text: &str) -> bool {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || ",=#/@\"'".contains(c);
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_host = match inner {
        Some(inner) => inner.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && !host.contains([':', '[', ']']),
    };
    let is_port =
        port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|p| p > 0);
    is_host && is_port && !text.contains(is_odd)
}

/// One end of connections, with its memory. Used by one thread.
pub trait Transport {
    /// Begins a connection to a node by its number; `Up` or `Down` follows.
    fn connect(&mut self, address: &str, node: usize) -> Link;
    /// Whether the other end may be a node: where parties have keys, whether it has shown that it
    /// is.
    fn is_node(&self, link: Link, node: usize) -> bool;
    /// Whether it could connect to such an address.
    fn takes_address(&self, _address: &str) -> bool {
        true
    }
    /// Where the other end is, for people.
    fn peer(&self, _link: Link) -> Option<String> {
        None
    }
    /// Who was sent away since the last call, and why, before anybody above heard of it.
    fn take_refused(&mut self) -> Refused {
        Refused::default()
    }
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
    /// Ends a connection, with what is still on its way out. No event follows.
    fn close(&mut self, link: Link);
    /// Memory for slots of one size.
    ///
    /// # Errors
    /// The memory has to be pinned, and the system pins no more.
    fn register(&mut self, slots: usize, slot_bytes: usize) -> io::Result<Ring>;
    /// Gives a ring back; what still comes for it ends its link.
    fn release(&mut self, ring: Ring);
    /// The peer may write into the first `slots` slots of a ring.
    fn allow(&mut self, link: Link, ring: Ring, slots: usize);
    /// A registered ring.
    ///
    /// # Panics
    /// If it is none.
    fn memory(&mut self, ring: Ring) -> impl DerefMut<Target = Memory> + '_;
    /// Bytes of all rings.
    fn registered(&self) -> usize;
    /// Writes a block into a peer's ring; [`Event::Sent`] follows, unless the link ends.
    fn write_imm(&mut self, link: Link, write: Write);
    /// Sends a message of at most [`crate::wire::MAX_MESSAGE`] bytes.
    fn send(&mut self, link: Link, message: Vec<u8>);
    /// The next event, waited for at most so long.
    fn poll(&mut self, wait: Duration) -> Option<Event>;
    fn waker(&self) -> Waker;
    /// Time since some start, for deadlines.
    fn now(&self) -> Duration;
}
