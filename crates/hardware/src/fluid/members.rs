//! The flows of each resource: short lists in one block of memory.
use rewind::{Array, Rewind, Scalar};

const NONE: u32 = u32::MAX;

/// A list in the pool, with space for 4 · 2^class entries; none if `start` is `NONE`.
#[derive(Clone, Copy, Scalar)]
struct List {
    start: u32,
    len: u32,
    class: u32,
}

/// One contiguous list per resource, in an order that depends only on additions and removals.
///
/// A full list moves to twice the space. Old space is not reused: lists never shrink, so the old
/// spaces of a list are together smaller than the present one.
#[derive(Rewind)]
pub(super) struct Members {
    lists: Array<List>,
    pool: Array<u32>,
}

impl Members {
    pub(super) fn new(lists: usize) -> Members {
        Members {
            lists: (0..lists).map(|_| List { start: NONE, len: 0, class: 0 }).collect(),
            pool: Array::new(),
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, list: u32) -> &[u32] {
        let List { start, len, .. } = self.lists[list as usize];
        if len == 0 { &[] } else { &self.pool[start as usize..(start + len) as usize] }
    }

    #[inline(always)]
    pub(super) fn len(&self, list: u32) -> u32 {
        self.lists[list as usize].len
    }

    /// Appends an entry and returns its position.
    pub(super) fn add(&mut self, list: u32, entry: u32) -> u32 {
        let List { start, len, class } = self.lists[list as usize];
        let start = if start == NONE {
            self.place(0)
        } else if len == 4 << class {
            self.moved(start, len, class)
        } else {
            start
        };
        let class = if len == 4 << class { class + 1 } else { class };
        self.pool.set((start + len) as usize, entry);
        self.lists.set(list as usize, List { start, len: len + 1, class });
        len
    }

    /// Removes the entry at `position`. The last entry takes its place and is returned, if it is
    /// another.
    pub(super) fn remove(&mut self, list: u32, position: u32) -> Option<u32> {
        let List { start, len, class } = self.lists[list as usize];
        assert!(position < len, "a list of {len} has nothing at {position}");
        self.lists.set(list as usize, List { start, len: len - 1, class });
        if position == len - 1 {
            return None;
        }
        let last = self.pool[(start + len - 1) as usize];
        self.pool.set((start + position) as usize, last);
        Some(last)
    }

    fn place(&mut self, class: u32) -> u32 {
        let start = self.pool.len() as u32;
        for _ in 0..4 << class {
            self.pool.push(NONE)
        }
        start
    }

    fn moved(&mut self, from: u32, len: u32, class: u32) -> u32 {
        let to = self.place(class + 1);
        for i in 0..len {
            let entry = self.pool[(from + i) as usize];
            self.pool.set((to + i) as usize, entry)
        }
        to
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Dice;

    #[test]
    fn like_vectors() {
        let mut dice = Dice(1);
        let mut clever = Members::new(5);
        let mut stupid: Vec<Vec<u32>> = vec![vec![]; 5];
        for entry in 0..5000 {
            let list = dice.below(5) as usize;
            let len = stupid[list].len();
            if len > 0 && dice.below(100) < 48 {
                let position = dice.below(len as u64) as usize;
                stupid[list].swap_remove(position);
                let moved = clever.remove(list as u32, position as u32);
                assert_eq!(moved, stupid[list].get(position).copied());
            } else {
                stupid[list].push(entry);
                assert_eq!(clever.add(list as u32, entry), len as u32);
            }
            for (list, entries) in stupid.iter().enumerate() {
                assert_eq!(clever.of(list as u32), entries);
            }
        }
    }
}
