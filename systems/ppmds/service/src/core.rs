//! A node without sockets, disk and clock: messages and due timers go in, changes of rows and
//! messages come out. The driver makes the changes durable before the messages leave.
//!
//! ```text
//!  messages, time ──► step ──► Effects { changes ──► disk, then sends ──► sockets }
//! ```
use crate::Error;
use crate::cluster::{Layout, Places};
use crate::rows::{Changes, Index, Loaded, first, load};
use crate::sessions::Sessions;
use crate::wire::{Misplaced, Session};
use ppmds_protocol::message::{Message, Peer};
use ppmds_protocol::record::Record;
use ppmds_protocol::{Ino, List, Net, Options, Placement, Rules, Server, Timer};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Now {
    /// Never goes back; timers follow it \[ns\].
    pub monotonic: u64,
    /// Time of day, for attributes and the age of transactions \[ns\].
    pub wall: u64,
}

#[derive(PartialEq, Debug, Default)]
pub struct Effects {
    pub changes: Changes,
    /// They leave once `changes` is durable.
    pub sends: Vec<(Peer, Message)>,
}

/// Moves that a server starts at once.
const MOST_MOVES: usize = 16;

pub struct Core {
    server: Server,
    index: Index,
    sessions: Sessions,
    timers: Timers,
    options: Options,
    placement: Places,
    effects: Effects,
}

/// Timers by time, then in the order of their setting.
#[derive(Default)]
struct Timers {
    all: BTreeMap<(u64, u64), Timer>,
    count: u64,
}

struct Environment<'a> {
    now: Now,
    timers: &'a mut Timers,
    index: &'a mut Index,
    effects: &'a mut Effects,
}

impl Net for Environment<'_> {
    fn send(&mut self, to: Peer, message: Message) {
        self.effects.sends.push((to, message))
    }
    fn later(&mut self, after: u64, timer: Timer) {
        self.timers.count += 1;
        let at = self.now.monotonic.saturating_add(after);
        self.timers.all.insert((at, self.timers.count), timer);
    }
    fn now(&self) -> u64 {
        self.now.wall
    }
    fn logs(&self) -> bool {
        true
    }
    fn log(&mut self, record: &Record) {
        self.index.record(record, &mut self.effects.changes)
    }
}

impl Core {
    /// The first rows of a new server, to be durable before [`Core::open`].
    pub fn first_rows(layout: &Layout, me: u32) -> Changes {
        first(me, &layout.placement())
    }

    /// A server with the rows of its disk. [`Core::start`] must follow.
    ///
    /// # Errors
    /// A row that cannot be read.
    pub fn open(
        placement: Places,
        options: Options,
        me: u32,
        rows: impl Iterator<Item = (Vec<u8>, Vec<u8>)>,
    ) -> Result<Core, Error> {
        let Loaded { store, index, sessions } = load(me, rows).map_err(|key| {
            Error::Failed(format!("row {}: not of this version", key.escape_ascii()))
        })?;
        let (timers, effects) = (Timers::default(), Effects::default());
        let (server, sessions) = (Server::new(store), Sessions::new(me, sessions));
        Ok(Core { server, index, sessions, timers, options, placement, effects })
    }

    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Time of the next timer \[ns\].
    pub fn next_due(&self) -> Option<u64> {
        self.timers.all.first_key_value().map(|((at, _), _)| *at)
    }

    /// Counts a start and resends the outcomes of committed transactions.
    pub fn start(&mut self, now: Now) -> Effects {
        self.with(now, |server, rules, net| server.start(rules, net));
        std::mem::take(&mut self.effects)
    }

    /// Handles the due timers, then the messages in order.
    pub fn step<'a>(
        &mut self,
        now: Now,
        messages: impl IntoIterator<Item = &'a Message>,
    ) -> Effects {
        while let Some(due) = self.timers.all.first_entry()
            && due.key().0 <= now.monotonic
        {
            let timer = due.remove();
            self.with(now, |server, rules, net| server.wake(timer, rules, net))
        }
        for message in messages {
            self.with(now, |server, rules, net| server.handle_message(message, rules, net))
        }
        std::mem::take(&mut self.effects)
    }

    /// Assigns a client session; the changes must be durable before the client uses it. `None`: all
    /// numbers are used up.
    pub fn open_session(&mut self) -> (Option<Session>, Changes) {
        let mut changes = Changes::default();
        let session = self.sessions.open(&mut changes);
        (session, changes)
    }

    /// Another session may use the client's id.
    pub fn close_session(&mut self, session: Session) {
        self.sessions.close(session)
    }

    /// Starts to move directories to where new ones would be, as many as may run at once. How many
    /// are not there yet, and how many of these are too large to move.
    pub fn rebalance(&mut self, now: Now) -> (Effects, Misplaced) {
        let store = &self.server.store;
        let (mut misplaced, mut starts) = (Misplaced::default(), Vec::new());
        for (directory, list) in store.lists() {
            let to = self.placement.list(directory);
            let is_there = list.spread != to.spread || list.servers.iter().eq(to.servers.iter());
            if is_there || self.placement.home(directory) != store.me() {
                continue;
            }
            misplaced.all += 1;
            match store.fits_transaction(directory) {
                true if starts.len() < MOST_MOVES => starts.push((directory, to)),
                true => {}
                false => misplaced.too_large += 1,
            }
        }
        for (directory, to) in starts {
            self.with(now, |server, rules, net| server.relocate(directory, to, rules, net))
        }
        (std::mem::take(&mut self.effects), misplaced)
    }

    /// Moves a directory to the servers of a list.
    pub fn spread(&mut self, now: Now, directory: Ino, list: List, number: u32) -> Effects {
        self.with(now, |server, rules, net| server.spread(directory, list, number, rules, net));
        std::mem::take(&mut self.effects)
    }

    /// Ends transactions that lock rows here and have no outcome.
    pub fn free_locks(&mut self, now: Now) -> Effects {
        self.with(now, |server, rules, net| server.free_locks(rules, net));
        std::mem::take(&mut self.effects)
    }

    fn with(
        &mut self,
        now: Now,
        work: impl FnOnce(&mut Server, &Rules<'_, Places>, &mut Environment<'_>),
    ) {
        let rules = Rules { options: &self.options, placement: &self.placement };
        let (timers, index) = (&mut self.timers, &mut self.index);
        let mut net = Environment { now, timers, index, effects: &mut self.effects };
        work(&mut self.server, &rules, &mut net)
    }
}
