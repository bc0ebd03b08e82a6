//! What cannot have been.
use crate::history::{Event, Version};
use std::fmt;

/// A row: directory and name; without a name the inode's own, on one server.
pub type Row = (u64, String, u32);

/// A version of a row, and the operation, by its place in the history, that saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    pub row: Row,
    pub version: Version,
    /// Who saw it, or did not.
    pub by: usize,
}

/// An operation of a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub at: usize,
    /// Why it must come before the next one.
    pub why: String,
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
    Cycle(Vec<Step>),
    /// In the only order there can be, a plain file system answers something else: this.
    Wrong(usize, String),
    /// No order gives all answers. In the one that gets furthest so many operations come before
    /// this one, which then answers something else: this.
    NoOrder(usize, usize, String),
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
            Fault::Cycle(all) => all.iter().map(|step| step.at).collect(),
            Fault::Wrong(at, _) | Fault::NoOrder(at, ..) => vec![*at],
        }
    }

    /// Why each of them comes before the next; of a cycle only.
    pub fn reasons(&self) -> Vec<&str> {
        match self {
            Fault::Cycle(all) => all.iter().map(|step| step.why.as_str()).collect(),
            _ => Vec::new(),
        }
    }

    /// With the operations of the history; `place` says where each is written.
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
            Fault::LostUpdate(sight, _) => {
                write!(f, "lost update: two operations replaced {sight}")
            }
            Fault::Vanished(sight) => {
                write!(f, "lost row: {sight} is gone, and nobody took it away")
            }
            Fault::Phantom(sight) => write!(f, "unknown version: {sight}, which nobody wrote"),
            Fault::Undead(sight) => write!(f, "back again: {sight} was seen after its removal"),
            Fault::Unseen(sight) => write!(f, "not seen: {sight} was there"),
            Fault::Cycle(all) if all.len() == 1 => {
                write!(f, "cycle: an operation that must be before itself")
            }
            Fault::Cycle(all) => {
                write!(f, "cycle: {} operations of which each must be before the next", all.len())
            }
            Fault::Wrong(_, expected) => write!(f, "wrong result: expected {expected}"),
            Fault::NoOrder(_, before, expected) => write!(
                f,
                "no order: {before} operations can come before this one, which then answers \
                 {expected}"
            ),
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, &self.row)?;
        let (client, number) = self.version;
        write!(f, " as client {client} wrote it in operation {number}")
    }
}

fn row(f: &mut fmt::Formatter<'_>, (ino, name, server): &Row) -> fmt::Result {
    match (name.is_empty(), *server == u32::MAX) {
        (true, true) => write!(f, "directory {ino}"),
        (true, false) => write!(f, "the row of inode {ino} on server {server}"),
        _ => write!(f, "{name:?} in directory {ino}"),
    }
}

/// A row as messages name it.
pub struct Named<'a>(pub &'a Row);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, self.0)
    }
}
