//! A server: it answers, runs transactions, has its part in those of others, and keeps their
//! status records.
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

/// Waits ([`Options::wait`]) after which a write that found a row held becomes a transaction.
const HELD: u64 = 32;

/// A read that waits for what became of transactions.
#[derive(Value)]
struct Parked {
    ask: Ask,
    /// What has not been answered, and how often all of that was asked.
    asked: Vec<AskFate>,
    times: u32,
}

#[derive(Rewind)]
pub struct Server {
    pub store: Store,
    /// Each by its place: they come and go with each of their messages.
    running: Table<(u32, u32), Box<Txn>>,
    parked: Table<(u32, u32), Parked>,
    /// Writes that wait a moment for a row to be free, by its directory: most transactions are over
    /// before it would pay to begin one more.
    held: Table<(Ino, u32, u32), Ask>,
    /// Servers that do not know yet that a transaction is over.
    unsettled: Table<(u32, u32), Unsettled>,
    /// Spreads of directories that this server has started since its own start.
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
    /// Transactions that it ran and committed.
    pub transactions: u64,
    /// Attempts that others aborted, or whose rows had changed.
    pub aborts: u64,
    /// Entries that its spreads of directories moved.
    pub moved: u64,
}

/// The world as one message is worked on: what goes to this server itself is done with it.
struct Local<'a, N> {
    net: &'a mut N,
    me: u32,
    /// What comes next; mostly there is nothing behind it.
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
    /// Server `me`, with what it keeps.
    pub fn new(store: Store) -> Server {
        let (running, parked, unsettled) = (Table::new(), Table::new(), Table::new());
        let (held, counted, heat) = (Table::new(), Counted::default(), Heat::default());
        Server { store, running, parked, held, unsettled, spread: 0, counted, heat }
    }

    /// What it has counted since its start.
    pub fn counted(&self) -> Counted {
        self.counted
    }

    /// Operations that it works on.
    pub fn waiting(&self) -> usize {
        self.running.len() + self.parked.len() + self.held.len() + self.unsettled.len()
    }

    /// It starts with what its log held: transactions that were committed are settled, all others
    /// of it are lost.
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

    /// A timer has run out.
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

    /// Rows of a directory have become free: who waits for them tries again.
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

    /// Answers at once, or begins to find out; says whether it only waits. Of a read: whether it
    /// `knows` what had become of those who were in its way when it came.
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
                // Who waits already waits no longer for it.
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

    /// An operation takes a transaction: this server runs it, or its client.
    fn several(
        &mut self,
        ask: &Ask,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        if rules.options.by_server {
            return self.run(ask.clone(), rules, net);
        }
        // From here on the client does it: a repetition must not, too.
        let of = (ask.client, ask.number);
        if ask.operation.writes() {
            let (key, saw) = (ask.operation.key(), Vec::new());
            let said = Said { key, step: ask.step, outcome: Outcome::Several, saw };
            self.say(of, said, rules, net)
        }
        answer(of, ask.step, Outcome::Several, Vec::new(), net)
    }

    /// Keeps an answer that may be asked for again.
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

    /// A read finds out what became of those who hold its rows: of all at once, and here of whom
    /// this server keeps the status record.
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

/// An answer to a client.
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
