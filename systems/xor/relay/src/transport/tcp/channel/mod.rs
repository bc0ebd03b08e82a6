//! A socket, plain or with TLS.
mod handshake;
mod records;
mod sealer;
#[cfg(test)]
mod tests;
mod tls;

use super::socket::Quiet;
use keys::Keys;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::net::TcpStream;
use tls::Tls;

pub(super) enum Channel {
    Plain(TcpStream),
    Tls(Box<Tls>),
}

impl Channel {
    /// `to`: outgoing, to a node with this number in its certificate. `None`: incoming.
    pub(super) fn new(stream: TcpStream, keys: Option<&Keys>, to: Option<usize>) -> Channel {
        match keys {
            None => Channel::Plain(stream),
            Some(keys) => Channel::Tls(Box::new(Tls::new(stream, keys, to))),
        }
    }

    pub(super) fn stream(&self) -> &TcpStream {
        match self {
            Channel::Plain(stream) => stream,
            Channel::Tls(tls) => &tls.stream,
        }
    }

    /// The other end has this node's certificate. Always true without keys.
    pub(super) fn is_node(&self, node: usize) -> bool {
        match self {
            Channel::Plain(_) => true,
            Channel::Tls(tls) => tls.is_node(node),
        }
    }

    pub(super) fn wants_to_write(&self) -> bool {
        matches!(self, Channel::Tls(tls) if tls.wants_to_write())
    }

    /// Accepts frames. A TLS session does so after its handshake.
    pub(super) fn takes(&self) -> bool {
        match self {
            Channel::Plain(_) => true,
            Channel::Tls(tls) => tls.takes(),
        }
    }

    /// Bytes can be read without the socket becoming readable.
    pub(super) fn has_read(&self) -> bool {
        matches!(self, Channel::Tls(tls) if tls.has_read())
    }

    pub(super) fn read_vectored(&mut self, to: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        match self {
            Channel::Plain(stream) => stream.read_vectored(to),
            Channel::Tls(tls) => tls.read_vectored(to),
        }
    }

    pub(super) fn write_vectored(&mut self, from: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Channel::Plain(stream) => Quiet(stream).write_vectored(from),
            Channel::Tls(tls) => tls.write_vectored(from),
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        match self {
            Channel::Plain(_) => Ok(()),
            Channel::Tls(tls) => tls.flush(),
        }
    }

    pub(super) fn end(&mut self) {
        if let Channel::Tls(tls) = self {
            tls.end()
        }
        let _ = self.stream().shutdown(std::net::Shutdown::Write);
    }
}
