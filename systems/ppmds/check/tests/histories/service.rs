//! A sequential service that states the rows seen.
use ppmds_check::{After, BEGINNING, Call, Entry, Event, Files, Outcome, Saw, Version};
use std::collections::BTreeMap;

pub const BEGIN: [(u64, u64); 1] = [(1, 1)];

/// In place of a server: the row of a directory's existence.
const EXISTENCE: u32 = u32::MAX;

/// Files with the versions of their rows; each row counts its own removals.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Service {
    pub files: Files,
    entries: BTreeMap<Entry, Version>,
    removals: BTreeMap<Entry, u64>,
    directories: BTreeMap<u64, Version>,
    given: u64,
}

impl Service {
    pub fn new() -> Service {
        Service {
            files: Files::new(&BEGIN),
            entries: BTreeMap::new(),
            removals: BTreeMap::new(),
            directories: BTreeMap::from([(1, (BEGINNING, 0))]),
            given: 100,
        }
    }

    /// Executes an operation; a new inode is `ino`, or the next number.
    pub fn work(&mut self, call: &Call, version: Version, ino: Option<u64>) -> (Outcome, Vec<Saw>) {
        self.given += 1;
        let new = ino.unwrap_or(self.given);
        let before = self.files.clone();
        let outcome = self.files.apply(call, new);
        if matches!(call, Call::Readdir { .. }) {
            return (outcome, Vec::new());
        }
        let failed = matches!(outcome, Outcome::Error(_));
        let mut saw = Vec::new();
        for (nth, entry) in call.entries().into_iter().enumerate() {
            saw.push(self.directory(entry.0, version, After::Kept));
            if !before.is_directory(entry.0) {
                continue;
            }
            let writes = match call {
                Call::Lookup { .. } | Call::Stat { .. } => false,
                Call::Link { .. } => !failed && nth == 1,
                Call::Rename { .. } => before.get(&entry) != self.files.get(&entry),
                _ => !failed,
            };
            let replaced = before.get(&entry).filter(|ino| before.is_directory(*ino));
            saw.push(self.entry(entry, version, writes));
            if let Some(full) = replaced.filter(|_| outcome == Outcome::Error("ENOTEMPTY".into())) {
                let within = before.list(full).into_iter().next();
                saw.extend(within.map(|(name, _)| self.entry((full, name), version, false)))
            }
            if let Some(gone) = replaced.filter(|ino| !self.files.is_directory(*ino)) {
                saw.push(self.directory(gone, version, After::Removed))
            }
        }
        if let (Call::Mkdir { .. }, Outcome::Ino(ino)) = (call, &outcome) {
            saw.push(self.directory(*ino, version, After::Written))
        }
        (outcome, saw)
    }

    fn directory(&mut self, ino: u64, version: Version, after: After) -> Saw {
        let before = match after {
            After::Kept => self.directories.get(&ino).copied(),
            After::Written => self.directories.insert(ino, version),
            After::Removed => self.directories.remove(&ino),
        };
        let gone = before.is_none() && after == After::Kept;
        let removals = if gone { u64::MAX } else { 0 };
        Saw { row: (ino, String::new()), server: EXISTENCE, before, removals, after }
    }

    fn entry(&mut self, row: Entry, version: Version, writes: bool) -> Saw {
        let before = self.entries.get(&row).copied();
        let after = match (writes, self.files.get(&row).is_some(), before) {
            (false, ..) | (_, false, None) => After::Kept,
            (_, true, _) => After::Written,
            (_, false, Some(_)) => After::Removed,
        };
        let removals = self.removals.entry(row.clone()).or_default();
        match after {
            After::Kept => {}
            After::Written => drop(self.entries.insert(row.clone(), version)),
            After::Removed => {
                *removals += 1;
                self.entries.remove(&row);
            }
        }
        let removals = *removals;
        Saw { row, server: 0, before, removals, after }
    }
}

/// Removes the versions, so that only answers remain.
pub fn blind(history: &[Event]) -> Vec<Event> {
    let answers = |event: &Event| {
        let result = event.result.clone().filter(|_| event.completed_ns.is_some());
        Event { saw: Vec::new(), result, ..event.clone() }
    };
    history.iter().map(answers).collect()
}
