//! Assigns blocks to holders as evenly as possible: an optimal semi-matching.
//!
//! The cost is the sum over holders of count², a flow with unit supplies and marginal costs 1, 3,
//! 5, … at each holder. An assignment is optimal if and only if no *cost-reducing path* exists.
//! Such a path is a chain of holders that pass one block on each, ending at a holder with at least
//! two fewer. The assignment then minimises every convex cost, including the largest count (Harvey,
//! Ladner, Lovász, Tamir 2006).
//!
//! A greedy assignment comes first, then breadth-first searches for paths from the fullest holders
//! down. A failed search has seen holders that pass blocks only among themselves, none of them two
//! below the start. Later paths start no higher, so they can neither end in this set nor leave it:
//! the set is closed. All failed searches together look at each offer once.
use std::collections::VecDeque;
use units::u32_of;

/// The holders that may send each block.
#[derive(Clone, Debug)]
pub struct Offers {
    holders: Vec<u32>,
    /// Index of each block's first holder; one entry more than blocks.
    start: Vec<u32>,
}

impl Default for Offers {
    fn default() -> Self {
        Offers { holders: Vec::new(), start: vec![0] }
    }
}

impl Offers {
    /// # Panics
    /// If the block has no holder.
    pub fn push(&mut self, holders: impl IntoIterator<Item = u32>) {
        self.holders.extend(holders);
        let end = u32_of(self.holders.len());
        assert!(Some(&end) > self.start.last(), "a block without a holder");
        self.start.push(end);
    }
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn of(&self, block: u32) -> &[u32] {
        let (from, to) = (self.start[block as usize], self.start[block as usize + 1]);
        &self.holders[from as usize..to as usize]
    }
}

/// The sender of each block, with the least sum of squares of the final `load`.
///
/// `load` has an entry per holder: the blocks it sent before; the blocks assigned are added.
pub fn balance_loads(offers: &Offers, load: &mut [u32]) -> Vec<u32> {
    let mut state = State::greedy(offers, load);
    let fullest = state.load.iter().copied().max().unwrap_or(0);
    for level in (2..=fullest).rev() {
        for holder in 0..u32_of(state.load.len()) {
            while state.load[holder as usize] == level && state.relieve(holder) {}
        }
    }
    state.sender
}

const NONE: u32 = u32::MAX;

struct State<'a> {
    offers: &'a Offers,
    load: &'a mut [u32],
    sender: Vec<u32>,
    blocks: Vec<Vec<u32>>,
    /// Per block: its position in `blocks` of its sender.
    place: Vec<u32>,
    /// Per holder: no path through it can reduce the cost.
    closed: Vec<bool>,
    /// Per holder: the last search that saw it, and the block that led there.
    seen: Vec<(u32, u32)>,
    search: u32,
}

impl<'a> State<'a> {
    /// Gives each block to its least loaded holder; blocks with one holder come first.
    fn greedy(offers: &'a Offers, load: &'a mut [u32]) -> State<'a> {
        let (blocks, holders) = (offers.len(), load.len());
        let mut state = State {
            offers,
            load,
            sender: vec![NONE; blocks],
            blocks: vec![Vec::new(); holders],
            place: vec![NONE; blocks],
            closed: vec![false; holders],
            seen: vec![(0, NONE); holders],
            search: 0,
        };
        let all = || 0..u32_of(blocks);
        let forced = |block: &u32| offers.of(*block).len() == 1;
        for block in all().filter(forced).chain(all().filter(|block| !forced(block))) {
            let least = offers.of(block).iter().copied().min_by_key(|&h| state.load[h as usize]);
            state.give(block, least.expect("every block has a holder"));
        }
        state
    }

    fn give(&mut self, block: u32, to: u32) {
        self.sender[block as usize] = to;
        self.place[block as usize] = u32_of(self.blocks[to as usize].len());
        self.blocks[to as usize].push(block);
        self.load[to as usize] += 1;
    }

    fn take(&mut self, block: u32) {
        let from = self.sender[block as usize] as usize;
        let place = self.place[block as usize];
        self.blocks[from].swap_remove(place as usize);
        if let Some(&moved) = self.blocks[from].get(place as usize) {
            self.place[moved as usize] = place;
        }
        self.load[from] -= 1;
    }

    /// Moves one block away from `start` along a cost-reducing path. If there is none, closes the
    /// holders seen.
    fn relieve(&mut self, start: u32) -> bool {
        if self.closed[start as usize] {
            return false;
        }
        let most = self.load[start as usize] - 2;
        self.search += 1;
        self.seen[start as usize] = (self.search, NONE);
        let mut line = VecDeque::from([start]);
        let mut visited = vec![start];
        while let Some(holder) = line.pop_front() {
            for at in 0..self.blocks[holder as usize].len() {
                let block = self.blocks[holder as usize][at];
                for &next in self.offers.of(block) {
                    if self.closed[next as usize] || self.seen[next as usize].0 == self.search {
                        continue;
                    }
                    self.seen[next as usize] = (self.search, block);
                    if self.load[next as usize] <= most {
                        self.pass_along(next);
                        return true;
                    }
                    visited.push(next);
                    line.push_back(next);
                }
            }
        }
        for holder in visited {
            self.closed[holder as usize] = true;
        }
        false
    }

    /// Moves one block per step along the found path to `end`.
    fn pass_along(&mut self, end: u32) {
        let mut to = end;
        while let (_, block) = self.seen[to as usize]
            && block != NONE
        {
            let from = self.sender[block as usize];
            self.take(block);
            self.give(block, to);
            to = from;
        }
    }
}
