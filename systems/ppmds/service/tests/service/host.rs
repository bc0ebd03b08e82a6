//! A node: its core, its disk, and the thread between them in virtual time.
use crate::dice::Dice;
use crate::memory::MemoryDisk;
use crate::world::Places;
use ppmds_protocol::message::{Message, Peer};
use ppmds_protocol::{Options, Server, Store};
use ppmds_service::core::{Core, Effects, Now};
use ppmds_service::disk::{Disk, all_rows};
use ppmds_service::wire;

pub struct Host {
    pub me: u32,
    pub core: Core,
    pub disk: MemoryDisk,
    pub up: bool,
    /// Current start; events of earlier ones are ignored.
    pub start: u64,
    /// Messages that wait for the thread.
    pub inbox: Vec<Message>,
    /// Messages that wait for the disk; the thread waits as well.
    pub waiting: Vec<Vec<(Peer, Message)>>,
    pub largest_batch: usize,
    /// Time at which the thread looks at its timers.
    pub alarm: u64,
}

impl Host {
    pub fn new(me: u32, places: &Places, options: Options) -> Host {
        let mut disk = MemoryDisk::default();
        disk.commit(&Core::first_rows(&places.layout(), me), true).unwrap();
        let core = open(me, places, options, &disk);
        let (inbox, waiting) = (Vec::new(), Vec::new());
        let (up, start, largest_batch, alarm) = (true, 0, 0, 0);
        Host { me, core, disk, up, start, inbox, waiting, largest_batch, alarm }
    }

    pub fn server(&self) -> &Server {
        self.core.server()
    }

    pub fn store(&self) -> &Store {
        &self.server().store
    }

    pub fn is_busy(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether nothing waits.
    pub fn is_idle(&self) -> bool {
        self.up && !self.is_busy() && self.inbox.is_empty() && self.server().waiting() == 0
    }

    /// Handles all messages of the inbox; returns those that need not wait for the disk.
    pub fn work(&mut self, now: Now) -> Vec<(Peer, Message)> {
        let inbox = std::mem::take(&mut self.inbox);
        self.largest_batch = self.largest_batch.max(inbox.len());
        let effects = self.core.step(now, &inbox);
        self.carry_out(effects)
    }

    pub fn carry_out(&mut self, effects: Effects) -> Vec<(Peer, Message)> {
        let Effects { changes, sends } = effects;
        if !changes.is_empty() {
            self.disk.commit(&changes, false).unwrap()
        }
        if !changes.hold_messages() && self.waiting.is_empty() {
            return sends;
        }
        self.waiting.push(sends);
        Vec::new()
    }

    pub fn synced(&mut self) -> Vec<(Peer, Message)> {
        self.disk.sync().unwrap();
        std::mem::take(&mut self.waiting).into_iter().flatten().collect()
    }

    /// Keeps any prefix of the commits that are not durable.
    pub fn crash(&mut self, dice: &mut Dice) {
        let kept = dice.below(self.disk.pending() + 1);
        self.disk.crash(kept);
        self.up = false;
        self.start += 1;
        self.inbox.clear();
        self.waiting.clear()
    }

    pub fn restart(&mut self, places: &Places, options: Options, now: Now) -> Vec<(Peer, Message)> {
        self.core = open(self.me, places, options, &self.disk);
        self.up = true;
        let effects = self.core.start(now);
        self.carry_out(effects)
    }

    /// What a restart would load is what the server has in memory.
    pub fn check_disk(&mut self, places: &Places, options: Options) {
        self.disk.sync().unwrap();
        let loaded = open(self.me, places, options, &self.disk);
        let text = |core: &Core| {
            let store = &core.server().store;
            let rows: Vec<String> = store.rows().map(|row| format!("{row:?}")).collect();
            let answers: Vec<String> = store.all_answered().map(|a| format!("{a:?}")).collect();
            let counts = (store.len(), store.clients_len(), store.answers_len(), store.locks_len());
            (rows, answers, counts)
        };
        assert_eq!(text(&loaded), text(&self.core), "server {}", self.me)
    }
}

fn open(me: u32, places: &Places, options: Options, disk: &MemoryDisk) -> Core {
    let rows = all_rows(disk).unwrap();
    Core::open(places.layout().placement(), options, me, rows.into_iter()).unwrap()
}

/// A message as the peer receives it: encoded, and decoded again.
pub fn over_the_wire(message: Message) -> Message {
    let mut bytes = Vec::new();
    wire::put_frame(&mut bytes, &message);
    let (header, body) = bytes.split_first_chunk().unwrap();
    let received: Message = wire::body(*header, body).unwrap();
    assert_eq!(received, message);
    received
}
