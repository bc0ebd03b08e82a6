//! Operations as clients saw them, as JSON lines for the checker.
use super::calls::{call, outcome, saw};
use crate::model::{DIRECTORY, FILE, First, Seen, Settings};
use ppmds_check::{After, BEGINNING, Call, Event, Outcome, Saw, beginning};
use ppmds_protocol::{self as service, ROOT};
use std::collections::BTreeMap;
use std::fmt::Write;

pub struct History {
    wanted: bool,
    /// A client may have several operations in flight.
    overlap: bool,
    /// Directories that exist at the start.
    directories: Vec<u64>,
    first: Vec<Event>,
    events: Vec<Event>,
    /// Outcomes that crashed clients did not receive.
    answered: BTreeMap<(u32, u32), (Option<Outcome>, Vec<Saw>)>,
}

impl History {
    pub fn of(settings: &Settings) -> History {
        let first: Vec<First> =
            if settings.history { settings.workload.first().collect() } else { Vec::new() };
        // Operations refer to these entries by name, so each needs an event that creates it.
        // Otherwise the directories' numbers are enough.
        let named = settings.workload.trace().is_some() || settings.workload.plan().is_some();
        let (first, directories) = match named {
            true => (first.into_iter().map(there).collect(), Vec::new()),
            false => (Vec::new(), first.into_iter().map(|one| one.ino).collect()),
        };
        let (events, answered) = (Vec::new(), BTreeMap::new());
        let paced = settings.workload.trace().is_some_and(|trace| trace.is_paced());
        let (wanted, overlap) = (settings.history, paced || settings.workload.open.is_some());
        History { wanted, overlap, directories, first, events, answered }
    }

    pub fn seen(&mut self, seen: &Seen) {
        let Some(call) = call(&seen.operation) else { return };
        self.events.push(Event {
            client: seen.client,
            number: seen.number,
            call,
            invoked_ns: seen.invoked.0,
            completed_ns: seen.completed.map(|at| at.0),
            result: seen.outcome.as_ref().and_then(outcome),
            saw: seen.saw.iter().map(saw).collect(),
        })
    }

    pub fn answered(
        &mut self,
        client: u32,
        number: u32,
        said: &service::Outcome,
        rows: &[service::RowEvidence],
    ) {
        let rows = rows.iter().map(saw).collect();
        self.answered.insert((client, number), (outcome(said), rows));
    }

    pub fn include(&mut self, other: History) {
        self.events.extend(other.events);
        self.answered.extend(other.answered)
    }

    /// Sorted by the time of the call.
    pub fn lines(&mut self) -> Option<String> {
        if !self.wanted {
            return None;
        }
        let mut events = std::mem::take(&mut self.events);
        events.sort_by_key(|event| (event.invoked_ns, event.client, event.number));
        let first = [ROOT].into_iter().chain(self.directories.iter().copied());
        let directories: Vec<(u64, u64)> = first.map(|ino| (ino, ROOT)).collect();
        let mut lines = format!("{}\n", beginning(&directories, self.overlap));
        for mut event in std::mem::take(&mut self.first).into_iter().chain(events) {
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

/// The event that creates an entry that exists at the start.
fn there(First { above, name, ino, directory }: First) -> Event {
    let row = (above, name.to_string());
    let call = match directory {
        true => Call::Mkdir { entry: row.clone(), mode: DIRECTORY },
        false => Call::Create { entry: row.clone(), mode: FILE },
    };
    Event {
        client: BEGINNING,
        number: 0,
        call,
        invoked_ns: 0,
        completed_ns: Some(0),
        result: Some(Outcome::Ino(ino)),
        saw: vec![Saw { row, server: 0, before: None, removals: 0, after: After::Written }],
    }
}
