//! The rows that an operation has open, and those it still needs.
//!
//! An operation is a function of a view, called again whenever more rows are open. It stops at the
//! first missing row that it depends on; one round opens all rows requested until then.
use super::evidence;
use super::message::{Mode, Moves, OpenedRow, RowRequest, Write};
use super::{
    Errno, Ino, Inode, Key, List, Outcome, Placement, Reads, Row, RowEvidence, SharedList,
};
use super::{Stored, Version};
use rewind::Value;

#[derive(Value)]
pub struct HeldRow {
    pub server: u32,
    pub row: OpenedRow,
}

/// A directory's list; `None`: the directory does not exist.
pub type Known = (Ino, Option<SharedList>);

#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    Later,
    Fails(Errno),
    /// The rows are from different moments: another transaction aborted this attempt and wrote.
    Torn,
}

#[derive(Value)]
pub struct Plan {
    pub outcome: Outcome,
    pub writes: Vec<(u32, Write)>,
}

impl Plan {
    pub fn entries(&self) -> u64 {
        let is = |write: &Write| matches!(write, Write::Row(key, Some(_)) if !key.name.is_none());
        self.writes.iter().filter(|(_, write)| is(write)).count() as u64
    }
}

pub struct View<'a, P: ?Sized> {
    held: &'a [HeldRow],
    lists: &'a [Known],
    pub placement: &'a P,
    reads: Reads,
    version: Version,
    /// Clock of the coordinator \[ns\].
    pub now: u64,
    requests: Vec<(u32, RowRequest)>,
}

impl<'a, P: Placement + ?Sized> View<'a, P> {
    pub fn new(
        held: &'a [HeldRow],
        lists: &'a [Known],
        placement: &'a P,
        reads: Reads,
        version: Version,
        now: u64,
    ) -> View<'a, P> {
        View { held, lists, placement, reads, version, now, requests: Vec::new() }
    }

    /// The missing rows, by server.
    pub fn requests(self) -> Vec<(u32, RowRequest)> {
        self.requests
    }

    /// # Errors
    /// `Later`: not known yet. `ENOENT`: the directory does not exist.
    pub fn list(&mut self, directory: Ino) -> Result<&'a List, Stop> {
        match self.lists.iter().find(|(ino, _)| *ino == directory) {
            Some((_, Some(list))) => Ok(list),
            Some((_, None)) => Err(Stop::Fails(Errno::ENOENT)),
            None => {
                let home = self.placement.home(directory);
                self.request(home, Key::itself(directory), Mode::Unlocked, false, None);
                Err(Stop::Later)
            }
        }
    }

    /// An entry, on the server that its directory's list names.
    ///
    /// # Errors
    /// `Later`: not open yet. `ENOENT`: the directory does not exist.
    pub fn entry(&mut self, key: &Key, mode: Mode) -> Result<&'a HeldRow, Stop> {
        let server = self.list(key.ino)?.owner(key.ino, &key.name);
        self.open(server, key, mode, false, None)
    }

    /// Opens an entry for writing and assigns an inode number.
    pub fn new_entry(&mut self, key: &Key) -> Result<&'a HeldRow, Stop> {
        let server = self.list(key.ino)?.owner(key.ino, &key.name);
        self.open(server, key, Mode::Exclusive, true, None)
    }

    /// An inode's own row.
    ///
    /// # Errors
    /// `Later`: not open yet.
    pub fn itself(&mut self, server: u32, ino: Ino, mode: Mode) -> Result<&'a HeldRow, Stop> {
        self.open(server, &Key::itself(ino), mode, false, None)
    }

    /// A server's row of the directory's list, with the rows that leave that server.
    ///
    /// # Errors
    /// `Later`: not open yet.
    pub fn leaving(&mut self, server: u32, ino: Ino, moves: &Moves) -> Result<&'a HeldRow, Stop> {
        self.open(server, &Key::itself(ino), Mode::Exclusive, false, Some(moves))
    }

    fn open(
        &mut self,
        server: u32,
        key: &Key,
        mode: Mode,
        fresh: bool,
        moves: Option<&Moves>,
    ) -> Result<&'a HeldRow, Stop> {
        let is = |held: &&HeldRow| held.server == server && held.row.key == *key;
        let mode = self.reads.mode(mode);
        match self.held.iter().find(|held| is(held) && held.row.mode >= mode) {
            Some(held) => Ok(held),
            None => {
                self.request(server, key.clone(), mode, fresh, moves);
                Err(Stop::Later)
            }
        }
    }

    fn request(&mut self, server: u32, key: Key, mode: Mode, fresh: bool, moves: Option<&Moves>) {
        let moves = moves.map(|moves| Box::new(moves.clone()));
        let request = RowRequest { key, mode, fresh, moves };
        match self.requests.iter_mut().find(|(at, w)| *at == server && w.key == request.key) {
            Some((_, known)) => {
                known.mode = known.mode.max(mode);
                known.fresh |= fresh
            }
            None => self.requests.push((server, request)),
        }
    }

    pub fn version(&self) -> Version {
        self.version
    }

    pub fn open_rows(&self) -> usize {
        self.held.len()
    }

    pub fn put(&self, held: &HeldRow, row: Row) -> (u32, Write) {
        let stored = Stored { version: self.version, row };
        (held.server, Write::Row(held.row.key.clone(), Some(stored)))
    }

    /// Sets the inode's time of change.
    pub fn changed(&self, inode: &Inode) -> Inode {
        Inode { changed: self.now, ..*inode }
    }
}

impl HeldRow {
    pub fn row(&self) -> Option<&Row> {
        self.row.stored.as_ref().map(|stored| &stored.row)
    }

    /// The inode that several names share.
    ///
    /// # Errors
    /// `Torn`: it is missing although an entry refers to it.
    pub fn shared(&self) -> Result<&Inode, Stop> {
        self.row().and_then(Row::inode).ok_or(Stop::Torn)
    }

    pub fn removed(&self) -> (u32, Write) {
        (self.server, Write::Row(self.row.key.clone(), None))
    }

    /// Evidence of this row under the operation's writes.
    pub fn evidence(&self, writes: &[(u32, Write)]) -> Vec<RowEvidence> {
        let mine = |(server, write): &&(u32, Write)| {
            *server == self.server && matches!(write, Write::Row(key, _) if *key == self.row.key)
        };
        let new = writes.iter().find(mine).map(|(_, write)| match write {
            Write::Row(_, stored) => stored.as_ref(),
            Write::Answer(..) => None,
        });
        let (key, removals, old) = (&self.row.key, self.row.removals, self.row.stored.as_ref());
        evidence::row(key, self.server, removals, old, new)
    }
}

impl Plan {
    pub fn new(outcome: Outcome, writes: Vec<(u32, Write)>) -> Plan {
        Plan { outcome, writes }
    }
}

pub fn fails<T>(errno: Errno) -> Result<T, Stop> {
    Err(Stop::Fails(errno))
}
