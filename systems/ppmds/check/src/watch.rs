//! Open operations without versions: what each must still see.
use crate::files::Files;
use crate::history::{Call, Entry, Event, Outcome};
use std::collections::BTreeMap;

/// A readdir whose result does not match yet.
struct List {
    by: usize,
    /// Names with their inodes in the result; `None`: the result lacks the name.
    missing: BTreeMap<String, Option<u64>>,
    /// The directory did not exist yet.
    lacks_directory: bool,
}

#[derive(Default)]
pub struct Watch {
    lists: BTreeMap<u64, Vec<List>>,
    /// Operations that returned ENOENT for something that exists, by directory.
    absences: BTreeMap<u64, Vec<usize>>,
}

impl Watch {
    pub fn open(&mut self, by: usize, event: &Event, files: &Files) {
        match (&event.call, &event.result) {
            (Call::Readdir { directory }, Some(Outcome::Entries(listed))) => {
                let mut missing = BTreeMap::new();
                for (name, ino) in files.list(*directory) {
                    missing.insert(name, (None, Some(ino)));
                }
                for (name, ino) in listed {
                    missing.entry(name.clone()).or_insert((None, None)).0 = Some(*ino);
                }
                let missing: BTreeMap<String, Option<u64>> = missing
                    .into_iter()
                    .filter(|(_, (wanted, is))| wanted != is)
                    .map(|(name, (wanted, _))| (name, wanted))
                    .collect();
                let lacks_directory = !files.is_directory(*directory);
                if lacks_directory || !missing.is_empty() {
                    let list = List { by, missing, lacks_directory };
                    self.lists.entry(*directory).or_default().push(list)
                }
            }
            (call, Some(Outcome::Error(_))) if !files.lacks(call) => {
                for (directory, _) in call.entries() {
                    self.absences.entry(directory).or_default().push(by)
                }
            }
            _ => {}
        }
    }

    /// Updates all open operations after a change of an entry.
    pub fn changed(
        &mut self,
        entry: &Entry,
        inodes: [Option<u64>; 2],
        history: &[Event],
        files: &Files,
    ) {
        if self.lists.is_empty() && self.absences.is_empty() {
            return;
        }
        for list in self.lists.get_mut(&entry.0).into_iter().flatten() {
            if list.missing.get(&entry.1) == Some(&inodes[1]) {
                list.missing.remove(&entry.1);
            }
        }
        for ino in inodes.into_iter().flatten().filter(|ino| files.is_directory(*ino)) {
            for list in self.lists.get_mut(&ino).into_iter().flatten() {
                list.lacks_directory = false
            }
        }
        let directories = [Some(entry.0), inodes[0], inodes[1]];
        for directory in directories.into_iter().flatten() {
            let Some(all) = self.absences.get(&directory) else { continue };
            let seen: Vec<usize> =
                all.iter().copied().filter(|by| files.lacks(&history[*by].call)).collect();
            for by in seen {
                self.close(by, &history[by])
            }
        }
    }

    /// Whether a readdir has not seen its directory yet.
    pub fn lacks_directory(&self, by: usize, directory: u64) -> bool {
        self.list(by, directory).is_some_and(|list| list.lacks_directory)
    }

    /// An entry of a readdir's result that has not matched yet.
    pub fn missing(&self, by: usize, directory: u64) -> Option<(String, Option<u64>)> {
        let (name, wanted) = self.list(by, directory)?.missing.first_key_value()?;
        Some((name.clone(), *wanted))
    }

    fn list(&self, by: usize, directory: u64) -> Option<&List> {
        self.lists.get(&directory)?.iter().find(|list| list.by == by)
    }

    /// Whether an operation still waits for an absence.
    pub fn waits(&self, by: usize) -> bool {
        self.absences.values().any(|all| all.contains(&by))
    }

    pub fn close(&mut self, by: usize, event: &Event) {
        for (directory, _) in event.call.entries() {
            if let Some(all) = self.lists.get_mut(&directory) {
                all.retain(|list| list.by != by);
                if all.is_empty() {
                    self.lists.remove(&directory);
                }
            }
            if let Some(all) = self.absences.get_mut(&directory) {
                all.retain(|other| *other != by);
                if all.is_empty() {
                    self.absences.remove(&directory);
                }
            }
        }
    }
}
