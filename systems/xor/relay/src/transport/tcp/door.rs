//! Limits on new connections: how many may wait for their hello, for how long, and which goes.
//!
//! A *stranger* is a connection from outside that has not sent its first message yet. It has
//! [`TcpOptions::hello`] for its hello, the TLS handshake included, and as long again for a
//! first message whose first bytes arrived. The last quarter of descriptors is kept for files and
//! for connections to peers. If a newcomer does not fit, the oldest
//! stranger of the address that has most of them goes first.
use super::Link;
use super::conn::Conn;
use super::socket::TcpOptions;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::time::{Duration, Instant};

/// Connections without a hello at a time, at most; a quarter of the descriptors where that is less.
const MOST_STRANGERS: usize = 256;
/// Connections that are accepted before others have their turn.
pub(super) const AT_A_TIME: usize = 32;
/// How long the door is shut when the system has no descriptor left.
const REST: Duration = Duration::from_millis(100);
/// Descriptors of a process without a limit.
const UNLIMITED: u64 = 1 << 20;

/// The last words to a stranger that has to go.
pub(super) const CROWDED: &str = "it had not said hello yet when more came than may wait";
/// To one that does not fit.
pub(super) const FULL: &str =
    "no file descriptor is left for it: raise the node’s limit (ulimit -n, LimitNOFILE=)";

struct Stranger {
    from: IpAddr,
    until: Instant,
}

/// A listener and the strangers before it.
pub(super) struct Door {
    listener: TcpListener,
    hello: Duration,
    /// Descriptors from this one on are not for who comes.
    reserved: usize,
    most: usize,
    strangers: BTreeMap<Link, Stranger>,
    shut_until: Option<Instant>,
    /// When the first stranger is to be looked at.
    due: Option<Instant>,
}

pub(super) enum Comer {
    Come(TcpStream, SocketAddr),
    /// The queue is empty.
    Nobody,
    /// The system gives no descriptor.
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

    /// What is to be polled, unless the door is shut.
    pub(super) fn listener(&mut self, now: Instant) -> Option<BorrowedFd<'_>> {
        if self.shut_until.is_some_and(|until| now < until) {
            return None;
        }
        self.shut_until = None;
        Some(self.listener.as_fd())
    }

    /// How long nothing of its own is to be done here, at most `wait`.
    pub(super) fn rest(&self, now: Instant, wait: Duration) -> Duration {
        let next = [self.shut_until, self.due].into_iter().flatten().min();
        next.map_or(wait, |at| at.saturating_duration_since(now).min(wait))
    }

    pub(super) fn accept(&mut self, now: Instant) -> Comer {
        loop {
            match self.listener.accept() {
                Ok((stream, from)) => return Comer::Come(stream, from),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Comer::Nobody,
                // Who gave up while it waited.
                Err(e) if matches!(e.kind(), ErrorKind::ConnectionAborted) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => {
                    self.shut_until = Some(now + REST);
                    return Comer::Shut;
                }
            }
        }
    }

    /// Whether a descriptor is one of those that are kept.
    pub(super) fn is_reserved(&self, stream: &TcpStream) -> bool {
        usize::try_from(stream.as_raw_fd()).is_ok_and(|number| number >= self.reserved)
    }

    pub(super) fn add(&mut self, link: Link, from: IpAddr, now: Instant) {
        let until = now + self.hello;
        self.due = Some(self.due.map_or(until, |due| due.min(until)));
        self.strangers.insert(link, Stranger { from, until });
    }

    /// Connections without a hello.
    pub(super) fn waiting(&self, conns: &BTreeMap<Link, Conn>) -> usize {
        self.ungreeted(conns).count()
    }

    fn ungreeted(&self, conns: &BTreeMap<Link, Conn>) -> impl Iterator<Item = (&Link, &Stranger)> {
        let waits = |link: &Link| conns.get(link).is_some_and(|conn| !conn.is_greeted());
        self.strangers.iter().filter(move |(link, _)| waits(link))
    }

    /// Whether so many stand without a hello that one has to go before another comes.
    pub(super) fn is_crowded(&mut self, conns: &BTreeMap<Link, Conn>) -> bool {
        self.strangers.len() >= self.most && self.waiting(conns) >= self.most
    }

    /// Who goes first: the oldest without a hello of the address that has most of them; if there is
    /// none, the oldest that has not said anything since.
    pub(super) fn first_to_go(&mut self, conns: &BTreeMap<Link, Conn>) -> Option<Link> {
        let is_one = |link: &Link| conns.get(link).is_some_and(Conn::is_stranger);
        self.strangers.retain(|link, _| is_one(link));
        let mut counts: BTreeMap<IpAddr, usize> = BTreeMap::new();
        self.ungreeted(conns).for_each(|(_, s)| *counts.entry(s.from).or_default() += 1);
        let busiest = counts.into_iter().max_by_key(|(_, count)| *count).map(|(from, _)| from);
        let of_it = self.ungreeted(conns).find(|(_, s)| Some(s.from) == busiest);
        of_it.map(|(link, _)| *link).or_else(|| self.strangers.keys().next().copied())
    }

    /// Strangers whose time is up, with why.
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
            // One that is greeted may be silent; what it has begun has to end.
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
