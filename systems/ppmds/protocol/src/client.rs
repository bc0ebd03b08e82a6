//! A client: what it knows of directories, and what it has asked.
use crate::Map;
use crate::message::{Ask, Op, Outcome, Placement, Response, hash};
use crate::small_map::SmallMap;
use rewind::{Rewind, Scalar, Table};

/// A request that goes to a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sending {
    /// Which server.
    pub server: u32,
    /// What it is asked.
    pub ask: Ask,
}

/// What an answer comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// There is more to ask.
    Next(Sending),
    /// The operation of this number is over.
    Done {
        /// Its number.
        number: u32,
        /// What came of it; of a list, the entries of all servers.
        outcome: Outcome,
    },
    /// Nobody waits for it.
    Stray,
}

/// An operation under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
struct Open {
    number: u32,
    op: Op,
    directory: u32,
    name: u64,
    /// What was asked last.
    asked: Op,
    part: u32,
    /// Whom.
    server: u32,
    /// Entries so far (list).
    entries: u32,
}

/// A client.
#[derive(Rewind)]
pub struct Client {
    me: u32,
    next: u32,
    /// Inodes of directories, kept for good.
    maps: Table<u32, Map>,
    open: SmallMap<Open>,
}

impl Client {
    /// Client `me`, which has asked nothing.
    pub fn new(me: u32) -> Client {
        Client { me, next: 0, maps: Table::new(), open: SmallMap::default() }
    }

    /// An operation begins.
    pub fn begin(
        &mut self,
        op: Op,
        directory: u32,
        name: u64,
        placement: &(impl Placement + ?Sized),
    ) -> Sending {
        let number = self.next;
        self.next += 1;
        let (asked, part, server) = (op, 0, 0);
        let mut open = Open { number, op, directory, name, asked, part, server, entries: 0 };
        self.aim(&mut open, placement);
        self.open.put(number, open);
        self.sending(&open)
    }

    /// The next step of an operation: its directory's inode first.
    fn aim(&self, open: &mut Open, placement: &(impl Placement + ?Sized)) {
        let directory = open.directory;
        let known = self.maps.get(&directory).copied().or_else(|| placement.known());
        (open.asked, open.part, open.server) = match (known, open.op) {
            (None, _) | (_, Op::Fetch) => (Op::Fetch, 0, placement.home(directory)),
            (Some(map), Op::List) => {
                let server = placement.listed(directory, open.part, map);
                (Op::List, open.part, server.unwrap_or_else(|| placement.home(directory)))
            }
            (Some(map), op) => {
                let (part, server) = placement.owner(directory, hash(directory, open.name), map);
                (op, part, server)
            }
        }
    }

    fn sending(&self, open: &Open) -> Sending {
        let Open { number, asked: op, part, directory, name, server, .. } = *open;
        let oldest = self.open.lowest().unwrap_or(self.next);
        Sending { server, ask: Ask { client: self.me, number, oldest, op, part, directory, name } }
    }

    /// An answer has come.
    pub fn heard(&mut self, response: Response, placement: &(impl Placement + ?Sized)) -> Heard {
        let Some(mut open) = self.open.get(response.number) else { return Heard::Stray };
        if response.op != open.asked || response.part != open.part {
            return Heard::Stray;
        }
        self.learn(open.directory, response);
        let outcome = match (response.op, response.outcome) {
            (Op::Fetch, _) if open.op == Op::Fetch => Outcome::Done,
            (Op::Fetch, _) | (_, Outcome::Stale) => return self.go_on(open, placement),
            (Op::List, Outcome::Entries(here)) => {
                open.entries += here;
                open.part += 1;
                let map = self.maps.get(&open.directory).copied().unwrap_or_default();
                if placement.listed(open.directory, open.part, map).is_some() {
                    return self.go_on(open, placement);
                }
                Outcome::Entries(open.entries)
            }
            (_, outcome) => outcome,
        };
        self.open.drop(open.number);
        Heard::Done { number: open.number, outcome }
    }

    fn learn(&mut self, directory: u32, response: Response) {
        let known = self.maps.get(&directory).copied();
        let map = known.map_or(response.map, |known| known.and(response.map));
        if known != Some(map) {
            self.maps.insert(directory, map);
        }
    }

    fn go_on(&mut self, mut open: Open, placement: &(impl Placement + ?Sized)) -> Heard {
        self.aim(&mut open, placement);
        self.open.put(open.number, open);
        Heard::Next(self.sending(&open))
    }

    /// What to send again, since no answer has come; `None`: it has.
    pub fn again(&self, number: u32) -> Option<Sending> {
        self.open.get(number).map(|open| self.sending(&open))
    }

    /// Operations under way.
    pub fn waiting(&self) -> usize {
        self.open.len()
    }
}
