//! `[[event]]`
mod resolve;
use super::layers::{Slot, read_value};
use super::{Origin, Setting};
use crate::document::{Document, Entry, Place, tables};
use crate::keys::{self, Typed};
use crate::{Problem, nearest};
pub(super) use resolve::resolve;
use std::collections::BTreeMap;

const PARTS: [&str; 4] = ["at", "kind", "target", "rate"];

/// Parts that every event has.
const REQUIRED: [&str; 3] = ["at", "kind", "target"];

/// An event's parts, before its target is looked up.
pub(super) struct Parts {
    place: Place,
    values: BTreeMap<&'static str, Slot>,
    /// Something in it has been complained about.
    flawed: bool,
}

/// The events of a file, with the values of `--set event.at` and the like put in where there is
/// exactly one event.
pub(super) fn read(document: &Document, sets: &[Entry], problems: &mut Vec<Problem>) -> Vec<Parts> {
    let mut events = Vec::new();
    for (entries, place) in tables(document, "event", problems) {
        let mut event = Parts { place: place.clone(), values: BTreeMap::new(), flawed: false };
        for entry in entries {
            take(&mut event, entry, &format!("event.{}", entry.key), problems)
        }
        events.push(event)
    }
    for set in sets.iter().filter(|e| e.key.starts_with("event.")) {
        match &mut events[..] {
            [only] => take(only, set, &set.key, problems),
            _ => {
                let problem = format!("the scenario has {} events", events.len());
                problems.push(set.place.problem(&set.key, problem, "exactly one [[event]] to set"))
            }
        }
    }
    for event in events.iter().filter(|event| !event.flawed) {
        for part in REQUIRED.iter().filter(|part| !event.values.contains_key(*part)) {
            let name = format!("event.{part}");
            let expected = keys::find(&name).expect("a key").kind.to_string();
            problems.push(event.place.problem(&name, "is missing", expected))
        }
    }
    events
}

fn take(event: &mut Parts, entry: &Entry, name: &str, problems: &mut Vec<Problem>) {
    let part = PARTS.iter().find(|part| name == format!("event.{part}"));
    let (Some(part), Some(key)) = (part, keys::find(name)) else {
        event.flawed = true;
        let mut problem = entry.place.problem(name, "unknown key", PARTS.join(", "));
        problem.hint = nearest(name.trim_start_matches("event."), PARTS).map(str::to_string);
        return problems.push(problem);
    };
    match read_value(key, name, &entry.value, &entry.place) {
        Ok(typed) => {
            let origin = match &entry.place {
                Place::CommandLine => Origin::CommandLine,
                Place::File(file, line) => Origin::File { file: file.to_path_buf(), line: *line },
            };
            let (text, place) = (entry.value.text().to_string(), Some(entry.place.clone()));
            event.values.insert(part, Slot { typed, text, origin, place });
        }
        Err(problem) => {
            event.flawed = true;
            problems.push(*problem)
        }
    }
}

/// An event at the run's end or behind it would never happen.
pub(super) fn refuse_late(parts: &[Parts], until: &Slot, problems: &mut Vec<Problem>) {
    let Typed::Time(end) = until.typed else { return };
    for part in parts {
        let Some(Slot { typed: Typed::Time(at), place: Some(place), text, .. }) =
            part.values.get("at")
        else {
            continue;
        };
        if *at >= end {
            let problem = format!("\"{text}\" is not before the run's end: it would never happen");
            let expected = format!("a time before run.until = \"{}\", or a later end", until.text);
            problems.push(place.problem("event.at", problem, expected))
        }
    }
}

/// The events' keys as `tenbin check` prints them.
pub(super) fn settings(parts: &[Parts]) -> Vec<Setting> {
    let mut all = Vec::new();
    for (i, event) in parts.iter().enumerate() {
        for part in PARTS {
            if let Some(slot) = event.values.get(part) {
                let key = format!("event[{}].{part}", i + 1);
                all.push(Setting { key, value: slot.text.clone(), origin: slot.origin.clone() })
            }
        }
    }
    all
}

/// The value of `event.target` and the like, where there is exactly one event.
pub(super) fn current<'a>(parts: &'a [Parts], key: &str) -> Option<&'a Typed> {
    match parts {
        [only] => Some(&only.values.get(key.strip_prefix("event.")?)?.typed),
        _ => None,
    }
}
