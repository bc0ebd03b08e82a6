//! A server: answers requests, coordinates transactions, takes part in those of others, and keeps
//! their status records.
mod runs;
mod spread;
use super::direct::DirectResult;
use super::heat::Heat;
use super::message::{
    Answer, Ask, Message, Meta, Open, OutcomeQuery, OutcomeReply, Peer, SavedAnswer, TxId,
};
use super::record::Record;
use super::store::Store;
use super::txn::{Next, Txn};
use super::{Ino, Net, Operation, Outcome, Placement, RowEvidence, Rules, Timer, Version};
use rewind::{Rewind, Table, Value};
use std::collections::VecDeque;

/// Multiple of [`Options::wait`] after which a write that waits for a locked row becomes a
/// transaction.
const MAX_LOCK_WAIT: u64 = 32;

/// A read that waits for the outcomes of transactions.
#[derive(Value)]
struct ParkedRead {
    ask: Ask,
    /// Outcomes not received yet, and resends.
    queries: Vec<OutcomeQuery>,
    resends: u32,
}

#[derive(Rewind)]
pub struct Server {
    pub store: Store,
    /// Boxed: each message removes and inserts its transaction.
    running: Table<(u32, u32), Box<Txn>>,
    parked: Table<(u32, u32), ParkedRead>,
    /// Writes that wait for a locked row, by directory. Most locks end before a transaction would
    /// pay off.
    held: Table<(Ino, u32, u32), Ask>,
    /// Servers that have not confirmed the end of a transaction.
    unsettled: Table<(u32, u32), PendingSettlement>,
    /// Spreads of directories since the last start.
    spread: u32,
    counted: ServerCounts,
    heat: Heat,
}

#[derive(Value)]
struct PendingSettlement {
    servers: Vec<u32>,
    resends: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, rewind::Scalar)]
pub struct ServerCounts {
    pub transactions: u64,
    /// Attempts aborted by others or because rows had changed.
    pub aborts: u64,
    /// Entries moved by this server's spreads.
    pub moved: u64,
}

/// The environment of one message: handles messages to this server itself in the same event.
struct Local<'a, N> {
    net: &'a mut N,
    me: u32,
    /// The next message; `inbox` has the others, mostly none.
    next: Option<Message>,
    inbox: VecDeque<Message>,
}

impl<'a, N: Net> Local<'a, N> {
    fn new(net: &'a mut N, me: u32) -> Self {
        Local { net, me, next: None, inbox: VecDeque::new() }
    }

    fn pop(&mut self) -> Option<Message> {
        self.next.take().or_else(|| self.inbox.pop_front())
    }
}

impl<N: Net> Net for Local<'_, N> {
    fn send(&mut self, to: Peer, message: Message) {
        match to == Peer::Server(self.me) {
            true if self.next.is_none() && self.inbox.is_empty() => self.next = Some(message),
            true => self.inbox.push_back(message),
            false => self.net.send(to, message),
        }
    }
    fn later(&mut self, after: u64, timer: Timer) {
        self.net.later(after, timer)
    }
    fn now(&self) -> u64 {
        self.net.now()
    }
    fn changes(&mut self) {
        self.net.changes()
    }
    fn logs(&self) -> bool {
        self.net.logs()
    }
    fn log(&mut self, record: &Record) {
        self.net.log(record)
    }
}

impl Server {
    pub fn new(store: Store) -> Server {
        let (running, parked, unsettled) = (Table::new(), Table::new(), Table::new());
        let (held, counted, heat) = (Table::new(), ServerCounts::default(), Heat::default());
        Server { store, running, parked, held, unsettled, spread: 0, counted, heat }
    }

    pub fn counted(&self) -> ServerCounts {
        self.counted
    }

    pub fn waiting(&self) -> usize {
        self.running.len() + self.parked.len() + self.held.len() + self.unsettled.len()
    }

    /// Restarts from the log: settles committed transactions; all others of this server are lost.
    pub fn start(&mut self, rules: &Rules<'_, impl Placement + ?Sized>, net: &mut impl Net) {
        self.store.start(net);
        let over = self.store.all_status().filter_map(|status| {
            let parts = status.parts.as_ref()?;
            let TxId { client, number, .. } = status.meta.id;
            let servers = parts.iter().map(|(server, _)| *server).collect();
            Some(((client, number), PendingSettlement { servers, resends: 0 }))
        });
        for (key, servers) in over.collect::<Vec<_>>() {
            self.unsettled.insert(key, servers);
            self.notify(key, rules, net)
        }
    }

    pub fn handle_message(
        &mut self,
        message: &Message,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let mut local = Local::new(net, self.store.me);
        self.work(message, rules, &mut local);
        self.handle_local(rules, &mut local)
    }

    pub fn wake(
        &mut self,
        timer: Timer,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let mut local = Local::new(net, self.store.me);
        match timer {
            Timer::Settle(client, number) => self.notify((client, number), rules, &mut local),
            Timer::Parked(client, number) => {
                if let Some(mut parked) = self.parked.remove(&(client, number)) {
                    parked.resends += 1;
                    self.query_outcomes(parked, rules, &mut local)
                }
            }
            Timer::Held(ino, client, number) => {
                if let Some(ask) = self.held.remove(&(ino, client, number)) {
                    self.start_transaction(&ask, rules, &mut local)
                }
            }
            Timer::Resend(client, number, _)
            | Timer::Retry(client, number, ..)
            | Timer::NextAttempt(client, number, _) => {
                self.with((client, number), rules, &mut local, |txn, by, net| {
                    txn.wake(timer, by, net)
                })
            }
        }
        self.handle_local(rules, &mut local)
    }

    fn handle_local<N: Net>(
        &mut self,
        rules: &Rules<'_, impl Placement + ?Sized>,
        local: &mut Local<'_, N>,
    ) {
        loop {
            while let Some(message) = local.pop() {
                self.work(&message, rules, local)
            }
            if self.held.is_empty() {
                return self.store.forget_freed();
            }
            let freed = self.store.take_freed();
            if freed.is_empty() {
                return;
            }
            freed.into_iter().for_each(|ino| self.retry_held(ino, rules, local))
        }
    }

    /// Retries the writes that wait for rows of this directory.
    fn retry_held(
        &mut self,
        ino: Ino,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let of = (ino, 0, 0)..=(ino, u32::MAX, u32::MAX);
        let all: Vec<_> = self.held.range(of).map(|(key, ask)| (*key, ask.clone())).collect();
        for (key, ask) in all {
            if !self.answer(&ask, false, rules, net) {
                self.held.discard(&key);
            }
        }
    }

    fn work(
        &mut self,
        message: &Message,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        match message {
            Message::Ask(ask) => self.ask(ask, rules, net),
            Message::Open(open) => self.open(open, net),
            Message::Opened(opened) => self.opened(opened, rules, net),
            Message::Commit(commit) => self.commit_of_client(commit, rules, net),
            Message::Settle(meta, state, ack) => {
                self.store.acknowledge(meta.id.client, meta.oldest, net);
                self.store.settle(&meta.id, state, net);
                if let Some(home) = ack {
                    let settled = Message::Settled(meta.id, self.store.me);
                    net.send(Peer::Server(*home), settled)
                }
            }
            Message::Settled(id, server) => self.settled(*id, *server, net),
            Message::OutcomeQuery(query) => self.answer_query(**query, rules, net),
            Message::OutcomeReply(reply) => self.on_outcome(reply, rules, net),
            Message::Answer(_) | Message::Decided(..) => {}
        }
    }

    fn ask(&mut self, ask: &Ask, rules: &Rules<'_, impl Placement + ?Sized>, net: &mut impl Net) {
        let key = (ask.client, ask.number);
        if rules.options.resend_base_ns.is_some() {
            if ask.number < self.store.acknowledged_below(ask.client) {
                return;
            }
            self.store.acknowledge(ask.client, ask.oldest, net);
            let saved = self.store.saved_answer(ask.client, ask.number);
            if let Some(saved) = saved.filter(|saved| saved.is_done() || saved.step >= ask.step) {
                let SavedAnswer { outcome, saw, .. } = saved.clone();
                return answer(key, ask.step, outcome, saw, net);
            }
            let held = (ask.operation.directory(), key.0, key.1);
            if self.running.contains(&key) || self.held.contains(&held) {
                return;
            }
        }
        let directory = ask.operation.directory();
        self.answer(ask, false, rules, net);
        if rules.placement.splits_by_load() {
            self.heat(directory, rules, net)
        }
    }

    /// Answers at once or starts what the answer needs; returns whether the request waits for a
    /// lock. `knows`: a read has learnt the outcomes of the transactions that held its rows when it
    /// came.
    fn answer(
        &mut self,
        ask: &Ask,
        knows: bool,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> bool {
        let (client, number) = (ask.client, ask.number);
        let version = Version { client, number };
        match self.store.direct(&ask.operation, version, knows, rules.options, net) {
            DirectResult::Outcome(outcome, wanted) => {
                let with_list = |saw: RowEvidence| {
                    let mut all = self.store.list_evidence(saw.key.ino);
                    all.push(saw);
                    all
                };
                let saw = wanted.map(with_list).unwrap_or_default();
                if rules.options.resend_base_ns.is_some() && ask.operation.writes() {
                    let (key, saw) = (ask.operation.key(), saw.clone());
                    let saved = SavedAnswer { key, step: ask.step, outcome: outcome.clone(), saw };
                    self.save_answer((client, number), saved, rules, net)
                }
                let splits = rules.placement.splits_by_size()
                    && matches!(ask.operation, Operation::Create(..))
                    && matches!(outcome, Outcome::Of(_));
                answer((client, number), ask.step, outcome, saw, net);
                if splits {
                    self.grow(ask.operation.directory(), rules, net)
                }
            }
            DirectResult::NeedsOutcomes(others) => self.park(ask, others, rules, net),
            DirectResult::Locked => {
                let directory = ask.operation.directory();
                // A request that already waits keeps its first timer.
                if self.held.insert((directory, client, number), ask.clone()) {
                    let most = rules.options.wait.saturating_mul(MAX_LOCK_WAIT);
                    net.later(most, Timer::Held(directory, client, number))
                }
                return true;
            }
            DirectResult::NeedsTransaction => self.start_transaction(ask, rules, net),
        }
        false
    }

    /// Starts a transaction, or leaves it to the client.
    fn start_transaction(
        &mut self,
        ask: &Ask,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        if rules.options.by_server {
            return self.run(ask.clone(), rules, net);
        }
        // The client runs it from here on: a repeated request must not start it again.
        let of = (ask.client, ask.number);
        if ask.operation.writes() {
            let (key, saw) = (ask.operation.key(), Vec::new());
            let saved =
                SavedAnswer { key, step: ask.step, outcome: Outcome::NeedsTransaction, saw };
            self.save_answer(of, saved, rules, net)
        }
        answer(of, ask.step, Outcome::NeedsTransaction, Vec::new(), net)
    }

    /// Remembers an answer for repeated requests.
    fn save_answer(
        &mut self,
        (client, number): (u32, u32),
        saved: SavedAnswer,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        if rules.options.resend_base_ns.is_some() {
            self.store.write(Record::Answer(client, number, Some(Box::new(saved))), net)
        }
    }

    /// Asks for the outcomes of all transactions that lock a read's rows; looks up those whose
    /// status records are on this server.
    fn park(
        &mut self,
        ask: &Ask,
        others: Vec<Meta>,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let me = self.store.me;
        let requester = TxId { client: ask.client, number: ask.number, attempt: 0 };
        let mut queries = Vec::new();
        for meta in others {
            if meta.home == me {
                let state = self.store.query_state(&meta, me, false, net);
                self.store.settle(&meta.id, &state, net)
            } else {
                queries.push(OutcomeQuery {
                    meta,
                    from: Peer::Server(me),
                    requester,
                    part: me,
                    kill: false,
                })
            }
        }
        match queries.is_empty() {
            true => drop(self.answer(ask, true, rules, net)),
            false => {
                let ask = ask.clone();
                self.query_outcomes(ParkedRead { ask, queries, resends: 0 }, rules, net)
            }
        }
    }

    fn query_outcomes(
        &mut self,
        parked: ParkedRead,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let (client, number) = (parked.ask.client, parked.ask.number);
        if let Some(interval) = rules.options.resend_interval(parked.resends) {
            net.later(interval, Timer::Parked(client, number))
        }
        for query in &parked.queries {
            net.send(Peer::Server(query.meta.home), Message::OutcomeQuery(Box::new(*query)))
        }
        self.parked.insert((client, number), parked);
    }

    /// Asks for the outcome of each transaction that locks a row here, and aborts one without an
    /// outcome: its coordinator may have lost it in a crash.
    pub fn free_locks(&mut self, rules: &Rules<'_, impl Placement + ?Sized>, net: &mut impl Net) {
        let me = self.store.me;
        let mut local = Local::new(net, me);
        for meta in self.store.lockers() {
            let (from, requester, part) = (Peer::Server(me), meta.id, me);
            let query = OutcomeQuery { meta, from, requester, part, kill: true };
            local.send(Peer::Server(meta.home), Message::OutcomeQuery(Box::new(query)))
        }
        self.handle_local(rules, &mut local)
    }

    fn open(&mut self, open: &Open, net: &mut impl Net) {
        let from = open.from;
        let opened = self.store.open(open, net);
        net.send(from, Message::Opened(Box::new(opened)))
    }

    fn on_outcome(
        &mut self,
        reply: &OutcomeReply,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let OutcomeReply { query, state } = reply;
        if query.requester == query.meta.id {
            return self.store.settle(&query.meta.id, state, net);
        }
        let key = (query.requester.client, query.requester.number);
        let left = |parked: &mut ParkedRead| {
            let at = parked.queries.iter().position(|one| one == query)?;
            parked.queries.swap_remove(at);
            Some(parked.queries.is_empty())
        };
        let left = if self.parked.is_empty() { None } else { self.parked.update(&key, left) };
        let Some(all) = left.flatten() else {
            return self.with(key, rules, net, |txn, by, net| {
                if txn.meta.id == query.requester {
                    txn.on_outcome(query.meta.id, state.clone(), query.part, by, net)
                }
                Next::Wait
            });
        };
        self.store.settle(&query.meta.id, state, net);
        if let Some(parked) = all.then(|| self.parked.remove(&key)).flatten() {
            self.answer(&parked.ask, true, rules, net);
        }
    }
}

fn answer(
    (client, number): (u32, u32),
    step: u32,
    outcome: Outcome,
    saw: Vec<RowEvidence>,
    net: &mut impl Net,
) {
    let answer = Answer { number, step, outcome, saw };
    net.send(Peer::Client(client), Message::Answer(answer))
}
