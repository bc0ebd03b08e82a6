//! What cannot have been.
use crate::history::{Event, Version};
use std::fmt;

/// A row: directory and name; without a name the inode's own, on one server.
pub type Row = (u64, String, u32);

/// A version of a row, and the operation, by its place in the history, that saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// The row.
    pub row: Row,
    /// Its version.
    pub version: Version,
    /// Who saw it, or did not.
    pub by: usize,
}

/// What cannot have been. Operations are meant by their places in the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Two operations replaced the same version of a row, this one and another: one of the two is
    /// lost.
    LostUpdate(Sight, usize),
    /// A row was there, and is not, and nobody took it away.
    Vanished(Sight),
    /// A version that nobody wrote.
    Phantom(Sight),
    /// A row was seen after it had been taken away.
    Undead(Sight),
    /// A row was not seen although it was there.
    Unseen(Sight),
    /// Each of these has to come before the next, and the last before the first.
    Cycle(Vec<usize>),
    /// In the only order there can be, a plain file system answers something else: this.
    Wrong(usize, String),
}

impl Fault {
    /// The operations that show it.
    pub fn events(&self) -> Vec<usize> {
        match self {
            Fault::LostUpdate(sight, other) => vec![sight.by, *other],
            Fault::Vanished(sight)
            | Fault::Phantom(sight)
            | Fault::Undead(sight)
            | Fault::Unseen(sight) => vec![sight.by],
            Fault::Cycle(all) => all.clone(),
            Fault::Wrong(at, _) => vec![*at],
        }
    }

    /// With the operations of the history.
    pub fn say(&self, history: &[Event]) -> String {
        let all = self.events();
        let lines = all.iter().map(|at| format!("\n  {}", history[*at].say()));
        format!("{self}{}", lines.collect::<String>())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::LostUpdate(sight, _) => {
                write!(f, "lost update: two operations replaced {sight}")
            }
            Fault::Vanished(sight) => {
                write!(f, "lost row: {sight} is gone, and nobody took it away")
            }
            Fault::Phantom(sight) => write!(f, "unknown version: {sight}, which nobody wrote"),
            Fault::Undead(sight) => write!(f, "back again: {sight} was seen after its removal"),
            Fault::Unseen(sight) => write!(f, "not seen: {sight} was there"),
            Fault::Cycle(all) => {
                write!(f, "cycle: {} operations of which each must be before the next", all.len())
            }
            Fault::Wrong(_, expected) => write!(f, "wrong result: expected {expected}"),
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ino, name, server) = &self.row;
        match (name.is_empty(), *server == u32::MAX) {
            (true, true) => write!(f, "directory {ino}")?,
            (true, false) => write!(f, "the row of inode {ino} on server {server}")?,
            _ => write!(f, "{name:?} in directory {ino}")?,
        }
        let (client, number) = self.version;
        write!(f, " as client {client} wrote it in operation {number}")
    }
}
