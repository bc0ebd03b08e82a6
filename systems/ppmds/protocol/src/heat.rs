//! A server that is busy: which directory it answers most of.
use super::{Hot, Ino, Store};

/// Operations after which a server looks.
const WINDOW: u32 = 1_000;
/// A server that has given away waits twice as long each time until it looks again, up to so many
/// times: where all are busy, giving away helps nobody.
const COOLEST: u32 = 6;

/// Operations since a server last looked.
#[derive(rewind::Rewind, Default)]
pub struct Heat {
    directories: rewind::Table<Ino, u32>,
    all: u32,
    since: u64,
    cool: u32,
}

impl Heat {
    /// Counts an operation on a directory; at the end of a window returns the hottest one.
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

    /// The next window is longer if the directory moves, else shorter.
    pub fn adapt(&mut self, moves: bool) {
        self.cool = if moves { (self.cool + 1).min(COOLEST) } else { self.cool.saturating_sub(1) }
    }
}
