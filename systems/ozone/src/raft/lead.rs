//! A leader: appends entries, sends them within each follower's window, commits.
use super::{Append, AppendReply, Entry, Kind, Notice, Peer, Replica, Role};

impl Replica {
    /// Becomes the leader. The followers' progress is unknown until they answer.
    pub(super) fn become_leader(&mut self) {
        (self.role, self.leader) = (Role::Leader, self.place);
        self.commit = self.committed();
        self.matched = self.last();
        let (last, floor) = (self.last(), self.floor);
        let peer = Peer { next: last + 1, answered: last, flushed: floor, commit: floor };
        self.peers.replace([peer; 3]);
    }

    /// Returns the entry's index.
    ///
    /// # Panics
    /// If the replica does not lead.
    pub fn append(&mut self, kind: Kind, bytes: u32, container: u32) -> u64 {
        assert!(self.leads(), "only a leader makes entries");
        let index = self.push(Entry { term: self.term, kind, bytes, container });
        self.matched = index;
        index
    }

    pub fn notice(&self) -> Notice {
        let Replica { term, place: leader, floor, .. } = *self;
        Notice { term, leader, commit: self.committed(), floor }
    }

    /// The next entry for a member with at most `window` entries in flight. `None`: window full, or
    /// no entry left.
    pub fn next_for(&mut self, place: u8, window: u64) -> Option<Append> {
        let peer = self.peers[usize::from(place)];
        let index = peer.next;
        if !self.leads() || index > self.last() || index > peer.answered + window {
            return None;
        }
        let (entry, before) = (self.entry(index)?, self.term_at(index - 1)?);
        self.peers.update(usize::from(place), |peer| peer.next += 1);
        Some(Append { notice: self.notice(), index, before, entry })
    }

    /// Handles a follower's answer: its progress before and after. `None`: the replica does not
    /// lead, or the answer is old.
    pub fn handle_reply(&mut self, answer: AppendReply) -> Option<(Peer, Peer)> {
        if answer.term > self.term {
            self.enter(answer.term, super::NO_LEADER);
        }
        if !self.leads() || answer.term < self.term {
            return None;
        }
        let place = usize::from(answer.place);
        let before = self.peers[place];
        let (floor, last) = (self.floor, self.last());
        let flushed = before.flushed.max(answer.flushed);
        let commit = before.commit.max(answer.commit);
        let (mut next, mut answered) = (before.next, before.answered);
        if answer.first_missing > 0 {
            // The follower lacks this entry: resend from here, even if it is in flight.
            next = next.min(answer.first_missing.max(floor + 1));
            answered = next - 1
        }
        next = next.clamp(flushed + 1, last + 1);
        answered = answered.max(flushed);
        self.peers.set(place, Peer { next, answered, flushed, commit });
        Some((before, self.peers[place]))
    }

    /// Commits entries that two of three replicas have flushed: from, to, number of replicas.
    pub fn advance(&mut self) -> Option<(u64, u64, u8)> {
        if !self.leads() {
            return None;
        }
        let others = self.others().map(|peer| peer.flushed);
        let mut all = [self.flushed, others[0], others[1]];
        all.sort_unstable();
        let (all_have, majority, from) = (all[0], all[1], self.commit);
        // Entries of earlier terms are only committed with one of the own term (Raft, §5.4.2).
        let committed = majority > from && self.term_at(majority) == Some(self.term);
        if committed {
            self.commit = majority
        }
        let holders = all.iter().filter(|&&flushed| flushed >= majority).count();
        self.forget(all_have.min(self.commit));
        let holders = u8::try_from(holders).expect("three");
        committed.then_some((from, majority, holders))
    }
}
