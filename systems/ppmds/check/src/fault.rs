//! Faults of a history.
use crate::history::{Event, Version};
use std::fmt;

/// Directory, name, server. Without a name: the inode's own row on that server.
pub type Row = (u64, String, u32);

/// A version of a row, and the operation that saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowVersion {
    pub row: Row,
    pub version: Version,
    /// Index in the history of the operation that saw it or missed it.
    pub by: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub at: usize,
    /// Why it comes before the next step.
    pub why: String,
}

/// Operations are indices into the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Two operations replaced the same version of a row, so one of the writes is lost.
    LostUpdate(RowVersion, usize),
    /// A row disappeared without a removal.
    Vanished(RowVersion),
    /// A version without a writer.
    Phantom(RowVersion),
    /// A row was seen after its removal.
    Undead(RowVersion),
    /// A row was not seen although it existed.
    Unseen(RowVersion),
    /// Each operation must come before the next, and the last before the first.
    Cycle(Vec<Step>),
    /// In the only possible order a plain file system gives this other result.
    Wrong(usize, String),
    /// No order gives all results. In the longest, after this many operations, the operation gives
    /// another result.
    NoOrder(usize, usize, String),
}

impl Fault {
    pub fn events(&self) -> Vec<usize> {
        match self {
            Fault::LostUpdate(seen, other) => vec![seen.by, *other],
            Fault::Vanished(seen)
            | Fault::Phantom(seen)
            | Fault::Undead(seen)
            | Fault::Unseen(seen) => vec![seen.by],
            Fault::Cycle(all) => all.iter().map(|step| step.at).collect(),
            Fault::Wrong(at, _) | Fault::NoOrder(at, ..) => vec![*at],
        }
    }

    /// Empty unless the fault is a cycle.
    pub fn reasons(&self) -> Vec<&str> {
        match self {
            Fault::Cycle(all) => all.iter().map(|step| step.why.as_str()).collect(),
            _ => Vec::new(),
        }
    }

    /// Text with the operations; `place`: where an operation is written.
    pub fn say(&self, history: &[Event], place: &dyn Fn(usize) -> String) -> String {
        let mut text = self.to_string();
        let reasons = self.reasons();
        for (nth, at) in self.events().into_iter().enumerate() {
            text += &format!("\n  {}{}", place(at), history[at].say());
            if let Some(why) = reasons.get(nth) {
                let next = match nth + 1 < reasons.len() {
                    true => "the next",
                    false if nth == 0 => "itself",
                    false => "the first",
                };
                text += &format!("\n    comes before {next}: {why}")
            }
        }
        text
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::LostUpdate(seen, _) => {
                write!(f, "lost update: two operations replaced {seen}")
            }
            Fault::Vanished(seen) => {
                write!(f, "lost row: {seen} is gone, and no operation removed it")
            }
            Fault::Phantom(seen) => write!(f, "unknown version: {seen}, never written"),
            Fault::Undead(seen) => write!(f, "back again: {seen} was seen after its removal"),
            Fault::Unseen(seen) => write!(f, "not seen: {seen} existed"),
            Fault::Cycle(all) if all.len() == 1 => {
                write!(f, "cycle: an operation that must be before itself")
            }
            Fault::Cycle(all) => {
                write!(f, "cycle: {} operations, each of which must be before the next", all.len())
            }
            Fault::Wrong(_, expected) => write!(f, "wrong result: expected {expected}"),
            Fault::NoOrder(_, before, expected) => write!(
                f,
                "no order: {before} operations can come before this one, so it must return \
                 {expected}"
            ),
        }
    }
}

impl fmt::Display for RowVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, &self.row)?;
        let (client, number) = self.version;
        write!(f, " as written by client {client} in operation {number}")
    }
}

fn row(f: &mut fmt::Formatter<'_>, (ino, name, server): &Row) -> fmt::Result {
    match (name.is_empty(), *server == u32::MAX) {
        (true, true) => write!(f, "directory {ino}"),
        (true, false) => write!(f, "the row of inode {ino} on server {server}"),
        _ => write!(f, "{name:?} in directory {ino}"),
    }
}

pub struct Named<'a>(pub &'a Row);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, self.0)
    }
}
