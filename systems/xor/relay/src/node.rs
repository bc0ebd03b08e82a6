//! A storage node: one thread that handles the events of its transport.
mod cluster;
mod objects;
mod operator;
mod queue;
mod reads;
mod refusal;
mod serve;
mod session;
mod status;
mod writes;

use crate::refusals::RefusedPeers;
use crate::store::Store;
use crate::transport::{Event, Link, Transport};
use crate::wire::{Entry, Fault, MAX_MESSAGE, Message, numbered, unnumbered};
use operator::Operator;
use queue::Queue;
use reads::Reads;
use refusal::{Answer, Refusal, refuse};
use session::{Parts, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use writes::{Ended, WRITES, Writes};

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Concurrent write sessions.
    pub sessions: usize,
    /// Limit of all rings together \[bytes\].
    pub memory: usize,
    pub objects: usize,
    /// Syncs run on their own threads, so that other clients do not wait.
    pub is_threaded: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { sessions: 64, memory: 160 << 20, objects: 1 << 20, is_threaded: true }
    }
}

/// Result of a sync on its own thread.
type Outcome = Arc<Mutex<Option<io::Result<()>>>>;

pub struct Node<T> {
    transport: T,
    store: Store,
    limits: Limits,
    /// By the client's link.
    sessions: BTreeMap<Link, Session>,
    /// Links of other nodes that send to a session here: (session, node).
    joined: BTreeMap<Link, (Link, usize)>,
    /// Links to other nodes that a session here sends to: (session, node).
    outgoing: BTreeMap<Link, (Link, usize)>,
    reads: BTreeMap<Link, Reads>,
    queue: Queue,
    /// Links that have named this node's cluster. Only these may change anything.
    entered: BTreeSet<Link>,
    /// The operator whose command may change the cluster.
    operator: Option<Operator>,
    syncs: BTreeMap<u64, (Link, Entry, Outcome)>,
    next_sync: u64,
    /// Finished writes to the disk.
    writes: Arc<Writes>,
    /// Rejected peers with reasons, since the last [`Node::take_refused`].
    refused: RefusedPeers,
    refusals: u64,
    /// Link and number of the request in progress.
    answering: (Link, u32),
}

impl<T: Transport> Node<T> {
    pub fn new(transport: T, store: Store, limits: Limits) -> Node<T> {
        let writes = Arc::new(Writes::new(transport.waker()));
        Node {
            transport,
            store,
            limits,
            sessions: BTreeMap::new(),
            joined: BTreeMap::new(),
            outgoing: BTreeMap::new(),
            reads: BTreeMap::new(),
            queue: Queue::default(),
            entered: BTreeSet::new(),
            operator: None,
            syncs: BTreeMap::new(),
            next_sync: 0,
            writes,
            refused: RefusedPeers::default(),
            refusals: 0,
            answering: (Link::MAX, 0),
        }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Peers that the transport or a request check has rejected since the last call.
    pub fn take_refused(&mut self) -> RefusedPeers {
        let mut all = self.transport.take_refused();
        all.join(std::mem::take(&mut self.refused));
        self.refusals += all.count();
        all
    }

    fn note_refused(&mut self, link: Link, why: &str) {
        if let Some(who) = self.transport.peer(link) {
            self.refused.note(&who, why)
        }
    }

    /// Handles one event, waiting at most `wait`. Returns whether there was one.
    pub fn step(&mut self, wait: Duration) -> bool {
        let Some(event) = self.transport.poll(wait) else { return false };
        match event {
            Event::Opened(_) => {}
            Event::Up(link) => self.up(link),
            Event::Down { link, why } => self.down(link, &why),
            Event::Message { link, bytes } => match unnumbered(&bytes) {
                Some((number, message)) => {
                    self.answering = (link, number);
                    self.handle_message(link, message);
                    self.answering = (Link::MAX, 0)
                }
                None => {
                    self.note_refused(link, "sent an invalid message");
                    self.transport.close(link);
                    self.down(link, "sent an invalid message")
                }
            },
            Event::Arrived { link, ring, slot, length, imm } => {
                let session = self.joined.get(&link).map_or(link, |(session, _)| *session);
                self.in_session(session, |node, session| {
                    session.arrived(node, ring, slot as usize, length, imm)
                })
            }
            Event::Sent { link, token } => self.sent(link, token),
            Event::Woken(WRITES) => self.written(),
            Event::Woken(sync) => self.synced(sync),
        }
        self.begin_waiting();
        true
    }

    /// Sends a message. It answers the current request if that came over this link.
    fn reply(&mut self, link: Link, message: &Message) {
        let number = if self.answering.0 == link { self.answering.1 } else { 0 };
        self.answer(link, number, message)
    }

    fn answer(&mut self, link: Link, number: u32, message: &Message) {
        let bytes = numbered(number, message);
        debug_assert!(bytes.len() <= MAX_MESSAGE);
        self.transport.send(link, bytes)
    }

    fn respond(&mut self, link: Link, answer: Answer) {
        match answer {
            Ok(Some(message)) => self.reply(link, &message),
            Ok(None) => {}
            Err(refusal) => self.fail(link, refusal),
        }
    }

    /// The state that sessions use, and the sessions.
    fn parts(&mut self) -> (Parts<'_, T>, &mut BTreeMap<Link, Session>) {
        let writers = self.sessions.values().filter(|s| s.is_writer()).count() as u16;
        let (transport, store, writes) = (&mut self.transport, &mut self.store, &self.writes);
        (Parts { transport, store, writes, writers }, &mut self.sessions)
    }

    fn session(&mut self, link: Link) -> Result<(Parts<'_, T>, &mut Session), Refusal> {
        let (parts, sessions) = self.parts();
        match sessions.get_mut(&link) {
            Some(session) => Ok((parts, session)),
            None => refuse("no session"),
        }
    }

    /// Runs `work` in a session. A failure ends the session, and its client receives the reason.
    fn in_session(
        &mut self,
        link: Link,
        work: impl FnOnce(&mut Parts<'_, T>, &mut Session) -> Result<(), Refusal>,
    ) {
        let Ok((mut parts, session)) = self.session(link) else { return };
        if let Err(refusal) = work(&mut parts, session) {
            self.fail(link, refusal)
        }
    }

    fn written(&mut self) {
        for Ended { session, id, at, result } in self.writes.take() {
            self.in_session(session, |parts, session| match session.entry.version.id == id {
                true => session.written(parts, at, result),
                false => Ok(()),
            })
        }
    }

    fn fail(&mut self, link: Link, Refusal { fault, why }: Refusal) {
        self.end_session(link);
        self.reply(link, &Message::Failed { fault, why })
    }

    fn up(&mut self, link: Link) {
        if let Some((session, _)) = self.outgoing.get(&link)
            && let Some(session) = self.sessions.get(session)
        {
            let join = session.join();
            self.reply(link, &join)
        }
    }

    fn down(&mut self, link: Link, why: &str) {
        self.entered.remove(&link);
        self.unlock(link);
        self.queue.forget(link);
        self.end_session(link);
        if let Some(mut reads) = self.reads.remove(&link) {
            reads.end(&mut self.transport)
        }
        let found = self.joined.remove(&link).or_else(|| self.outgoing.remove(&link));
        if let Some((session, peer)) = found
            && self.sessions.get(&session).is_some_and(|s| !s.is_written())
        {
            let why = format!("no connection to node {peer}: {why}");
            self.fail(session, Refusal { fault: Fault::Other, why })
        }
    }

    fn sent(&mut self, link: Link, token: u64) {
        if let Some(&(session, to)) = self.outgoing.get(&link) {
            self.in_session(session, |parts, session| {
                session.sent(parts, to, token);
                Ok(())
            })
        } else if let Some(reads) = self.reads.get_mut(&link) {
            reads.sent(&mut self.transport, link, token as usize)
        }
    }

    /// Ends a session. Only what it has prepared or committed stays.
    fn end_session(&mut self, link: Link) {
        let Some(session) = self.sessions.remove(&link) else { return };
        for links in [&mut self.joined, &mut self.outgoing] {
            let of_it: Vec<Link> =
                links.iter().filter(|(_, (s, _))| *s == link).map(|(l, _)| *l).collect();
            for peer in of_it {
                links.remove(&peer);
                self.transport.close(peer);
            }
        }
        session.end(&mut self.transport, &mut self.store)
    }

    /// Syncs a session's version, on a thread if [`Limits::is_threaded`].
    fn begin_sync(&mut self, link: Link, work: impl FnOnce() -> io::Result<()> + Send + 'static) {
        let (sync, outcome) = (self.next_sync, Outcome::default());
        self.next_sync += 1;
        let entry = self.sessions[&link].entry.clone();
        self.syncs.insert(sync, (link, entry, outcome.clone()));
        let waker = self.transport.waker();
        let run = move || {
            let result = work();
            if let Ok(mut place) = outcome.lock() {
                *place = Some(result)
            }
            waker.wake(sync)
        };
        match self.limits.is_threaded {
            true => drop(std::thread::spawn(run)),
            false => run(),
        }
    }

    fn synced(&mut self, sync: u64) {
        let Some((link, entry, outcome)) = self.syncs.remove(&sync) else { return };
        let result = outcome.lock().ok().and_then(|mut place| place.take());
        let result =
            result.unwrap_or_else(|| Err(io::Error::other("a sync ended without a result")));
        let of_it = |s: &Session| s.entry.version == entry.version;
        if !self.sessions.get(&link).is_some_and(of_it) {
            return self.synced_alone(entry, result.is_ok());
        }
        let failed = result.is_err();
        self.in_session(link, |parts, session| {
            result?;
            session.prepared(parts);
            Ok(())
        });
        match self.sessions.get(&link).map(|s| (s.digest(), s.asked)) {
            Some((digest, asked)) => self.answer(link, asked, &Message::Prepared { digest }),
            // The session has already reported its failure.
            None if failed => drop(self.store.unstage(entry.version.id)),
            None => {}
        }
    }

    /// The client is gone: a durable version waits to be resolved.
    fn synced_alone(&mut self, entry: Entry, is_durable: bool) {
        let id = entry.version.id;
        if self.store.find(id).is_some() {
            return; // A patch: the version was there before.
        }
        match is_durable {
            true => {
                self.store.prepared(entry);
                self.store.unattended(id)
            }
            false => drop(self.store.unstage(id)),
        }
    }
}
