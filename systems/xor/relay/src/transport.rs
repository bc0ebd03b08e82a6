//! How blocks and messages reach the other end.
//!
//! The trait offers no more than RDMA verbs do. Memory is registered as a *ring*. An authorized
//! peer writes a block from its own ring into a slot of it, with 32 bits for the owner (write with
//! immediate). Small messages are sent separately; completions are polled. Messages of one link
//! arrive in the order of sending. A block may overtake anything.
mod tcp;
mod verbs;

pub use tcp::{Tcp, TcpOptions};
pub use verbs::Connections;

use crate::memory::{Memory, Ring};
use crate::refusals::RefusedPeers;
use std::io;
use std::ops::DerefMut;
use std::sync::mpsc;
use std::time::Duration;

/// A connection's number at one of its ends. Never reused.
pub type Link = u32;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Kind {
    #[default]
    Tcp,
    /// RDMA verbs, if the peer has a device, too.
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The sender's ring and slot, unchanged until [`Event::Sent`].
    pub from: (Ring, usize),
    /// In bytes.
    pub length: usize,
    /// The receiver's ring.
    pub ring: Ring,
    pub slot: u32,
    pub imm: u32,
    /// Returned by [`Event::Sent`].
    pub token: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    Opened(Link),
    /// A connection that began here is established.
    Up(Link),
    Down {
        link: Link,
        why: String,
    },
    Message {
        link: Link,
        bytes: Vec<u8>,
    },
    Arrived {
        link: Link,
        ring: Ring,
        slot: u32,
        /// In bytes.
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
    /// Incoming connections without a hello yet, among `connections`.
    pub waiting: usize,
}

/// Lets another thread wake [`Transport::poll`].
#[derive(Clone, Debug)]
pub struct Waker {
    numbers: mpsc::Sender<u64>,
    bell: Option<std::sync::Arc<std::os::unix::net::UnixStream>>,
}

impl Waker {
    /// A waker without a bell, and the receiver of its numbers.
    pub fn silent() -> (Waker, mpsc::Receiver<u64>) {
        let (numbers, woken) = mpsc::channel();
        (Waker { numbers, bell: None }, woken)
    }

    /// Causes [`Event::Woken`] with this number.
    pub fn wake(&self, number: u64) {
        use rustix::net::{SendFlags, send};
        // The receiver may have ended.
        let _ = self.numbers.send(number);
        if let Some(bell) = &self.bell {
            // A full socket already wakes the reader; a closed one needs no waking.
            let _ = send(&**bell, &[1], SendFlags::NOSIGNAL);
        }
    }
}

/// HOST:PORT, with an IPv6 address in brackets.
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
    /// Begins a connection to a node; `Up` or `Down` follows.
    fn connect(&mut self, address: &str, node: usize) -> Link;
    /// The other end may be this node. With keys: its certificate proves it.
    fn is_node(&self, link: Link, node: usize) -> bool;
    /// The transport can connect to such an address.
    fn takes_address(&self, _address: &str) -> bool {
        true
    }
    /// The other end's address, for messages to users.
    fn peer(&self, _link: Link) -> Option<String> {
        None
    }
    /// Peers that the transport has rejected since the last call.
    fn take_refused(&mut self) -> RefusedPeers {
        RefusedPeers::default()
    }
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
    /// Ends a connection and discards unsent data. No event follows.
    fn close(&mut self, link: Link);
    /// Registers memory for slots of equal size.
    ///
    /// # Errors
    /// The system cannot pin the memory.
    fn register(&mut self, slots: usize, slot_bytes: usize) -> io::Result<Ring>;
    /// Releases a ring. A later block for it ends its link.
    fn release(&mut self, ring: Ring);
    /// Lets the peer write into the first `slots` slots of a ring.
    fn allow(&mut self, link: Link, ring: Ring, slots: usize);
    /// # Panics
    /// If the ring is not registered.
    fn memory(&mut self, ring: Ring) -> impl DerefMut<Target = Memory> + '_;
    /// Size of all rings \[bytes\].
    fn registered(&self) -> usize;
    /// Writes a block into a peer's ring. [`Event::Sent`] follows unless the link ends.
    fn write_imm(&mut self, link: Link, write: Write);
    /// Sends a message of at most [`crate::wire::MAX_MESSAGE`] bytes.
    fn send(&mut self, link: Link, message: Vec<u8>);
    /// The next event; `None` after `wait` without one.
    fn poll(&mut self, wait: Duration) -> Option<Event>;
    fn waker(&self) -> Waker;
    /// Time since some start, for deadlines.
    fn now(&self) -> Duration;
}
