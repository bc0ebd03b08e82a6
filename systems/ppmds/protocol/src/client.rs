//! A client: the lists it caches, its open operations, and the transactions that it coordinates
//! unless servers do.
use super::message::{Answer, Ask, Commit, Message, Meta, Peer, SavedAnswer, TxId};
use super::txn::{MAX_STALE_READS, Next, Runner, Txn};
use super::view::Plan;
use super::{
    Errno, Ino, Key, Listed, Name, Net, Operation, Outcome, Page, Placement, RowEvidence, Rules,
    SharedList, SmallMap, Timer,
};
use rewind::{Catalog, Rewind, Table, Value};
use std::sync::Arc;

/// Entries that a readdir requests at once.
const PAGE: u32 = 1_000;

#[derive(Value)]
struct Open {
    operation: Operation,
    step: u32,
    /// The last server asked, and whether for the directory's list.
    server: u32,
    fetches: bool,
    /// Stale lists in a row.
    stale_reads: u32,
    reading: Option<Box<Reading>>,
}

#[derive(Value)]
struct Reading {
    /// The next page: a place in the list of servers, and the last entry received from there.
    at: u32,
    behind: Name,
    /// Pages received, and entries in them.
    parts: Vec<Arc<Vec<Listed>>>,
    count: u32,
}

#[derive(Value)]
pub struct Completed {
    pub number: u32,
    pub outcome: Outcome,
    pub saw: Vec<RowEvidence>,
}

/// The effect of a message on a client.
#[derive(Value)]
pub enum MessageEffect {
    /// None: the message was late or repeated.
    Stray,
    Going,
    Completed(Completed),
}

#[derive(Rewind)]
pub struct Client {
    me: u32,
    next: u32,
    lists: Catalog<Ino, SharedList>,
    open: SmallMap<Open>,
    running: Table<(u32, u32), Txn>,
    aborts: u64,
}

impl Client {
    pub fn new(me: u32) -> Client {
        Client::resume(me, 0)
    }

    /// A new session of a client whose former session has all its answers. `next`: the number after
    /// its last operation.
    pub fn resume(me: u32, next: u32) -> Client {
        let (lists, open, running) = (Catalog::new(), SmallMap::default(), Table::new());
        Client { me, next, lists, open, running, aborts: 0 }
    }

    pub fn waiting(&self) -> usize {
        self.open.len()
    }

    pub fn asked(&self) -> impl Iterator<Item = (u32, &Operation)> {
        self.open.iter().map(|(number, open)| (number, &open.operation))
    }

    pub fn operation(&self, number: u32) -> Option<&Operation> {
        self.open.get(number).map(|open| &open.operation)
    }

    /// Whether the client coordinates this operation as a transaction.
    pub fn runs(&self, number: u32) -> bool {
        !self.running.is_empty() && self.running.contains(&(self.me, number))
    }

    /// Aborted attempts of its own transactions.
    pub fn aborts(&self) -> u64 {
        self.aborts
    }

    fn oldest(&self) -> u32 {
        self.open.lowest().unwrap_or(self.next)
    }

    /// The number of the next operation.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Starts an operation; returns its number.
    pub fn begin(
        &mut self,
        operation: Operation,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> u32 {
        let number = self.next;
        self.next += 1;
        let (step, server, fetches, stale_reads, reading) = (0, 0, false, 0, None);
        self.open.put(number, Open { operation, step, server, fetches, stale_reads, reading });
        self.send_next_request(number, rules, net);
        number
    }

    /// Fetches all lists again when they are next needed.
    pub fn forget_lists(&mut self) {
        self.lists = Catalog::new()
    }

    /// A directory's cached list, or the one that a warm service starts with.
    fn list(
        &mut self,
        directory: Ino,
        rules: &Rules<'_, impl Placement + ?Sized>,
    ) -> Option<&SharedList> {
        if !self.lists.contains(&directory) {
            let known = rules.placement.known(directory)?;
            self.lists.insert(directory, known.into());
        }
        self.lists.get(&directory)
    }

    /// Memory that any look-up of a list reads, to prefetch: first the index, then the values.
    pub fn near(&self) -> (&[u64], &[impl Sized + use<>]) {
        self.lists.all_near()
    }

    /// Sends the operation's next request to the server that the lists name.
    fn send_next_request(
        &mut self,
        number: u32,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Some(open) = self.open.get(number) else { return };
        if !rules.options.by_server && open.operation.is_distributed() {
            let operation = open.operation.clone();
            return self.run(number, operation, rules, net);
        }
        let directory = open.operation.directory();
        let known = match open.operation {
            Operation::Servers(_) => false,
            _ => self.lists.contains(&directory) || self.list(directory, rules).is_some(),
        };
        let Some(open) = self.open.get(number) else { return };
        let list = self.lists.get(&directory).filter(|_| known);
        let server = match (list, &open.operation) {
            (None, _) => rules.placement.home(directory),
            (Some(list), Operation::Readdir(..)) => {
                list.servers.at(open.reading.as_ref().map_or(0, |reading| reading.at))
            }
            (Some(list), operation) => {
                let name = operation.entry().map_or(&Name::NONE, |key| &key.name);
                list.owner(directory, name)
            }
        };
        self.open.update(number, |open| {
            (open.server, open.fetches) = (server, !known);
            open.step += 1
        });
        self.resend(number, net);
    }

    /// Resends the last request; returns whether the operation is still open.
    pub fn resend(&self, number: u32, net: &mut impl Net) -> bool {
        let Some(open) = self.open.get(number) else { return false };
        if self.runs(number) {
            return true;
        }
        let operation = match &open.operation {
            _ if open.fetches => Operation::Servers(open.operation.directory()),
            Operation::Readdir(key, ..) => {
                let (at, behind) = match &open.reading {
                    Some(reading) => (reading.at, reading.behind.clone()),
                    None => (0, Name::NONE),
                };
                Operation::Readdir(Key { ino: key.ino, name: behind }, at, PAGE)
            }
            operation => operation.clone(),
        };
        let (client, oldest, step) = (self.me, self.oldest(), open.step);
        let ask = Ask { client, number, oldest, step, operation };
        net.send(Peer::Server(open.server), Message::Ask(ask));
        true
    }

    pub fn handle_message(
        &mut self,
        message: Message,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> MessageEffect {
        match message {
            Message::Answer(answer) => self.answered(answer, rules, net),
            Message::Opened(opened) => {
                let key = (opened.id.client, opened.id.number);
                self.with(key, rules, net, |txn, by, net| txn.opened(&opened, by, net));
                MessageEffect::Going
            }
            Message::OutcomeReply(reply) => {
                let key = (reply.query.requester.client, reply.query.requester.number);
                self.with(key, rules, net, |txn, by, net| {
                    if txn.meta.id == reply.query.requester {
                        let (other, part) = (reply.query.meta.id, reply.query.part);
                        txn.on_outcome(other, reply.state, part, by, net)
                    }
                    Next::Wait
                });
                MessageEffect::Going
            }
            Message::Decided(id, round, yes) => self.decided(id, round, yes, rules, net),
            _ => MessageEffect::Stray,
        }
    }

    fn answered(
        &mut self,
        answer: Answer,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> MessageEffect {
        let Answer { number, step, outcome, saw } = answer;
        let Some(open) = self.open.get(number).filter(|open| open.step == step) else {
            return MessageEffect::Stray;
        };
        if self.runs(number) {
            return MessageEffect::Stray;
        }
        let directory = open.operation.directory();
        match outcome {
            Outcome::List(list) if !matches!(open.operation, Operation::Servers(_)) => {
                let Some(list) = list else {
                    return self.complete(number, Outcome::Failed(Errno::ENOENT), Vec::new());
                };
                self.lists.insert(directory, list);
                self.send_next_request(number, rules, net)
            }
            Outcome::Stale(list) => {
                let stale_reads = self.open.update(number, |open| {
                    open.reading = None;
                    open.stale_reads += 1;
                    open.stale_reads
                });
                if stale_reads >= Some(MAX_STALE_READS) {
                    return self.complete(number, Outcome::Failed(Errno::EIO), Vec::new());
                }
                match list {
                    Some(list) => {
                        self.lists.insert(directory, list);
                        self.send_next_request(number, rules, net)
                    }
                    None => self.fetch(number, rules, net),
                }
            }
            Outcome::NeedsTransaction => {
                let operation = open.operation.clone();
                self.run(number, operation, rules, net)
            }
            Outcome::Page(page) => return self.page(number, *page, rules, net),
            outcome => {
                if let Outcome::List(Some(list)) = &outcome {
                    self.lists.insert(directory, list.clone());
                }
                return self.complete(number, outcome, saw);
            }
        }
        MessageEffect::Going
    }

    /// Fetches the list again from the directory's home: the cached one is wrong.
    fn fetch(
        &mut self,
        number: u32,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Some(open) = self.open.get(number) else { return };
        let directory = open.operation.directory();
        self.lists.discard(&directory);
        let server = rules.placement.home(directory);
        self.open.update(number, |open| {
            (open.server, open.fetches) = (server, true);
            open.step += 1
        });
        self.resend(number, net);
    }

    /// Handles a page: requests the next one, from the next server after a server's last.
    fn page(
        &mut self,
        number: u32,
        page: Page,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> MessageEffect {
        let Some(open) = self.open.get(number) else { return MessageEffect::Stray };
        let directory = open.operation.directory();
        let new = || Box::new(Reading { at: 0, behind: Name::NONE, parts: Vec::new(), count: 0 });
        let mut reading = open.reading.clone().unwrap_or_else(new);
        if (page.at, &page.behind) != (reading.at, &reading.behind) {
            return MessageEffect::Stray;
        }
        // Entries moved in the meantime: restart the listing.
        if self.lists.get(&directory).is_none_or(|list| list.mark() != page.mark) {
            self.open.update(number, |open| open.reading = None);
            self.fetch(number, rules, net);
            return MessageEffect::Going;
        }
        reading.parts.extend(page.parts);
        reading.count += page.count;
        reading.behind = page.last;
        if !page.more {
            reading.at += 1;
            reading.behind = Name::NONE
        }
        let servers = self.lists.get(&directory).map_or(0, |list| list.servers.len());
        if reading.at >= servers {
            let Reading { at, behind, parts, count } = *reading;
            let (more, mark, last) = (false, page.mark, Name::NONE);
            let all = Page { parts, count, last, more, mark, at, behind };
            return self.complete(number, Outcome::Page(Box::new(all)), Vec::new());
        }
        self.open.update(number, |open| open.reading = Some(reading));
        self.send_next_request(number, rules, net);
        MessageEffect::Going
    }

    fn complete(&mut self, number: u32, outcome: Outcome, saw: Vec<RowEvidence>) -> MessageEffect {
        self.open.drop(number);
        MessageEffect::Completed(Completed { number, outcome, saw })
    }

    /// Coordinates the operation as a transaction. The server of its first row keeps the status
    /// record.
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
        let step = self.open.get(number).map_or(0, |open| open.step + 1);
        let id = TxId { client: self.me, number, attempt: Txn::first_attempt(step, 0) };
        let oldest = self.oldest();
        let meta = Meta { id, home, began: net.now(), opened: 0, oldest };
        let lists = known.map(|list| (key.ino, Some(list))).into_iter().collect();
        self.running.insert((self.me, number), Txn::new(meta, operation, lists));
        self.with((self.me, number), rules, net, |txn, by, net| txn.advance(by, net))
    }

    fn with<P: Placement + ?Sized, N: Net>(
        &mut self,
        key: (u32, u32),
        rules: &Rules<'_, P>,
        net: &mut N,
        then: impl FnOnce(&mut Txn, &Runner<'_, P>, &mut N) -> Next,
    ) {
        // Removed and inserted again instead of cloned.
        let Some(mut txn) = self.running.remove(&key) else { return };
        let me = Peer::Client(self.me);
        let by = Runner { me, placement: rules.placement, options: rules.options };
        let aborts = txn.aborts;
        // `Discard` needs no action: it comes from a late message of an operation that has ended.
        if let Next::Commit(plan) = then(&mut txn, &by, net) {
            self.commit(&mut txn, plan, rules, net)
        }
        self.aborts += u64::from(txn.aborts - aborts);
        self.running.insert(key, txn);
    }

    /// Asks the server of the status record to commit, and repeats that until it answers.
    fn commit(
        &mut self,
        txn: &mut Txn,
        plan: Plan,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        txn.start_commit(plan);
        self.send_commit(txn, 0, rules, net)
    }

    fn send_commit(
        &self,
        txn: &Txn,
        resends: u32,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let Some(plan) = txn.commit_plan() else { return };
        let saw = txn.evidence(plan, rules.options);
        let step = u32::try_from(txn.meta.id.attempt >> 40).unwrap_or(u32::MAX);
        let answer =
            SavedAnswer { key: txn.operation.key(), step, outcome: plan.outcome.clone(), saw };
        let (meta, round) = (txn.meta, txn.round());
        let (parts, removals) = (txn.parts(plan), txn.removals());
        let commit = Commit { meta, round, parts, removals, answer };
        net.send(Peer::Server(txn.meta.home), Message::Commit(Box::new(commit)));
        if let Some(interval) = rules.options.resend_interval(resends) {
            let (client, number) = txn.key();
            net.later(interval, Timer::Resend(client, number, round))
        }
    }

    fn decided(
        &mut self,
        id: TxId,
        round: u32,
        yes: bool,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) -> MessageEffect {
        let key = (id.client, id.number);
        let Some(txn) = self.running.get(&key).cloned() else { return MessageEffect::Stray };
        let is_this = txn.meta.id == id && txn.round() == round;
        let Some(plan) = txn.commit_plan().filter(|_| is_this) else { return MessageEffect::Stray };
        if yes {
            let saw = txn.evidence(plan, rules.options);
            let outcome = plan.outcome.clone();
            self.running.discard(&key);
            return self.complete(id.number, outcome, saw);
        }
        self.with(key, rules, net, |txn, by, net| txn.retry(by, net));
        MessageEffect::Going
    }

    pub fn wake(
        &mut self,
        timer: Timer,
        rules: &Rules<'_, impl Placement + ?Sized>,
        net: &mut impl Net,
    ) {
        let (Timer::Resend(client, number, _)
        | Timer::Retry(client, number, ..)
        | Timer::NextAttempt(client, number, _)) = timer
        else {
            return;
        };
        let key = (client, number);
        match self.running.get(&key) {
            Some(txn) if txn.commit_plan().is_some() => {
                if matches!(timer, Timer::Resend(_, _, round) if round == txn.round()) {
                    let mut txn = txn.clone();
                    let resends = txn.repeat();
                    self.send_commit(&txn, resends, rules, net);
                    self.running.insert(key, txn);
                }
            }
            _ => self.with(key, rules, net, |txn, by, net| txn.wake(timer, by, net)),
        }
    }
}
