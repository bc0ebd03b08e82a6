//! For each row: the writer, readers and next writer of each version. This orders the operations.
//!
//! ```text
//!  a row:   absent ── created ── V1 ── replaced ── V2 ── removed (its number n) ── absent ── …
//!           read at c removals           V1 is seen          n ≤ removals of a later absence
//! ```
//!
//! Absence has no version, but a server counts removals. A row seen absent after c removals was
//! absent before each of its creations at c or more removals.
use crate::fault::{Fault, Row, RowVersion};
use crate::history::{After, Event, Saw, Version};
use crate::why::row_of;
use std::collections::{BTreeMap, BTreeSet};

/// The client of rows that exist at the start. A history may begin with its operations.
pub const BEGINNING: u32 = u32::MAX;

/// In place of a server, for the row of a directory's existence.
pub const EXISTENCE: u32 = u32::MAX;

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
struct RowView {
    by: usize,
    before: Option<Version>,
    removals: u64,
    after: After,
}

impl RowView {
    /// Lifetimes of the row that began before this view, which found it absent.
    fn lifetimes_before(&self, lifetimes: &[RowLifetime]) -> usize {
        lifetimes
            .partition_point(|lifetime| lifetime.since.is_none_or(|since| since < self.removals))
    }
}

/// A row from creation to removal.
struct RowLifetime {
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
    let mut views: BTreeMap<Row, Vec<RowView>> = BTreeMap::new();
    for (by, event) in history.iter().enumerate() {
        for saw in &event.saw {
            let Saw { before, removals, after, .. } = saw;
            let row = row_of(saw);
            let view = RowView { by, before: *before, removals: *removals, after: *after };
            views.entry(row).or_default().push(view)
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
    for (row, views) in &views {
        chains.row(row, views)
    }
    (chains.graph, chains.faults)
}

impl Chains<'_> {
    fn row(&mut self, row: &Row, views: &[RowView]) {
        let Some(next) = self.replaced(row, views) else { return };
        let lifetimes = self.lifetimes(row, views, &next);
        self.ends(row, views, &lifetimes);
        self.absences(row, views, &lifetimes);
        self.edges(views, &next, &lifetimes);
        if self.graph.watched.contains(&row.0) && (row.2 == EXISTENCE || !row.1.is_empty()) {
            let writers = self.writers(&lifetimes);
            self.graph.chains.insert(row.clone(), writers);
        }
    }

    fn writers(&self, lifetimes: &[RowLifetime]) -> Vec<u32> {
        let narrow = |at: usize| u32::try_from(at).expect("fewer than 2^32 operations");
        let of_lifetime = |lifetime: &RowLifetime| {
            let written = lifetime.versions.iter().filter_map(|version| self.writer(version));
            written.chain(lifetime.end.map(|(by, _)| by)).map(narrow).collect::<Vec<u32>>()
        };
        lifetimes.iter().flat_map(of_lifetime).collect()
    }

    fn replaced(&mut self, row: &Row, views: &[RowView]) -> Option<BTreeMap<Version, RowView>> {
        let mut next: BTreeMap<Version, RowView> = BTreeMap::new();
        for view in views.iter().filter(|view| view.after != After::Kept) {
            let Some(version) = view.before else { continue };
            if let Some(other) = next.insert(version, *view).filter(|other| other.by != view.by) {
                let seen = RowVersion { row: row.clone(), version, by: view.by };
                self.faults.push(Fault::LostUpdate(seen, other.by));
                return None;
            }
        }
        Some(next)
    }

    fn lifetimes(
        &mut self,
        row: &Row,
        views: &[RowView],
        next: &BTreeMap<Version, RowView>,
    ) -> Vec<RowLifetime> {
        let born = |view: &&RowView| view.before.is_none() && view.after == After::Written;
        let mut starts: Vec<(Option<u64>, Version)> = views
            .iter()
            .filter(born)
            .map(|view| (Some(view.removals), self.history[view.by].version()))
            .collect();
        let mut known: BTreeSet<Version> = starts.iter().map(|(_, version)| *version).collect();
        let written = next.values().filter(|view| view.after == After::Written);
        known.extend(written.map(|view| self.history[view.by].version()));
        // Versions without a writer existed at the start.
        let mut seen: BTreeMap<Version, usize> = BTreeMap::new();
        for view in views {
            if let Some(version) = view.before.filter(|version| !known.contains(version)) {
                seen.entry(version).or_insert(view.by);
            }
        }
        for (version, by) in seen {
            match version.0 {
                BEGINNING => starts.push((None, version)),
                _ => self.faults.push(Fault::Phantom(RowVersion { row: row.clone(), version, by })),
            }
        }
        starts.sort_unstable();
        starts.into_iter().map(|(since, first)| self.lifetime(since, first, next)).collect()
    }

    fn lifetime(
        &self,
        since: Option<u64>,
        first: Version,
        next: &BTreeMap<Version, RowView>,
    ) -> RowLifetime {
        let mut versions = vec![first];
        let mut end = None;
        while let Some(view) = next.get(&versions[versions.len() - 1]) {
            match view.after {
                After::Removed => {
                    end = Some((view.by, view.removals));
                    break;
                }
                _ if versions.len() > self.history.len() => break,
                _ => versions.push(self.history[view.by].version()),
            }
        }
        RowLifetime { since, versions, end }
    }

    /// An operation that saw a version must come before the row's removal.
    fn ends(&mut self, row: &Row, views: &[RowView], lifetimes: &[RowLifetime]) {
        let mut ends: BTreeMap<Version, (usize, u64)> = BTreeMap::new();
        for lifetime in lifetimes {
            // A directory's existence is not a server's row, so it has no removal numbers.
            if let Some(end) = lifetime.end.filter(|(_, number)| *number != 0) {
                ends.extend(lifetime.versions.iter().map(|version| (*version, end)))
            }
        }
        for view in views {
            let Some(version) = view.before else { continue };
            let late = |(by, number): &&(usize, u64)| *by != view.by && view.removals >= *number;
            if ends.get(&version).filter(late).is_some() {
                let seen = RowVersion { row: row.clone(), version, by: view.by };
                self.faults.push(Fault::Undead(seen))
            }
        }
    }

    /// An operation that finds a row absent comes before its creation or after its removal.
    fn absences(&mut self, row: &Row, views: &[RowView], lifetimes: &[RowLifetime]) {
        for view in views.iter().filter(|view| view.before.is_none()) {
            let at = view.lifetimes_before(lifetimes);
            let Some(lifetime) = at.checked_sub(1).map(|at| &lifetimes[at]) else { continue };
            let version = lifetime.versions[lifetime.versions.len() - 1];
            let seen = RowVersion { row: row.clone(), version, by: view.by };
            match lifetime.end {
                Some((_, number)) if number <= view.removals => {}
                Some(_) => self.faults.push(Fault::Unseen(seen)),
                None => self.faults.push(Fault::Vanished(seen)),
            }
        }
    }

    fn writer(&self, version: &Version) -> Option<usize> {
        self.by_version.get(version).copied().filter(|_| version.0 != BEGINNING)
    }

    /// The writer of a state comes before its readers, and these before the next writer.
    fn edges(
        &mut self,
        views: &[RowView],
        next: &BTreeMap<Version, RowView>,
        lifetimes: &[RowLifetime],
    ) {
        for view in views {
            let (before, after) = match view.before {
                Some(version) => (self.writer(&version), next.get(&version).map(|view| view.by)),
                // Absent: after all lifetimes that began at fewer removals.
                None => {
                    let at = view.lifetimes_before(lifetimes);
                    let end = at.checked_sub(1).and_then(|at| lifetimes[at].end.map(|(by, _)| by));
                    (end, lifetimes.get(at).and_then(|lifetime| self.writer(&lifetime.versions[0])))
                }
            };
            self.edge(before, Some(view.by));
            self.edge(Some(view.by), after)
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
