//! A transaction, coordinated by a server or client: opens rows in rounds until the operation has
//! all it needs, then one compare-and-swap of the status record decides.
//!
//! ```text
//!  step ─ rows missing ─► Open to each server ─► Opened ─┐
//!   ▲                          │ Busy: wait, or abort the other (contention policy), retry
//!   │                          │ Changed: restart as the next attempt
//!   └──────────────────────────┴──────────────────────────┘
//!  step ─ all open ─► (validate) ─► commit ─► answer; then the rows are settled
//! ```
use super::contention::Advice;
use super::message::{
    Message, Meta, Mode, Open, OpenError, Opened, OpenedRow, Peer, RowRequest, TxId, Write,
};
use super::message::{OutcomeQuery, TxState};
use super::view::{HeldRow, Known, Plan, Stop, View};
use super::{
    Errno, Key, Net, Operation, Options, Outcome, Placement, Reads, RowEvidence, Timer, Version,
};
use super::{RowEffect, op};
use rewind::Value;

/// A server that has not opened all rows of this round.
#[derive(Value)]
struct PendingServer {
    server: u32,
    requests: Vec<RowRequest>,
    same: Vec<(Key, Option<Version>)>,
    states: Vec<(TxId, TxState)>,
}

#[derive(Value)]
enum Phase {
    Opening,
    /// All rows are open; those only read are validated.
    Validating(Plan),
    /// A client waits for the server of the status record.
    Committing(Plan),
    /// Backoff before the next attempt.
    BackingOff,
}

/// Stale lists after which the operation fails with EIO: the rows of the list disagree.
pub const MAX_STALE_READS: u32 = 64;

/// Stale lists that an inconsistent read counts as, since it costs a whole attempt.
const TORN_READ_WEIGHT: u32 = 8;

pub enum Next {
    Wait,
    Commit(Plan),
    /// Another coordinator has finished the operation.
    Discard,
}

#[derive(Value)]
pub struct Txn {
    pub meta: Meta,
    pub operation: Operation,
    pub aborts: u32,
    held: Vec<HeldRow>,
    lists: Vec<Known>,
    pending: Vec<PendingServer>,
    /// Servers that may hold locks of this attempt; an abort releases them.
    lock_servers: Vec<u32>,
    round: u32,
    /// Resends in this round.
    repeats: u32,
    /// Conflicts since a server last opened all rows; input of the contention policy.
    conflicts: u32,
    /// Stale lists; an inconsistent read counts [`TORN_READ_WEIGHT`]. Limit: [`MAX_STALE_READS`].
    stale_reads: u32,
    phase: Phase,
}

/// The coordinator and its options.
pub struct Runner<'a, P: ?Sized> {
    pub me: Peer,
    pub placement: &'a P,
    pub options: &'a Options,
}

impl Txn {
    /// `lists`: the directories' lists that the coordinator knows.
    pub fn new(meta: Meta, operation: Operation, lists: Vec<Known>) -> Txn {
        Txn {
            meta,
            operation,
            aborts: 0,
            held: Vec::new(),
            lists,
            pending: Vec::new(),
            lock_servers: Vec::new(),
            round: 0,
            repeats: 0,
            conflicts: 0,
            stale_reads: 0,
            phase: Phase::Opening,
        }
    }

    pub fn key(&self) -> (u32, u32) {
        (self.meta.id.client, self.meta.id.number)
    }

    fn version(&self) -> Version {
        Version { client: self.meta.id.client, number: self.meta.id.number }
    }

    /// The first attempt of a client's step. `starts` of the coordinator keep attempts after a
    /// crash above those before it.
    pub fn first_attempt(step: u32, starts: u32) -> u64 {
        u64::from(step) << 40 | u64::from(starts) << 20
    }

    /// Advances as far as the open rows allow.
    pub fn advance<P: Placement + ?Sized>(
        &mut self,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) -> Next {
        let now = net.now();
        if self.stale_reads >= MAX_STALE_READS {
            return Next::Commit(Plan::new(Outcome::Failed(Errno::EIO), Vec::new()));
        }
        let reads = by.options.reads;
        let mut view = View::new(&self.held, &self.lists, by.placement, reads, self.version(), now);
        let plan = match op::step(&self.operation, &mut view) {
            Ok(plan) => plan,
            Err(Stop::Fails(errno)) => Plan::new(Outcome::Failed(errno), Vec::new()),
            Err(Stop::Torn) => {
                self.stale_reads += TORN_READ_WEIGHT;
                return self.retry(by, net);
            }
            Err(Stop::Later) => {
                let requests = view.requests();
                self.open_rows(requests, by, net);
                return Next::Wait;
            }
        };
        if self.unlocked_rows(by).is_empty() {
            return Next::Commit(plan);
        }
        self.phase = Phase::Validating(plan);
        self.open_rows(Vec::new(), by, net);
        Next::Wait
    }

    /// Rows read without a lock, to validate.
    fn unlocked_rows<P: ?Sized>(&self, by: &Runner<'_, P>) -> Vec<(u32, Key, Option<Version>)> {
        if by.options.reads != Reads::Validated {
            return Vec::new();
        }
        let rows = self.held.iter().filter(|held| held.row.mode == Mode::Unlocked);
        rows.map(|held| (held.server, held.row.key.clone(), held.version())).collect()
    }

    /// Starts a round: rows to open and rows to validate, by server. Opens an entry together with
    /// its directory's list on the same server, which shows that the directory exists.
    fn open_rows<P: ?Sized>(
        &mut self,
        requests: Vec<(u32, RowRequest)>,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) {
        self.next_round();
        for (server, key, version) in self.unlocked_rows(by) {
            self.pending_on(server).same.push((key, version))
        }
        for (server, request) in requests {
            if !request.key.name.is_none() {
                self.with_list(server, request.key.ino, by.options.reads)
            }
            let pending = self.pending_on(server);
            match pending.requests.iter_mut().find(|other| other.key == request.key) {
                Some(other) => other.mode = other.mode.max(request.mode),
                None => pending.requests.push(request),
            }
        }
        let (client, number) = self.key();
        if let Some(interval) = by.options.resend_interval(0) {
            net.later(interval, Timer::Resend(client, number, self.round))
        }
        for at in 0..self.pending.len() {
            self.send(at, by, net)
        }
    }

    fn next_round(&mut self) {
        self.round += 1;
        self.repeats = 0;
        self.pending.clear()
    }

    fn pending_on(&mut self, server: u32) -> &mut PendingServer {
        let at = self.pending.iter().position(|pending| pending.server == server);
        let at = at.unwrap_or_else(|| {
            let (requests, same, states) = (Vec::new(), Vec::new(), Vec::new());
            self.pending.push(PendingServer { server, requests, same, states });
            self.pending.len() - 1
        });
        &mut self.pending[at]
    }

    /// Opens the directory's list on a server before entries there.
    fn with_list(&mut self, server: u32, directory: u64, reads: Reads) {
        let key = Key::itself(directory);
        let mode = reads.mode(Mode::Shared);
        let is =
            |held: &HeldRow| held.server == server && held.row.key == key && held.row.mode >= mode;
        let is_open = self.held.iter().any(is);
        let of = self.pending_on(server);
        match of.requests.iter_mut().find(|request| request.key == key) {
            _ if is_open => {}
            Some(request) => request.mode = request.mode.max(mode),
            None => of.requests.insert(0, RowRequest { key, mode, fresh: false, moves: None }),
        }
    }

    fn send<P: ?Sized>(&mut self, at: usize, by: &Runner<'_, P>, net: &mut impl Net) {
        let PendingServer { server, requests, same, states } = self.pending[at].clone();
        if requests.iter().any(|request| request.mode > Mode::Unlocked)
            && !self.lock_servers.contains(&server)
        {
            self.lock_servers.push(server)
        }
        let (meta, from, round) = (self.meta, by.me, self.round);
        let open = Open { meta, from, round, states, same, requests };
        net.send(Peer::Server(server), Message::Open(Box::new(open)))
    }

    pub fn opened<P: Placement + ?Sized>(
        &mut self,
        opened: &Opened,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) -> Next {
        let Opened { id, round, server, rows, error } = opened;
        let server = *server;
        let at = self.pending.iter().position(|pending| pending.server == server);
        let (true, Some(at)) = (*id == self.meta.id && *round == self.round, at) else {
            return Next::Wait;
        };
        for row in rows {
            self.add_row(server, at, row.clone(), by)
        }
        match error {
            None => {
                self.conflicts = 0;
                self.pending.swap_remove(at);
            }
            Some(OpenError::Changed) => return self.retry(by, net),
            Some(OpenError::Completed) => return self.discard(net),
            Some(OpenError::TooLarge) => {
                return Next::Commit(Plan::new(Outcome::Failed(Errno::EFBIG), Vec::new()));
            }
            Some(OpenError::Busy(others)) => self.on_conflict(server, others, by, net),
            Some(OpenError::Stale(directory, list)) => {
                let directory = *directory;
                let home = by.placement.home(directory) == server;
                self.lists.retain(|(ino, _)| *ino != directory);
                if let Some(known) = list.clone().map(Some).or(home.then_some(None)) {
                    self.lists.push((directory, known))
                }
                self.stale_reads += 1;
                self.pending.swap_remove(at);
            }
        }
        if !self.pending.is_empty() {
            return Next::Wait;
        }
        match std::mem::replace(&mut self.phase, Phase::Opening) {
            Phase::Validating(plan) => Next::Commit(plan),
            _ => self.advance(by, net),
        }
    }

    fn add_row<P: Placement + ?Sized>(
        &mut self,
        server: u32,
        at: usize,
        row: OpenedRow,
        by: &Runner<'_, P>,
    ) {
        self.pending[at].requests.retain(|request| request.key != row.key);
        let ino = row.key.ino;
        if row.key.name.is_none() && by.placement.home(ino) == server {
            let list = row.stored.as_ref().and_then(|stored| stored.row.list().cloned());
            let known = self.lists.iter().any(|(known, _)| *known == ino);
            self.lists.retain(|(known, _)| *known != ino);
            // A directory that this transaction makes has no list yet.
            if list.is_some() || known || row.mode == Mode::Unlocked {
                self.lists.push((ino, list))
            }
        }
        self.meta.opened += 1;
        self.held.retain(|held| held.server != server || held.row.key != row.key);
        self.held.push(HeldRow { server, row })
    }

    fn on_conflict<P: ?Sized>(
        &mut self,
        server: u32,
        others: &[Meta],
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) {
        let (client, number) = self.key();
        let retry = Timer::Retry(client, number, self.round, server);
        let Some(other) = others.first() else { return net.later(by.options.wait, retry) };
        self.conflicts += 1;
        match by.options.contention.decide(&self.meta, other, self.conflicts - 1) {
            Advice::Wait(times) => {
                let wait = by.options.wait.saturating_mul(u64::from(times));
                net.later(wait + self.jitter(wait), retry)
            }
            Advice::Abort => {
                let (meta, from, requester, part) = (*other, by.me, self.meta.id, server);
                let ask = OutcomeQuery { meta, from, requester, part, kill: true };
                net.send(Peer::Server(other.home), Message::OutcomeQuery(Box::new(ask)))
            }
        }
    }

    /// Deterministic jitter below `most` \[ns\], so that two rivals back off differently.
    fn jitter(&self, most: u64) -> u64 {
        let TxId { client, number, attempt } = self.meta.id;
        let parts = [client.into(), number.into(), attempt, self.conflicts.into()];
        let mixed = parts.iter().fold(0u64, |mixed, part| {
            (mixed ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        mixed % most.max(1)
    }

    /// Handles the outcome of a rival on server `part`: resends with it.
    pub fn on_outcome<P: ?Sized>(
        &mut self,
        other: TxId,
        state: TxState,
        part: u32,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) {
        let Some(at) = self.pending.iter().position(|pending| pending.server == part) else {
            return;
        };
        let states = &mut self.pending[at].states;
        states.retain(|(id, _)| *id != other);
        states.push((other, state));
        self.send(at, by, net)
    }

    /// Aborts this attempt and starts the next after a backoff.
    pub fn retry<P: ?Sized>(&mut self, by: &Runner<'_, P>, net: &mut impl Net) -> Next {
        self.release(net);
        self.aborts += 1;
        self.meta.id.attempt += 1;
        self.phase = Phase::BackingOff;
        self.conflicts = 0;
        let (client, number) = self.key();
        let wait = by.options.wait << self.aborts.min(6);
        net.later(self.jitter(wait), Timer::NextAttempt(client, number, self.meta.id.attempt));
        Next::Wait
    }

    pub fn discard(&mut self, net: &mut impl Net) -> Next {
        self.release(net);
        Next::Discard
    }

    fn release(&mut self, net: &mut impl Net) {
        for server in std::mem::take(&mut self.lock_servers) {
            let settle = Message::Settle(self.meta, Box::new(TxState::Aborted), None);
            net.send(Peer::Server(server), settle)
        }
        self.held.clear();
        self.lists.clear();
        self.pending.clear()
    }

    pub fn wake<P: Placement + ?Sized>(
        &mut self,
        timer: Timer,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) -> Next {
        match timer {
            Timer::NextAttempt(_, _, attempt)
                if attempt == self.meta.id.attempt && self.phase == Phase::BackingOff =>
            {
                self.phase = Phase::Opening;
                return self.advance(by, net);
            }
            Timer::Retry(_, _, round, server) if round == self.round => {
                if let Some(at) = self.pending.iter().position(|pending| pending.server == server) {
                    self.send(at, by, net)
                }
            }
            Timer::Resend(client, number, round) if round == self.round => {
                if self.pending.is_empty() {
                    return Next::Wait;
                }
                (0..self.pending.len()).for_each(|at| self.send(at, by, net));
                self.repeats += 1;
                let interval = by.options.resend_interval(self.repeats).unwrap_or(u64::MAX);
                net.later(interval, Timer::Resend(client, number, round))
            }
            _ => {}
        }
        Next::Wait
    }

    /// Starts the round in which a client requests the commit.
    pub fn start_commit(&mut self, plan: Plan) {
        self.next_round();
        self.phase = Phase::Committing(plan)
    }

    pub fn round(&self) -> u32 {
        self.round
    }

    /// Counts a resend of the commit request; returns the total.
    pub fn repeat(&mut self) -> u32 {
        self.repeats += 1;
        self.repeats
    }

    /// The plan that a client has requested to commit.
    pub fn commit_plan(&self) -> Option<&Plan> {
        match &self.phase {
            Phase::Committing(plan) => Some(plan),
            _ => None,
        }
    }

    /// The writes by server. Servers with locks only have an empty list.
    pub fn parts(&self, plan: &Plan) -> Vec<(u32, Vec<Write>)> {
        let mut servers = self.lock_servers.clone();
        servers.extend(plan.writes.iter().map(|(server, _)| *server));
        servers.sort_unstable();
        servers.dedup();
        let of = |server: u32| {
            let mine = plan.writes.iter().filter(move |(at, _)| *at == server);
            (server, mine.map(|(_, write)| write.clone()).collect())
        };
        servers.into_iter().map(of).collect()
    }

    /// The highest removal number of the open rows.
    pub fn removals(&self) -> u64 {
        self.held.iter().map(|held| held.row.removals).max().unwrap_or(0)
    }

    /// Evidence. A row read without lock or validation is left out, except that a directory is
    /// gone, which stays true.
    pub fn evidence(&self, plan: &Plan, options: &Options) -> Vec<RowEvidence> {
        if !options.evidence {
            return Vec::new();
        }
        let sure =
            |held: &&HeldRow| held.row.mode > Mode::Unlocked || options.reads == Reads::Validated;
        let mut saw: Vec<RowEvidence> =
            self.held.iter().filter(sure).flat_map(|held| held.evidence(&plan.writes)).collect();
        let gone = self.lists.iter().filter(|(_, list)| list.is_none());
        saw.extend(gone.map(|(ino, _)| super::evidence::gone(*ino)));
        if matches!(plan.outcome, Outcome::Failed(Errno::ENOTEMPTY)) {
            let entry = |held: &HeldRow| {
                let (name, version) = held.row.entry.clone()?;
                let key = Key { ino: held.row.key.ino, name };
                let (server, removals, before) = (held.server, held.row.removals, Some(version));
                Some(RowEvidence { key, server, before, removals, after: RowEffect::Kept })
            };
            saw.extend(self.held.iter().filter_map(entry))
        }
        let mut once: Vec<RowEvidence> = Vec::new();
        for saw in saw {
            if !once.contains(&saw) {
                once.push(saw)
            }
        }
        once
    }
}

impl HeldRow {
    fn version(&self) -> Option<Version> {
        self.row.stored.as_ref().map(|stored| stored.version)
    }
}
