//! What has to happen at one moment each: an operation, or an entry of a list.
use crate::files::Files;
use crate::history::{Call, Entry, Event, Outcome};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moment {
    Whole,
    /// An entry is as a list has it: its inode, or absent.
    Entry(Entry, Option<u64>),
    /// A directory that was listed is there.
    Directory(u64),
    /// What no file system answers.
    Never,
}

/// A part of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The operation's place in the history.
    pub by: usize,
    pub moment: Moment,
    pub invoked: u64,
    /// When it was answered; [`u64::MAX`]: never, and it may not have happened.
    pub completed: u64,
}

impl Part {
    /// Whether it is seen here, without a change; `None`: it is to be done.
    pub fn is_seen(&self, files: &Files) -> Option<bool> {
        match &self.moment {
            Moment::Whole => None,
            Moment::Entry(entry, wanted) => Some(files.get(entry) == *wanted),
            Moment::Directory(ino) => Some(files.is_directory(*ino)),
            Moment::Never => Some(false),
        }
    }
}

/// All parts of a history, in the order in which they were asked.
pub fn parts(history: &[Event]) -> Vec<Part> {
    let names = names(history);
    let mut all = Vec::new();
    for (by, event) in history.iter().enumerate() {
        let (invoked, completed) = (event.invoked_ns, event.completed_ns.unwrap_or(u64::MAX));
        let moments = match (&event.call, &event.result) {
            (Call::Readdir { directory }, Some(Outcome::Entries(listed))) => {
                list(*directory, listed, names.get(directory))
            }
            // Nobody heard it, and it changes nothing.
            (Call::Readdir { .. }, None) if event.completed_ns.is_none() => Vec::new(),
            _ => vec![Moment::Whole],
        };
        let part = |moment| Part { by, moment, invoked, completed };
        all.extend(moments.into_iter().map(part))
    }
    all.sort_by_key(|part| part.invoked);
    all
}

fn list(directory: u64, listed: &[(String, u64)], names: Option<&BTreeSet<&str>>) -> Vec<Moment> {
    let found: BTreeMap<&str, u64> = listed.iter().map(|(name, ino)| (&name[..], *ino)).collect();
    if found.len() < listed.len() {
        return vec![Moment::Never];
    }
    let known = names.into_iter().flatten().copied();
    let all: BTreeSet<&str> = found.keys().copied().chain(known).collect();
    let entry = |name: &str| Moment::Entry((directory, name.to_string()), found.get(name).copied());
    std::iter::once(Moment::Directory(directory)).chain(all.into_iter().map(entry)).collect()
}

/// Names that may be in each directory at some time.
fn names(history: &[Event]) -> BTreeMap<u64, BTreeSet<&str>> {
    let mut names: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
    for event in history {
        let (Call::Create { entry, .. }
        | Call::Mkdir { entry, .. }
        | Call::Rename { to: entry, .. }
        | Call::Link { to: entry, .. }) = &event.call
        else {
            continue;
        };
        names.entry(entry.0).or_default().insert(&entry.1);
    }
    names
}
