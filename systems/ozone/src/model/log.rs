//! A pipeline's log on one node, and the clients that wait for its entries.
use super::message::Block;
use crate::raft::{Kind, Replica};
use engine::*;

/// A client that waits for an entry.
#[derive(Clone, Copy, Debug, Scalar)]
pub(crate) struct Waiting {
    pub(crate) index: u64,
    pub(crate) from: Lp<super::Event>,
    pub(crate) op: u64,
    pub(crate) attempt: u32,
    pub(crate) round: u32,
    pub(crate) kind: Kind,
    pub(crate) came: Nanos,
    pub(crate) began: Nanos,
    pub(crate) flushed: Nanos,
    pub(crate) left: [Nanos; 2],
    pub(crate) reached: [Nanos; 2],
    pub(crate) follower_began: [Nanos; 2],
    pub(crate) acked: [Nanos; 2],
    pub(crate) committed: Nanos,
}

impl Waiting {
    /// As it is reported, known now.
    pub(crate) fn block(&self, pipeline: u32, leader: u8, known: Nanos) -> Block {
        let Waiting {
            op,
            attempt,
            came,
            began,
            flushed,
            left,
            reached,
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
            came,
            began,
            flushed,
            left,
            reached,
            follower_began,
            acked,
            committed,
            known,
        }
    }
}

/// A pipeline's log on one node, with those who wait for it.
#[derive(Rewind)]
pub(crate) struct Log {
    pub(crate) raft: Replica,
    /// As leader: entries that are commits told, above what is committed.
    pub(crate) told: Queue<u64>,
    /// As leader: clients that wait.
    pub(crate) waiting: Queue<Waiting>,
    /// As leader: the first that is not yet committed, as a place in `waiting`.
    pub(crate) open: u64,
    /// As leader: when it last said anything to each of the others.
    pub(crate) said: [Nanos; 2],
    /// When it last heard of a leader, or gave its vote.
    pub(crate) heard: Nanos,
    /// How often it has drawn how long to wait for a leader.
    pub(crate) drawn: u64,
}

impl Log {
    pub(crate) fn new(place: u8, leader: u8) -> Log {
        Log {
            raft: Replica::new(place, leader),
            told: Queue::new(),
            waiting: Queue::new(),
            open: 0,
            said: [Nanos::ZERO; 2],
            heard: Nanos::ZERO,
            drawn: 0,
        }
    }

    /// Those who wait for entries after `from` and up to `to`: places in `waiting`.
    fn places(&self, from: u64, to: u64) -> std::ops::Range<usize> {
        // Indices ascend.
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

    /// An entry goes to the follower of this slot: it leaves its window now, and arrives then.
    pub(crate) fn sent(&mut self, slot: usize, index: u64, now: Nanos, there: Nanos) {
        self.said[slot] = now;
        for place in self.places(index - 1, index) {
            self.waiting.update(place, |w| (w.left[slot], w.reached[slot]) = (now, there));
        }
    }

    /// The leader's own disk has entries up to here; it had begun with them then.
    pub(crate) fn flushed(&mut self, from: u64, to: u64, began: Nanos, now: Nanos) {
        for place in self.places(from, to) {
            self.waiting.update(place, |w| (w.began, w.flushed) = (began.max(w.came), now));
        }
    }

    /// A follower has answered for entries up to here.
    pub(crate) fn acked(&mut self, slot: usize, from: u64, to: u64, began: Nanos, now: Nanos) {
        for place in self.places(from, to) {
            self.waiting.update(place, |w| {
                w.acked[slot] = now;
                w.follower_began[slot] = began.max(w.reached[slot])
            });
        }
    }

    /// Entries up to here are committed: whether the last of them is one that tells commits.
    pub(crate) fn committed(&mut self, to: u64, now: Nanos) -> bool {
        let mut tells = false;
        while self.told.front().is_some_and(|&index| index <= to) {
            tells = self.told.pop_front() == Some(to)
        }
        while let Some(index) = self.waiting.get(units::usize_of(self.open)).map(|w| w.index)
            && index <= to
        {
            self.waiting.update(units::usize_of(self.open), |w| w.committed = now);
            self.open += 1
        }
        tells
    }

    /// The next client to be answered: its entry is committed, and enough know of it or it has
    /// waited for that long enough. Who only writes a chunk waits for the commit.
    pub(crate) fn answered(&mut self, all: bool, patience: Nanos, now: Nanos) -> Option<Waiting> {
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
