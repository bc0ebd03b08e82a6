//! Sockets: non-blocking connects, and options.
use keys::Keys;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendFlags, SocketType, connect as begin, send, sendmsg,
    socket, sockopt,
};
use std::io::{self, IoSlice, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct TcpOptions {
    /// A peer that is silent for this time while data are due is gone.
    pub silence: Duration,
    /// Limit for the TLS handshake and the hello together.
    pub hello: Duration,
    /// `None`: no encryption, no authentication.
    pub keys: Option<Keys>,
}

impl Default for TcpOptions {
    fn default() -> TcpOptions {
        let ten = Duration::from_secs(10);
        TcpOptions { silence: ten, hello: ten, keys: None }
    }
}

/// Begins to connect. The socket becomes writable when it is connected.
pub(super) fn connect(address: &str, options: &TcpOptions) -> io::Result<TcpStream> {
    let mut all = address.to_socket_addrs()?;
    let found = all.next().ok_or_else(|| io::Error::other(format!("{address}: no such host")))?;
    let family = match found {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let stream = TcpStream::from(socket(family, SocketType::STREAM, None)?);
    tune(&stream, options)?;
    match begin(&stream, &found) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(stream),
        Err(e) => Err(e.into()),
    }
}

/// No delay of small packets; detects dead peers.
pub(super) fn tune(stream: &TcpStream, options: &TcpOptions) -> io::Result<()> {
    let second = Duration::from_secs(1);
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)?;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, (options.silence / 2).max(second))?;
    sockopt::set_tcp_keepintvl(stream, (options.silence / 4).max(second))?;
    sockopt::set_tcp_keepcnt(stream, 2)?;
    sockopt::set_tcp_user_timeout(stream, options.silence.as_millis() as u32)?;
    Ok(())
}

/// A socket whose writes never raise SIGPIPE. It would end programs that do not ignore it, such as
/// those in C; a library leaves signals to the program.
pub(super) struct Quiet<'a>(pub(super) &'a TcpStream);

impl Write for Quiet<'_> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        Ok(send(self.0, from, SendFlags::NOSIGNAL)?)
    }

    fn write_vectored(&mut self, from: &[IoSlice<'_>]) -> io::Result<usize> {
        Ok(sendmsg(self.0, from, &mut SendAncillaryBuffer::default(), SendFlags::NOSIGNAL)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
