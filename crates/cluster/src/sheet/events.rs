//! `[[event]]`
use super::Setting;
use super::layers::{place_origin, read_value};
use super::values::Slot;
use crate::document::{Document, Entry, Place, tables};
use crate::keys::{Key, KeyDefault, TypedValue, Vocabulary, of_event};
use crate::{Problem, nearest};
use std::collections::BTreeMap;
use units::BytesPerSec;

/// Parts of an event, before its target is resolved.
#[derive(Clone, Debug)]
pub struct EventParts {
    pub place: Place,
    pub values: BTreeMap<&'static str, Slot>,
    flawed: bool,
}

impl EventParts {
    /// Place of the part; else of the event.
    pub fn place_of(&self, part: &str) -> Place {
        let place = self.values.get(part).and_then(|slot| slot.place.clone());
        place.unwrap_or(self.place.clone())
    }

    pub fn problem(&self, part: &str, problem: &str, expected: &str) -> Option<Box<Problem>> {
        let key = format!("event.{part}");
        Some(self.place_of(part).problem(&key, problem.to_string(), expected.to_string()).into())
    }

    /// Rate of a slowdown; other kinds of events must not have one.
    pub fn rate(&self, kind: &str) -> Result<BytesPerSec, Option<Box<Problem>>> {
        let expected = format!("the new rate: {kind} needs one, such as \"10MB/s\"");
        let rate = self.values.get("rate").and_then(|slot| slot.typed.rate());
        rate.ok_or_else(|| self.problem("rate", "is missing", &expected))
    }
}

/// Parts of an event: `at` of the key `event.at`.
fn parts(vocabulary: &Vocabulary) -> impl Iterator<Item = &'static str> + use<> {
    vocabulary.all().filter_map(|key| key.name.strip_prefix("event."))
}

/// Events of a file with the values of `--set event[2].at`; a single event needs no number.
pub fn read(
    vocabulary: &'static Vocabulary,
    document: &Document,
    sets: &[Entry],
    problems: &mut Vec<Problem>,
) -> Vec<EventParts> {
    let mut events = Vec::new();
    for (entries, place) in tables(document, "event", problems) {
        let mut event = EventParts { place: place.clone(), values: BTreeMap::new(), flawed: false };
        for entry in entries {
            take(vocabulary, &mut event, entry, &format!("event.{}", entry.key), problems)
        }
        events.push(event)
    }
    for set in sets {
        let Some((number, part)) = of_event(&set.key) else { continue };
        match chosen(&mut events, number) {
            Ok(event) => take(vocabulary, event, set, &format!("event.{part}"), problems),
            Err((problem, expected)) => {
                problems.push(set.place.problem(&set.key, problem, expected))
            }
        }
    }
    let required =
        |key: &&Key| key.name.starts_with("event.") && matches!(key.absent, KeyDefault::Required);
    for event in events.iter().filter(|event| !event.flawed) {
        for key in vocabulary.all().filter(required) {
            if !event.values.contains_key(&key.name["event.".len()..]) {
                let expected = key.kind.to_string();
                problems.push(event.place.problem(key.name, "is missing", expected))
            }
        }
    }
    events
}

/// The event of this number, or the only one; `Err`: (problem, expected).
fn chosen(
    events: &mut [EventParts],
    number: Option<usize>,
) -> Result<&mut EventParts, (String, String)> {
    let count = events.len();
    let problem = match count {
        1 => "the scenario has 1 event".into(),
        _ => format!("the scenario has {count} events"),
    };
    let expected = match (count, number) {
        (0, _) => "a scenario with exactly one [[event]]".into(),
        (1, _) => "event[1], or no number".into(),
        _ => format!("event[1] to event[{count}], in the file's order"),
    };
    let at = number.unwrap_or(if count == 1 { 1 } else { 0 });
    at.checked_sub(1).and_then(|at| events.get_mut(at)).ok_or((problem, expected))
}

fn take(
    vocabulary: &'static Vocabulary,
    event: &mut EventParts,
    entry: &Entry,
    name: &str,
    problems: &mut Vec<Problem>,
) {
    let part = parts(vocabulary).find(|part| name == format!("event.{part}"));
    let (Some(part), Some(key)) = (part, vocabulary.find(name)) else {
        event.flawed = true;
        let names: Vec<&str> = parts(vocabulary).collect();
        let mut problem = entry.place.problem(name, "unknown key", names.join(", "));
        problem.hint = nearest(name.trim_start_matches("event."), names).map(str::to_string);
        return problems.push(problem);
    };
    match read_value(key, name, &entry.value, &entry.place) {
        Ok(typed) => {
            let origin = place_origin(&entry.place, false);
            let (text, place) = (entry.value.text().to_string(), Some(entry.place.clone()));
            event.values.insert(part, Slot { typed, text, origin, place, old_name: None });
        }
        Err(problem) => {
            event.flawed = true;
            problems.push(*problem)
        }
    }
}

/// An event at or after the run's end would never happen.
pub fn refuse_late(parts: &[EventParts], until: &Slot, problems: &mut Vec<Problem>) {
    let TypedValue::Time(end) = until.typed else { return };
    for part in parts {
        let Some(Slot { typed: TypedValue::Time(at), place: Some(place), text, .. }) =
            part.values.get("at")
        else {
            continue;
        };
        if *at >= end && is_set(until.place.as_ref()) && !is_set(Some(place)) {
            // `--set` changed the end or the event.
            let problem = format!("\"{}\" ends the run before an event at {text}", until.text);
            let expected = "a later end, or an earlier event.at";
            problems.push(Place::CommandLine.problem("run.until", problem, expected))
        } else if *at >= end {
            let problem =
                format!("\"{text}\" is not before the run's end: this event would never happen");
            let expected = format!("a time before run.until = \"{}\", or a later end", until.text);
            problems.push(place.problem("event.at", problem, expected))
        }
    }
}

fn is_set(place: Option<&Place>) -> bool {
    matches!(place, Some(Place::CommandLine))
}

/// In the format of `tenbin check`.
pub fn settings(vocabulary: &Vocabulary, events: &[EventParts]) -> Vec<Setting> {
    let mut all = Vec::new();
    for (i, event) in events.iter().enumerate() {
        for part in parts(vocabulary) {
            if let Some(slot) = event.values.get(part) {
                let key = format!("event[{}].{part}", i + 1);
                let (value, origin) = (slot.text.clone(), slot.origin.clone());
                all.push(Setting { key, value, origin, old_name: None })
            }
        }
    }
    all
}

/// The value of `event.target` for a single event, or of `event[2].target`.
pub(super) fn current<'a>(parts: &'a [EventParts], key: &str) -> Option<&'a TypedValue> {
    let (number, part) = of_event(key)?;
    let event = match (parts, number) {
        (_, Some(number)) => parts.get(number - 1)?,
        ([only], None) => only,
        _ => return None,
    };
    Some(&event.values.get(part)?.typed)
}
