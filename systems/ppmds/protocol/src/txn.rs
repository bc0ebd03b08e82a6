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
use super::message::{AskFate, Fate};
use super::message::{Got, Message, Meta, Mode, Open, Opened, Peer, Trouble, TxId, Want, Write};
use super::view::{Held, Known, Plan, Stop, View};
use super::{After, op};
use super::{Errno, Key, Net, Operation, Options, Outcome, Placement, Reads, Saw, Timer, Version};
use rewind::Value;

/// A server that has not opened all rows of this round.
#[derive(Value)]
struct Asked {
    server: u32,
    wants: Vec<Want>,
    same: Vec<(Key, Option<Version>)>,
    fates: Vec<(TxId, Fate)>,
}

#[derive(Value)]
enum Phase {
    Opening,
    /// All rows are open; those only read are validated.
    Validating(Plan),
    /// A client waits for the server of the status record.
    Committing(Plan),
    /// Backoff before the next attempt.
    Resting,
}

/// Stale lists after which the operation fails with EIO: the rows of the list disagree.
pub const ASTRAY: u32 = 64;

/// Stale lists that an inconsistent read counts as, since it costs a whole attempt.
const TORN: u32 = 8;

pub enum Next {
    Wait,
    Commit(Plan),
    /// Another coordinator has finished the operation.
    Drop,
}

#[derive(Value)]
pub struct Txn {
    pub meta: Meta,
    pub operation: Operation,
    pub aborts: u32,
    held: Vec<Held>,
    lists: Vec<Known>,
    asked: Vec<Asked>,
    /// Servers that may hold locks of this attempt; an abort releases them.
    touched: Vec<u32>,
    round: u32,
    /// Resends in this round.
    repeats: u32,
    /// Conflicts since a server last opened all rows; input of the contention policy.
    times: u32,
    /// Stale lists seen; an inconsistent read counts [`TORN`]. Fails at [`ASTRAY`].
    astray: u32,
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
            asked: Vec::new(),
            touched: Vec::new(),
            round: 0,
            repeats: 0,
            times: 0,
            astray: 0,
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
    pub fn first(step: u32, starts: u32) -> u64 {
        u64::from(step) << 40 | u64::from(starts) << 20
    }

    /// Advances as far as the open rows allow.
    pub fn go<P: Placement + ?Sized>(&mut self, by: &Runner<'_, P>, net: &mut impl Net) -> Next {
        let now = net.now();
        if self.astray >= ASTRAY {
            return Next::Commit(Plan::new(Outcome::Failed(Errno::EIO), Vec::new()));
        }
        let reads = by.options.reads;
        let mut view = View::new(&self.held, &self.lists, by.placement, reads, self.version(), now);
        let plan = match op::step(&self.operation, &mut view) {
            Ok(plan) => plan,
            Err(Stop::Fails(errno)) => Plan::new(Outcome::Failed(errno), Vec::new()),
            Err(Stop::Torn) => {
                self.astray += TORN;
                return self.again(by, net);
            }
            Err(Stop::Later) => {
                let wants = view.wants();
                self.ask(wants, by, net);
                return Next::Wait;
            }
        };
        if self.looks(by).is_empty() {
            return Next::Commit(plan);
        }
        self.phase = Phase::Validating(plan);
        self.ask(Vec::new(), by, net);
        Next::Wait
    }

    /// Rows read without a lock, to validate.
    fn looks<P: ?Sized>(&self, by: &Runner<'_, P>) -> Vec<(u32, Key, Option<Version>)> {
        if by.options.reads != Reads::Validated {
            return Vec::new();
        }
        let looks = self.held.iter().filter(|held| held.got.mode == Mode::Look);
        looks.map(|held| (held.server, held.got.key.clone(), held.version())).collect()
    }

    /// Starts a round: rows to open and rows to validate, by server. Opens an entry together with
    /// its directory's list on the same server, which shows that the directory exists.
    fn ask<P: ?Sized>(&mut self, wants: Vec<(u32, Want)>, by: &Runner<'_, P>, net: &mut impl Net) {
        self.next_round();
        for (server, key, version) in self.looks(by) {
            self.of(server).same.push((key, version))
        }
        for (server, want) in wants {
            if !want.key.name.is_none() {
                self.with_list(server, want.key.ino, by.options.reads)
            }
            let asked = self.of(server);
            match asked.wants.iter_mut().find(|other| other.key == want.key) {
                Some(other) => other.mode = other.mode.max(want.mode),
                None => asked.wants.push(want),
            }
        }
        let (client, number) = self.key();
        if let Some(patience) = by.options.patience(0) {
            net.later(patience, Timer::Patience(client, number, self.round))
        }
        for at in 0..self.asked.len() {
            self.send(at, by, net)
        }
    }

    fn next_round(&mut self) {
        self.round += 1;
        self.repeats = 0;
        self.asked.clear()
    }

    fn of(&mut self, server: u32) -> &mut Asked {
        let at = self.asked.iter().position(|asked| asked.server == server);
        let at = at.unwrap_or_else(|| {
            let (wants, same, fates) = (Vec::new(), Vec::new(), Vec::new());
            self.asked.push(Asked { server, wants, same, fates });
            self.asked.len() - 1
        });
        &mut self.asked[at]
    }

    /// Opens the directory's list on a server before entries there.
    fn with_list(&mut self, server: u32, directory: u64, reads: Reads) {
        let key = Key::itself(directory);
        let mode = reads.mode(Mode::Shared);
        let is =
            |held: &Held| held.server == server && held.got.key == key && held.got.mode >= mode;
        let asked = self.held.iter().any(is);
        let of = self.of(server);
        match of.wants.iter_mut().find(|want| want.key == key) {
            _ if asked => {}
            Some(want) => want.mode = want.mode.max(mode),
            None => of.wants.insert(0, Want { key, mode, fresh: false, moves: None }),
        }
    }

    fn send<P: ?Sized>(&mut self, at: usize, by: &Runner<'_, P>, net: &mut impl Net) {
        let Asked { server, wants, same, fates } = self.asked[at].clone();
        if wants.iter().any(|want| want.mode > Mode::Look) && !self.touched.contains(&server) {
            self.touched.push(server)
        }
        let (meta, from, round) = (self.meta, by.me, self.round);
        let open = Open { meta, from, round, fates, same, wants };
        net.send(Peer::Server(server), Message::Open(Box::new(open)))
    }

    pub fn opened<P: Placement + ?Sized>(
        &mut self,
        opened: &Opened,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) -> Next {
        let Opened { id, round, server, got, trouble } = opened;
        let server = *server;
        let at = self.asked.iter().position(|asked| asked.server == server);
        let (true, Some(at)) = (*id == self.meta.id && *round == self.round, at) else {
            return Next::Wait;
        };
        for got in got {
            self.take(server, at, got.clone(), by)
        }
        match trouble {
            None => {
                self.times = 0;
                self.asked.swap_remove(at);
            }
            Some(Trouble::Changed) => return self.again(by, net),
            Some(Trouble::Over) => return self.drop(net),
            Some(Trouble::Busy(others)) => self.busy(server, others, by, net),
            Some(Trouble::Stale(directory, list)) => {
                let directory = *directory;
                let home = by.placement.home(directory) == server;
                self.lists.retain(|(ino, _)| *ino != directory);
                if let Some(known) = list.clone().map(Some).or(home.then_some(None)) {
                    self.lists.push((directory, known))
                }
                self.astray += 1;
                self.asked.swap_remove(at);
            }
        }
        if !self.asked.is_empty() {
            return Next::Wait;
        }
        match std::mem::replace(&mut self.phase, Phase::Opening) {
            Phase::Validating(plan) => Next::Commit(plan),
            _ => self.go(by, net),
        }
    }

    fn take<P: Placement + ?Sized>(
        &mut self,
        server: u32,
        at: usize,
        got: Got,
        by: &Runner<'_, P>,
    ) {
        self.asked[at].wants.retain(|want| want.key != got.key);
        let ino = got.key.ino;
        if got.key.name.is_none() && by.placement.home(ino) == server {
            let list = got.stored.as_ref().and_then(|stored| stored.row.list().cloned());
            let known = self.lists.iter().any(|(known, _)| *known == ino);
            self.lists.retain(|(known, _)| *known != ino);
            // A directory that this transaction makes has no list yet.
            if list.is_some() || known || got.mode == Mode::Look {
                self.lists.push((ino, list))
            }
        }
        self.meta.opened += 1;
        self.held.retain(|held| held.server != server || held.got.key != got.key);
        self.held.push(Held { server, got })
    }

    fn busy<P: ?Sized>(
        &mut self,
        server: u32,
        others: &[Meta],
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) {
        let (client, number) = self.key();
        let retry = Timer::Retry(client, number, self.round, server);
        let Some(other) = others.first() else { return net.later(by.options.wait, retry) };
        self.times += 1;
        match by.options.contention.decide(&self.meta, other, self.times - 1) {
            Advice::Wait(times) => {
                let wait = by.options.wait.saturating_mul(u64::from(times));
                net.later(wait + self.jitter(wait), retry)
            }
            Advice::Abort => {
                let (meta, from, who, part) = (*other, by.me, self.meta.id, server);
                let ask = AskFate { meta, from, who, part, kill: true };
                net.send(Peer::Server(other.home), Message::Fate(Box::new(ask)))
            }
        }
    }

    /// Deterministic jitter below `most` \[ns\], so that two rivals back off differently.
    fn jitter(&self, most: u64) -> u64 {
        let TxId { client, number, attempt } = self.meta.id;
        let parts = [client.into(), number.into(), attempt, self.times.into()];
        let mixed = parts.iter().fold(0u64, |mixed, part| {
            (mixed ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        mixed % most.max(1)
    }

    /// Handles the outcome of a rival on server `part`: resends with it.
    pub fn became<P: ?Sized>(
        &mut self,
        other: TxId,
        fate: Fate,
        part: u32,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) {
        let Some(at) = self.asked.iter().position(|asked| asked.server == part) else { return };
        let fates = &mut self.asked[at].fates;
        fates.retain(|(id, _)| *id != other);
        fates.push((other, fate));
        self.send(at, by, net)
    }

    /// Aborts this attempt and starts the next after a backoff.
    pub fn again<P: ?Sized>(&mut self, by: &Runner<'_, P>, net: &mut impl Net) -> Next {
        self.release(net);
        self.aborts += 1;
        self.meta.id.attempt += 1;
        self.phase = Phase::Resting;
        self.times = 0;
        let (client, number) = self.key();
        let wait = by.options.wait << self.aborts.min(6);
        net.later(self.jitter(wait), Timer::Again(client, number, self.meta.id.attempt));
        Next::Wait
    }

    pub fn drop(&mut self, net: &mut impl Net) -> Next {
        self.release(net);
        Next::Drop
    }

    fn release(&mut self, net: &mut impl Net) {
        for server in std::mem::take(&mut self.touched) {
            let settle = Message::Settle(self.meta, Box::new(Fate::Aborted), None);
            net.send(Peer::Server(server), settle)
        }
        self.held.clear();
        self.lists.clear();
        self.asked.clear()
    }

    pub fn wake<P: Placement + ?Sized>(
        &mut self,
        timer: Timer,
        by: &Runner<'_, P>,
        net: &mut impl Net,
    ) -> Next {
        match timer {
            Timer::Again(_, _, attempt)
                if attempt == self.meta.id.attempt && self.phase == Phase::Resting =>
            {
                self.phase = Phase::Opening;
                return self.go(by, net);
            }
            Timer::Retry(_, _, round, server) if round == self.round => {
                if let Some(at) = self.asked.iter().position(|asked| asked.server == server) {
                    self.send(at, by, net)
                }
            }
            Timer::Patience(client, number, round) if round == self.round => {
                if self.asked.is_empty() {
                    return Next::Wait;
                }
                (0..self.asked.len()).for_each(|at| self.send(at, by, net));
                self.repeats += 1;
                let patience = by.options.patience(self.repeats).unwrap_or(u64::MAX);
                net.later(patience, Timer::Patience(client, number, round))
            }
            _ => {}
        }
        Next::Wait
    }

    /// Starts the round in which a client requests the commit.
    pub fn committing(&mut self, plan: Plan) {
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
    pub fn wanted(&self) -> Option<&Plan> {
        match &self.phase {
            Phase::Committing(plan) => Some(plan),
            _ => None,
        }
    }

    /// The writes by server. Servers with locks only have an empty list.
    pub fn parts(&self, plan: &Plan) -> Vec<(u32, Vec<Write>)> {
        let mut servers = self.touched.clone();
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
        self.held.iter().map(|held| held.got.removals).max().unwrap_or(0)
    }

    /// Evidence. A row read without lock or validation is left out, except that a directory is
    /// gone, which stays true.
    pub fn saw(&self, plan: &Plan, options: &Options) -> Vec<Saw> {
        if !options.evidence {
            return Vec::new();
        }
        let sure = |held: &&Held| held.got.mode > Mode::Look || options.reads == Reads::Validated;
        let mut saw: Vec<Saw> =
            self.held.iter().filter(sure).flat_map(|held| held.saw(&plan.writes)).collect();
        let gone = self.lists.iter().filter(|(_, list)| list.is_none());
        saw.extend(gone.map(|(ino, _)| super::saw::gone(*ino)));
        if matches!(plan.outcome, Outcome::Failed(Errno::ENOTEMPTY)) {
            let entry = |held: &Held| {
                let (name, version) = held.got.entry.clone()?;
                let key = Key { ino: held.got.key.ino, name };
                let (server, removals, before) = (held.server, held.got.removals, Some(version));
                Some(Saw { key, server, before, removals, after: After::Kept })
            };
            saw.extend(self.held.iter().filter_map(entry))
        }
        let mut once: Vec<Saw> = Vec::new();
        for saw in saw {
            if !once.contains(&saw) {
                once.push(saw)
            }
        }
        once
    }
}

impl Held {
    fn version(&self) -> Option<Version> {
        self.got.stored.as_ref().map(|stored| stored.version)
    }
}
