//! The longest time without a completed write while writes waited.
use std::collections::BTreeMap;
use units::Nanos;

/// Tracks writes in progress.
///
/// Large writes take long, so none may end for a while without a stall. A time is a stall only if
/// nothing was committed for half of it either.
#[derive(Default)]
pub(super) struct Stall {
    requested: BTreeMap<u64, Nanos>,
    /// When the last write ended, or the first one in progress started.
    since: Nanos,
    /// Time of the last commit; longest time without commit since a write ended.
    still: Nanos,
    quiet: Nanos,
    /// From, to.
    longest: (Nanos, Nanos),
}

impl Stall {
    pub(super) fn began(&mut self, op: u64, asked: Nanos) {
        if self.requested.is_empty() {
            (self.since, self.still) = (self.since.max(asked), self.still.max(asked));
            self.quiet = Nanos::ZERO
        }
        self.requested.entry(op).or_insert(asked);
    }

    pub(super) fn committed(&mut self, now: Nanos) {
        self.quiet = self.quiet.max(now.saturating_sub(self.still));
        self.still = now
    }

    pub(super) fn ended(&mut self, op: u64, now: Nanos) {
        self.close(now);
        self.requested.remove(&op);
        (self.since, self.still, self.quiet) = (now, now, Nanos::ZERO)
    }

    /// From, to; `end`: end of the run.
    pub(super) fn longest(mut self, end: Nanos) -> (Nanos, Nanos) {
        if !self.requested.is_empty() {
            self.close(end)
        }
        self.longest
    }

    fn close(&mut self, now: Nanos) {
        self.committed(now);
        let (took, before) = (now.saturating_sub(self.since), self.longest);
        if took > before.1.saturating_sub(before.0) && self.quiet.0 * 2 >= took.0 {
            self.longest = (self.since, now)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    fn longest(tell: impl FnOnce(&mut Stall), end: u64) -> (u64, u64) {
        let mut stall = Stall::default();
        tell(&mut stall);
        let (from, to) = stall.longest(Nanos(end * S));
        (from.0 / S, to.0 / S)
    }

    #[test]
    fn who_waits_while_nothing_is_committed_is_in_a_stall() {
        let two = |stall: &mut Stall| {
            stall.began(1, Nanos(S));
            stall.began(2, Nanos(2 * S));
            stall.ended(1, Nanos(3 * S));
            stall.committed(Nanos(10 * S));
            stall.ended(2, Nanos(200 * S));
        };
        assert_eq!(longest(two, 200), (3, 200));
        let cut = |stall: &mut Stall| stall.began(1, Nanos(S));
        assert_eq!(longest(cut, 60), (1, 60), "what does not end at all");
    }

    #[test]
    fn neither_an_idle_cluster_nor_a_large_write_is_in_a_stall() {
        let idle = |stall: &mut Stall| {
            stall.began(1, Nanos(S));
            stall.ended(1, Nanos(2 * S));
            stall.began(2, Nanos(100 * S));
            stall.ended(2, Nanos(101 * S));
        };
        assert_eq!(longest(idle, 300), (1, 2));
        let large = |stall: &mut Stall| {
            stall.began(1, Nanos(100 * S));
            (100..200).for_each(|at| stall.committed(Nanos(at * S)));
            stall.ended(1, Nanos(200 * S));
        };
        assert_eq!(longest(large, 200), (0, 0));
    }
}
