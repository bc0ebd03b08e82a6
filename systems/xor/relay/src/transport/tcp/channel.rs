//! A socket as it is, or with TLS on it.
use super::socket::Quiet;
use crate::keys::{Keys, server_name, why};
use rustls::{ClientConnection, Connection, ServerConnection};
use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::net::TcpStream;

/// Encrypted bytes that wait for the socket, and that are read from it at once.
const AT_ONCE: usize = 256 << 10;

/// What frames go through.
pub(super) enum Channel {
    Plain(TcpStream),
    Tls(Box<Tls>),
}

/// A session, and what the socket has given that it has not taken yet.
pub(super) struct Tls {
    stream: TcpStream,
    session: Connection,
    keys: Keys,
    inbox: Vec<u8>,
    taken: usize,
    filled: usize,
    /// Decrypted and not read yet.
    plain: usize,
}

impl Channel {
    /// To a node whose number must stand in its certificate, or from whoever comes.
    pub(super) fn new(stream: TcpStream, keys: Option<&Keys>, to: Option<usize>) -> Channel {
        let Some(keys) = keys else { return Channel::Plain(stream) };
        let session = match to {
            Some(node) => {
                ClientConnection::new(keys.client.clone(), server_name(node)).map(Connection::from)
            }
            None => ServerConnection::new(keys.server.clone()).map(Connection::from),
        };
        let mut session = session.expect("what was read as keys is complete");
        session.set_buffer_limit(Some(AT_ONCE));
        let inbox = vec![0; AT_ONCE];
        let keys = keys.clone();
        let (taken, filled, plain) = (0, 0, 0);
        Channel::Tls(Box::new(Tls { stream, session, keys, inbox, taken, filled, plain }))
    }

    pub(super) fn stream(&self) -> &TcpStream {
        match self {
            Channel::Plain(stream) => stream,
            Channel::Tls(tls) => &tls.stream,
        }
    }

    /// Whether the other end has shown a node's certificate; without keys everybody is believed.
    pub(super) fn is_node(&self, node: usize) -> bool {
        match self {
            Channel::Plain(_) => true,
            Channel::Tls(tls) => {
                let own = tls.session.peer_certificates().and_then(|all| all.first());
                own.is_some_and(|own| crate::keys::is_of(own, node))
            }
        }
    }

    /// Whether the other end has shown a certificate that is not taken any more.
    pub(super) fn is_revoked(&self) -> bool {
        match self {
            Channel::Plain(_) => false,
            Channel::Tls(tls) => {
                let own = tls.session.peer_certificates().and_then(|all| all.first());
                own.is_none_or(|own| tls.keys.is_revoked(own))
            }
        }
    }

    /// Encrypted bytes wait for the socket.
    pub(super) fn wants_to_write(&self) -> bool {
        matches!(self, Channel::Tls(tls) if tls.session.wants_write())
    }

    /// More can be read without the socket: it will not say so.
    pub(super) fn has_read(&self) -> bool {
        matches!(self, Channel::Tls(tls) if tls.plain > 0 || tls.taken < tls.filled)
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

    /// Sends what is encrypted already, as far as the socket takes it.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        match self {
            Channel::Plain(_) => Ok(()),
            Channel::Tls(tls) => tls.flush(),
        }
    }

    /// The last word is said.
    pub(super) fn end(&mut self) {
        if let Channel::Tls(tls) = self {
            tls.session.send_close_notify();
            let _ = tls.flush();
        }
        let _ = self.stream().shutdown(std::net::Shutdown::Write);
    }
}

impl Tls {
    fn read_vectored(&mut self, to: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        loop {
            // Its reader fills one slice a call.
            let mut read = 0;
            for slice in to.iter_mut().filter(|slice| !slice.is_empty()) {
                match self.session.reader().read(slice) {
                    Ok(0) if read == 0 => return Ok(0),
                    Ok(part) => {
                        read += part;
                        if part < slice.len() {
                            break;
                        }
                    }
                    Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                    Err(e) if read == 0 => return Err(e),
                    Err(_) => break,
                }
            }
            self.plain -= read.min(self.plain);
            if read > 0 {
                return Ok(read);
            }
            if self.taken == self.filled && !self.fill()? {
                return Ok(0);
            }
            self.decrypt()?
        }
    }

    /// Takes what the socket has; false at its end.
    fn fill(&mut self) -> io::Result<bool> {
        (self.taken, self.filled) = (0, 0);
        self.filled = self.stream.read(&mut self.inbox)?;
        if self.filled == 0 && self.session.is_handshaking() {
            let why = "it closed the connection before it showed a certificate: does it run with \
                       --keys?";
            return Err(io::Error::other(why));
        }
        Ok(self.filled > 0)
    }

    fn decrypt(&mut self) -> io::Result<()> {
        let mut rest = &self.inbox[self.taken..self.filled];
        let before = rest.len();
        self.session.read_tls(&mut rest)?;
        self.taken += before - rest.len();
        match self.session.process_new_packets() {
            Ok(state) => {
                self.plain = state.plaintext_bytes_to_read();
                Ok(())
            }
            Err(error) => {
                // The other end hears why, too.
                let _ = self.flush();
                Err(io::Error::other(why(&error)))
            }
        }
    }

    fn write_vectored(&mut self, from: &[IoSlice<'_>]) -> io::Result<usize> {
        self.flush()?;
        match self.session.writer().write_vectored(from)? {
            0 => Err(ErrorKind::WouldBlock.into()),
            taken => {
                self.flush()?;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.session.wants_write() {
            match self.session.write_tls(&mut Quiet(&self.stream)) {
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}
