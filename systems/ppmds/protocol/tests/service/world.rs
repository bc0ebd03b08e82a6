//! Servers and clients on a bad network, in virtual time.
use crate::calls;
use crate::dice::Dice;
use ppmds_check::Event;
use ppmds_protocol::message::{Message, Peer};
use ppmds_protocol::record::Record;
use ppmds_protocol::{
    Client, Ino, List, MessageEffect, Net, Operation, Options, Placement, ROOT, Rules, Server,
    Spread, Store, Timer, root,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Resend interval \[ns\].
pub const RESEND_NS: u64 = 40_000;

/// Each directory is on `width` servers from its home on.
pub struct Places {
    pub servers: u32,
    pub width: u32,
}

impl Placement for Places {
    fn home(&self, ino: Ino) -> u32 {
        ((ino ^ ino >> 48) % u64::from(self.servers)) as u32
    }
    fn list(&self, directory: Ino) -> List {
        let home = self.home(directory);
        let servers: Vec<u32> = (0..self.width).map(|n| (home + n) % self.servers).collect();
        List::new(Spread::Hash, servers)
    }
}

#[derive(Clone, Copy)]
pub struct Bad {
    pub lost: usize,
    pub twice: usize,
    /// Chance of a server's crash and of a client's, for each step.
    pub server_crash: usize,
    pub client_crash: usize,
    /// Chance that a directory is spread over other servers, for each operation.
    pub spread: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    Nothing,
    /// Validation of rows always succeeds.
    ValidationSkipped,
    /// A transaction commits although another has aborted it.
    CommitWithoutCas,
    /// A crash loses a log record.
    LogRecordLost,
    /// A repeated create is executed twice.
    DuplicateCreate,
    /// An rmdir counts the lists on other servers as locked, but does not lock them.
    RmdirWithoutList,
    /// A spread loses a row.
    SplitLosesEntry,
}

pub enum What {
    Message(Peer, Message),
    Timer(Peer, u64, Timer),
    /// A client's resend timer.
    Late(u32, u32),
    /// A server's log is durable up to here.
    Synced(u32, u64),
    /// A server has restarted.
    Up(u32),
}

/// The records of one message, and the messages that wait for them.
type Unsynced = (Vec<Record>, Vec<(Peer, Message)>);

pub struct Host {
    pub server: Server,
    pub up: bool,
    /// Current start; timers of earlier ones are ignored.
    pub start: u64,
    /// Durable records; then the others, with the messages that wait for them.
    pub log: Vec<Vec<Record>>,
    pub waiting: Vec<Unsynced>,
}

impl Host {
    pub fn store(&self) -> &Store {
        &self.server.store
    }

    /// Whether nothing waits.
    pub fn is_idle(&self) -> bool {
        self.up && self.server.waiting() == 0 && self.waiting.is_empty()
    }
}

pub struct World {
    pub now: u64,
    pub dice: Dice,
    pub places: Places,
    pub options: Options,
    pub bad: Bad,
    pub planted: Planted,
    pub hosts: Vec<Host>,
    pub clients: Vec<(Client, bool)>,
    pub queue: BinaryHeap<Reverse<(u64, u64)>>,
    pub what: BTreeMap<u64, What>,
    pub next: u64,
    pub events: Vec<Event>,
    /// Open operations by client and number, as indices of events.
    pub open: BTreeMap<(u32, u32), usize>,
    /// Directories that a client knows.
    pub directories: Vec<Ino>,
    pub spreads: u32,
    /// No more faults.
    pub calm: bool,
}

struct Step<'a> {
    now: u64,
    sends: Vec<(Peer, Message)>,
    timers: Vec<(u64, Timer)>,
    records: Vec<Record>,
    options: &'a Options,
}

impl Net for Step<'_> {
    fn send(&mut self, to: Peer, message: Message) {
        self.sends.push((to, message))
    }
    fn later(&mut self, after: u64, timer: Timer) {
        self.timers.push((after, timer))
    }
    fn now(&self) -> u64 {
        self.now
    }
    fn logs(&self) -> bool {
        self.options.resend_base_ns.is_some()
    }
    fn log(&mut self, record: &Record) {
        self.records.push(record.clone())
    }
}

impl World {
    pub fn new(seed: u64, places: Places, options: Options, bad: Bad, clients: u32) -> World {
        let host = |me| {
            let server = Server::new(first(me, &places));
            Host { server, up: true, start: 0, log: Vec::new(), waiting: Vec::new() }
        };
        let hosts = (0..places.servers).map(host).collect();
        World {
            now: 1,
            dice: Dice(seed),
            hosts,
            places,
            options,
            bad,
            planted: Planted::Nothing,
            clients: (0..clients).map(|me| (Client::new(me), true)).collect(),
            queue: BinaryHeap::new(),
            what: BTreeMap::new(),
            next: 0,
            events: Vec::new(),
            open: BTreeMap::new(),
            directories: vec![ROOT],
            spreads: 0,
            calm: false,
        }
    }

    pub fn after(&mut self, wait: u64, what: What) {
        self.next += 1;
        self.what.insert(self.next, what);
        self.queue.push(Reverse((self.now + wait, self.next)))
    }

    fn step<R>(
        &mut self,
        who: Peer,
        work: impl FnOnce(&mut World, &mut Step<'_>, &Rules<'_, Places>) -> R,
    ) -> R {
        let options = self.options;
        let places = Places { ..self.places };
        let rules = Rules { options: &options, placement: &places };
        let (sends, timers, records) = (Vec::new(), Vec::new(), Vec::new());
        let mut step = Step { now: self.now, sends, timers, records, options: &options };
        let result = work(self, &mut step, &rules);
        let Step { sends, timers, records, .. } = step;
        let start = match who {
            Peer::Server(at) => self.hosts[at as usize].start,
            Peer::Client(_) => 0,
        };
        for (after, timer) in timers {
            self.after(after, What::Timer(who, start, timer))
        }
        match who {
            Peer::Client(_) => sends.into_iter().for_each(|(to, message)| self.post(to, message)),
            Peer::Server(at) => self.write(at, records, sends),
        }
        result
    }

    /// Messages of a server leave once its records so far are on disk.
    fn write(&mut self, at: u32, records: Vec<Record>, sends: Vec<(Peer, Message)>) {
        let host = &mut self.hosts[at as usize];
        if records.is_empty() && host.waiting.is_empty() {
            return sends.into_iter().for_each(|(to, message)| self.post(to, message));
        }
        host.waiting.push((records, sends));
        let (start, upto) = (host.start, host.waiting.len());
        let wait = 200 + self.dice.below(2_000) as u64;
        if upto == 1 {
            self.after(wait, What::Synced(at, start))
        }
    }

    fn synced(&mut self, at: u32, start: u64) {
        let host = &mut self.hosts[at as usize];
        if !host.up || host.start != start {
            return;
        }
        let mut leave = Vec::new();
        for (records, sends) in std::mem::take(&mut host.waiting) {
            host.log.push(records);
            leave.extend(sends)
        }
        leave.into_iter().for_each(|(to, message)| self.post(to, message))
    }

    pub fn post(&mut self, to: Peer, message: Message) {
        let (lost, twice) = if self.calm { (0, 0) } else { (self.bad.lost, self.bad.twice) };
        if self.dice.chance(lost) {
            return;
        }
        for _ in 0..1 + usize::from(self.dice.chance(twice)) {
            let slow = if self.dice.chance(50) { 60_000 } else { 4_000 };
            let wait = 500 + self.dice.below(slow) as u64;
            self.after(wait, What::Message(to, message.clone()))
        }
    }

    pub fn crash(&mut self, at: u32) {
        let host = &mut self.hosts[at as usize];
        if !host.up {
            return;
        }
        host.up = false;
        host.start += 1;
        host.waiting.clear();
        if self.planted == Planted::LogRecordLost {
            host.log.pop();
        }
        let wait = 5_000 + self.dice.below(100_000) as u64;
        self.after(wait, What::Up(at))
    }

    fn restart(&mut self, at: u32) {
        let mut store = first(at, &self.places);
        let log = self.hosts[at as usize].log.iter().flatten();
        log.for_each(|record| store.apply(record.clone()));
        self.hosts[at as usize].server = Server::new(store);
        self.hosts[at as usize].up = true;
        self.step(Peer::Server(at), |world, net, rules| {
            world.hosts[at as usize].server.start(rules, net)
        })
    }

    pub fn begin(&mut self, client: u32, operation: Operation) {
        let call = calls::call(&operation).expect("a client's");
        let number = self.step(Peer::Client(client), |world, net, rules| {
            world.clients[client as usize].0.begin(operation, rules, net)
        });
        let invoked_ns = self.now;
        let (completed_ns, result, saw) = (None, None, Vec::new());
        self.open.insert((client, number), self.events.len());
        self.events.push(Event { client, number, call, invoked_ns, completed_ns, result, saw });
        if self.options.resend_base_ns.is_some() {
            self.after(RESEND_NS, What::Late(client, number))
        }
    }

    /// Answers that crashed clients did not receive.
    pub fn unanswered(&mut self) {
        for event in self.events.iter_mut().filter(|event| event.completed_ns.is_none()) {
            let saved_answer =
                |host: &Host| host.server.store.answered(event.client, event.number).cloned();
            if let Some(saved_answer) = self.hosts.iter().find_map(saved_answer) {
                event.saw = saved_answer.saw.iter().map(calls::saw).collect();
                event.result = calls::outcome(&saved_answer.outcome)
            }
        }
    }

    pub fn spread(&mut self, at: u32, directory: Ino, list: List) {
        self.spreads += 1;
        let number = self.spreads;
        if !self.hosts[at as usize].up {
            return;
        }
        self.step(Peer::Server(at), |world, net, rules| {
            world.hosts[at as usize].server.spread(directory, list, number, rules, net)
        })
    }

    /// Handles the next event; `false` if there is none.
    pub fn step_event(&mut self) -> bool {
        let Some(Reverse((time, at))) = self.queue.pop() else { return false };
        self.now = self.now.max(time) + 1;
        match self.what.remove(&at).expect("it is queued") {
            What::Message(Peer::Server(at), message) => self.served(at, message),
            What::Message(Peer::Client(at), message) => self.receive(at, message),
            What::Timer(Peer::Server(at), start, timer) => {
                if self.hosts[at as usize].up && self.hosts[at as usize].start == start {
                    self.step(Peer::Server(at), |world, net, rules| {
                        world.hosts[at as usize].server.wake(timer, rules, net)
                    })
                }
            }
            What::Timer(Peer::Client(at), _, timer) => {
                if self.clients[at as usize].1 {
                    self.step(Peer::Client(at), |world, net, rules| {
                        world.clients[at as usize].0.wake(timer, rules, net)
                    })
                }
            }
            What::Late(client, number) => {
                let waits = self.clients[client as usize].1
                    && self.step(Peer::Client(client), |world, net, _| {
                        world.clients[client as usize].0.resend(number, net)
                    });
                if waits {
                    self.after(RESEND_NS, What::Late(client, number))
                }
            }
            What::Synced(at, start) => self.synced(at, start),
            What::Up(at) => self.restart(at),
        }
        true
    }

    fn served(&mut self, at: u32, message: Message) {
        if !self.hosts[at as usize].up {
            return;
        }
        let Some(message) = crate::faults::plant(self, at, message) else { return };
        self.step(Peer::Server(at), |world, net, rules| {
            world.hosts[at as usize].server.handle_message(&message, rules, net)
        });
        if !self.calm && self.dice.chance(self.bad.server_crash) {
            self.crash(at)
        }
    }

    fn receive(&mut self, at: u32, message: Message) {
        if !self.clients[at as usize].1 {
            return;
        }
        if !self.calm && self.dice.chance(self.bad.client_crash) {
            self.clients[at as usize].1 = false;
            self.open.retain(|(client, _), _| *client != at);
            return;
        }
        let effect = self.step(Peer::Client(at), |world, net, rules| {
            world.clients[at as usize].0.handle_message(message, rules, net)
        });
        if let MessageEffect::Completed(done) = effect {
            let event = self.open.remove(&(at, done.number)).expect("it is open");
            let event = &mut self.events[event];
            event.completed_ns = Some(self.now);
            event.saw = done.saw.iter().map(calls::saw).collect();
            let result = calls::outcome(&done.outcome).expect("a client sees it");
            if let (ppmds_check::Call::Mkdir { .. }, ppmds_check::Outcome::Ino(ino)) =
                (&event.call, &result)
            {
                self.directories.push(*ino)
            }
            event.result = Some(result)
        }
    }
}

/// A server's initial store: the root.
fn first(me: u32, places: &Places) -> Store {
    let mut store = Store::new(me);
    store.begin(ROOT, &root(places), places.home(ROOT));
    store
}
