//! The thread of the state machine: batches of inputs, one commit each.
use super::gather::Gather;
use super::inputs::Input;
use super::meter::Meter;
use super::moment::Moment;
use crate::Error;
use crate::clock::{nanoseconds, now, wall_ns};
use crate::core::{Core, Effects, Now};
use crate::disk::Disk;
use crate::durability::Durability;
use crate::rows::{self, Changes, Standing};
use crate::status::Status;
use crate::wire::{Body, Query, QueryReply, ReplicaReply, Session};
use ppmds_protocol::message::{Message, Peer};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

/// Inputs that one batch takes after its first.
const MOST_INPUTS: usize = 1_024;
/// Longest wait between two checks whether to stop.
const IDLE: Duration = Duration::from_millis(100);
/// Time until the flush of commits that no message waits for.
const FLUSH: Duration = Duration::from_millis(100);

pub struct Machine<'a> {
    core: Core,
    disk: Box<dyn Disk + 'a>,
    standing: Standing,
    durability: Durability,
    servers: Vec<Option<mpsc::Sender<Body>>>,
    /// The last connection of each client, and the queue of its answers.
    clients: BTreeMap<u32, (u64, mpsc::Sender<Body>)>,
    meter: Meter,
    gather: Gather,
    moment: Moment,
    /// The row of the cluster's servers, and whether it is new: the node must start again.
    members: (u64, bool),
    began: Instant,
    /// Start of the oldest commit that is not flushed.
    unflushed: Option<Instant>,
    /// Highest time of day so far: a clock that is set back does not go back here \[ns\].
    wall: u64,
}

/// A batch that was received.
#[derive(Default)]
struct Batch {
    messages: Vec<Message>,
    permits: Vec<OwnedSemaphorePermit>,
    sessions: Vec<oneshot::Sender<Option<Session>>>,
    queries: Vec<(Query, oneshot::Sender<QueryReply>)>,
}

impl<'a> Machine<'a> {
    pub fn new(
        core: Core,
        (disk, standing): (Box<dyn Disk + 'a>, Standing),
        durability: Durability,
        (version, servers): (u64, Vec<Option<mpsc::Sender<Body>>>),
    ) -> Machine<'a> {
        Machine {
            core,
            disk,
            standing,
            durability,
            servers,
            clients: BTreeMap::new(),
            meter: Meter::new(now()),
            gather: Gather::default(),
            moment: Moment::default(),
            members: (version, false),
            began: now(),
            unflushed: None,
            wall: 0,
        }
    }

    fn now(&mut self) -> Now {
        self.wall = self.wall.max(wall_ns());
        Now { monotonic: nanoseconds(self.began.elapsed()), wall: self.wall }
    }

    pub fn start(&mut self) -> Result<(), Error> {
        let now = self.now();
        let effects = self.core.start(now);
        self.carry_out(effects).map(drop)
    }

    /// Waits for inputs or timers, and handles a batch of them.
    ///
    /// # Errors
    /// The disk fails: the node must stop.
    pub fn turn(&mut self, inputs: &Receiver<Input>) -> Result<(), Error> {
        let mut batch = Batch::default();
        for (message, permit) in self.moment.due() {
            batch.messages.push(message);
            batch.permits.push(permit)
        }
        let wait = if batch.messages.is_empty() { self.longest_wait() } else { Duration::ZERO };
        match inputs.recv_timeout(wait) {
            Ok(first) => self.receive(first, &mut batch),
            Err(RecvTimeoutError::Timeout) => {}
            // The socket thread has ended.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(IDLE),
        }
        for input in inputs.try_iter().take(MOST_INPUTS) {
            self.receive(input, &mut batch)
        }
        if self.durability == Durability::Group && !batch.messages.is_empty() {
            self.gather(inputs, &mut batch)
        }
        self.meter.turn(now(), batch.messages.len());
        let Batch { messages, permits, sessions, queries } = batch;
        match self.durability {
            Durability::Sync => {
                for message in &messages {
                    self.step(std::slice::from_ref(message))?;
                }
                self.step(&[])?;
            }
            _ => {
                let flush = self.step(&messages)?;
                self.gather.note(messages.len(), flush)
            }
        }
        drop(permits);
        for reply in sessions {
            let (session, changes) = self.core.open_session();
            self.commit(&changes, true)?;
            let _ = reply.send(session);
        }
        for (query, reply) in queries {
            let _ = reply.send(self.answer(&query)?);
        }
        self.flush_if_due()
    }

    /// Whether the cluster has other servers now: the node must start again.
    pub fn is_changed(&self) -> bool {
        self.members.1
    }

    fn gather(&mut self, inputs: &Receiver<Input>, batch: &mut Batch) {
        let (target, longest) = self.gather.target(self.clients.len());
        let until = now() + longest;
        while batch.messages.len() < target
            && let Ok(input) = inputs.recv_timeout(until.saturating_duration_since(now()))
        {
            self.receive(input, batch)
        }
    }

    fn longest_wait(&mut self) -> Duration {
        let now = self.now().monotonic;
        let due = self.core.next_due().map(|due| Duration::from_nanos(due.saturating_sub(now)));
        let flush = self.unflushed.map(|since| FLUSH.saturating_sub(since.elapsed()));
        [due, flush].into_iter().flatten().fold(IDLE, Duration::min)
    }

    fn receive(&mut self, input: Input, batch: &mut Batch) {
        match input {
            Input::Message { message, arrived, permit } => {
                if let Message::Ask(ask) = &message {
                    let kind = ask.operation.kind();
                    self.meter.asked((ask.client, ask.number), kind, arrived);
                    if self.moment.is_frozen() {
                        return self.moment.hold((message, permit));
                    }
                }
                batch.messages.push(message);
                batch.permits.push(permit)
            }
            Input::OpenSession(reply) => batch.sessions.push(reply),
            Input::Connected(client, connection, answers) => {
                self.clients.insert(client, (connection, answers));
            }
            Input::Disconnected(client, connection) => {
                if self.clients.get(&client).is_some_and(|(last, _)| *last == connection) {
                    self.clients.remove(&client);
                    self.meter.forget(client)
                }
            }
            Input::Goodbye(session) => self.core.close_session(session),
            Input::Query(query, reply) => batch.queries.push((query, reply)),
            Input::Detached(_) => {}
            Input::Replica(_, _, to) => {
                let Standing { generation, .. } = self.standing;
                let me = self.core.server().store.me();
                let why = format!(
                    "server {me} is now at the address of its standby, in generation {generation}: \
                     this copy is out of date and must not serve. To make it the standby, remove \
                     its folder and exchange the two addresses in the cluster file"
                );
                let _ = to.try_send(Body::ReplicaReply(ReplicaReply::Refused(why)));
            }
        }
    }

    fn step(&mut self, messages: &[Message]) -> Result<Option<Duration>, Error> {
        let now = self.now();
        let effects = self.core.step(now, messages);
        self.carry_out(effects)
    }

    /// Makes changes durable, then lets messages leave. Returns the time of the flush, if it needed
    /// one.
    fn carry_out(&mut self, effects: Effects) -> Result<Option<Duration>, Error> {
        let Effects { changes, sends } = effects;
        let waits = self.durability != Durability::Async && changes.hold_messages();
        let flush = self.commit(&changes, waits)?;
        if !waits && !sends.is_empty() {
            self.disk.confirm()?
        }
        let now = now();
        for (to, message) in sends {
            let queue = match to {
                Peer::Server(server) => self.servers.get(server as usize).and_then(Option::as_ref),
                Peer::Client(client) => {
                    if let Message::Answer(answer) = &message {
                        self.meter.answered((client, answer.number), now)
                    }
                    self.clients.get(&client).map(|(_, queue)| queue)
                }
            };
            if queue.is_none_or(|queue| queue.try_send(Body::Message(message)).is_err()) {
                self.meter.dropped += 1
            }
        }
        Ok(flush)
    }

    fn commit(&mut self, changes: &Changes, is_durable: bool) -> Result<Option<Duration>, Error> {
        if changes.is_empty() {
            return Ok(None);
        }
        let began = now();
        self.disk.commit(changes, is_durable)?;
        self.unflushed = if is_durable { None } else { self.unflushed.or(Some(began)) };
        let took = began.elapsed();
        self.meter.committed(took);
        Ok(is_durable.then_some(took))
    }

    fn flush_if_due(&mut self) -> Result<(), Error> {
        match self.unflushed {
            Some(since) if since.elapsed() >= FLUSH => self.finish(),
            _ => Ok(()),
        }
    }

    /// Flushes commits that no message waited for.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.unflushed = None;
        self.disk.sync()
    }

    fn answer(&mut self, query: &Query) -> Result<QueryReply, Error> {
        Ok(match query {
            Query::Status => QueryReply::Status(Box::new(self.status())),
            Query::Freeze => {
                let server = self.core.server();
                self.moment.freeze();
                QueryReply::Frozen(server.waiting() as u64, server.store.locks_len() as u64)
            }
            Query::FreeLocks => {
                let now = self.now();
                let effects = self.core.free_locks(now);
                self.carry_out(effects)?;
                QueryReply::Done
            }
            Query::Snapshot => self.moment.snapshot(&*self.disk)?,
            Query::Thaw => self.moment.thaw(),
            Query::Rows(behind) => self.moment.page(behind)?,
            Query::Members(members) => {
                if members.growth.version > self.members.0 {
                    self.members = (members.growth.version, true);
                    self.disk.commit(&rows::of_members(members), true)?
                }
                QueryReply::Done
            }
            Query::Rebalance => {
                let now = self.now();
                let (effects, misplaced) = self.core.rebalance(now);
                self.carry_out(effects)?;
                QueryReply::Rebalanced(misplaced)
            }
            Query::Promote => {
                let me = self.core.server().store.me();
                QueryReply::Refused(format!("this is server {me} itself, not its standby"))
            }
        })
    }

    fn status(&self) -> Status {
        let server = self.core.server();
        let (store, counted) = (&server.store, server.counted());
        let count = |n: usize| n as u64;
        let status = Status {
            server: store.me(),
            role: self.standing.role,
            generation: self.standing.generation,
            members: self.members.0,
            uptime_s: self.began.elapsed().as_secs(),
            durability: self.durability.name().to_string(),
            rows: count(store.len()),
            entries: count(store.entries_len()),
            locks: count(store.locks_len()),
            waiting: count(server.waiting()),
            connections: count(self.clients.len()),
            clients: count(store.clients_len()),
            answers: count(store.answers_len()),
            transactions: counted.transactions,
            aborts: counted.aborts,
            store_bytes: self.disk.size(),
            ..Status::default()
        };
        self.meter.report(status)
    }
}
