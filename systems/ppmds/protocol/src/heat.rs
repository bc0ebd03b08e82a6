//! Finds the directory that a busy server gets most operations on.
use super::{Hot, Ino, Store};

/// Operations in the shortest window.
const WINDOW: u32 = 1_000;
/// The window doubles after each directory that the server gives away, at most this often: if all
/// servers are busy, giving directories away helps none.
const COOLEST: u32 = 6;

#[derive(rewind::Rewind, Default)]
pub struct Heat {
    directories: rewind::Table<Ino, u32>,
    all: u32,
    since: u64,
    cool: u32,
}

impl Heat {
    /// Counts an operation; returns the hottest directory at the end of a window.
    pub fn count<'a>(&mut self, directory: Ino, store: &'a Store, now: u64) -> Option<Hot<'a>> {
        self.directories.update_or_insert(directory, || 0, |count| *count += 1);
        self.all += 1;
        if self.all < WINDOW << self.cool {
            return None;
        }
        let (of, took) = (self.all, now.saturating_sub(self.since));
        let most = self.directories.iter().max_by_key(|(ino, n)| (**n, std::cmp::Reverse(**ino)));
        let (directory, operations) = most.map(|(ino, count)| (*ino, *count))?;
        self.directories.clear();
        (self.all, self.since) = (0, now);
        let list = store.list(directory)?;
        Some(Hot { server: store.me(), directory, list, operations, of, took })
    }

    /// Doubles the window if the directory moves, else halves it.
    pub fn adapt(&mut self, moves: bool) {
        self.cool = if moves { (self.cool + 1).min(COOLEST) } else { self.cool.saturating_sub(1) }
    }
}
