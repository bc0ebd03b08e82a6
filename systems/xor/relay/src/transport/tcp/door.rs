//! Limits on new connections.
//!
//! A *stranger* is an incoming connection without a first message yet. It has [`TcpOptions::hello`]
//! for its hello, including the TLS handshake. It has the same time again for a first message that
//! has begun. The last quarter of descriptors is reserved for files and for connections to peers.
//! If a new connection does not fit, a stranger is closed: the oldest one of the address with most
//! strangers.
use super::Link;
use super::conn::Conn;
use super::socket::TcpOptions;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::time::{Duration, Instant};

/// Connections without a hello. The limit is lower if a quarter of the descriptors is less.
const MOST_STRANGERS: usize = 256;
/// Connections accepted before others are handled.
pub(super) const AT_A_TIME: usize = 32;
/// Pause of the listener after the system ran out of descriptors.
const REST: Duration = Duration::from_millis(100);
/// Assumed descriptors of a process without a limit.
const UNLIMITED: u64 = 1 << 20;

pub(super) const CROWDED: &str = "it had not said hello yet when more came than may wait";
/// Reason for a new connection that does not fit.
pub(super) const FULL: &str =
    "no file descriptor is left for it: raise the node’s limit (ulimit -n, LimitNOFILE=)";

struct Stranger {
    from: IpAddr,
    until: Instant,
}

pub(super) struct Door {
    listener: TcpListener,
    hello: Duration,
    /// Incoming connections may not use descriptors from this one on.
    reserved: usize,
    most: usize,
    strangers: BTreeMap<Link, Stranger>,
    shut_until: Option<Instant>,
    /// Next time to check the strangers.
    due: Option<Instant>,
}

pub(super) enum Comer {
    Come(TcpStream, SocketAddr),
    Nobody,
    /// The system is out of descriptors.
    Shut,
}

impl Door {
    pub(super) fn open(address: SocketAddr, options: &TcpOptions) -> io::Result<Door> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let limit = limit.unwrap_or(UNLIMITED).min(UNLIMITED) as usize;
        Ok(Door {
            listener,
            hello: options.hello,
            reserved: limit - limit / 4,
            most: MOST_STRANGERS.min(limit / 4).max(1),
            strangers: BTreeMap::new(),
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

    pub(super) fn accept(&mut self, now: Instant) -> Comer {
        loop {
            match self.listener.accept() {
                Ok((stream, from)) => return Comer::Come(stream, from),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Comer::Nobody,
                // The peer has given up.
                Err(e) if matches!(e.kind(), ErrorKind::ConnectionAborted) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => {
                    self.shut_until = Some(now + REST);
                    return Comer::Shut;
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
        self.strangers.insert(link, Stranger { from, until });
    }

    pub(super) fn waiting(&self, conns: &BTreeMap<Link, Conn>) -> usize {
        self.ungreeted(conns).count()
    }

    fn ungreeted(&self, conns: &BTreeMap<Link, Conn>) -> impl Iterator<Item = (&Link, &Stranger)> {
        let waits = |link: &Link| conns.get(link).is_some_and(|conn| !conn.is_greeted());
        self.strangers.iter().filter(move |(link, _)| waits(link))
    }

    /// A stranger must be closed before another connection is accepted.
    pub(super) fn is_crowded(&mut self, conns: &BTreeMap<Link, Conn>) -> bool {
        self.strangers.len() >= self.most && self.waiting(conns) >= self.most
    }

    /// The stranger to close first: the oldest without a hello of the address with most of them.
    /// Without any, the oldest without a message.
    pub(super) fn first_to_go(&mut self, conns: &BTreeMap<Link, Conn>) -> Option<Link> {
        let is_one = |link: &Link| conns.get(link).is_some_and(Conn::is_stranger);
        self.strangers.retain(|link, _| is_one(link));
        let mut counts: BTreeMap<IpAddr, usize> = BTreeMap::new();
        self.ungreeted(conns).for_each(|(_, s)| *counts.entry(s.from).or_default() += 1);
        let busiest = counts.into_iter().max_by_key(|(_, count)| *count).map(|(from, _)| from);
        let of_it = self.ungreeted(conns).find(|(_, s)| Some(s.from) == busiest);
        of_it.map(|(link, _)| *link).or_else(|| self.strangers.keys().next().copied())
    }

    /// Strangers that exceed their time, with the reason.
    pub(super) fn late(
        &mut self,
        conns: &BTreeMap<Link, Conn>,
        now: Instant,
    ) -> Vec<(Link, String)> {
        if self.due.is_none_or(|due| now < due) {
            return Vec::new();
        }
        let (hello, mut late) = (self.hello, Vec::new());
        self.strangers.retain(|link, stranger| {
            let Some(conn) = conns.get(link).filter(|conn| conn.is_stranger()) else {
                return false;
            };
            if now < stranger.until {
                return true;
            }
            // A greeted one may be silent, but must end a message that it has begun.
            let end = conn.first_began().map(|began| began + hello);
            if conn.is_greeted() && end.is_none_or(|end| now < end) {
                stranger.until = end.unwrap_or(now + hello);
                return true;
            }
            let what = if conn.is_greeted() { "end its first message" } else { "say hello" };
            late.push((*link, format!("it did not {what} within {} s", hello.as_secs())));
            false
        });
        self.due = self.strangers.values().map(|stranger| stranger.until).min();
        late
    }
}
