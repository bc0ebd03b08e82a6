//! A client: which directories it knows, what it has asked, and the transactions that it runs
//! where servers do not.
use super::Timer;
use super::message::{Answer, Ask, Commit, Message, Meta, Peer, Said, TxId};
use super::server::Rules;
use super::txn::{Next, Runner, Txn};
use super::view::Plan;
use super::{Errno, Ino, Key, List, Listed, Name, Net, Operation, Outcome, Page, Placement, Saw};
use rewind::{Rewind, Table, Value};

/// Entries that a client asks for at once.
const PAGE: u32 = 1_000;

/// An operation under way.
#[derive(Value)]
struct Open {
    operation: Operation,
    step: u32,
    /// It was asked of this server last; whether for the directory's list.
    server: u32,
    fetches: bool,
    /// Of a list of entries: which server is asked, behind which entry, and what has come.
    at: u32,
    listed: Vec<Listed>,
    behind: Key,
}

/// An operation is over.
#[derive(Value)]
pub struct Over {
    /// Which.
    pub number: u32,
    /// What came of it.
    pub outcome: Outcome,
    /// What it saw.
    pub saw: Vec<Saw>,
}

/// A client.
#[derive(Rewind)]
pub struct Client {
    me: u32,
    next: u32,
    lists: Table<Ino, List>,
    open: Table<u32, Open>,
    running: Table<(u32, u32), Txn>,
    aborts: u64,
}

impl Client {
    /// Client `me`, which has asked nothing.
    pub fn new(me: u32) -> Client {
        let (lists, open, running) = (Table::new(), Table::new(), Table::new());
        Client { me, next: 0, lists, open, running, aborts: 0 }
    }

    /// Operations under way.
    pub fn waiting(&self) -> usize {
        self.open.len()
    }

    /// Attempts of its transactions that were aborted.
    pub fn aborts(&self) -> u64 {
        self.aborts
    }

    fn oldest(&self) -> u32 {
        self.open.first().map_or(self.next, |(number, _)| *number)
    }

    /// An operation begins; returns its number.
    pub fn begin(
        &mut self,
        operation: Operation,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> u32 {
        let number = self.next;
        self.next += 1;
        let behind = operation.key();
        let (step, server, fetches, at, listed) = (0, 0, false, 0, Vec::new());
        let open = Open { operation, step, server, fetches, at, listed, behind };
        self.open.insert(number, open);
        self.aim(number, rules, net);
        number
    }

    /// Asks whoever has to be asked next.
    fn aim(&mut self, number: u32, rules: &Rules<'_, impl Placement + ?Sized>, net: &mut impl Net) {
        let Some(open) = self.open.get(&number).cloned() else { return };
        if !rules.options.by_server && open.operation.several() {
            return self.run(number, open.operation, rules, net);
        }
        let directory = open.operation.key().ino;
        let home = rules.placement.home(directory);
        let fetches = matches!(open.operation, Operation::Servers(_));
        let (server, fetches) = match self.lists.get(&directory) {
            Some(list) if !fetches => match open.operation {
                Operation::Readdir(..) => (list.servers[open.at as usize], false),
                _ => (list.owner(directory, &open.operation.key().name), false),
            },
            _ => (home, true),
        };
        self.open.update(&number, |open| {
            (open.server, open.fetches) = (server, fetches);
            open.step += 1
        });
        self.again(number, net);
    }

    /// Sends what was asked last once more; says whether anybody waits for it.
    pub fn again(&self, number: u32, net: &mut impl Net) -> bool {
        let Some(open) = self.open.get(&number) else { return false };
        if self.running.contains(&(self.me, number)) {
            return true;
        }
        let operation = match &open.operation {
            _ if open.fetches => Operation::Servers(open.operation.key().ino),
            Operation::Readdir(..) => Operation::Readdir(open.behind.clone(), open.at, PAGE),
            operation => operation.clone(),
        };
        let (client, oldest, step) = (self.me, self.oldest(), open.step);
        let ask = Ask { client, number, oldest, step, operation };
        net.send(Peer::Server(open.server), Message::Ask(Box::new(ask)));
        true
    }

    /// A message has come.
    pub fn hear(
        &mut self,
        message: Message,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> Option<Over> {
        match message {
            Message::Answer(answer) => self.answered(*answer, rules, net),
            Message::Opened(opened) => {
                let key = (opened.id.client, opened.id.number);
                self.with(key, rules, net, |txn, by, net| txn.opened(*opened, by, net));
                None
            }
            Message::Became(became) => {
                let key = (became.asked.who.client, became.asked.who.number);
                self.with(key, rules, net, |txn, by, net| {
                    if txn.meta.id == became.asked.who {
                        let (other, part) = (became.asked.meta.id, became.asked.part);
                        txn.became(other, became.fate, part, by, net)
                    }
                    Next::Wait
                });
                None
            }
            Message::Decided(id, round, yes) => self.decided(id, round, yes, rules, net),
            _ => None,
        }
    }

    fn answered(
        &mut self,
        answer: Answer,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> Option<Over> {
        let Answer { number, step, outcome, saw } = answer;
        let open = self.open.get(&number).filter(|open| open.step == step)?.clone();
        if self.running.contains(&(self.me, number)) {
            return None;
        }
        let directory = open.operation.key().ino;
        match outcome {
            Outcome::List(list) if !matches!(open.operation, Operation::Servers(_)) => {
                match list {
                    Some(list) => self.lists.insert(directory, *list),
                    None => {
                        return Some(self.over(number, Outcome::Failed(Errno::ENOENT), Vec::new()));
                    }
                };
                self.aim(number, rules, net)
            }
            Outcome::Stale(list) => {
                self.open.update(&number, |open| {
                    (open.at, open.behind) = (0, open.operation.key());
                    open.listed.clear()
                });
                match list {
                    Some(list) => self.lists.insert(directory, *list),
                    None => self.lists.discard(&directory),
                };
                self.aim(number, rules, net)
            }
            Outcome::Several => self.run(number, open.operation, rules, net),
            Outcome::Page(page) => return self.page(number, *page, rules, net),
            outcome => {
                if let Outcome::List(Some(list)) = &outcome {
                    self.lists.insert(directory, (**list).clone());
                }
                return Some(self.over(number, outcome, saw));
            }
        }
        None
    }

    /// A page of entries has come; the next is asked for, or the next server.
    fn page(
        &mut self,
        number: u32,
        page: Page,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> Option<Over> {
        let mut open = self.open.get(&number)?.clone();
        let directory = open.behind.ino;
        if (page.at, &page.behind) != (open.at, &open.behind.name) {
            return None;
        }
        // Entries were moved meanwhile: from the start.
        if self.lists.get(&directory).is_none_or(|list| list.mark() != page.mark) {
            self.lists.discard(&directory);
            (open.at, open.listed, open.behind) = (0, Vec::new(), Key::itself(directory));
            self.open.insert(number, open);
            self.aim(number, rules, net);
            return None;
        }
        if let Some(last) = page.listed.last() {
            open.behind.name = last.name.clone()
        }
        open.listed.extend(page.listed);
        if !page.more {
            open.at += 1;
            open.behind = Key::itself(directory)
        }
        let servers = self.lists.get(&directory).map_or(0, |list| list.servers.len());
        if open.at as usize >= servers {
            let (listed, mark, behind) = (open.listed, page.mark, Name::NONE);
            let all = Page { listed, more: false, mark, at: open.at, behind };
            return Some(self.over(number, Outcome::Page(Box::new(all)), Vec::new()));
        }
        self.open.insert(number, open);
        self.aim(number, rules, net);
        None
    }

    fn over(&mut self, number: u32, outcome: Outcome, saw: Vec<Saw>) -> Over {
        self.open.discard(&number);
        Over { number, outcome, saw }
    }

    /// Runs a transaction itself: its status record is on the server of its first row.
    fn run(
        &mut self,
        number: u32,
        operation: Operation,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let key = operation.key();
        let known = self.lists.get(&key.ino).cloned();
        let home = match &known {
            Some(list) => list.owner(key.ino, &key.name),
            None => rules.placement.home(key.ino),
        };
        let step = self.open.get(&number).map_or(0, |open| open.step + 1);
        let id = TxId { client: self.me, number, attempt: Txn::first(step, 0) };
        let oldest = self.oldest();
        let meta = Meta { id, home, began: net.now(), opened: 0, oldest };
        let lists = known.map(|list| (key.ino, Some(list))).into_iter().collect();
        self.running.insert((self.me, number), Txn::new(meta, operation, lists));
        self.with((self.me, number), rules, net, |txn, by, net| txn.go(by, net))
    }

    fn with<P: Placement + ?Sized, N: Net>(
        &mut self,
        key: (u32, u32),
        rules: &Rules<'_, P>,
        net: &mut N,
        then: impl FnOnce(&mut Txn, &Runner<'_, P>, &mut N) -> Next,
    ) {
        let Some(mut txn) = self.running.get(&key).cloned() else { return };
        let me = Peer::Client(self.me);
        let by = Runner { me, placement: rules.placement, options: rules.options };
        let aborts = txn.aborts;
        // That its own operation is over elsewhere a client would know: it is a late message's.
        if let Next::Commit(plan) = then(&mut txn, &by, net) {
            self.commit(&mut txn, plan, rules, net)
        }
        self.aborts += u64::from(txn.aborts - aborts);
        self.running.insert(key, txn);
    }

    /// Asks the server that keeps the status record to commit, until that answers.
    fn commit(
        &mut self,
        txn: &mut Txn,
        plan: Plan,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        txn.committing(plan);
        self.send_commit(txn, rules, net)
    }

    fn send_commit(
        &self,
        txn: &Txn,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Some(plan) = txn.wanted() else { return };
        let saw = txn.saw(plan, rules.options);
        let step = u32::try_from(txn.meta.id.attempt >> 40).unwrap_or(u32::MAX);
        let said = Said { key: txn.operation.key(), step, outcome: plan.outcome.clone(), saw };
        let (meta, round) = (txn.meta, txn.round());
        let (parts, removals) = (txn.parts(plan), txn.removals());
        let commit = Commit { meta, round, parts, removals, said };
        net.send(Peer::Server(txn.meta.home), Message::Commit(Box::new(commit)));
        if let Some(patience) = rules.options.patience {
            let (client, number) = txn.key();
            net.later(patience, Timer::Patience(client, number, round))
        }
    }

    fn decided(
        &mut self,
        id: TxId,
        round: u32,
        yes: bool,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> Option<Over> {
        let key = (id.client, id.number);
        let txn = self.running.get(&key)?.clone();
        let plan = txn.wanted().filter(|_| txn.meta.id == id && txn.round() == round)?;
        if yes {
            let saw = txn.saw(plan, rules.options);
            let outcome = plan.outcome.clone();
            self.running.discard(&key);
            return Some(self.over(id.number, outcome, saw));
        }
        self.with(key, rules, net, |txn, by, net| txn.again(by, net));
        None
    }

    /// A timer has run out.
    pub fn wake(
        &mut self,
        timer: Timer,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let (Timer::Patience(client, number, _)
        | Timer::Retry(client, number, ..)
        | Timer::Again(client, number, _)) = timer
        else {
            return;
        };
        let key = (client, number);
        match self.running.get(&key) {
            Some(txn) if txn.wanted().is_some() => {
                if matches!(timer, Timer::Patience(_, _, round) if round == txn.round()) {
                    self.send_commit(&txn.clone(), rules, net)
                }
            }
            _ => self.with(key, rules, net, |txn, by, net| txn.wake(timer, by, net)),
        }
    }
}
