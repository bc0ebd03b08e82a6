//! A server: answers requests, coordinates transactions, takes part in those of others, and keeps
//! their status records.
mod runs;
mod spread;
use super::direct::Done;
use super::heat::Heat;
use super::message::{Answer, Ask, AskFate, Became, Message, Meta, Open, Peer, Said, TxId};
use super::record::Record;
use super::store::Store;
use super::txn::{Next, Txn};
use super::{Ino, Net, Operation, Outcome, Placement, Rules, Saw, Timer, Version};
use rewind::{Rewind, Table, Value};
use std::collections::VecDeque;

/// Multiple of [`Options::wait`] after which a write that waits for a locked row becomes a
/// transaction.
const HELD: u64 = 32;

/// A read that waits for the outcomes of transactions.
#[derive(Value)]
struct Parked {
    ask: Ask,
    /// Outcomes not received yet, and resends.
    asked: Vec<AskFate>,
    times: u32,
}

#[derive(Rewind)]
pub struct Server {
    pub store: Store,
    /// Boxed: each message removes and inserts its transaction.
    running: Table<(u32, u32), Box<Txn>>,
    parked: Table<(u32, u32), Parked>,
    /// Writes that wait for a locked row, by directory. Most locks end before a transaction would
    /// pay off.
    held: Table<(Ino, u32, u32), Ask>,
    /// Servers that have not confirmed the end of a transaction.
    unsettled: Table<(u32, u32), Unsettled>,
    /// Spreads of directories since the last start.
    spread: u32,
    counted: Counted,
    heat: Heat,
}

#[derive(Value)]
struct Unsettled {
    servers: Vec<u32>,
    times: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, rewind::Scalar)]
pub struct Counted {
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
        let (held, counted, heat) = (Table::new(), Counted::default(), Heat::default());
        Server { store, running, parked, held, unsettled, spread: 0, counted, heat }
    }

    pub fn counted(&self) -> Counted {
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
            Some(((client, number), Unsettled { servers, times: 0 }))
        });
        for (key, servers) in over.collect::<Vec<_>>() {
            self.unsettled.insert(key, servers);
            self.notify(key, rules, net)
        }
    }

    pub fn hear(
        &mut self,
        message: &Message,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let mut local = Local::new(net, self.store.me);
        self.work(message, rules, &mut local);
        self.rest(rules, &mut local)
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
                    parked.times += 1;
                    self.ask_fates(parked, rules, &mut local)
                }
            }
            Timer::Held(ino, client, number) => {
                if let Some(ask) = self.held.remove(&(ino, client, number)) {
                    self.several(&ask, rules, &mut local)
                }
            }
            Timer::Patience(client, number, _)
            | Timer::Retry(client, number, ..)
            | Timer::Again(client, number, _) => {
                self.with((client, number), rules, &mut local, |txn, by, net| {
                    txn.wake(timer, by, net)
                })
            }
        }
        self.rest(rules, &mut local)
    }

    fn rest<N: Net>(
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
            freed.into_iter().for_each(|ino| self.freed(ino, rules, local))
        }
    }

    /// Retries the writes that wait for rows of this directory.
    fn freed(&mut self, ino: Ino, rules: &Rules<'_, impl Placement + ?Sized>, net: &mut impl Net) {
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
            Message::Settle(meta, fate, ack) => {
                self.store.hear(meta.id.client, meta.oldest, net);
                self.store.settle(&meta.id, fate, net);
                if let Some(home) = ack {
                    let settled = Message::Settled(meta.id, self.store.me);
                    net.send(Peer::Server(*home), settled)
                }
            }
            Message::Settled(id, server) => self.settled(*id, *server, net),
            Message::Fate(asked) => self.fate(**asked, rules, net),
            Message::Became(became) => self.became(became, rules, net),
            Message::Answer(_) | Message::Decided(..) => {}
        }
    }

    fn ask(&mut self, ask: &Ask, rules: &Rules<'_, impl Placement + ?Sized>, net: &mut impl Net) {
        let key = (ask.client, ask.number);
        if rules.options.patience.is_some() {
            if ask.number < self.store.heard(ask.client) {
                return;
            }
            self.store.hear(ask.client, ask.oldest, net);
            let said = self.store.said(ask.client, ask.number);
            if let Some(said) = said.filter(|said| said.is_done() || said.step >= ask.step) {
                let Said { outcome, saw, .. } = said.clone();
                return answer(key, ask.step, outcome, saw, net);
            }
            let held = (ask.operation.directory(), key.0, key.1);
            if self.running.contains(&key) || self.held.contains(&held) {
                return;
            }
        }
        let directory = ask.operation.directory();
        self.answer(ask, false, rules, net);
        if rules.placement.heats() {
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
            Done::Outcome(outcome, wanted) => {
                let with_list = |saw: Saw| {
                    let mut all = self.store.saw_list(saw.key.ino);
                    all.push(saw);
                    all
                };
                let saw = wanted.map(with_list).unwrap_or_default();
                if rules.options.patience.is_some() && ask.operation.writes() {
                    let (key, saw) = (ask.operation.key(), saw.clone());
                    let said = Said { key, step: ask.step, outcome: outcome.clone(), saw };
                    self.say((client, number), said, rules, net)
                }
                let grows = rules.placement.grows()
                    && matches!(ask.operation, Operation::Create(..))
                    && matches!(outcome, Outcome::Of(_));
                answer((client, number), ask.step, outcome, saw, net);
                if grows {
                    self.grow(ask.operation.directory(), rules, net)
                }
            }
            Done::Asks(others) => self.park(ask, others, rules, net),
            Done::Held => {
                let directory = ask.operation.directory();
                // A request that already waits keeps its first timer.
                if self.held.insert((directory, client, number), ask.clone()) {
                    let most = rules.options.wait.saturating_mul(HELD);
                    net.later(most, Timer::Held(directory, client, number))
                }
                return true;
            }
            Done::Several => self.several(ask, rules, net),
        }
        false
    }

    /// Starts a transaction, or leaves it to the client.
    fn several(
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
            let said = Said { key, step: ask.step, outcome: Outcome::Several, saw };
            self.say(of, said, rules, net)
        }
        answer(of, ask.step, Outcome::Several, Vec::new(), net)
    }

    /// Remembers an answer for repeated requests.
    fn say(
        &mut self,
        (client, number): (u32, u32),
        said: Said,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        if rules.options.patience.is_some() {
            self.store.write(Record::Said(client, number, Some(Box::new(said))), net)
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
        let who = TxId { client: ask.client, number: ask.number, attempt: 0 };
        let mut asked = Vec::new();
        for meta in others {
            if meta.home == me {
                let fate = self.store.fate(&meta, me, false, net);
                self.store.settle(&meta.id, &fate, net)
            } else {
                asked.push(AskFate { meta, from: Peer::Server(me), who, part: me, kill: false })
            }
        }
        match asked.is_empty() {
            true => drop(self.answer(ask, true, rules, net)),
            false => {
                let ask = ask.clone();
                self.ask_fates(Parked { ask, asked, times: 0 }, rules, net)
            }
        }
    }

    fn ask_fates(
        &mut self,
        parked: Parked,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let (client, number) = (parked.ask.client, parked.ask.number);
        if let Some(patience) = rules.options.patience(parked.times) {
            net.later(patience, Timer::Parked(client, number))
        }
        for asked in &parked.asked {
            net.send(Peer::Server(asked.meta.home), Message::Fate(Box::new(*asked)))
        }
        self.parked.insert((client, number), parked);
    }

    fn open(&mut self, open: &Open, net: &mut impl Net) {
        let from = open.from;
        let opened = self.store.open(open, net);
        net.send(from, Message::Opened(Box::new(opened)))
    }

    fn became(
        &mut self,
        became: &Became,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Became { asked, fate } = became;
        let key = (asked.who.client, asked.who.number);
        let left = |parked: &mut Parked| {
            let at = parked.asked.iter().position(|one| one == asked)?;
            parked.asked.swap_remove(at);
            Some(parked.asked.is_empty())
        };
        let left = if self.parked.is_empty() { None } else { self.parked.update(&key, left) };
        let Some(all) = left.flatten() else {
            return self.with(key, rules, net, |txn, by, net| {
                if txn.meta.id == asked.who {
                    txn.became(asked.meta.id, fate.clone(), asked.part, by, net)
                }
                Next::Wait
            });
        };
        self.store.settle(&asked.meta.id, fate, net);
        if let Some(parked) = all.then(|| self.parked.remove(&key)).flatten() {
            self.answer(&parked.ask, true, rules, net);
        }
    }
}

fn answer(
    (client, number): (u32, u32),
    step: u32,
    outcome: Outcome,
    saw: Vec<Saw>,
    net: &mut impl Net,
) {
    let answer = Answer { number, step, outcome, saw };
    net.send(Peer::Client(client), Message::Answer(answer))
}
