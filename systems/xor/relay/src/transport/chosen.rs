//! The transport that an operator chose.
use super::{Event, Link, Tcp, TcpOptions, Traffic, Transport, Verbs, Waker, Write};
use crate::error::Error;
use crate::memory::{Memory, Ring};
use crate::refusals::Refused;
use std::io;
use std::net::SocketAddr;
use std::ops::DerefMut;
use std::time::Duration;

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

/// One of the transports between processes.
pub enum Chosen {
    Tcp(Box<Tcp>),
    Verbs(Box<Verbs>),
}

macro_rules! either {
    ($chosen:expr, $transport:ident => $work:expr) => {
        match $chosen {
            Chosen::Tcp($transport) => $work,
            Chosen::Verbs($transport) => $work,
        }
    };
}

impl Chosen {
    /// Without a listener: for clients.
    ///
    /// # Errors
    /// There is no RDMA device, which is bad input, or no socket.
    pub fn client(kind: Kind, options: TcpOptions) -> Result<Chosen, Error> {
        let opened = match kind {
            Kind::Tcp => Tcp::client(options).map(|tcp| Chosen::Tcp(Box::new(tcp))),
            Kind::Verbs => Verbs::client(options).map(|verbs| Chosen::Verbs(Box::new(verbs))),
        };
        opened.map_err(|e| failure(kind, "no socket", &e))
    }

    /// Listens.
    ///
    /// # Errors
    /// There is no RDMA device, which is bad input, or the address cannot be used.
    pub fn listen(kind: Kind, address: SocketAddr, options: TcpOptions) -> Result<Chosen, Error> {
        let opened = match kind {
            Kind::Tcp => Tcp::listen(address, options).map(|tcp| Chosen::Tcp(Box::new(tcp))),
            Kind::Verbs => {
                Verbs::listen(address, options).map(|verbs| Chosen::Verbs(Box::new(verbs)))
            }
        };
        opened.map_err(|e| failure(kind, &format!("cannot listen on {address}"), &e))
    }

    /// Where it listens, with the port that the system chose.
    ///
    /// # Errors
    /// It does not listen.
    pub fn address(&self) -> io::Result<SocketAddr> {
        either!(self, transport => transport.address())
    }
}

/// Only a device can be asked for that is not there.
fn failure(kind: Kind, what: &str, e: &io::Error) -> Error {
    match (kind, e.kind()) {
        (Kind::Verbs, io::ErrorKind::NotFound) => Error::BadInput(e.to_string()),
        _ => Error::Failed(format!("{what}: {e}")),
    }
}

impl Transport for Chosen {
    fn connect(&mut self, address: &str, node: usize) -> Link {
        either!(self, transport => transport.connect(address, node))
    }

    fn is_node(&self, link: Link, node: usize) -> bool {
        either!(self, transport => transport.is_node(link, node))
    }

    fn takes_address(&self, address: &str) -> bool {
        either!(self, transport => transport.takes_address(address))
    }

    fn peer(&self, link: Link) -> Option<String> {
        either!(self, transport => transport.peer(link))
    }

    fn take_refused(&mut self) -> Refused {
        either!(self, transport => transport.take_refused())
    }

    fn traffic(&self) -> Traffic {
        either!(self, transport => transport.traffic())
    }

    fn close(&mut self, link: Link) {
        either!(self, transport => transport.close(link))
    }

    fn register(&mut self, slots: usize, slot_bytes: usize) -> io::Result<Ring> {
        either!(self, transport => transport.register(slots, slot_bytes))
    }

    fn release(&mut self, ring: Ring) {
        either!(self, transport => transport.release(ring))
    }

    fn allow(&mut self, link: Link, ring: Ring, slots: usize) {
        either!(self, transport => transport.allow(link, ring, slots))
    }

    fn memory(&mut self, ring: Ring) -> impl DerefMut<Target = Memory> + '_ {
        either!(self, transport => transport.ring(ring))
    }

    fn registered(&self) -> usize {
        either!(self, transport => transport.registered())
    }

    fn write_imm(&mut self, link: Link, write: Write) {
        either!(self, transport => transport.write_imm(link, write))
    }

    fn send(&mut self, link: Link, message: Vec<u8>) {
        either!(self, transport => transport.send(link, message))
    }

    fn poll(&mut self, wait: Duration) -> Option<Event> {
        either!(self, transport => transport.poll(wait))
    }

    fn waker(&self) -> Waker {
        either!(self, transport => transport.waker())
    }

    fn now(&self) -> Duration {
        either!(self, transport => transport.now())
    }
}
