//! For each row: the writer, readers and next writer of each version. This orders the operations.
//!
//! ```text
//!  a row:   absent ── created ── V1 ── replaced ── V2 ── removed (its number n) ── absent ── …
//!           read at c removals           V1 is seen          n ≤ removals of a later absence
//! ```
//!
//! Absence has no version, but a server counts removals. A row seen absent after c removals was
//! absent before each of its creations at c or more removals.
use crate::fault::{Fault, Row, Sight};
use crate::history::{After, Event, Saw, Version};
use crate::why::row_of;
use std::collections::{BTreeMap, BTreeSet};

/// The client of rows that exist at the start. A history may begin with its operations.
pub const BEGINNING: u32 = u32::MAX;

/// In place of a server, for the row of a directory's existence.
pub const LIFE: u32 = u32::MAX;

pub struct Graph {
    /// (first, second): the first operation comes before the second.
    pub edges: Vec<(usize, usize)>,
    /// Operations that took effect: answered, or unanswered with a result that the service states.
    pub took_effect: Vec<usize>,
    /// Directories of operations without versions.
    pub watched: BTreeSet<u64>,
    /// Writers and removers of the rows of watched directories, in order.
    pub chains: BTreeMap<Row, Vec<u32>>,
}

/// One operation's view of a row.
#[derive(Clone, Copy)]
struct Look {
    by: usize,
    before: Option<Version>,
    removals: u64,
    after: After,
}

impl Look {
    /// Lives of the row that began before this look, which found it absent.
    fn lives_before(&self, lives: &[Life]) -> usize {
        lives.partition_point(|life| life.since.is_none_or(|since| since < self.removals))
    }
}

/// A row from creation to removal.
struct Life {
    /// Removals at its creation; `None`: it existed at the start.
    since: Option<u64>,
    versions: Vec<Version>,
    /// The operation that removed it, and the number of that removal.
    end: Option<(usize, u64)>,
}

struct Chains<'a> {
    history: &'a [Event],
    by_version: BTreeMap<Version, usize>,
    graph: Graph,
    faults: Vec<Fault>,
}

/// The order by rows, and the faults found on the way.
pub fn graph(history: &[Event]) -> (Graph, Vec<Fault>) {
    let mut looks: BTreeMap<Row, Vec<Look>> = BTreeMap::new();
    for (by, event) in history.iter().enumerate() {
        for saw in &event.saw {
            let Saw { before, removals, after, .. } = saw;
            let row = row_of(saw);
            let look = Look { by, before: *before, removals: *removals, after: *after };
            looks.entry(row).or_default().push(look)
        }
    }
    let by_version = history.iter().enumerate().map(|(at, event)| (event.version(), at)).collect();
    let took_effect =
        |at: &usize| history[*at].completed_ns.is_some() || !history[*at].saw.is_empty();
    let took_effect = (0..history.len()).filter(took_effect).collect();
    let apart = history.iter().filter(|event| event.is_apart());
    let watched = apart.flat_map(|event| event.call.entries()).map(|(ino, _)| ino).collect();
    let graph = Graph { edges: Vec::new(), took_effect, watched, chains: BTreeMap::new() };
    let mut chains = Chains { history, by_version, graph, faults: Vec::new() };
    for (row, looks) in &looks {
        chains.row(row, looks)
    }
    (chains.graph, chains.faults)
}

impl Chains<'_> {
    fn row(&mut self, row: &Row, looks: &[Look]) {
        let Some(next) = self.replaced(row, looks) else { return };
        let lives = self.lives(row, looks, &next);
        self.ends(row, looks, &lives);
        self.absences(row, looks, &lives);
        self.edges(looks, &next, &lives);
        if self.graph.watched.contains(&row.0) && (row.2 == LIFE || !row.1.is_empty()) {
            let writers = self.writers(&lives);
            self.graph.chains.insert(row.clone(), writers);
        }
    }

    fn writers(&self, lives: &[Life]) -> Vec<u32> {
        let narrow = |at: usize| u32::try_from(at).expect("fewer than 2^32 operations");
        let of_life = |life: &Life| {
            let written = life.versions.iter().filter_map(|version| self.writer(version));
            written.chain(life.end.map(|(by, _)| by)).map(narrow).collect::<Vec<u32>>()
        };
        lives.iter().flat_map(of_life).collect()
    }

    fn replaced(&mut self, row: &Row, looks: &[Look]) -> Option<BTreeMap<Version, Look>> {
        let mut next: BTreeMap<Version, Look> = BTreeMap::new();
        for look in looks.iter().filter(|look| look.after != After::Kept) {
            let Some(version) = look.before else { continue };
            if let Some(other) = next.insert(version, *look).filter(|other| other.by != look.by) {
                let sight = Sight { row: row.clone(), version, by: look.by };
                self.faults.push(Fault::LostUpdate(sight, other.by));
                return None;
            }
        }
        Some(next)
    }

    fn lives(&mut self, row: &Row, looks: &[Look], next: &BTreeMap<Version, Look>) -> Vec<Life> {
        let born = |look: &&Look| look.before.is_none() && look.after == After::Written;
        let mut starts: Vec<(Option<u64>, Version)> = looks
            .iter()
            .filter(born)
            .map(|look| (Some(look.removals), self.history[look.by].version()))
            .collect();
        let mut known: BTreeSet<Version> = starts.iter().map(|(_, version)| *version).collect();
        let written = next.values().filter(|look| look.after == After::Written);
        known.extend(written.map(|look| self.history[look.by].version()));
        // Versions without a writer existed at the start.
        let mut seen: BTreeMap<Version, usize> = BTreeMap::new();
        for look in looks {
            if let Some(version) = look.before.filter(|version| !known.contains(version)) {
                seen.entry(version).or_insert(look.by);
            }
        }
        for (version, by) in seen {
            match version.0 {
                BEGINNING => starts.push((None, version)),
                _ => self.faults.push(Fault::Phantom(Sight { row: row.clone(), version, by })),
            }
        }
        starts.sort_unstable();
        starts.into_iter().map(|(since, first)| self.life(since, first, next)).collect()
    }

    fn life(&self, since: Option<u64>, first: Version, next: &BTreeMap<Version, Look>) -> Life {
        let mut versions = vec![first];
        let mut end = None;
        while let Some(look) = next.get(&versions[versions.len() - 1]) {
            match look.after {
                After::Removed => {
                    end = Some((look.by, look.removals));
                    break;
                }
                _ if versions.len() > self.history.len() => break,
                _ => versions.push(self.history[look.by].version()),
            }
        }
        Life { since, versions, end }
    }

    /// An operation that saw a version must come before the row's removal.
    fn ends(&mut self, row: &Row, looks: &[Look], lives: &[Life]) {
        let mut ends: BTreeMap<Version, (usize, u64)> = BTreeMap::new();
        for life in lives {
            // A directory's existence is not a server's row, so it has no removal numbers.
            if let Some(end) = life.end.filter(|(_, number)| *number != 0) {
                ends.extend(life.versions.iter().map(|version| (*version, end)))
            }
        }
        for look in looks {
            let Some(version) = look.before else { continue };
            let late = |(by, number): &&(usize, u64)| *by != look.by && look.removals >= *number;
            if ends.get(&version).filter(late).is_some() {
                let sight = Sight { row: row.clone(), version, by: look.by };
                self.faults.push(Fault::Undead(sight))
            }
        }
    }

    /// An operation that finds a row absent comes before its creation or after its removal.
    fn absences(&mut self, row: &Row, looks: &[Look], lives: &[Life]) {
        for look in looks.iter().filter(|look| look.before.is_none()) {
            let at = look.lives_before(lives);
            let Some(life) = at.checked_sub(1).map(|at| &lives[at]) else { continue };
            let version = life.versions[life.versions.len() - 1];
            let sight = Sight { row: row.clone(), version, by: look.by };
            match life.end {
                Some((_, number)) if number <= look.removals => {}
                Some(_) => self.faults.push(Fault::Unseen(sight)),
                None => self.faults.push(Fault::Vanished(sight)),
            }
        }
    }

    fn writer(&self, version: &Version) -> Option<usize> {
        self.by_version.get(version).copied().filter(|_| version.0 != BEGINNING)
    }

    /// The writer of a state comes before its readers, and these before the next writer.
    fn edges(&mut self, looks: &[Look], next: &BTreeMap<Version, Look>, lives: &[Life]) {
        for look in looks {
            let (before, after) = match look.before {
                Some(version) => (self.writer(&version), next.get(&version).map(|look| look.by)),
                // Absent: after all lives that began at fewer removals.
                None => {
                    let at = look.lives_before(lives);
                    let end = at.checked_sub(1).and_then(|at| lives[at].end.map(|(by, _)| by));
                    (end, lives.get(at).and_then(|life| self.writer(&life.versions[0])))
                }
            };
            self.edge(before, Some(look.by));
            self.edge(Some(look.by), after)
        }
    }

    fn edge(&mut self, from: Option<usize>, to: Option<usize>) {
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            self.graph.edges.push((from, to))
        }
    }
}
