//! Marks of discarded versions, and unreadable records.
use super::{COMMITTED, RESTORED, Store, ending, file, record};
use crate::wire::Entry;
use std::io::{self, ErrorKind};
use xor_protocol::commit::ReplicaState;

/// Discarded versions remembered since the start.
const MOST_GONE: usize = 1 << 16;

impl Store {
    /// Versions with an unreadable record or mark, by id, with their state.
    pub fn unreadable(&self) -> Vec<(u128, ReplicaState)> {
        let told = |(id, held): (&u128, &ReplicaState)| match held {
            ReplicaState::Committed => (*id, ReplicaState::Unreadable),
            mark => (*id, *mark),
        };
        self.unreadable.iter().map(told).collect()
    }

    /// A version's state, also if its record is unreadable.
    pub(super) fn held(&self, id: u128) -> Option<ReplicaState> {
        let found = self.find(id).map(|entry| entry.held);
        found.or_else(|| self.unreadable.get(&id).copied())
    }

    /// Removes a version and leaves a mark. For a removed object, the mark covers older versions. A
    /// version that is not here leaves no mark, but is not accepted later.
    ///
    /// # Errors
    /// The disk fails; then the version is unchanged.
    pub fn discard(&mut self, id: u128, with_older: bool) -> io::Result<()> {
        self.note_gone(id);
        let Some(held) = self.held(id) else { return Ok(()) };
        let mark = match held {
            ReplicaState::Removed { with_older: true } => held,
            _ => ReplicaState::Removed { with_older },
        };
        if mark != held {
            match self.disk.rename(&file(id, ending(held)), &file(id, ending(mark))) {
                Err(e) if e.kind() == ErrorKind::NotFound => return self.remove(id),
                other => other?,
            }
            self.disk.sync()?
        }
        match self.find(id).cloned() {
            Some(entry) => self.insert(Entry { held: mark, ..entry }),
            None => drop(self.unreadable.insert(id, mark)),
        }
        self.unstage(id)
    }

    /// Prevents clients from writing a discarded version here.
    fn note_gone(&mut self, id: u128) {
        while self.gone.len() >= MOST_GONE {
            self.gone.pop_first();
        }
        self.gone.insert(id);
    }

    /// Rewrites the unreadable record of a committed version. Returns whether there was one.
    ///
    /// # Errors
    /// The disk fails; then the record is unchanged.
    pub fn restore(&mut self, entry: &Entry) -> io::Result<bool> {
        let id = entry.version.id;
        if self.unreadable.get(&id) != Some(&ReplicaState::Committed) {
            return Ok(false);
        }
        record::write(&*self.disk, &file(id, RESTORED), entry)?;
        self.disk.rename(&file(id, RESTORED), &file(id, COMMITTED))?;
        self.disk.sync()?;
        self.unreadable.remove(&id);
        self.insert(Entry { held: ReplicaState::Committed, ..entry.clone() });
        Ok(true)
    }
}
