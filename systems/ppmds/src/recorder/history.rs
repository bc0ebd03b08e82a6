//! Operations as their clients saw them, for the checker: JSON lines.
use crate::model::{Settings, Told, names};
use ppmds_check::{After, Attributes, Call, Entry, Event, Outcome, Saw};
use ppmds_protocol::{self as service, Inode, Key, Kind, Operation, ROOT};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// All that was told.
pub struct History {
    wanted: bool,
    /// Directories that were there at the start.
    directories: Vec<u64>,
    events: Vec<Event>,
    /// What clients would have been answered that are gone.
    answered: BTreeMap<(u32, u32), (Option<Outcome>, Vec<Saw>)>,
}

impl History {
    /// Of a run.
    pub fn of(settings: &Settings) -> History {
        let count = if settings.history { settings.directories.len() } else { 0 };
        let directories = (0..).take(count).map(|n| names::directory(settings, n)).collect();
        let (events, answered) = (Vec::new(), BTreeMap::new());
        History { wanted: settings.history, directories, events, answered }
    }

    pub fn told(&mut self, told: &Told) {
        let Some(call) = call(&told.operation) else { return };
        self.events.push(Event {
            client: told.client,
            number: told.number,
            call,
            invoked_ns: told.invoked.0,
            completed_ns: told.completed.map(|at| at.0),
            result: told.outcome.as_ref().and_then(outcome),
            saw: told.saw.iter().map(saw).collect(),
        })
    }

    pub fn answered(
        &mut self,
        client: u32,
        number: u32,
        said: &service::Outcome,
        seen: &[service::Saw],
    ) {
        let seen = seen.iter().map(saw).collect();
        self.answered.insert((client, number), (outcome(said), seen));
    }

    pub fn include(&mut self, other: History) {
        self.events.extend(other.events);
        self.answered.extend(other.answered)
    }

    /// Its lines, in the order in which operations were wanted.
    pub fn lines(&mut self) -> Option<String> {
        if !self.wanted {
            return None;
        }
        let mut events = std::mem::take(&mut self.events);
        events.sort_by_key(|event| (event.invoked_ns, event.client, event.number));
        let first = [ROOT].into_iter().chain(self.directories.iter().copied());
        let directories: Vec<(u64, u64)> = first.map(|ino| (ino, ROOT)).collect();
        let mut lines = format!("{}\n", json!({ "directories": directories }));
        for mut event in events {
            if event.completed_ns.is_none()
                && let Some((result, saw)) = self.answered.remove(&(event.client, event.number))
            {
                (event.result, event.saw) = (result, saw)
            }
            let line = serde_json::to_string(&event).expect("it has no maps with odd keys");
            writeln!(lines, "{line}").expect("memory is written to")
        }
        Some(lines)
    }
}

fn entry(key: &Key) -> Entry {
    (key.ino, key.name.to_string())
}

fn call(operation: &Operation) -> Option<Call> {
    Some(match operation {
        Operation::Create(key, attributes) => {
            Call::Create { entry: entry(key), mode: attributes.mode }
        }
        Operation::Mkdir(key, attributes) => {
            Call::Mkdir { entry: entry(key), mode: attributes.mode }
        }
        Operation::Lookup(key) => Call::Lookup { entry: entry(key) },
        Operation::Stat(key) => Call::Stat { entry: entry(key) },
        Operation::Setattr(key, change) => {
            Call::Setattr { entry: entry(key), mode: change.mode, size: change.size }
        }
        Operation::Unlink(key) => Call::Unlink { entry: entry(key) },
        Operation::Rmdir(key) => Call::Rmdir { entry: entry(key) },
        Operation::Rename(two) => Call::Rename { from: entry(&two.from), to: entry(&two.to) },
        Operation::Link(two) => Call::Link { from: entry(&two.from), to: entry(&two.to) },
        Operation::Readdir(key, ..) => Call::Readdir { directory: key.ino },
        Operation::Servers(_) | Operation::Spread(..) => return None,
    })
}

fn outcome(outcome: &service::Outcome) -> Option<Outcome> {
    Some(match outcome {
        service::Outcome::Of(ino) => Outcome::Ino(*ino),
        service::Outcome::Inode(inode) => {
            let Inode { ino, kind, mode, size, links, .. } = **inode;
            let directory = kind == Kind::Directory;
            Outcome::Inode(Attributes { ino, directory, mode, size, links })
        }
        service::Outcome::Page(page) => {
            let each = |listed: &service::Listed| (listed.name.to_string(), listed.ino);
            Outcome::Entries(page.listed().map(each).collect())
        }
        service::Outcome::Failed(errno) => Outcome::Error(errno.to_string()),
        _ => return None,
    })
}

fn saw(saw: &service::Saw) -> Saw {
    Saw {
        row: entry(&saw.key),
        server: saw.server,
        before: saw.before.map(|version| (version.client, version.number)),
        removals: saw.removals,
        after: match saw.after {
            service::After::Kept => After::Kept,
            service::After::Written => After::Written,
            service::After::Removed => After::Removed,
        },
    }
}
