//! A follower: accepts the leader's entries in the order of the log.
use super::{Append, AppendReply, Notice, Replica, Role};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AppendResult {
    /// New entry; its data has to be stored.
    New,
    Known,
    /// The entry before it is missing.
    Gap,
    /// The sender lost its term; the answer's term shows it.
    Stale,
}

impl Replica {
    /// Handles a leader's commit notice; false if the sender lost its term.
    pub fn on_notice(&mut self, notice: Notice) -> bool {
        if notice.term < self.term {
            return false;
        }
        if notice.term > self.term {
            self.enter(notice.term, notice.leader)
        }
        (self.leader, self.role) = (notice.leader, Role::Follower);
        let floor = notice.floor.min(self.flushed);
        self.matched = self.matched.max(floor);
        self.commit = self.commit.max(notice.commit);
        self.forget(notice.floor);
        true
    }

    pub fn on_append(&mut self, append: Append) -> AppendResult {
        if !self.on_notice(append.notice) {
            return AppendResult::Stale;
        }
        let Append { index, before, entry, .. } = append;
        if index <= self.floor {
            return AppendResult::Known;
        }
        if self.term_at(index - 1) != Some(before) {
            return AppendResult::Gap;
        }
        match self.term_at(index) {
            Some(term) if term == entry.term => {
                self.matched = self.matched.max(index);
                return AppendResult::Known;
            }
            Some(_) => self.truncate(index),
            None => {}
        }
        self.matched = self.push(entry);
        AppendResult::New
    }

    /// `gap`: the entry before the received one is missing.
    pub fn answer(&self, gap: bool) -> AppendReply {
        let flushed = self.flushed.min(self.matched);
        AppendReply {
            term: self.term,
            place: self.place,
            flushed,
            commit: self.commit.min(flushed),
            first_missing: if gap { self.matched + 1 } else { 0 },
        }
    }
}
