//! A pipeline's log on one node: what is in it, on its disk, committed.
use super::message::{Block, Kind};
use engine::*;

/// An entry that is not yet on this node's disk.
#[derive(Clone, Copy, Debug, Scalar)]
pub(crate) struct Entry {
    pub(crate) index: u64,
    pub(crate) bytes: u64,
    /// Its data is where it must be.
    pub(crate) ready: bool,
}

/// A client that waits for an entry.
#[derive(Clone, Copy, Debug, Scalar)]
pub(crate) struct Waiting {
    pub(crate) index: u64,
    pub(crate) from: Lp<super::Event>,
    pub(crate) op: u64,
    pub(crate) attempt: u32,
    pub(crate) kind: Kind,
    pub(crate) came: Nanos,
    pub(crate) began: Nanos,
    pub(crate) flushed: Nanos,
    pub(crate) reached: [Nanos; 2],
    pub(crate) follower_began: [Nanos; 2],
    pub(crate) acked: [Nanos; 2],
    pub(crate) committed: Nanos,
}

impl Waiting {
    /// As it is reported, known now.
    pub(crate) fn block(&self, pipeline: u32, known: Nanos) -> Block {
        let Waiting {
            op,
            attempt,
            came,
            began,
            flushed,
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
            came,
            began,
            flushed,
            reached,
            follower_began,
            acked,
            committed,
            known,
        }
    }
}

/// A pipeline's log on one node.
#[derive(Rewind, Default)]
pub(crate) struct Replica {
    /// Not yet on disk.
    pub(crate) entries: Queue<Entry>,
    pub(crate) last: u64,
    pub(crate) flushed: u64,
    /// A flush is under way up to here; 0: none.
    pub(crate) flushing: u64,
    /// What this node knows to be committed, of its own log or not.
    pub(crate) commit: u64,
    /// As leader: of the two others.
    pub(crate) others: Array<Other>,
    /// As leader: entries that are commits told, above `commit`.
    pub(crate) told: Queue<u64>,
    /// As leader: clients that wait.
    pub(crate) waiting: Queue<Waiting>,
    /// As leader: the first that is not yet committed, as a place in `waiting`.
    pub(crate) open: u64,
    /// As leader: when it last said anything.
    pub(crate) said: Nanos,
}

/// What a leader knows of a follower.
#[derive(Clone, Copy, Debug, Default, Scalar)]
pub(crate) struct Other {
    pub(crate) flushed: u64,
    pub(crate) commit: u64,
}

impl Replica {
    /// Of a leader.
    pub(crate) fn leading() -> Replica {
        let mut replica = Replica::default();
        replica.others.replace([Other::default(); 2]);
        replica
    }

    /// What it knows to be committed and has on its disk.
    pub(crate) fn known(&self) -> u64 {
        self.commit.min(self.flushed)
    }

    /// An entry's data is there.
    pub(crate) fn ready(&mut self, index: u64) {
        let Some(first) = self.entries.front().map(|entry| entry.index) else { return };
        let place = usize::try_from(index.wrapping_sub(first)).unwrap_or(usize::MAX);
        self.entries.update(place, |entry| entry.ready = true);
    }

    /// What the next flush takes, if none is under way: up to which index, how many bytes.
    pub(crate) fn next_flush(&mut self) -> Option<(u64, u64)> {
        if self.flushing > 0 {
            return None;
        }
        let (mut to, mut bytes) = (0, 0);
        for entry in self.entries.iter().take_while(|entry| entry.ready) {
            (to, bytes) = (entry.index, bytes + entry.bytes)
        }
        self.flushing = to;
        (to > 0).then_some((to, bytes))
    }

    /// A flush has ended: all up to `to` is on disk.
    pub(crate) fn end_flush(&mut self, to: u64) {
        (self.flushed, self.flushing) = (to, 0);
        while self.entries.front().is_some_and(|entry| entry.index <= to) {
            self.entries.pop_front();
        }
    }

    /// As leader: the highest index that two of three have on disk.
    pub(crate) fn majority(&self) -> u64 {
        let mut all = [self.flushed, self.others[0].flushed, self.others[1].flushed];
        all.sort_unstable();
        all[1]
    }
}
