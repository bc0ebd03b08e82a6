//! Chooses sources and targets of all copies together so that the load of nodes is as even as
//! possible: a semi-matching with implicit edges.
//!
//! Each copy is two tasks. Its *source* is one of a few holders. Its *target* is any open node
//! except a few, and outside one rack if the rack rule requires it. As in [`semi_matching`], an
//! assignment is optimal for every convex cost if and only if it has no *cost-reducing path*. That
//! is a chain of nodes that pass one task on each, ending at a node with at least two fewer tasks.
//!
//! Explicit edges would be 400 million for 40 000 copies on 10 000 nodes. A breadth-first search
//! needs none: a target task leads to all unseen nodes except the forbidden ones, and a node seen
//! leaves the unseen set. The cost is the number of nodes plus the forbidden pairs, as in a search
//! of a complement graph. An index by load answers at once if a target task can end the path. Each
//! pass visits each node once and finds many paths, as Hopcroft and Karp do for matchings.
//!
//! [`semi_matching`]: super::semi_matching
mod by_load;
mod copy_request;
mod unvisited;
use by_load::ByLoad;
pub use copy_request::CopyRequest;
use copy_request::NONE;
use std::collections::VecDeque;
use units::u32_of;
use unvisited::UnvisitedNodes;

/// (source, target) of each copy, with the least sum of squares of `load` and the least maximum.
///
/// `load` has an entry per node: the tasks it has before; the tasks given are added. `racks` lists
/// the open nodes of each rack, which may receive.
///
/// # Panics
/// If a copy has no source or no target.
pub fn balance_loads(
    copies: &[CopyRequest],
    racks: &[Vec<u32>],
    load: &mut [u32],
) -> Vec<(u32, u32)> {
    let mut state = State::greedy(copies, racks, load);
    let fullest = state.load.iter().copied().max().unwrap_or(0);
    for level in (2..=fullest).rev() {
        while state.pass(level) {}
    }
    state.doer.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect()
}

#[derive(Default)]
struct SearchQueue {
    nodes: VecDeque<u32>,
    /// Target tasks, expanded one node at a time when `nodes` is empty: each leads to nearly all
    /// nodes, and most paths end earlier.
    put_off: VecDeque<u32>,
}

/// Task 2i is the source of copy i, task 2i + 1 its target.
struct State<'a> {
    copies: &'a [CopyRequest],
    load: &'a mut [u32],
    /// Per task: the node that does it.
    doer: Vec<u32>,
    tasks: Vec<Vec<u32>>,
    /// Per task: its position in `tasks` of its node.
    place: Vec<u32>,
    open: ByLoad,
    /// Open nodes not seen in this pass, less the closed ones.
    unseen: UnvisitedNodes,
    /// Per node: no path through it can reduce the cost.
    closed: Vec<bool>,
    /// Per node: the last pass that saw it, and the task that led there.
    seen: Vec<(u32, u32)>,
    pass: u32,
}

impl<'a> State<'a> {
    /// Gives each task to the least loaded node that may do it. Sources first, since they have few
    /// candidates; of these, copies with one holder first.
    fn greedy(copies: &'a [CopyRequest], racks: &[Vec<u32>], load: &'a mut [u32]) -> State<'a> {
        let (tasks, nodes) = (2 * copies.len(), load.len());
        let mut state = State {
            copies,
            open: ByLoad::new(racks, load),
            unseen: UnvisitedNodes::new(racks, nodes),
            load,
            doer: vec![NONE; tasks],
            tasks: vec![Vec::new(); nodes],
            place: vec![NONE; tasks],
            closed: vec![false; nodes],
            seen: vec![(0, NONE); nodes],
            pass: 0,
        };
        let all = || 0..u32_of(copies.len());
        let forced = |copy: &u32| copies[*copy as usize].sources.len() == 1;
        for copy in all().filter(forced).chain(all().filter(|copy| !forced(copy))) {
            let sources = copies[copy as usize].sources.iter().copied();
            let least = sources.min_by_key(|&node| state.load[node as usize]);
            state.give(2 * copy, least.expect("a copy has a source"));
        }
        for copy in all() {
            let least = state.open.least(&copies[copy as usize], u32::MAX);
            state.give(2 * copy + 1, least.expect("a copy has a target"));
        }
        state
    }

    fn give(&mut self, task: u32, to: u32) {
        self.doer[task as usize] = to;
        self.place[task as usize] = u32_of(self.tasks[to as usize].len());
        self.tasks[to as usize].push(task);
        self.set_load(to, self.load[to as usize] + 1);
    }

    fn take(&mut self, task: u32) {
        let from = self.doer[task as usize];
        let place = self.place[task as usize];
        let tasks = &mut self.tasks[from as usize];
        tasks.swap_remove(place as usize);
        if let Some(&moved) = tasks.get(place as usize) {
            self.place[moved as usize] = place;
        }
        self.set_load(from, self.load[from as usize] - 1);
    }

    fn set_load(&mut self, node: u32, now: u32) {
        self.open.set_load(node, self.load[node as usize], now);
        self.load[node as usize] = now;
    }

    /// Searches once from every node at this load and sees each node at most once; true if one was
    /// relieved. If none was, later paths start no higher and cannot use the nodes seen: they are
    /// closed.
    fn pass(&mut self, level: u32) -> bool {
        self.pass += 1;
        self.unseen.restart();
        let (mut relieved, mut visited) = (false, Vec::new());
        for node in 0..u32_of(self.load.len()) {
            let searched = !self.closed[node as usize];
            while searched && self.load[node as usize] == level && self.relieve(node, &mut visited)
            {
                relieved = true;
            }
        }
        if !relieved {
            visited.iter().for_each(|&node| self.closed[node as usize] = true);
            self.unseen.close_visited();
        }
        relieved
    }

    /// Moves one task away from `start` along a cost-reducing path through unseen nodes; false if
    /// there is none.
    fn relieve(&mut self, start: u32, visited: &mut Vec<u32>) -> bool {
        let most = self.load[start as usize] - 2;
        self.see(start, NONE);
        let mut line = SearchQueue { nodes: VecDeque::from([start]), ..SearchQueue::default() };
        while let Some(node) = line.nodes.pop_front().or_else(|| self.any_target(&mut line)) {
            visited.push(node);
            for at in 0..self.tasks[node as usize].len() {
                if let Some(end) = self.expand(self.tasks[node as usize][at], most, &mut line) {
                    self.pass_along(end);
                    line.nodes.into_iter().for_each(|node| self.forget(node));
                    return true;
                }
            }
        }
        false
    }

    /// The node that ends the path, if one with a load of at most `most` may do `task`. Otherwise
    /// adds the task's candidates to the queue, or defers a target task.
    fn expand(&mut self, task: u32, most: u32, line: &mut SearchQueue) -> Option<u32> {
        let copy = &self.copies[task as usize / 2];
        let light = |node: &u32| self.load[*node as usize] <= most;
        let end = match task.is_multiple_of(2) {
            true => copy.sources.iter().copied().find(light),
            false => self.open.least(copy, most),
        };
        if let Some(end) = end {
            self.seen[end as usize] = (self.pass, task);
            return Some(end);
        }
        if !task.is_multiple_of(2) {
            line.put_off.push_back(task);
            return None;
        }
        for &next in &copy.sources {
            if !self.closed[next as usize] && self.seen[next as usize].0 != self.pass {
                self.see(next, task);
                line.nodes.push_back(next);
            }
        }
        None
    }

    /// The next unseen node that may take a deferred task.
    fn any_target(&mut self, line: &mut SearchQueue) -> Option<u32> {
        while let Some(&task) = line.put_off.front() {
            if let Some(node) = self.unseen.next(&self.copies[task as usize / 2]) {
                self.see(node, task);
                return Some(node);
            }
            line.put_off.pop_front();
        }
        None
    }

    fn see(&mut self, node: u32, by: u32) {
        self.seen[node as usize] = (self.pass, by);
        self.unseen.remove(node);
    }

    /// Makes a node that was queued but not expanded unseen again.
    fn forget(&mut self, node: u32) {
        self.seen[node as usize] = (0, NONE);
        self.unseen.mark_unvisited(node);
    }

    /// Moves one task per step along the found path to `end`.
    fn pass_along(&mut self, end: u32) {
        let mut to = end;
        while let (_, task) = self.seen[to as usize]
            && task != NONE
        {
            let from = self.doer[task as usize];
            self.take(task);
            self.give(task, to);
            to = from;
        }
    }
}
