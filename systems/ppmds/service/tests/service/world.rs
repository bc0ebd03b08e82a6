//! Nodes and clients on a bad network, in virtual time.
use crate::calls;
use crate::dice::Dice;
pub use crate::host::Host;
use crate::host::over_the_wire;
use ppmds_check::Event;
use ppmds_protocol::message::{Message, Peer};
use ppmds_protocol::{
    Client, Ino, List, MessageEffect, Net, Operation, Options, Placement, ROOT, Rules, Timer,
};
use ppmds_service::cluster::{Layout, Places as ServicePlaces};
use ppmds_service::core::Now;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Resend interval \[ns\].
pub const RESEND_NS: u64 = 40_000;

/// The service's placement: each directory is on `width` servers from its home on.
#[derive(Clone, Copy)]
pub struct Places {
    pub servers: u32,
    pub width: u32,
}

impl Places {
    pub fn layout(&self) -> Layout {
        Layout { cluster: 1, homes: self.servers, spread: self.width }
    }

    fn placement(&self) -> ServicePlaces {
        self.layout().placement()
    }
}

impl Placement for Places {
    fn home(&self, ino: Ino) -> u32 {
        self.placement().home(ino)
    }
    fn list(&self, directory: Ino) -> List {
        self.placement().list(directory)
    }
}

#[derive(Clone, Copy)]
pub struct Bad {
    pub lost: usize,
    pub twice: usize,
    /// Chance of a server's crash and of a client's, for each batch and message.
    pub server_crash: usize,
    pub client_crash: usize,
    /// Chance that a directory is spread over other servers, for each operation.
    pub spread: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    Nothing,
    /// Messages leave before the disk is flushed.
    EarlyAnswers,
}

pub enum What {
    Message(Peer, Message),
    /// A node's thread looks at its messages and timers.
    Work(u32, u64),
    Synced(u32, u64),
    Up(u32),
    Timer(u32, Timer),
    /// A client's resend timer.
    Late(u32, u32),
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
    what: BTreeMap<u64, What>,
    next: u64,
    pub events: Vec<Event>,
    /// Open operations by client and number, as indices of events.
    pub open: BTreeMap<(u32, u32), usize>,
    /// Directories that a client knows.
    pub directories: Vec<Ino>,
    spreads: u32,
    /// No more faults.
    pub calm: bool,
    pub crashes: u32,
}

#[derive(Default)]
struct ClientStep {
    now: u64,
    sends: Vec<(Peer, Message)>,
    timers: Vec<(u64, Timer)>,
}

impl Net for ClientStep {
    fn send(&mut self, to: Peer, message: Message) {
        self.sends.push((to, message))
    }
    fn later(&mut self, after: u64, timer: Timer) {
        self.timers.push((after, timer))
    }
    fn now(&self) -> u64 {
        self.now
    }
}

impl World {
    pub fn new(seed: u64, places: Places, options: Options, bad: Bad, clients: u32) -> World {
        let mut world = World {
            now: 1,
            dice: Dice(seed),
            hosts: (0..places.servers).map(|me| Host::new(me, &places, options)).collect(),
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
            crashes: 0,
        };
        for at in 0..places.servers {
            let now = world.clock(at);
            let effects = world.hosts[at as usize].core.start(now);
            world.hosts[at as usize].carry_out(effects);
            world.hosts[at as usize].synced();
        }
        world
    }

    /// Time on a server: its time of day is wrong by up to 1 ms, and a restart changes it.
    fn clock(&self, at: u32) -> Now {
        let start = self.hosts[at as usize].start;
        let wrong = ppmds_protocol::mixed(u64::from(at) << 32 | start) % 1_000_000;
        Now { monotonic: self.now, wall: self.now + wrong }
    }

    fn after(&mut self, wait: u64, what: What) {
        self.next += 1;
        self.what.insert(self.next, what);
        self.queue.push(Reverse((self.now + wait, self.next)))
    }

    fn client<R>(
        &mut self,
        at: u32,
        work: impl FnOnce(&mut Client, &Rules<'_, ServicePlaces>, &mut ClientStep) -> R,
    ) -> R {
        let rules = Rules { options: &self.options, placement: &self.places.placement() };
        let mut step = ClientStep { now: self.now, ..ClientStep::default() };
        let result = work(&mut self.clients[at as usize].0, &rules, &mut step);
        step.sends.into_iter().for_each(|(to, message)| self.post(to, message));
        step.timers.into_iter().for_each(|(wait, t)| self.after(wait, What::Timer(at, t)));
        result
    }

    fn post(&mut self, to: Peer, message: Message) {
        let (lost, twice) = if self.calm { (0, 0) } else { (self.bad.lost, self.bad.twice) };
        if self.dice.chance(lost) {
            return;
        }
        let message = over_the_wire(message);
        for _ in 0..1 + usize::from(self.dice.chance(twice)) {
            let slow = if self.dice.chance(50) { 60_000 } else { 4_000 };
            let wait = 500 + self.dice.below(slow) as u64;
            self.after(wait, What::Message(to, message.clone()))
        }
    }

    /// Lets messages leave, waits for the disk, or sets the next timer.
    fn proceed(&mut self, at: u32, mut sends: Vec<(Peer, Message)>) {
        let host = &mut self.hosts[at as usize];
        let start = host.start;
        if self.planted == Planted::EarlyAnswers {
            sends.extend(host.waiting.iter_mut().flat_map(std::mem::take))
        }
        if host.is_busy() {
            let wait = 200 + self.dice.below(2_000) as u64;
            self.after(wait, What::Synced(at, start))
        } else if let Some(due) = host.core.next_due()
            && (host.alarm <= self.now || due < host.alarm)
        {
            host.alarm = due.max(self.now + 1);
            self.after(due.saturating_sub(self.now), What::Work(at, start))
        }
        sends.into_iter().for_each(|(to, message)| self.post(to, message))
    }

    fn crash(&mut self, at: u32) {
        self.crashes += 1;
        self.hosts[at as usize].crash(&mut self.dice);
        self.hosts[at as usize].alarm = 0;
        let wait = 5_000 + self.dice.below(100_000) as u64;
        self.after(wait, What::Up(at))
    }

    /// A crash before the disk has all changes, or after.
    fn may_crash(&mut self, at: u32) {
        if !self.calm && self.dice.chance(self.bad.server_crash) {
            self.crash(at)
        }
    }

    pub fn begin(&mut self, client: u32, operation: Operation) {
        let call = calls::call(&operation).expect("a client's");
        let number =
            self.client(client, |machine, rules, net| machine.begin(operation, rules, net));
        let (invoked_ns, completed_ns, result, saw) = (self.now, None, None, Vec::new());
        self.open.insert((client, number), self.events.len());
        self.events.push(Event { client, number, call, invoked_ns, completed_ns, result, saw });
        self.after(RESEND_NS, What::Late(client, number))
    }

    /// Answers that crashed clients did not receive.
    pub fn unanswered(&mut self) {
        for event in self.events.iter_mut().filter(|event| event.completed_ns.is_none()) {
            let saved = |host: &Host| host.store().answered(event.client, event.number).cloned();
            if let Some(saved) = self.hosts.iter().find_map(saved) {
                event.saw = saved.saw.iter().map(calls::saw).collect();
                event.result = calls::outcome(&saved.outcome)
            }
        }
    }

    pub fn spread(&mut self, at: u32, directory: Ino, list: List) {
        self.spreads += 1;
        let (number, now) = (self.spreads, self.clock(at));
        let host = &mut self.hosts[at as usize];
        if host.up && !host.is_busy() {
            let effects = host.core.spread(now, directory, list, number);
            let sends = host.carry_out(effects);
            self.proceed(at, sends)
        }
    }

    /// Ends transactions that were lost in crashes; returns the locks that are left.
    pub fn free_locks(&mut self) -> usize {
        for at in 0..self.places.servers {
            let now = self.clock(at);
            let effects = self.hosts[at as usize].core.free_locks(now);
            let sends = self.hosts[at as usize].carry_out(effects);
            self.proceed(at, sends)
        }
        let locks = |world: &World| world.hosts.iter().map(|host| host.store().locks_len()).sum();
        for _ in 0..20_000 {
            if locks(self) == 0 || !self.step_event() {
                break;
            }
        }
        locks(self)
    }

    /// Handles the next event; `false` if there is none.
    pub fn step_event(&mut self) -> bool {
        let Some(Reverse((time, at))) = self.queue.pop() else { return false };
        self.now = self.now.max(time) + 1;
        match self.what.remove(&at).expect("it is queued") {
            What::Message(Peer::Server(at), message) => {
                let host = &mut self.hosts[at as usize];
                if host.up {
                    host.inbox.push(message);
                    // The thread may be slow: more messages join the batch.
                    let (start, wait) = (host.start, self.dice.below(1_000) as u64);
                    self.after(wait, What::Work(at, start))
                }
            }
            What::Message(Peer::Client(at), message) => self.receive(at, message),
            What::Work(at, start) => self.work(at, start),
            What::Synced(at, start) => self.synced(at, start),
            What::Up(at) => {
                let (places, options, now) = (self.places, self.options, self.clock(at));
                let sends = self.hosts[at as usize].restart(&places, options, now);
                self.proceed(at, sends)
            }
            What::Timer(at, timer) => {
                if self.clients[at as usize].1 {
                    self.client(at, |machine, rules, net| machine.wake(timer, rules, net))
                }
            }
            What::Late(client, number) => {
                let lives = self.clients[client as usize].1;
                if lives && self.client(client, |machine, _, net| machine.resend(number, net)) {
                    self.after(RESEND_NS, What::Late(client, number))
                }
            }
        }
        true
    }

    fn work(&mut self, at: u32, start: u64) {
        let now = self.clock(at);
        let host = &mut self.hosts[at as usize];
        let is_due = host.core.next_due().is_some_and(|due| due <= now.monotonic);
        let has_work = is_due || !host.inbox.is_empty();
        if !host.up || host.start != start || host.is_busy() {
            return;
        }
        if !has_work {
            return self.proceed(at, Vec::new());
        }
        let sends = host.work(now);
        self.proceed(at, sends);
        self.may_crash(at)
    }

    fn synced(&mut self, at: u32, start: u64) {
        let host = &mut self.hosts[at as usize];
        if !host.up || host.start != start {
            return;
        }
        let sends = host.synced();
        self.proceed(at, sends);
        self.work(at, start);
        if self.hosts[at as usize].up {
            self.may_crash(at)
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
        let handle = |machine: &mut Client, rules: &Rules<'_, _>, net: &mut ClientStep| {
            machine.handle_message(message, rules, net)
        };
        if let MessageEffect::Completed(done) = self.client(at, handle) {
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
