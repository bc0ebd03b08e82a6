//! A member's own log: what is in it, what of it is stored, and on disk.
use super::{Entry, Replica};

impl Replica {
    /// Index of the last entry.
    pub fn last(&self) -> u64 {
        self.floor + self.log.len() as u64
    }

    /// Up to here the log is on disk.
    pub fn flushed(&self) -> u64 {
        self.flushed
    }

    /// An entry that is still kept.
    pub fn entry(&self, index: u64) -> Option<Entry> {
        self.log.get(self.place_of(index)?).map(|(entry, _)| *entry)
    }

    fn place_of(&self, index: u64) -> Option<usize> {
        index.checked_sub(self.floor + 1).map(units::usize_of)
    }

    /// The term of an entry; `None`: it is not here, or no longer.
    pub(super) fn term_at(&self, index: u64) -> Option<u32> {
        match index == self.floor {
            true => Some(self.floor_term),
            false => self.entry(index).map(|entry| entry.term),
        }
    }

    /// Term and index of the last entry.
    pub(super) fn end(&self) -> (u32, u64) {
        let last = self.last();
        (self.term_at(last).unwrap_or(self.floor_term), last)
    }

    /// The data of an entry of this term is stored, if the entry is still the same.
    pub fn stored(&mut self, index: u64, term: u32) {
        let Some(place) = self.place_of(index) else { return };
        self.log.update(place, |(entry, ready)| *ready |= entry.term == term);
    }

    /// What the next flush takes, if none is under way: up to which index, and how many entries.
    pub fn next_flush(&mut self) -> Option<(u64, u64)> {
        if self.busy {
            return None;
        }
        let from = units::usize_of(self.flushed - self.floor);
        let ready = (from..self.log.len()).take_while(|&i| self.log.get(i).is_some_and(|e| e.1));
        let count = ready.count() as u64;
        (self.flushing, self.busy) = (self.flushed + count, count > 0);
        (count > 0).then_some((self.flushing, count))
    }

    /// The flush that was under way has ended.
    pub fn end_flush(&mut self) {
        self.flushed = self.flushing.max(self.flushed);
        self.busy = false
    }

    /// Adds an entry that has no data to store, or waits for it.
    pub(super) fn push(&mut self, entry: Entry) -> u64 {
        let ready = entry.kind != super::Kind::Chunk;
        self.log.push_back((entry, ready));
        self.last()
    }

    /// Drops the entry of this index, and all behind it.
    pub(super) fn cut(&mut self, index: u64) {
        while self.last() >= index && self.log.pop_back().is_some() {}
        self.flushed = self.flushed.min(self.last());
        // A flush that is under way flushes what is left of it.
        self.flushing = self.flushing.min(self.last())
    }

    /// Forgets entries that all three have on disk.
    pub(super) fn forget(&mut self, floor: u64) {
        let floor = floor.min(self.flushed);
        while self.floor < floor
            && let Some((entry, _)) = self.log.pop_front()
        {
            (self.floor, self.floor_term) = (self.floor + 1, entry.term)
        }
    }
}
