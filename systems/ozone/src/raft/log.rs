//! A replica's log: entries, which of them are stored, and which are flushed.
use super::{Entry, Replica};

impl Replica {
    pub fn last(&self) -> u64 {
        self.floor + self.log.len() as u64
    }

    /// Index of the last flushed entry.
    pub fn flushed(&self) -> u64 {
        self.flushed
    }

    /// `None`: not in the log, or already discarded.
    pub fn entry(&self, index: u64) -> Option<Entry> {
        self.log.get(self.place_of(index)?).map(|(entry, _)| *entry)
    }

    fn place_of(&self, index: u64) -> Option<usize> {
        index.checked_sub(self.floor + 1).map(units::usize_of)
    }

    /// `None`: not in the log, or already discarded.
    pub(super) fn term_at(&self, index: u64) -> Option<u32> {
        match index == self.floor {
            true => Some(self.floor_term),
            false => self.entry(index).map(|entry| entry.term),
        }
    }

    pub(super) fn end(&self) -> (u32, u64) {
        let last = self.last();
        (self.term_at(last).unwrap_or(self.floor_term), last)
    }

    /// Marks an entry's data as stored, unless the entry was replaced by one of another term.
    pub fn mark_stored(&mut self, index: u64, term: u32) {
        let Some(place) = self.place_of(index) else { return };
        self.log.update(place, |(entry, ready)| *ready |= entry.term == term);
    }

    /// Starts a flush if none is running: last index, number of entries.
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

    pub fn end_flush(&mut self) {
        self.flushed = self.flushing.max(self.flushed);
        self.busy = false
    }

    /// Appends an entry; chunks have to be stored before a flush.
    pub(super) fn push(&mut self, entry: Entry) -> u64 {
        let ready = entry.kind != super::Kind::Chunk;
        self.log.push_back((entry, ready));
        self.last()
    }

    /// Drops this entry and all after it.
    pub(super) fn truncate(&mut self, index: u64) {
        while self.last() >= index && self.log.pop_back().is_some() {}
        self.flushed = self.flushed.min(self.last());
        // A running flush covers only entries that are left.
        self.flushing = self.flushing.min(self.last())
    }

    /// Discards entries that all three replicas have flushed.
    pub(super) fn forget(&mut self, floor: u64) {
        let floor = floor.min(self.flushed);
        while self.floor < floor
            && let Some((entry, _)) = self.log.pop_front()
        {
            (self.floor, self.floor_term) = (self.floor + 1, entry.term)
        }
    }
}
