//! What a node does for each message.
use super::reads::{self, Reads};
use super::{Node, Parts, Refusal, Session, busy, geometry, refuse};
use crate::transport::{Link, Transport};
use crate::wire::{Entry, Fault, Message, Mode, Settling};
use xor_protocol::commit::{Held, Version};

/// Bytes of an object's name.
const MOST_NAME: usize = 255;
/// Entries of one answer: each is at most a name and some hundred bytes.
const MOST_ENTRIES: usize = 256;
/// Records that cannot be read, at most, so that an answer can name them: with more the disk is
/// lost.
const MOST_UNREADABLE: usize = 4096;
/// Bytes that one message has verified.
const MOST_VERIFIED: u64 = 32 << 20;
/// Sums of one answer, 5 bytes each.
const MOST_SUMS: u64 = 1 << 15;

/// Whether an object may have this name.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    match () {
        () if name.is_empty() => Err("an object’s name is empty".into()),
        () if name.len() > MOST_NAME => {
            Err(format!("an object’s name has {} bytes, {MOST_NAME} at most", name.len()))
        }
        () if name.chars().any(char::is_control) => {
            Err(format!("the name {name:?} has control characters"))
        }
        () => Ok(()),
    }
}

impl<T: Transport> Node<T> {
    pub(super) fn hear(&mut self, link: Link, message: Message) {
        // Who is not let in, or may not write: other refusals are part of the work.
        let is_told =
            matches!(message, Message::Enter { .. } | Message::Begin { .. } | Message::Join { .. });
        let result = match message {
            Message::Begin { .. } => self.begin_or_wait(link, message),
            Message::Peers { nodes } => self.peers(link, &nodes),
            Message::Join { secret, index } => self.join(link, secret, index),
            Message::Joined {} => self.joined(link),
            Message::Prepare { sha256 } => self.prepare(link, sha256),
            Message::Commit {} => self.commit(link),
            Message::Finish {} => self.finish(link),
            Message::Wait {} => {
                self.queue.be_patient(link);
                self.say(link, &Message::Okay {});
                Ok(())
            }
            Message::HowIs {} => self.status(link),
            Message::Abort {} => {
                self.queue.forget(link);
                self.end_session(link);
                self.say(link, &Message::Okay {});
                Ok(())
            }
            Message::Stat { name } => self.stat(link, &name),
            Message::List { after } => self.list(link, &after),
            Message::Settle { name, version, how } => self.settle(link, &name, version, how),
            Message::Remove { name, upto } => self.remove(link, &name, upto),
            Message::Read { id, stripe, ring, rows } => self.read(link, id, stripe, ring, &rows),
            Message::Verify { id, stripe, count } => self.verify(link, id, stripe, count),
            Message::Who {} => self.who(link),
            Message::Enter { member, force } => self.enter(link, member, force),
            Message::Filled { least } => self.filled(link, least),
            Message::Restore { entry } => self.restore(link, &entry),
            Message::Lock { what } => self.lock(link, what),
            Message::Unlock {} => {
                self.unlock(link);
                self.say(link, &Message::Okay {});
                Ok(())
            }
            Message::Failed { why, .. } => return self.down(link, &why),
            _ => refuse("a message that a node does not take"),
        };
        if let Err(refusal) = result {
            if is_told && refusal.fault == Fault::Asked {
                self.note_refused(link, &refusal.why)
            }
            self.fail(link, refusal)
        }
    }

    /// Begins a session; not before others have their turn.
    pub(super) fn begin(
        &mut self,
        link: Link,
        message: &Message,
        is_its_turn: bool,
    ) -> Result<(), Refusal> {
        let Message::Begin { mode, entry, .. } = message else { return refuse("no beginning") };
        check_name(&entry.name).or_else(refuse)?;
        if *mode != Mode::Measure {
            self.check_entered(link)?;
            self.check_place(entry)?
        }
        if self.sessions.contains_key(&link) {
            return refuse("a session is open on this connection");
        }
        if self.sessions.values().any(|s| s.entry.version.id == entry.version.id) {
            return refuse("this version is being written");
        }
        if *mode == Mode::Put && self.store.count() >= self.limits.objects {
            return refuse("the node holds as many objects as it may");
        }
        if !is_its_turn || self.sessions.len() >= self.limits.sessions {
            let (writing, waiting) = (self.sessions.len(), self.queue.len());
            return busy(format!("{writing} are writing to it, {waiting} wait for their turn"));
        }
        let memory = (self.limits.memory, self.transport.registered());
        let (transport, store, writes) = (&mut self.transport, &mut self.store, &self.writes);
        let mut parts = Parts { transport, store, writes, writers: 0 };
        let session = Session::begin(&mut parts, memory, link, message)?;
        let (ring, slots) = session.ring();
        self.transport.allow(link, ring, slots);
        self.sessions.insert(link, session);
        self.say(link, &Message::Begun { ring });
        Ok(())
    }

    /// Connects to the other nodes; without any, all is ready.
    fn peers(&mut self, link: Link, nodes: &[(String, u32)]) -> Result<(), Refusal> {
        let Some(session) = self.sessions.get_mut(&link) else { return refuse("no session") };
        session.asked = self.answering.1;
        if nodes.len() > session.nodes() {
            return refuse("more nodes than the layout has");
        }
        let others = nodes.iter().enumerate();
        let others: Vec<(usize, &(String, u32))> =
            others.filter(|(node, _)| *node != usize::from(session.entry.index)).collect();
        for (node, (address, ring)) in &others {
            let peer = self.transport.connect(address, *node);
            session.add_peer(*node, peer, *ring);
            self.outgoing.insert(peer, (link, *node));
        }
        if others.is_empty() {
            self.say(link, &Message::Ready {})
        }
        Ok(())
    }

    fn join(&mut self, link: Link, secret: u128, index: u8) -> Result<(), Refusal> {
        let found = self.sessions.iter().find(|(_, s)| s.secret() == secret);
        let Some((session, found)) = found.map(|(link, s)| (*link, s)) else {
            return refuse("no session has this secret");
        };
        if !self.transport.is_node(link, index.into()) {
            return refuse("its certificate is not that of the node it says it is");
        }
        let (ring, slots) = found.ring();
        self.transport.allow(link, ring, slots);
        self.joined.insert(link, (session, usize::from(index)));
        self.say(link, &Message::Joined {});
        Ok(())
    }

    fn joined(&mut self, link: Link) -> Result<(), Refusal> {
        let Some(&(client, node)) = self.outgoing.get(&link) else { return refuse("not asked") };
        let Some(session) = self.sessions.get_mut(&client) else { return Ok(()) };
        if session.peer_joined(node) {
            let asked = session.asked;
            self.answer(client, asked, &Message::Ready {})
        }
        Ok(())
    }

    fn prepare(&mut self, link: Link, sha256: [u8; 32]) -> Result<(), Refusal> {
        let Some(session) = self.sessions.get_mut(&link) else { return refuse("no session") };
        session.asked = self.answering.1;
        let (transport, store, writes) = (&mut self.transport, &mut self.store, &self.writes);
        let mut parts = Parts { transport, store, writes, writers: 0 };
        match session.prepare(&mut parts, sha256)? {
            Some(work) => self.begin_sync(link, work),
            None => {
                let digest = session.digest();
                self.say(link, &Message::Prepared { digest })
            }
        }
        Ok(())
    }

    fn commit(&mut self, link: Link) -> Result<(), Refusal> {
        let Some(session) = self.sessions.get_mut(&link) else { return refuse("no session") };
        let (transport, store, writes) = (&mut self.transport, &mut self.store, &self.writes);
        let mut parts = Parts { transport, store, writes, writers: 0 };
        session.commit(&mut parts)?;
        self.say(link, &Message::Committed {});
        Ok(())
    }

    /// All nodes have committed: what is older goes.
    fn finish(&mut self, link: Link) -> Result<(), Refusal> {
        let Some(session) = self.sessions.get(&link) else { return refuse("no session") };
        let entry = session.entry.clone();
        self.end_session(link);
        self.drop_older(&entry.name, entry.version)?;
        self.say(link, &Message::Finished {});
        Ok(())
    }

    /// Visible versions before this one, if this one is visible.
    fn drop_older(&mut self, name: &str, version: Version) -> Result<(), Refusal> {
        let is_here = |e: &&Entry| e.held == Held::Committed && self.store.is_own(e);
        if !self.store.versions(name).filter(is_here).any(|e| e.version == version) {
            return Ok(());
        }
        let is_older = |e: &&Entry| {
            matches!(e.held, Held::Committed | Held::Removed { .. }) && self.store.is_own(e)
        };
        let older = self.store.versions(name).filter(is_older).map(|e| e.version);
        let older: Vec<Version> = older.filter(|v| *v < version).collect();
        for version in older {
            self.store.remove(version.id)?
        }
        Ok(())
    }

    fn stat(&mut self, link: Link, name: &str) -> Result<(), Refusal> {
        let entries = self.store.versions(name).take(MOST_ENTRIES).cloned().collect();
        self.say_entries(link, entries, false)
    }

    /// Says what there is, and what there may be: which name a record has that cannot be read only
    /// other nodes know.
    fn say_entries(&mut self, link: Link, entries: Vec<Entry>, more: bool) -> Result<(), Refusal> {
        let unreadable = self.store.unreadable();
        if unreadable.len() > MOST_UNREADABLE {
            let why = format!(
                "{} of its records cannot be read: its disk is lost: empty its folder, then \
                 `tenbin relay repair --lost`",
                unreadable.len()
            );
            return Err(Refusal { fault: Fault::Own, why });
        }
        self.say(link, &Message::Entries { entries, more, unreadable });
        Ok(())
    }

    /// Whole names only, so that the next question can begin after the last.
    fn list(&mut self, link: Link, after: &str) -> Result<(), Refusal> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut more = false;
        for name in self.store.names_after(after) {
            let versions: Vec<Entry> = self.store.versions(name).cloned().collect();
            if !entries.is_empty() && entries.len() + versions.len() > MOST_ENTRIES {
                more = true;
                break;
            }
            entries.extend(versions.into_iter().take(MOST_ENTRIES))
        }
        self.say_entries(link, entries, more)
    }

    /// Ends a doubt. A version whose writer is connected is left alone.
    fn settle(
        &mut self,
        link: Link,
        name: &str,
        version: Version,
        how: Settling,
    ) -> Result<(), Refusal> {
        self.check_entered(link)?;
        let found = self.store.find(version.id).map(|e| (e.held, e.name == name));
        if let Some((_, false)) = found {
            return refuse("this version has another name");
        }
        match (found.map(|(held, _)| held), how) {
            (Some(Held::Prepared { is_attended: true }), Settling::Discard) => {
                return refuse("its writer is at work");
            }
            (Some(Held::Prepared { .. }), Settling::Commit | Settling::Supersede) => {
                self.store.commit(version.id)?
            }
            (_, Settling::Discard) => self.store.discard(version.id, false)?,
            (_, Settling::Forget) => self.forget(version.id)?,
            (_, Settling::Commit | Settling::Supersede) => {}
        }
        if how == Settling::Supersede {
            self.drop_older(name, version)?
        }
        self.say(link, &Message::Okay {});
        Ok(())
    }

    /// A mark goes, and nothing else.
    fn forget(&mut self, id: u128) -> Result<(), Refusal> {
        let marks = self.store.unreadable().into_iter().filter(|(other, _)| *other == id);
        let held = self.store.find(id).map(|e| e.held).or(marks.map(|(_, held)| held).next());
        if let Some(Held::Removed { .. }) = held {
            self.store.remove(id)?
        }
        Ok(())
    }

    fn restore(&mut self, link: Link, entry: &Entry) -> Result<(), Refusal> {
        self.check_entered(link)?;
        self.check_place(entry)?;
        check_name(&entry.name).or_else(refuse)?;
        geometry(entry.rule, entry.nodes, entry.length, entry.block)?;
        match self.store.restore(entry)? {
            true => {
                self.say(link, &Message::Okay {});
                Ok(())
            }
            false => refuse("it has no record of this version that cannot be read"),
        }
    }

    /// What has this generation goes, whoever is still writing it: it has the removed content, for
    /// another layout. So does what older versions are left.
    fn remove(&mut self, link: Link, name: &str, upto: Version) -> Result<(), Refusal> {
        self.check_entered(link)?;
        let back = self.sessions.iter().filter(|(_, s)| s.brings_back(name, upto));
        for rewrite in back.map(|(link, _)| *link).collect::<Vec<_>>() {
            let why = "the object was removed meanwhile".into();
            self.fail(rewrite, Refusal { fault: Fault::Asked, why })
        }
        let attended = Held::Prepared { is_attended: true };
        let goes = |e: &&Entry| match e.version.generation == upto.generation {
            true => true,
            false => e.version <= upto && e.held != attended,
        };
        let own = self.store.versions(name).filter(|e| self.store.is_own(e));
        let ids: Vec<u128> = own.filter(goes).map(|e| e.version.id).collect();
        for id in ids.into_iter().chain([upto.id]) {
            self.store.discard(id, true)?
        }
        self.say(link, &Message::Okay {});
        Ok(())
    }

    fn read(
        &mut self,
        link: Link,
        id: u128,
        stripe: u64,
        ring: u32,
        rows: &[(u16, u32)],
    ) -> Result<(), Refusal> {
        if self.reads.get(&link).is_none_or(|r| r.id() != id) {
            if let Some(mut old) = self.reads.remove(&link) {
                old.end(&mut self.transport)
            }
            let Ok(opened) = reads::open(&self.store, id) else {
                let rows = rows.iter().map(|(row, _)| *row).collect();
                self.say(link, &Message::Unreadable { id, stripe, rows });
                return Ok(());
            };
            let reads = Reads::new(&mut self.transport, id, opened, self.limits.memory)?;
            self.reads.insert(link, reads);
        }
        let reads = self.reads.get_mut(&link).expect("opened above");
        match reads.ask(&mut self.transport, link, (stripe, ring), rows) {
            true => Ok(()),
            false => refuse("too much is asked for at a time"),
        }
    }

    /// A block that cannot be read is a bad one.
    fn verify(&mut self, link: Link, id: u128, stripe: u64, count: u32) -> Result<(), Refusal> {
        let opened = reads::open(&self.store, id);
        let Some(entry) = self.store.find(id) else { return refuse("there is no such version") };
        let geometry = geometry(entry.rule, entry.nodes, entry.length, entry.block)?;
        let (rows, shape) = (geometry.0.rows(), geometry.1);
        let most = (MOST_VERIFIED / shape.block()).min(MOST_SUMS) / rows as u64;
        let end = stripe.checked_add(u64::from(count)).filter(|end| *end <= shape.stripes());
        let Some(end) = end.filter(|_| u64::from(count) <= most.max(1)) else {
            return refuse(format!("{count} stripes from {stripe} on are too many"));
        };
        let mut buffer = vec![0; shape.block() as usize];
        let mut blocks = Vec::new();
        for stripe in stripe..end {
            let length = shape.block_of(stripe) as usize;
            for row in 0..rows {
                let read =
                    opened.as_ref().ok().map(|o| o.block(stripe, row, &mut buffer[..length]));
                blocks.push(match read {
                    Some(Ok(found)) => found,
                    _ => (0, false),
                })
            }
        }
        self.say(link, &Message::Verified { blocks });
        Ok(())
    }
}
