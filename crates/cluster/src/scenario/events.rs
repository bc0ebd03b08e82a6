//! `[[event]]`
use super::layers::{Slot, read_value};
use super::{Event, EventKind, Origin, Setting};
use crate::document::{Document, Entry, Place, tables};
use crate::keys::{self, Typed};
use crate::{Cluster, Problem, nearest, targets};
use std::collections::BTreeMap;

const PARTS: [&str; 3] = ["at", "kind", "target"];

/// An event's parts, before its node is looked up.
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
        for part in PARTS.iter().filter(|part| !event.values.contains_key(*part)) {
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

/// The events with their nodes.
pub(super) fn resolve(
    parts: &[Parts],
    cluster: &Cluster,
    problems: &mut Vec<Problem>,
) -> Vec<Event> {
    let mut lost = BTreeMap::new();
    let mut events = Vec::new();
    for part in parts {
        let (Some(at), Some(_), Some(target)) =
            (part.values.get("at"), part.values.get("kind"), part.values.get("target"))
        else {
            continue;
        };
        let place = target.place.clone().unwrap_or(part.place.clone());
        let Typed::Time(at) = at.typed else { panic!("event.at is no time") };
        match targets::find(cluster, &target.text) {
            Ok(node) if !cluster.nodes[node.at()].alive => {
                let problem = format!("\"{}\" is dead already", cluster.nodes[node.at()].host);
                problems.push(place.problem("event.target", problem, "a live node"))
            }
            Ok(node) => {
                if lost.insert(node, ()).is_some() {
                    let host = &cluster.nodes[node.at()].host;
                    let problem = format!("\"{host}\" is lost twice");
                    problems.push(place.problem("event.target", problem, "each node once"))
                }
                events.push(Event { at, kind: EventKind::NodeLost(node) })
            }
            Err(no) => {
                let mut problem = place.problem("event.target", no.problem, no.expected);
                problem.hint = no.hint;
                problems.push(problem)
            }
        }
    }
    events
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
