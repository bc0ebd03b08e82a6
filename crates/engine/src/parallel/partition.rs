//! Assigns LPs to threads, and bounds how far a thread may be ahead of the others.
use crate::{Topology, topology::Tree};

pub(crate) struct Partition {
    threads: usize,
    /// By LP; one byte, so that a million of them fit a second-level cache.
    owner: Vec<u8>,
    /// By sender and receiver: least delay of a message or a chain of messages \[ns\]. For a thread
    /// and itself: by way of another.
    distance: Vec<u64>,
}

/// Limit of the owner byte.
pub(crate) const MOST_THREADS: usize = 256;

/// Maximum load of a thread, relative to its share, to gain a larger lookahead.
const UNEVEN: f64 = 1.1;

impl Partition {
    /// Cuts the topology at long delays into parts of about equal weight. `weight`: expected work
    /// of an LP, in any unit; `burden`: additional work of the first thread.
    ///
    /// LPs are in the order of the tree, so that close ones stay together. Bounds are tried from
    /// the largest down: LPs that are closer than the bound stay on one thread.
    pub(crate) fn new(
        topology: &Topology,
        threads: usize,
        burden: u64,
        weight: impl Fn(u32) -> u64,
    ) -> Self {
        let tree = Tree::new(topology);
        let total = burden + tree.order.iter().map(|&lp| weight(lp)).sum::<u64>();
        let mut owner = vec![];
        for bound in tree.bounds() {
            let (most, owners) = deal(tree.units(bound), threads, (burden, total), &weight);
            owner = owners;
            let fair = (total as f64 / threads as f64).max(burden as f64);
            if most as f64 <= UNEVEN * fair {
                break;
            }
        }
        let distance = shortest(threads, tree.between(threads, &owner));
        Partition { threads, owner, distance }
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Load of the busiest thread.
    pub(crate) fn most(&self, burden: u64, weight: impl Fn(u32) -> u64) -> u64 {
        let mut load = vec![0; self.threads];
        load[0] = burden;
        (0..).zip(&self.owner).for_each(|(lp, owner)| load[*owner as usize] += weight(lp));
        load.into_iter().max().unwrap_or(0)
    }

    pub(crate) fn count(&self, thread: usize) -> u32 {
        self.owner.iter().filter(|owner| **owner as usize == thread).count() as u32
    }

    #[inline(always)]
    pub(crate) fn owner(&self, lp: u32) -> usize {
        self.owner[lp as usize] as usize
    }

    /// The least delay between two threads \[ns\].
    pub(crate) fn lookahead(&self) -> u64 {
        let pairs =
            (0..self.threads * self.threads).filter(|n| n / self.threads != n % self.threads);
        pairs.map(|n| self.distance[n]).min().unwrap_or(u64::MAX)
    }

    /// Time \[ns\] up to which threads advance in a round, if thread i has no event before
    /// `next[i]`. Each thread also stops at its own [limit](Self::limit). It is the minimum limit
    /// of all threads with work. A thread that went further would wait for the others, and they for
    /// it: one would work at a time.
    ///
    /// The limit of the earliest thread is an upper bound. A thread with no event before it does
    /// not lower it, so its own limit is not computed.
    pub(crate) fn in_step(&self, next: &[u64]) -> u64 {
        let lower = |bound: u64, thread: usize| {
            if next[thread] >= bound {
                return bound;
            }
            match self.limit(thread, |i| next[i]) {
                limit if next[thread] < limit => limit.min(bound),
                _ => bound,
            }
        };
        let first = (0..self.threads).min_by_key(|thread| next[*thread]);
        let others = (0..self.threads).filter(|thread| Some(*thread) != first);
        first.into_iter().chain(others).fold(u64::MAX, lower)
    }

    /// Safe time of a thread \[ns\], if thread i has no event before `next(i)`: no thread can send
    /// it anything for an earlier time.
    pub(crate) fn limit(&self, thread: usize, next: impl Fn(usize) -> u64) -> u64 {
        (0..self.threads).fold(u64::MAX, |limit, i| match next(i) {
            // The distance cannot make it smaller.
            next if next >= limit => limit,
            next => limit.min(next.saturating_add(self.distance[i * self.threads + thread])),
        })
    }
}

/// Assigns units, in order, to threads, of which the first has a burden already. Returns the load
/// of the busiest thread, and the owner of each LP.
fn deal<'a>(
    units: impl Iterator<Item = &'a [u32]>,
    threads: usize,
    (burden, total): (u64, u64),
    weight: impl Fn(u32) -> u64,
) -> (u64, Vec<u8>) {
    let (mut owner, mut load, mut before) = (vec![], vec![0; threads], burden);
    load[0] = burden;
    for unit in units {
        let own: u64 = unit.iter().map(|&lp| weight(lp)).sum();
        // By the position of its middle in the total.
        let place = (2 * before + own) as u128 * threads as u128 / (2 * total.max(1)) as u128;
        let thread = (place as usize).min(threads - 1);
        for &lp in unit {
            owner.resize(owner.len().max(lp as usize + 1), 0);
            owner[lp as usize] = thread as u8
        }
        load[thread] += own;
        before += own
    }
    (load.into_iter().max().unwrap_or(0), owner)
}

/// Shortest distances over any number of threads (Floyd and Warshall).
fn shortest(threads: usize, mut distance: Vec<u64>) -> Vec<u64> {
    for via in 0..threads {
        for from in 0..threads {
            for to in 0..threads {
                let first = distance[from * threads + via];
                let there = first.saturating_add(distance[via * threads + to]);
                let known = &mut distance[from * threads + to];
                *known = there.min(*known)
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Nanos, draw::mix};

    fn text(topology: &Topology, threads: usize, weight: impl Fn(u32) -> u64) -> String {
        let p = Partition::new(topology, threads, 0, weight);
        let owners: String =
            (0..topology.len()).map(|lp| (b'a' + p.owner(lp) as u8) as char).collect();
        let rows = p.distance.chunks(threads).map(|row| format!("{row:?}"));
        format!("{owners} {}", rows.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn cuts_where_delays_are_long() {
        let mut racks = Topology::new(Nanos(10), Nanos(30));
        racks.place::<()>(8, |i| i % 4);
        assert_eq!(text(&racks, 2, |_| 1), "aabbaabb [60, 30] [30, 60]");
        assert_eq!(
            text(&racks, 4, |_| 1),
            "abcdabcd [60, 30, 30, 30] [30, 60, 30, 30] [30, 30, 60, 30] [30, 30, 30, 60]"
        );
        // Three threads cannot share four racks evenly: a rack is cut.
        assert_eq!(text(&racks, 3, |_| 1), "aabcabcc [20, 10, 20] [10, 20, 10] [20, 10, 20]");
    }

    /// Threads that always have events: their times after each round.
    #[test]
    fn who_is_ahead_goes_on_in_step_with_the_others() {
        let mut racks = Topology::new(Nanos(10), Nanos(30));
        racks.place::<()>(4, |i| i % 2);
        let p = Partition::new(&racks, 2, 0, |_| 1);
        let rounds = |step: &dyn Fn(usize, &[u64]) -> u64| {
            let (mut at, mut text) = (vec![0, 27], String::new());
            for _ in 0..3 {
                at = (0..2).map(|thread| step(thread, &at).max(at[thread])).collect();
                text += &format!("{at:?} ")
            }
            text
        };
        let in_step = |thread, at: &[u64]| p.limit(thread, |i| at[i]).min(p.in_step(at));
        assert_eq!(rounds(&in_step), "[30, 30] [60, 60] [90, 90] ");
        let alone = rounds(&|thread, at| p.limit(thread, |i| at[i]));
        assert_eq!(alone, "[57, 30] [60, 87] [117, 90] ", "one by turns does nearly all");
        let idle = [0, u64::MAX];
        assert_eq!([in_step(0, &idle), in_step(1, &idle)], [60, 30], "a waiting part holds none")
    }

    /// Compares with the minimum of all limits.
    #[test]
    fn who_is_not_asked_would_not_lower_what_all_may() {
        let mut racks = Topology::new(Nanos(10), Nanos(30));
        racks.place::<()>(12, |i| i % 5);
        let p = Partition::new(&racks, 6, 0, |_| 1);
        for seed in 0..1000 {
            let next: Vec<u64> = (0..6).map(|i| mix(mix(seed) + i) % 100).collect();
            let limits = (0..6).map(|thread| (p.limit(thread, |i| next[i]), next[thread]));
            let of_all = limits.filter(|(limit, next)| next < limit).map(|(limit, _)| limit);
            assert_eq!(Some(p.in_step(&next)), of_all.min(), "{next:?}")
        }
    }

    #[test]
    fn weighs_what_is_to_be_done() {
        let mut flat = Topology::tree(Nanos(5));
        let root = flat.root();
        flat.place_in::<()>(6, |_| root);
        assert_eq!(text(&flat, 2, |_| 1), "aaabbb [10, 5] [5, 10]");
        assert_eq!(text(&flat, 2, |lp| if lp == 0 { 5 } else { 1 }), "abbbbb [10, 5] [5, 10]");
        assert_eq!(text(&flat, 1, |_| 1), "aaaaaa [18446744073709551615]");
        let owners = |burden| {
            let p = Partition::new(&flat, 2, burden, |_| 1);
            (0..6).map(|lp| p.owner(lp)).collect::<Vec<_>>()
        };
        assert_eq!(owners(2), [0, 0, 1, 1, 1, 1], "the first has something else to do");
        assert_eq!(owners(9), [1, 1, 1, 1, 1, 1])
    }

    #[test]
    fn more_threads_than_lps() {
        let mut flat = Topology::tree(Nanos(5));
        let root = flat.root();
        flat.place_in::<()>(2, |_| root);
        let p = Partition::new(&flat, 4, 0, |_| 1);
        let mut owners = [p.owner(0), p.owner(1)];
        owners.sort_unstable();
        assert!(owners[0] < owners[1] && owners[1] < 4);
        let idle = (0..4).find(|i| !owners.contains(i)).expect("two of four");
        assert_eq!(p.limit(idle, |_| 0), u64::MAX, "no part can send it anything")
    }

    #[test]
    fn a_limit_is_what_the_slowest_chain_of_messages_allows() {
        let mut racks = Topology::new(Nanos(10), Nanos(30));
        racks.place::<()>(4, |i| i % 2);
        let p = Partition::new(&racks, 2, 0, |_| 1);
        let next = [100, 1000];
        assert_eq!(p.limit(0, |i| next[i]), 160, "to the other, and back");
        assert_eq!(p.limit(1, |i| next[i]), 130)
    }
}
