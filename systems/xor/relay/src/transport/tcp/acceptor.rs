//! Limits on new connections.
//!
//! An incoming connection without a first message yet is *unidentified*. It has
//! [`TcpOptions::hello`] for its hello, including the TLS handshake. It has the same time again for
//! a first message that has begun. The last quarter of descriptors is reserved for files and for
//! connections to peers. If a new connection does not fit, an unidentified one is closed: the
//! oldest one of the address with most of them.
use super::Link;
use super::conn::Conn;
use super::socket::TcpOptions;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::time::{Duration, Instant};

/// Connections without a hello. The limit is lower if a quarter of the descriptors is less.
const MOST_UNIDENTIFIED: usize = 256;
/// Connections accepted before others are handled.
pub(super) const AT_A_TIME: usize = 32;
/// Pause of the listener after the system ran out of descriptors.
const REST: Duration = Duration::from_millis(100);
/// Assumed descriptors of a process without a limit.
const UNLIMITED: u64 = 1 << 20;

pub(super) const CROWDED: &str = "no hello before the queue of new connections was full";
/// Reason for a new connection that does not fit.
pub(super) const FULL: &str =
    "no file descriptor is left: raise the node’s limit (ulimit -n, LimitNOFILE=)";

struct Unidentified {
    from: IpAddr,
    until: Instant,
}

pub(super) struct Acceptor {
    listener: TcpListener,
    hello: Duration,
    /// Incoming connections may not use descriptors from this one on.
    reserved: usize,
    most: usize,
    unidentified: BTreeMap<Link, Unidentified>,
    shut_until: Option<Instant>,
    /// Next time to check unidentified connections.
    due: Option<Instant>,
}

pub(super) enum Accepted {
    Connection(TcpStream, SocketAddr),
    Nothing,
    /// The system is out of descriptors.
    OutOfDescriptors,
}

impl Acceptor {
    pub(super) fn open(address: SocketAddr, options: &TcpOptions) -> io::Result<Acceptor> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let limit = limit.unwrap_or(UNLIMITED).min(UNLIMITED) as usize;
        Ok(Acceptor {
            listener,
            hello: options.hello,
            reserved: limit - limit / 4,
            most: MOST_UNIDENTIFIED.min(limit / 4).max(1),
            unidentified: BTreeMap::new(),
            shut_until: None,
            due: None,
        })
    }

    pub(super) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// To be polled; `None` during a pause.
    pub(super) fn listener(&mut self, now: Instant) -> Option<BorrowedFd<'_>> {
        if self.shut_until.is_some_and(|until| now < until) {
            return None;
        }
        self.shut_until = None;
        Some(self.listener.as_fd())
    }

    /// Time until the next own action, at most `wait`.
    pub(super) fn rest(&self, now: Instant, wait: Duration) -> Duration {
        let next = [self.shut_until, self.due].into_iter().flatten().min();
        next.map_or(wait, |at| at.saturating_duration_since(now).min(wait))
    }

    pub(super) fn accept(&mut self, now: Instant) -> Accepted {
        loop {
            match self.listener.accept() {
                Ok((stream, from)) => return Accepted::Connection(stream, from),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Accepted::Nothing,
                // The peer has given up.
                Err(e) if matches!(e.kind(), ErrorKind::ConnectionAborted) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => {
                    self.shut_until = Some(now + REST);
                    return Accepted::OutOfDescriptors;
                }
            }
        }
    }

    pub(super) fn is_reserved(&self, stream: &TcpStream) -> bool {
        usize::try_from(stream.as_raw_fd()).is_ok_and(|number| number >= self.reserved)
    }

    pub(super) fn add(&mut self, link: Link, from: IpAddr, now: Instant) {
        let until = now + self.hello;
        self.due = Some(self.due.map_or(until, |due| due.min(until)));
        self.unidentified.insert(link, Unidentified { from, until });
    }

    pub(super) fn waiting(&self, conns: &BTreeMap<Link, Conn>) -> usize {
        self.ungreeted(conns).count()
    }

    fn ungreeted(
        &self,
        conns: &BTreeMap<Link, Conn>,
    ) -> impl Iterator<Item = (&Link, &Unidentified)> {
        let waits = |link: &Link| conns.get(link).is_some_and(|conn| !conn.is_greeted());
        self.unidentified.iter().filter(move |(link, _)| waits(link))
    }

    /// An unidentified one must be closed before another connection is accepted.
    pub(super) fn is_crowded(&mut self, conns: &BTreeMap<Link, Conn>) -> bool {
        self.unidentified.len() >= self.most && self.waiting(conns) >= self.most
    }

    /// The connection to close first: the oldest without a hello of the address with most of them.
    /// Without any, the oldest without a message.
    pub(super) fn first_to_go(&mut self, conns: &BTreeMap<Link, Conn>) -> Option<Link> {
        let is_one = |link: &Link| conns.get(link).is_some_and(Conn::is_unidentified);
        self.unidentified.retain(|link, _| is_one(link));
        let mut counts: BTreeMap<IpAddr, usize> = BTreeMap::new();
        self.ungreeted(conns).for_each(|(_, s)| *counts.entry(s.from).or_default() += 1);
        let busiest = counts.into_iter().max_by_key(|(_, count)| *count).map(|(from, _)| from);
        let of_it = self.ungreeted(conns).find(|(_, s)| Some(s.from) == busiest);
        of_it.map(|(link, _)| *link).or_else(|| self.unidentified.keys().next().copied())
    }

    /// Unidentified connections that exceed their time, with the reason.
    pub(super) fn late(
        &mut self,
        conns: &BTreeMap<Link, Conn>,
        now: Instant,
    ) -> Vec<(Link, String)> {
        if self.due.is_none_or(|due| now < due) {
            return Vec::new();
        }
        let (hello, mut late) = (self.hello, Vec::new());
        self.unidentified.retain(|link, peer| {
            let Some(conn) = conns.get(link).filter(|conn| conn.is_unidentified()) else {
                return false;
            };
            if now < peer.until {
                return true;
            }
            // A greeted one may be silent, but must end a message that it has begun.
            let end = conn.first_began().map(|began| began + hello);
            if conn.is_greeted() && end.is_none_or(|end| now < end) {
                peer.until = end.unwrap_or(now + hello);
                return true;
            }
            let what = if conn.is_greeted() { "end its first message" } else { "say hello" };
            late.push((*link, format!("did not {what} within {} s", hello.as_secs())));
            false
        });
        self.due = self.unidentified.values().map(|peer| peer.until).min();
        late
    }
}
