//! A pipeline's log on one node, with clients that wait for its entries.
use super::message::Block;
use crate::raft::{Kind, Replica};
use engine::*;

#[derive(Clone, Copy, Debug, Scalar)]
pub(crate) struct PendingRequest {
    pub(crate) index: u64,
    pub(crate) from: Lp<super::Event>,
    pub(crate) op: u64,
    pub(crate) attempt: u32,
    pub(crate) round: u32,
    pub(crate) kind: Kind,
    pub(crate) held: Nanos,
    pub(crate) arrived: Nanos,
    pub(crate) started: Nanos,
    pub(crate) flushed: Nanos,
    pub(crate) left: [Nanos; 2],
    pub(crate) reached: [Nanos; 2],
    pub(crate) follower_held: [Nanos; 2],
    pub(crate) follower_began: [Nanos; 2],
    pub(crate) acked: [Nanos; 2],
    pub(crate) committed: Nanos,
}

impl PendingRequest {
    /// The block's record; `known`: when the client may continue.
    pub(crate) fn block(&self, pipeline: u32, leader: u8, known: Nanos) -> Block {
        let PendingRequest {
            op,
            attempt,
            held,
            arrived,
            started,
            flushed,
            left,
            reached,
            follower_held,
            follower_began,
            acked,
            committed,
            ..
        } = *self;
        Block {
            op,
            attempt,
            pipeline,
            leader,
            held,
            arrived,
            started,
            flushed,
            left,
            reached,
            follower_held,
            follower_began,
            acked,
            committed,
            known,
        }
    }
}

#[derive(Rewind)]
pub(crate) struct Log {
    pub(crate) raft: Replica,
    /// As leader: uncommitted entries of kind `CommitIndex`.
    pub(crate) commit_entries: Queue<u64>,
    /// As leader: clients that wait for an answer, by index.
    pub(crate) waiting: Queue<PendingRequest>,
    /// As leader: index in `waiting` of the first client whose entry is not committed.
    pub(crate) open: u64,
    /// As leader: when it last sent a message to each follower.
    pub(crate) last_sent: [Nanos; 2],
    /// As follower: time for which other messages occupied the NIC when the last entry came.
    pub(crate) held: Nanos,
    /// When it last received from a leader, or granted a vote.
    pub(crate) last_leader_contact: Nanos,
    /// Number of election timeouts drawn.
    pub(crate) drawn: u64,
}

impl Log {
    pub(crate) fn new(place: u8, leader: u8) -> Log {
        Log {
            raft: Replica::new(place, leader),
            commit_entries: Queue::new(),
            waiting: Queue::new(),
            open: 0,
            last_sent: [Nanos::ZERO; 2],
            held: Nanos::ZERO,
            last_leader_contact: Nanos::ZERO,
            drawn: 0,
        }
    }

    /// Positions in `waiting` of clients with entries after `from`, up to `to`.
    fn places(&self, from: u64, to: u64) -> std::ops::Range<usize> {
        // Binary search: indices ascend.
        let first = |index: u64| {
            let (mut low, mut high) = (0, self.waiting.len());
            while low < high {
                let middle = (low + high) / 2;
                match self.waiting.get(middle).is_some_and(|w| w.index < index) {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            low
        };
        first(from + 1)..first(to + 1)
    }

    /// Records that an entry was sent to a follower: it leaves the queue now and arrives at
    /// `there`.
    pub(crate) fn sent(&mut self, slot: usize, index: u64, now: Nanos, there: Nanos) {
        self.last_sent[slot] = now;
        for place in self.places(index - 1, index) {
            self.waiting.update(place, |w| (w.left[slot], w.reached[slot]) = (now, there));
        }
    }

    /// Records that the leader's disk flushed entries up to `to` in a flush that started at
    /// `began`.
    pub(crate) fn flushed(&mut self, from: u64, to: u64, began: Nanos, now: Nanos) {
        for place in self.places(from, to) {
            self.waiting.update(place, |w| (w.started, w.flushed) = (began.max(w.arrived), now));
        }
    }

    /// Records a follower's answer for entries after `from`, up to `to`. All of them take the NIC's
    /// wait of the last one: `held`. Their flush began at `began`.
    pub(crate) fn record_ack(
        &mut self,
        slot: usize,
        [from, to]: [u64; 2],
        [held, began]: [Nanos; 2],
        now: Nanos,
    ) {
        for place in self.places(from, to) {
            self.waiting.update(place, |w| {
                w.acked[slot] = now;
                w.follower_held[slot] = held;
                w.follower_began[slot] = began.max(w.reached[slot])
            });
        }
    }

    /// Marks entries up to `to` as committed. Returns whether the last of them is a `CommitIndex`.
    pub(crate) fn committed(&mut self, to: u64, now: Nanos) -> bool {
        let mut tells = false;
        while self.commit_entries.front().is_some_and(|&index| index <= to) {
            tells = self.commit_entries.pop_front() == Some(to)
        }
        while let Some(index) = self.waiting.get(units::usize_of(self.open)).map(|w| w.index)
            && index <= to
        {
            self.waiting.update(units::usize_of(self.open), |w| w.committed = now);
            self.open += 1
        }
        tells
    }

    /// The next client to answer. A chunk needs its commit. The end of a block also needs enough
    /// replicas that know of the commit, or the watch timeout.
    pub(crate) fn answered(
        &mut self,
        all: bool,
        patience: Nanos,
        now: Nanos,
    ) -> Option<PendingRequest> {
        let first = *self.waiting.front().filter(|_| self.open > 0)?;
        let [a, b] = self.raft.others().map(|peer| peer.commit);
        let known = if all { a.min(b) } else { a.max(b) };
        if first.kind == Kind::Put && known < first.index && now < first.committed + patience {
            return None;
        }
        self.open -= 1;
        self.waiting.pop_front()
    }
}
