//! All operations through a plain file system, in the order that was found.
//!
//! What no row says anything of is looked at apart, in real time alone: an operation that found no
//! directory, and the list of a directory, whose entries are of several moments. Each entry that
//! was there all the while has to be in it, and each that is in it has to have been there at some
//! moment.
use crate::fault::Fault;
use crate::files::Files;
use crate::history::{Entry, Event, Outcome};
use std::collections::BTreeMap;

/// Something that was there.
#[derive(Clone, Copy)]
struct Life {
    ino: u64,
    /// Which operation made it; `None`: it was there from the beginning.
    made: Option<usize>,
    /// Which one ended it.
    ended: Option<usize>,
}

struct Replay<'a> {
    history: &'a [Event],
    files: Files,
    /// Entries that were there.
    entries: BTreeMap<Entry, Vec<Life>>,
    directories: BTreeMap<u64, Life>,
    faults: Vec<Fault>,
}

/// What is wrong with it.
pub fn replay(history: &[Event], order: &[usize], directories: &[(u64, u64)]) -> Vec<Fault> {
    let files = Files::new(directories);
    let first = |(ino, _): &(u64, u64)| (*ino, Life { ino: *ino, made: None, ended: None });
    let all = directories.iter().map(first).collect();
    let (entries, faults) = (BTreeMap::new(), Vec::new());
    let mut replay = Replay { history, files, entries, directories: all, faults };
    for &at in order.iter().filter(|at| !is_apart(&history[**at])) {
        replay.step(at);
        // What comes behind a wrong result is wrong, too.
        if !replay.faults.is_empty() {
            return replay.faults;
        }
    }
    for &at in order.iter().filter(|at| is_apart(&history[**at])) {
        replay.apart(at)
    }
    replay.faults
}

/// Whether its place is not known by rows.
fn is_apart(event: &Event) -> bool {
    event.saw.is_empty() && event.completed_ns.is_some()
}

impl Replay<'_> {
    fn step(&mut self, at: usize) {
        let event = &self.history[at];
        let new = match &event.result {
            Some(Outcome::Ino(ino)) => *ino,
            _ => 0,
        };
        let touched: Vec<Entry> = event.call.entries();
        let before: Vec<Option<u64>> = touched.iter().map(|entry| self.files.get(entry)).collect();
        let came = self.files.apply(&event.call, new);
        if event.result.as_ref().is_some_and(|result| *result != came) {
            let expected = serde_json::to_string(&came).unwrap_or_default();
            self.faults.push(Fault::Wrong(at, expected))
        }
        for (entry, before) in touched.into_iter().zip(before) {
            let now = self.files.get(&entry);
            if before != now {
                self.note(at, entry, before, now)
            }
        }
    }

    /// An entry came, went, or changed.
    fn note(&mut self, at: usize, entry: Entry, before: Option<u64>, now: Option<u64>) {
        let lives = self.entries.entry(entry).or_default();
        if let Some(before) = before {
            if let Some(life) = lives.last_mut() {
                life.ended = Some(at)
            }
            if !self.files.is_directory(before)
                && let Some(life) = self.directories.get_mut(&before)
            {
                life.ended = Some(at)
            }
        }
        if let Some(ino) = now {
            let life = Life { ino, made: Some(at), ended: None };
            lives.push(life);
            if self.files.is_directory(ino) {
                self.directories.entry(ino).or_insert(life);
            }
        }
    }

    /// Whether it may have been there while an operation ran, and whether it was all the while.
    fn there(&self, life: &Life, while_ran: &Event) -> (bool, bool) {
        let (from, upto) = (while_ran.invoked_ns, while_ran.completed_ns.unwrap_or(u64::MAX));
        let completed = |at: usize| self.history[at].completed_ns.unwrap_or(u64::MAX);
        let invoked = |at: usize| self.history[at].invoked_ns;
        let may = life.made.is_none_or(|at| invoked(at) <= upto)
            && life.ended.is_none_or(|at| completed(at) >= from);
        let always = life.made.is_none_or(|at| completed(at) < from)
            && life.ended.is_none_or(|at| invoked(at) > upto);
        (may, always)
    }

    fn apart(&mut self, at: usize) {
        let event = &self.history[at];
        let directories: Vec<u64> = event.call.entries().iter().map(|entry| entry.0).collect();
        let is = |ino: &u64| {
            self.directories.get(ino).map_or((false, false), |life| self.there(life, event))
        };
        let expected = match &event.result {
            Some(Outcome::Entries(listed)) if is(&directories[0]).0 => {
                self.listed(event, directories[0], listed)
            }
            Some(Outcome::Error(errno)) if errno == "ENOENT" => {
                let all = directories.iter().all(|ino| is(ino).1);
                all.then(|| "an answer: the directory was there all the while".to_string())
            }
            _ => Some("ENOENT: there is no such directory".to_string()),
        };
        self.faults.extend(expected.map(|expected| Fault::Wrong(at, expected)))
    }

    /// What is wrong with a list of entries.
    fn listed(&self, event: &Event, directory: u64, listed: &[(String, u64)]) -> Option<String> {
        let range = (directory, String::new())..(directory + 1, String::new());
        let all: BTreeMap<&str, &Vec<Life>> =
            self.entries.range(range).map(|((_, name), lives)| (&**name, lives)).collect();
        let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
        for (name, ino) in listed {
            if seen.insert(name, *ino).is_some() {
                return Some(format!("{name:?} once"));
            }
            let was = |life: &Life| life.ino == *ino && self.there(life, event).0;
            let known = all.get(&**name).is_some_and(|lives| lives.iter().any(was));
            if !known {
                return Some(format!("no {name:?}, which was not there"));
            }
        }
        let missing = |name: &str, life: &Life| {
            self.there(life, event).1 && seen.get(name) != Some(&life.ino)
        };
        let found = |(name, lives): &(&&str, &&Vec<Life>)| lives.iter().any(|l| missing(name, l));
        all.iter().find(found).map(|(name, _)| format!("{name:?}, which was there all the while"))
    }
}
