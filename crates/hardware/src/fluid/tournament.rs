//! The earliest completion of all flows, by a tournament.
use rewind::{Array, Rewind};
use units::Nanos;

/// The earliest of many times, of equal ones that of the smallest index.
///
/// A change replays matches upwards only as far as it affects them. A slot that is far from winning
/// is updated in O(1) on average, as for most changes of a rate.
#[derive(Rewind, Default)]
pub(super) struct Tournament {
    /// By slot; a power of two of them.
    time: Array<Nanos>,
    /// `winner[1]` of all, `winner[i]` of `winner[2i]` and `winner[2i + 1]`; the leaves are the
    /// slots.
    winner: Array<u32>,
}

impl Tournament {
    pub(super) fn grow(&mut self, slots: usize) {
        let room = slots.next_power_of_two().max(2);
        if room <= self.time.len() {
            return;
        }
        let old: Vec<Nanos> = self.time.to_vec();
        self.time.replace(old.iter().copied().chain(std::iter::repeat(Nanos::MAX)).take(room));
        let mut winner: Vec<u32> = vec![0; room];
        for node in (1..room).rev() {
            let child = |i: usize| if i < room { winner[i] } else { (i - room) as u32 };
            let (left, right) = (child(2 * node), child(2 * node + 1));
            winner[node] = self.better(left, right);
        }
        self.winner.replace(winner);
    }

    #[inline(always)]
    fn better(&self, left: u32, right: u32) -> u32 {
        if self.time[right as usize] < self.time[left as usize] { right } else { left }
    }

    /// The winner of a match; for a leaf the slot.
    #[inline(always)]
    fn of(&self, node: usize) -> u32 {
        let room = self.time.len();
        if node < room { self.winner[node] } else { (node - room) as u32 }
    }

    pub(super) fn set(&mut self, slot: u32, time: Nanos) {
        if self.time[slot as usize] == time {
            return;
        }
        self.time.set(slot as usize, time);
        let mut node = (self.time.len() + slot as usize) / 2;
        while node > 0 {
            let best = self.better(self.of(2 * node), self.of(2 * node + 1));
            let before = self.winner[node];
            if before != best {
                self.winner.set(node, best)
            } else if best != slot {
                return;
            }
            node /= 2;
        }
    }

    pub(super) fn time(&self, slot: u32) -> Nanos {
        self.time[slot as usize]
    }

    /// The earliest slot; `None` if all are at [`Nanos::MAX`].
    pub(super) fn first(&self) -> Option<(Nanos, u32)> {
        let slot = *self.winner.get(1)?;
        let time = self.time[slot as usize];
        (time < Nanos::MAX).then_some((time, slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Dice;

    #[test]
    fn like_a_search_through_all() {
        let mut dice = Dice(2);
        let mut clever = Tournament::default();
        let mut stupid: Vec<Nanos> = Vec::new();
        assert_eq!(clever.first(), None);
        for _ in 0..20_000 {
            if stupid.len() < 100 && dice.below(20) == 0 {
                stupid.push(Nanos::MAX);
                clever.grow(stupid.len());
            }
            if stupid.is_empty() {
                continue;
            }
            let slot = dice.below(stupid.len() as u64) as usize;
            let time = if dice.below(4) == 0 { Nanos::MAX } else { Nanos(dice.below(50)) };
            stupid[slot] = time;
            clever.set(slot as u32, time);
            let expected = (0..).zip(&stupid).map(|(slot, &time)| (time, slot)).min();
            assert_eq!(clever.first(), expected.filter(|first| first.0 < Nanos::MAX));
        }
    }
}
