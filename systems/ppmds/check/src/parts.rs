//! Splits operations into parts that happen at one moment: an operation, or an entry of a readdir.
use crate::files::Files;
use crate::history::{Call, Entry, Event, Outcome};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moment {
    Whole,
    /// An entry has this inode, or does not exist.
    Entry(Entry, Option<u64>),
    /// A directory that was listed exists at this moment.
    Directory(u64),
    /// A result that no file system gives.
    Never,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The operation's index in the history.
    pub by: usize,
    pub moment: Moment,
    pub invoked: u64,
    /// [`u64::MAX`]: never answered, so it may not have happened.
    pub completed: u64,
}

impl Part {
    /// Whether the files show this part; `None`: it must be executed.
    pub fn is_seen(&self, files: &Files) -> Option<bool> {
        match &self.moment {
            Moment::Whole => None,
            Moment::Entry(entry, wanted) => Some(files.get(entry) == *wanted),
            Moment::Directory(ino) => Some(files.is_directory(*ino)),
            Moment::Never => Some(false),
        }
    }
}

/// Sorted by the time of the call.
pub fn parts(history: &[Event]) -> Vec<Part> {
    let names = names(history);
    let mut all = Vec::new();
    for (by, event) in history.iter().enumerate() {
        let (invoked, completed) = (event.invoked_ns, event.completed_ns.unwrap_or(u64::MAX));
        let moments = match (&event.call, &event.result) {
            (Call::Readdir { directory }, Some(Outcome::Entries(listed))) => {
                list(*directory, listed, names.get(directory))
            }
            // Without an answer it has no effect.
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

/// Names that each directory may contain at some time.
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
