//! Divides the wait of a block in the NameNode's queue between quota and stream limit, from the
//! rounds that passed meanwhile.
//!
//! A block that a round did not reach waits for the work multiplier. A block whose sources had full
//! queues waits for the stream limit, but only until the next round. While rounds are full, their
//! quota keeps it waiting: a higher limit alone would not shorten them. A round that spends part of
//! its quota on blocks with full sources charges that part to the limit.
use crate::hdfs::messages::Reason;
use engine::Nanos;

#[derive(Clone, Copy, Debug)]
struct Round {
    at: Nanos,
    /// It ended because its quota was used up.
    full: bool,
    /// Part of its quota (0–1) spent on blocks whose sources were full.
    wasted: f64,
}

#[derive(Default)]
pub struct Rounds {
    all: Vec<Round>,
}

impl Rounds {
    /// A round looked at `looked` blocks of at most `quota`; `passed_over` of them had full
    /// sources.
    pub fn push(&mut self, at: Nanos, quota: u32, looked: u32, passed_over: u32) {
        let wasted = f64::from(passed_over) / f64::from(quota.max(1));
        self.all.push(Round { at, full: looked >= quota, wasted })
    }

    /// Divides a wait into (for the quota, for the stream limit). `reason` is what the NameNode
    /// recorded at its start: not reached, or sources full.
    pub fn divide(&self, start: Nanos, end: Nanos, reason: Reason) -> (Nanos, Nanos) {
        let first = self.all.partition_point(|r| r.at < start);
        let mut for_quota = 0.0;
        for (i, round) in self.all.iter().enumerate().skip(first).take_while(|(_, r)| r.at < end) {
            let until = self.all.get(i + 1).map_or(end, |next| next.at.min(end));
            let refused_here = reason != Reason::Multiplier && round.at == start;
            if round.full && !refused_here {
                for_quota += (until - round.at).0 as f64 * (1.0 - round.wasted)
            }
        }
        let whole = end - start;
        let for_quota = Nanos(units::floored_u64(for_quota)).min(whole);
        (for_quota, whole - for_quota)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds every 3 s: two full ones, the second a third wasted, then one that reaches the end.
    fn rounds() -> Rounds {
        let mut rounds = Rounds::default();
        for (at, looked, passed_over) in [(0, 9, 0), (3, 9, 3), (6, 4, 2)] {
            rounds.push(Nanos::secs(at), 9, looked, passed_over)
        }
        rounds
    }

    #[test]
    fn a_wait_is_divided_by_what_the_rounds_did() {
        let divide = |from, to, reason| {
            let (quota, limit) = rounds().divide(Nanos::secs(from), Nanos::secs(to), reason);
            (quota.0 / 1_000_000, limit.0 / 1_000_000)
        };
        // Not reached in the first two rounds: the second lost a third of its quota.
        assert_eq!(divide(0, 6, Reason::Multiplier), (5_000, 1_000));
        // Passed over in the first: for the limit until the second, then as all others.
        assert_eq!(divide(0, 6, Reason::MaxStreams), (2_000, 4_000));
        // The third round was not full: what still waits, waits for the limit.
        assert_eq!(divide(3, 9, Reason::MaxStreams), (0, 6_000));
        assert_eq!(divide(0, 9, Reason::MaxStreams), (2_000, 7_000));
    }
}
