//! The handlers of a node, one a message.
use super::Node;
use super::operator::Operator;
use super::queue::{Taken, Waiting};
use super::refusal::{Answer, Refusal, busy, okay, refuse};
use super::session::Session;
use crate::transport::{Link, Transport};
use crate::wire::{Fault, Message, Mode, check_name};

impl<T: Transport> Node<T> {
    pub(super) fn handle_message(&mut self, link: Link, message: Message) {
        // The operator sees rejected logins and writes. Other errors are normal traffic.
        let is_told =
            matches!(message, Message::Enter { .. } | Message::Begin { .. } | Message::Join { .. });
        let answer = match message {
            Message::Begin { .. } => self.begin_or_wait(link, message),
            Message::Peers { nodes } => self.peers(link, &nodes),
            Message::Join { secret, index } => self.join(link, secret, index),
            Message::Joined {} => self.joined(link),
            Message::Prepare { sha256 } => self.prepare(link, sha256),
            Message::Commit {} => self.commit(link),
            Message::Finish {} => self.finish(link),
            Message::Wait {} => {
                self.queue.be_patient(link);
                okay()
            }
            Message::GetStatus {} => self.status(),
            Message::Abort {} => {
                self.queue.forget(link);
                self.end_session(link);
                okay()
            }
            Message::Stat { name } => self.stat(&name),
            Message::List { after } => self.list(&after),
            Message::Resolve { name, version, how } => self.resolve(link, &name, version, how),
            Message::Remove { name, upto } => self.remove(link, &name, upto),
            Message::Read { id, stripe, ring, rows } => self.read(link, id, stripe, ring, &rows),
            Message::Verify { id, stripe, count } => self.verify(id, stripe, count),
            Message::GetMembership {} => self.who(),
            Message::Enter { member, force } => self.enter(link, member, force),
            Message::FillComplete { least } => self.filled(link, least),
            Message::Restore { entry } => self.restore(link, &entry),
            Message::Lock { what } => self.lock(link, what),
            Message::Unlock {} => {
                self.unlock(link);
                okay()
            }
            Message::Failed { why, .. } => return self.down(link, &why),
            _ => refuse("a message that nodes do not accept"),
        };
        if let Err(Refusal { fault: Fault::Asked, why }) = &answer
            && is_told
        {
            self.note_refused(link, why)
        }
        self.respond(link, answer)
    }

    /// Begins a session; a patient client waits in the queue if the node is busy.
    fn begin_or_wait(&mut self, link: Link, begin: Message) -> Answer {
        let may_wait = self.queue.may_wait(link);
        match self.begin(link, &begin, self.queue.len() == 0) {
            Err(Refusal { fault: Fault::Busy, .. }) if may_wait && !self.queue.is_full() => {
                let (number, taken) = (self.answering.1, self.taken());
                self.queue.push(Waiting { link, number, begin }, taken);
                Ok(None)
            }
            other => other,
        }
    }

    pub(super) fn begin_waiting(&mut self) {
        while let Some(first) = self.queue.first(self.taken()) {
            self.answering = (first.link, first.number);
            match self.begin(first.link, &first.begin, true) {
                Err(Refusal { fault: Fault::Busy, .. }) => self.queue.put_back(first, self.taken()),
                answer => self.respond(first.link, answer),
            }
            self.answering = (Link::MAX, 0)
        }
    }

    fn taken(&self) -> Taken {
        (self.transport.registered(), self.sessions.len())
    }

    /// Begins a session. `is_its_turn`: no other client waits before it.
    fn begin(&mut self, link: Link, message: &Message, is_its_turn: bool) -> Answer {
        let Message::Begin { mode, entry, .. } = message else { return refuse("no begin message") };
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
            return refuse("the node holds its maximum number of objects");
        }
        if !is_its_turn || self.sessions.len() >= self.limits.sessions {
            let (writing, waiting) = (self.sessions.len(), self.queue.len());
            return busy(format!(
                "{writing} are writing to this node, {waiting} wait for their turn"
            ));
        }
        let memory = (self.limits.memory, self.transport.registered());
        let session = Session::begin(&mut self.parts().0, memory, link, message)?;
        let (ring, slots) = session.ring();
        self.transport.allow(link, ring, slots);
        self.sessions.insert(link, session);
        Ok(Some(Message::SessionOpened { ring }))
    }

    /// Connects to the other nodes. Without any, the session is ready at once.
    fn peers(&mut self, link: Link, nodes: &[(String, u32)]) -> Answer {
        let asked = self.answering.1;
        let Some(session) = self.sessions.get_mut(&link) else { return refuse("no session") };
        session.asked = asked;
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
        Ok(others.is_empty().then_some(Message::Ready {}))
    }

    fn join(&mut self, link: Link, secret: u128, index: u8) -> Answer {
        let found = self.sessions.iter().find(|(_, s)| s.secret() == secret);
        let Some((session, found)) = found.map(|(link, s)| (*link, s)) else {
            return refuse("no session has this secret");
        };
        if !self.transport.is_node(link, index.into()) {
            return refuse("its certificate is not that of the node it claims to be");
        }
        let (ring, slots) = found.ring();
        self.transport.allow(link, ring, slots);
        self.joined.insert(link, (session, usize::from(index)));
        Ok(Some(Message::Joined {}))
    }

    fn joined(&mut self, link: Link) -> Answer {
        let Some(&(client, node)) = self.outgoing.get(&link) else {
            return refuse("not requested");
        };
        let Some(session) = self.sessions.get_mut(&client) else { return Ok(None) };
        if session.peer_joined(node) {
            let asked = session.asked;
            self.answer(client, asked, &Message::Ready {})
        }
        Ok(None)
    }

    fn prepare(&mut self, link: Link, sha256: [u8; 32]) -> Answer {
        let asked = self.answering.1;
        let (mut parts, session) = self.session(link)?;
        session.asked = asked;
        match session.prepare(&mut parts, sha256)? {
            None => Ok(Some(Message::Prepared { digest: session.digest() })),
            Some(work) => {
                self.begin_sync(link, work);
                Ok(None)
            }
        }
    }

    fn commit(&mut self, link: Link) -> Answer {
        let (mut parts, session) = self.session(link)?;
        session.commit(&mut parts)?;
        Ok(Some(Message::Committed {}))
    }

    /// All nodes have committed: drops older versions.
    fn finish(&mut self, link: Link) -> Answer {
        let (_, session) = self.session(link)?;
        let entry = session.entry.clone();
        self.end_session(link);
        self.drop_older(&entry.name, entry.version)?;
        Ok(Some(Message::Finished {}))
    }

    /// Takes the operator's lock. Its holder may take it again.
    fn lock(&mut self, link: Link, what: String) -> Answer {
        if self.operator.as_ref().is_some_and(|operator| operator.link != link) {
            let running = self.running();
            return refuse(format!("another operator command is running: {running}"));
        }
        self.operator = Some(Operator { link, what, since: self.transport.now() });
        okay()
    }

    /// The operator's command; empty if the lock is free.
    pub(super) fn running(&self) -> String {
        let running = |operator: &Operator| operator.running(&self.transport);
        self.operator.as_ref().map_or(String::new(), running)
    }

    pub(super) fn unlock(&mut self, link: Link) {
        self.operator.take_if(|operator| operator.link == link);
    }
}
