//! Searches an order of operations without versions.
//!
//! Algorithm of Wing and Gong (1993): of all operations that may be next in real time, it tries one
//! whose result fits, and backtracks if none does. It remembers visited states (Lowe 2017).
//! Operations without an effect are taken as soon as they fit, which excludes no order. Of the
//! others the one answered first is tried first.
use crate::fault::Fault;
use crate::files::{Files, Undo, digest};
use crate::history::{Call, Event, Outcome};
use crate::parts::{Moment, Part, parts};
use std::collections::BTreeSet;

pub enum Found {
    /// The number of operations without an answer that took effect.
    Order(usize),
    None(Fault),
    /// The limit on steps was reached.
    Undecided,
}

/// A state of the search, with its remaining choices.
struct Node {
    /// Parts without an effect that were taken here.
    seen: Vec<usize>,
    /// Parts, each with the inode that it would create.
    choices: Vec<(usize, u64)>,
    /// The current choice, and how to undo it.
    made: Option<(usize, Undo, u128)>,
}

struct Search<'a> {
    history: &'a [Event],
    parts: Vec<Part>,
    /// Inodes that no answered operation created, and one unused number.
    strays: Vec<u64>,
    files: Files,
    /// Digest of the files and of the parts done.
    digest: u128,
    tried: BTreeSet<u128>,
    /// Remaining parts, by time of the call and of the answer.
    asked: Linked,
    answered: Linked,
    /// Remaining parts with an answer.
    due: usize,
    done: usize,
    furthest: Option<(usize, Fault)>,
    steps: u64,
}

pub fn search(history: &[Event], directories: &[(u64, u64)], steps: u64) -> Found {
    let parts = parts(history);
    let mut by_answer: Vec<usize> = (0..parts.len()).collect();
    by_answer.sort_by_key(|at| (parts[*at].completed, *at));
    let by_question: Vec<usize> = (0..parts.len()).collect();
    let search = Search {
        history,
        strays: strays(history, directories),
        files: Files::new(directories),
        digest: 0,
        tried: BTreeSet::new(),
        asked: Linked::of(&by_question),
        answered: Linked::of(&by_answer),
        due: parts.iter().filter(|part| part.completed < u64::MAX).count(),
        done: 0,
        furthest: None,
        steps,
        parts,
    };
    search.run()
}

impl Search<'_> {
    fn run(mut self) -> Found {
        let mut nodes: Vec<Node> = Vec::new();
        let mut fresh = true;
        loop {
            if fresh {
                let seen = self.see();
                if self.due == 0 {
                    let made = nodes.iter().filter_map(|node| node.made.as_ref());
                    let lost = made.filter(|(at, ..)| self.parts[*at].completed == u64::MAX);
                    return Found::Order(lost.count());
                }
                let known = !self.tried.insert(self.digest);
                let choices = if known { Vec::new() } else { self.choices() };
                nodes.push(Node { seen, choices, made: None })
            }
            if self.steps == 0 {
                return Found::Undecided;
            }
            let Some(node) = nodes.last_mut() else {
                let (_, fault) = self.furthest.expect("a part was due");
                return Found::None(fault);
            };
            if let Some((at, undo, changed)) = node.made.take() {
                self.files.undo(undo);
                self.digest ^= changed;
                self.restore(at)
            }
            fresh = false;
            while let Some((at, ino)) = node.choices.pop() {
                if let Some((undo, changed)) = self.make(at, ino) {
                    node.made = Some((at, undo, changed));
                    fresh = true;
                    break;
                }
            }
            if !fresh {
                let seen = std::mem::take(&mut node.seen);
                seen.into_iter().rev().for_each(|at| self.restore(at));
                nodes.pop();
            }
        }
    }

    fn step(&mut self) {
        self.steps = self.steps.saturating_sub(1)
    }

    fn take(&mut self, at: usize) {
        self.asked.remove(at);
        self.answered.remove(at);
        self.digest ^= digest(&at);
        self.due -= usize::from(self.parts[at].completed < u64::MAX);
        self.done += usize::from(self.parts[at].moment == Moment::Whole)
    }

    fn restore(&mut self, at: usize) {
        self.answered.restore(at);
        self.asked.restore(at);
        self.digest ^= digest(&at);
        self.due += usize::from(self.parts[at].completed < u64::MAX);
        self.done -= usize::from(self.parts[at].moment == Moment::Whole)
    }

    /// Parts that may be next: called before the first remaining answer.
    fn open(&self) -> Vec<usize> {
        let first = self.answered.first().map_or(u64::MAX, |at| self.parts[at].completed);
        let mut open = Vec::new();
        let mut next = self.asked.first();
        while let Some(at) = next.filter(|at| self.parts[*at].invoked <= first) {
            open.push(at);
            next = self.asked.after(at)
        }
        open
    }

    /// Takes all parts that fit and have no effect.
    fn see(&mut self) -> Vec<usize> {
        let mut seen = Vec::new();
        loop {
            let before = seen.len();
            for at in self.open() {
                let fits = self.parts[at].completed < u64::MAX
                    && changes_nothing(&self.history[self.parts[at].by], &self.parts[at])
                    && self.fits(at);
                if fits {
                    self.take(at);
                    seen.push(at)
                }
            }
            if seen.len() == before {
                return seen;
            }
        }
    }

    fn fits(&mut self, at: usize) -> bool {
        self.step();
        let part = &self.parts[at];
        if let Some(seen) = part.is_seen(&self.files) {
            return seen;
        }
        let event = &self.history[part.by];
        let (outcome, undo, _) = self.files.attempt(&event.call, event.new_inode());
        self.files.undo(undo);
        event.result == Some(outcome)
    }

    /// Parts with an effect that may be next; the most promising is last.
    fn choices(&mut self) -> Vec<(usize, u64)> {
        self.remember();
        let mut open = self.open();
        open.retain(|at| !changes_nothing(&self.history[self.parts[*at].by], &self.parts[*at]));
        open.sort_by_key(|at| std::cmp::Reverse((self.parts[*at].completed, *at)));
        let mut choices = Vec::new();
        for at in open {
            let event = &self.history[self.parts[at].by];
            let makes = matches!(event.call, Call::Create { .. } | Call::Mkdir { .. });
            match (&event.result, makes) {
                (None, true) => choices.extend(self.strays.iter().map(|ino| (at, *ino))),
                _ => choices.push((at, event.new_inode())),
            }
        }
        choices
    }

    fn make(&mut self, at: usize, ino: u64) -> Option<(Undo, u128)> {
        self.step();
        let event = &self.history[self.parts[at].by];
        let (outcome, undo, changed) = self.files.attempt(&event.call, ino);
        let fits = match &event.result {
            Some(result) => *result == outcome,
            None => event.completed_ns.is_none() && !matches!(outcome, Outcome::Error(_)),
        };
        if !fits {
            self.files.undo(undo);
            return None;
        }
        self.digest ^= changed;
        self.take(at);
        Some((undo, changed))
    }

    /// Records the next due part if this state is the furthest so far, for the fault message.
    fn remember(&mut self) {
        if self.furthest.as_ref().is_some_and(|(done, _)| *done >= self.done) {
            return;
        }
        let Some(at) = self.answered.first() else { return };
        let by = self.parts[at].by;
        let event = &self.history[by];
        let expected = match &self.parts[at].moment {
            Moment::Whole => {
                let (outcome, undo, _) = self.files.attempt(&event.call, event.new_inode());
                self.files.undo(undo);
                serde_json::to_string(&outcome).unwrap_or_default()
            }
            Moment::Entry((_, name), Some(_)) => format!("a list without this {name:?}"),
            Moment::Entry((_, name), None) => format!("a list with {name:?}"),
            Moment::Directory(_) => "ENOENT: the directory does not exist".into(),
            Moment::Never => "a list with each name once".into(),
        };
        self.furthest = Some((self.done, Fault::NoOrder(by, self.done, expected)))
    }
}

fn changes_nothing(event: &Event, part: &Part) -> bool {
    let looks =
        matches!(event.call, Call::Lookup { .. } | Call::Stat { .. } | Call::Readdir { .. });
    part.moment != Moment::Whole || looks || matches!(event.result, Some(Outcome::Error(_)))
}

/// Inodes seen that no answered operation created: operations without an answer may have. Then one
/// number that no operation saw.
fn strays(history: &[Event], directories: &[(u64, u64)]) -> Vec<u64> {
    let mut seen = BTreeSet::new();
    let mut made: BTreeSet<u64> = directories.iter().map(|(ino, _)| *ino).collect();
    for event in history {
        let makes = matches!(event.call, Call::Create { .. } | Call::Mkdir { .. });
        match &event.result {
            Some(Outcome::Ino(ino)) if makes => drop(made.insert(*ino)),
            Some(Outcome::Ino(ino)) => drop(seen.insert(*ino)),
            Some(Outcome::Inode(inode)) => drop(seen.insert(inode.ino)),
            Some(Outcome::Entries(all)) => seen.extend(all.iter().map(|(_, ino)| *ino)),
            _ => {}
        }
    }
    let nobodys = (1..).find(|ino| !seen.contains(ino) && !made.contains(ino));
    seen.difference(&made).copied().chain(nobodys).collect()
}

/// A list of numbers in fixed order. Removed numbers are restored in reverse order.
struct Linked {
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl Linked {
    fn of(order: &[usize]) -> Linked {
        let narrow = |at: usize| u32::try_from(at).expect("fewer than 2^32 operations");
        let ends = order.len();
        let mut linked = Linked { next: vec![0; ends + 1], previous: vec![0; ends + 1] };
        let mut last = ends;
        for at in order.iter().copied().chain([ends]) {
            linked.next[last] = narrow(at);
            linked.previous[at] = narrow(last);
            last = at
        }
        linked
    }

    fn first(&self) -> Option<usize> {
        self.after(self.next.len() - 1)
    }

    fn after(&self, at: usize) -> Option<usize> {
        let next = self.next[at] as usize;
        (next < self.next.len() - 1).then_some(next)
    }

    fn remove(&mut self, at: usize) {
        let (next, previous) = (self.next[at], self.previous[at]);
        self.next[previous as usize] = next;
        self.previous[next as usize] = previous
    }

    fn restore(&mut self, at: usize) {
        let (next, previous) = (self.next[at] as usize, self.previous[at] as usize);
        let number = self.previous[next];
        debug_assert_eq!(number as usize, previous);
        let at = u32::try_from(at).expect("fewer than 2^32 operations");
        (self.next[previous], self.previous[next]) = (at, at)
    }
}
