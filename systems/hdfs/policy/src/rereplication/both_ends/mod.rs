//! Sources and targets together, so that the nodes' loads are as even as can be: a semi-matching
//! whose neighbours are not written down.
//!
//! Each copy is two tasks: its *source* is one of a few holders, its *target* any open node but a
//! few, and outside one rack where the rack rule says so. As in [`semi_matching`] an assignment is
//! optimal, for the largest load, the sum of squares and every convex cost, if and only if no
//! *cost-reducing path* exists: nodes that each could pass one task to the next, from a node to one
//! with at least two fewer. Written down, the targets of 40 000 copies on 10 000 nodes were 400
//! million edges. A breadth-first search needs none of them: from a target's task it goes to all
//! nodes not seen yet but the barred ones, and what it sees it takes out of that set, so that all
//! tasks together cost as much as the nodes, plus what they bar (as one searches the complement of
//! a graph). Where a target's task can end the path, an index by load says so at once. Paths are
//! sought in passes over the fullest nodes, in which each node is looked at once: many paths for
//! the price of one failing search, as Hopcroft and Karp do for matchings.
//!
//! [`semi_matching`]: super::semi_matching
mod by_load;
mod ends;
mod unseen;
use by_load::ByLoad;
pub use ends::Ends;
use ends::NONE;
use std::collections::VecDeque;
use units::u32_of;
use unseen::Unseen;

/// Source and target of each copy, such that the sum of squares of `load` is least; with it the
/// largest one is.
///
/// `load` has an entry for each node: what it has to do already; in the end it counts what it was
/// given, too. `racks` lists the open nodes of each rack: those that may receive.
///
/// # Panics
/// Where a copy has no source or no target.
pub fn even_out(copies: &[Ends], racks: &[Vec<u32>], load: &mut [u32]) -> Vec<(u32, u32)> {
    let mut state = State::greedy(copies, racks, load);
    let fullest = state.load.iter().copied().max().unwrap_or(0);
    for level in (2..=fullest).rev() {
        while state.pass(level) {}
    }
    state.doer.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect()
}

#[derive(Default)]
struct Line {
    nodes: VecDeque<u32>,
    /// Targets' tasks: they lead to nearly all nodes, so these are taken one by one when there is
    /// nothing else. Most paths end before many of them.
    put_off: VecDeque<u32>,
}

/// Task 2i is the source of copy i, task 2i + 1 its target.
struct State<'a> {
    copies: &'a [Ends],
    load: &'a mut [u32],
    /// By task: who does it.
    doer: Vec<u32>,
    /// By node: what it does.
    tasks: Vec<Vec<u32>>,
    /// By task: its place among those of its doer.
    place: Vec<u32>,
    open: ByLoad,
    /// Open nodes that the present pass has not seen, less those through which no path can reduce
    /// the cost.
    unseen: Unseen,
    /// By node: no path through it can reduce the cost.
    closed: Vec<bool>,
    /// By node: the pass that saw it last, and the task by which that came to it.
    seen: Vec<(u32, u32)>,
    pass: u32,
}

impl<'a> State<'a> {
    /// Each task to the least loaded node that may do it: sources first, since they have few, and
    /// of these those without a choice.
    fn greedy(copies: &'a [Ends], racks: &[Vec<u32>], load: &'a mut [u32]) -> State<'a> {
        let (tasks, nodes) = (2 * copies.len(), load.len());
        let mut state = State {
            copies,
            open: ByLoad::new(racks, load),
            unseen: Unseen::new(racks, nodes),
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
        self.weigh(to, self.load[to as usize] + 1);
    }

    fn take(&mut self, task: u32) {
        let from = self.doer[task as usize];
        let place = self.place[task as usize];
        let tasks = &mut self.tasks[from as usize];
        tasks.swap_remove(place as usize);
        if let Some(&moved) = tasks.get(place as usize) {
            self.place[moved as usize] = place;
        }
        self.weigh(from, self.load[from as usize] - 1);
    }

    fn weigh(&mut self, node: u32, now: u32) {
        self.open.weigh(node, self.load[node as usize], now);
        self.load[node as usize] = now;
    }

    /// Searches once from every node with this load, looking at each node once in all: whether any
    /// was relieved. Where none was, no later path, which starts no higher, can go through what was
    /// seen.
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
            self.unseen.keep();
        }
        relieved
    }

    /// Takes one task from `start` along a cost-reducing path through nodes that this pass has not
    /// seen.
    fn relieve(&mut self, start: u32, visited: &mut Vec<u32>) -> bool {
        let most = self.load[start as usize] - 2;
        self.see(start, NONE);
        let mut line = Line { nodes: VecDeque::from([start]), ..Line::default() };
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

    /// Sees who could do `task`, or puts a target's task off; the first with a load of at most
    /// `most` ends the path.
    fn expand(&mut self, task: u32, most: u32, line: &mut Line) -> Option<u32> {
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

    /// The next node that one of the tasks put off could go to.
    fn any_target(&mut self, line: &mut Line) -> Option<u32> {
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

    /// It stood in line and was not looked at.
    fn forget(&mut self, node: u32) {
        self.seen[node as usize] = (0, NONE);
        self.unseen.put_back(node);
    }

    /// Passes one task from node to node along the path of the last search to `end`.
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
