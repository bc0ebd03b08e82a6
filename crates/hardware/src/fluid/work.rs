//! Buffers of the solver, and its report: not part of the state.
use super::share::Demand;
use crate::{FlowId, ResourceId};
use rewind::{Digest, Hasher, Rewind};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Changes by the last [`settle`](super::Fluid::settle), each list in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Flows with another rate or bottleneck; started ones are included, ended ones are not.
    pub flows: Vec<FlowId>,
    pub resources: Vec<ResourceId>,
}

/// A set of small numbers that is emptied in O(its size).
#[derive(Default)]
pub(super) struct Marks {
    marked: Vec<u64>,
    pub(super) list: Vec<u32>,
}

impl Marks {
    /// Returns whether it is new.
    #[inline(always)]
    pub(super) fn add(&mut self, number: u32) -> bool {
        let (at, bit) = place_of(number);
        if at >= self.marked.len() {
            self.marked.resize(at + 1, 0)
        }
        let new = self.marked[at] & bit == 0;
        if new {
            self.marked[at] |= bit;
            self.list.push(number)
        }
        new
    }
    /// Sorts the list; if it has many of all numbers, by a scan of the bits.
    pub(super) fn sort(&mut self) {
        if self.list.len() < self.marked.len() {
            return self.list.sort_unstable();
        }
        self.list.clear();
        for (first, &word) in (0..).step_by(64).zip(&self.marked) {
            let mut rest = word;
            while rest != 0 {
                self.list.push(first + rest.trailing_zeros());
                rest &= rest - 1
            }
        }
    }
    #[inline(always)]
    pub(super) fn has(&self, number: u32) -> bool {
        let (at, bit) = place_of(number);
        self.marked.get(at).is_some_and(|&word| word & bit != 0)
    }
    pub(super) fn clear(&mut self) {
        for number in self.list.drain(..) {
            self.marked[place_of(number).0] = 0
        }
    }
}

#[inline(always)]
fn place_of(number: u32) -> (usize, u64) {
    (number as usize / 64, 1 << (number % 64))
}

/// Additional rate \[bytes/s\] that unsaturated resources can give in this settlement.
///
/// Lower demands are not counted, so it is a lower bound. A resource that was saturated at the
/// start, or had too little, has none left until the next settlement.
#[derive(Default)]
pub(super) struct Slack {
    known: Marks,
    left: Vec<f64>,
}

impl Slack {
    /// The rest of `resource` after `more`; `free` returns its initial slack.
    #[inline(always)]
    pub(super) fn take(&mut self, resource: u32, more: f64, free: impl FnOnce() -> f64) -> f64 {
        let at = resource as usize;
        if self.known.add(resource) {
            if at >= self.left.len() {
                self.left.resize(at + 1, 0.0)
            }
            self.left[at] = free()
        }
        self.left[at] -= more;
        self.left[at]
    }
    pub(super) fn clear(&mut self) {
        self.known.clear()
    }
}

/// Resources to recompute, the lowest level first.
#[derive(Default)]
pub(super) struct WorkList {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    queued: Vec<bool>,
}

impl WorkList {
    #[inline(always)]
    pub(super) fn push(&mut self, resource: u32, level: f64) {
        let at = resource as usize;
        if at >= self.queued.len() {
            self.queued.resize(at + 1, false)
        }
        if !self.queued[at] {
            self.queued[at] = true;
            // Levels are not negative, so their bits have the same order.
            self.heap.push(Reverse((level.to_bits(), resource)))
        }
    }
    pub(super) fn pop(&mut self) -> Option<u32> {
        let Reverse((_, resource)) = self.heap.pop()?;
        self.queued[resource as usize] = false;
        Some(resource)
    }
    pub(super) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
    pub(super) fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}

#[derive(Clone, Copy, Default)]
pub(super) struct ResourceFill {
    pub(super) capacity: f64,
    pub(super) left: f64,
    /// Sum of the weights of the flows that still rise.
    pub(super) weight: f64,
    pub(super) open: u32,
}

/// Empty between two settlements, except for its memory.
#[derive(Default)]
pub(super) struct Work {
    /// Resources with a started or ended flow, or another capacity, since the last settlement.
    pub(super) staged: Marks,
    /// Flows started since the last settlement.
    pub(super) started: Vec<u32>,
    /// Flows whose rate or holder may have changed.
    pub(super) touched: Marks,
    /// Resources whose use may have changed, and by resource its use before, if it may have.
    pub(super) used: Marks,
    pub(super) before: Vec<u64>,
    pub(super) list: WorkList,
    pub(super) slack: Slack,
    pub(super) demands: Vec<Demand>,
    pub(super) reached: Marks,
    pub(super) filling: Vec<ResourceFill>,
    pub(super) fixed: Vec<bool>,
    pub(super) heap: BinaryHeap<Reverse<(u64, u32)>>,
    pub(super) changes: Changes,
    pub(super) cost: Cost,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Resources recomputed after a change.
    pub evaluations: u64,
    /// Flows read for these.
    pub visits: u64,
    /// Number of times that all connected resources were filled again.
    pub fills: u64,
    pub filled: u64,
}

impl Work {
    /// Lists the changed resources and empties the buffers.
    pub(super) fn report(&mut self, used: &[u64]) {
        self.touched.clear();
        self.changes.resources.clear();
        self.used.sort();
        let has_changed = |r: &&u32| used[**r as usize] != self.before[**r as usize];
        let changed = self.used.list.iter().filter(has_changed).map(|&r| ResourceId(r));
        self.changes.resources.extend(changed);
        self.used.clear();
    }
}

impl Digest for Work {
    fn digest(&self, _: &mut Hasher) {}
}

impl Rewind for Work {
    type Mark = ();
    fn mark(&self) {
        assert!(self.staged.list.is_empty(), "settle the fluid solver before the handler ends")
    }
    fn rewind(&mut self, _: &()) {
        self.staged.clear();
        self.started.clear();
        self.used.clear();
    }
    fn commit(&mut self, _: &()) {}
    fn journal(&mut self, _: Option<u64>) {}
}
