//! Layers of values: default, cluster file, scenario, `--set`; a later layer overrides an earlier
//! one.
use super::values::{Defaults, Slot, Values};
use super::{Origin, Setting};
use crate::document::{Entry, Place, RawValue};
use crate::keys::{Key, KeyDefault, Kind, SITES, TypedValue, Vocabulary, of_event};
use crate::{Problem, nearest};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    ClusterFile,
    Scenario,
    CommandLine,
}

/// Tables that are lists or hold other keys, parsed elsewhere.
const ELSEWHERE: [&str; 3] = ["event", "compare", "variant"];

impl Values {
    /// Keys with a value, in table order.
    pub fn all(&self, vocabulary: &Vocabulary) -> impl Iterator<Item = (&'static Key, &Slot)> {
        vocabulary.all().filter_map(|key| Some((key, self.slots.get(key.name)?)))
    }

    pub fn take(&mut self, vocabulary: &'static Vocabulary, entry: &Entry, layer: Layer) {
        let (table, name) = entry.key.split_once('.').unwrap_or(("", &entry.key));
        if ELSEWHERE.contains(&table) || ELSEWHERE.contains(&entry.key.as_str()) {
            return;
        }
        let numbered = of_event(&entry.key).is_some();
        if numbered && layer == Layer::CommandLine {
            return;
        }
        let Some(key) = vocabulary.find(&entry.key).filter(|_| !numbered) else {
            return self.take_unknown(vocabulary, entry, (table, name), layer);
        };
        if layer != Layer::CommandLine && self.given_twice(key, entry) {
            return;
        }
        match read_value(key, &entry.key, &entry.value, &entry.place) {
            Ok(typed) => {
                let text = entry.value.text().to_string();
                let origin = origin(key, entry, layer);
                let place = Some(entry.place.clone());
                let old_name = (key.name != entry.key).then(|| entry.key.clone());
                self.slots.insert(key.name, Slot { typed, text, origin, place, old_name });
            }
            Err(problem) => self.problems.push(*problem),
        }
    }

    /// Reports an old and a new name of one key in a file.
    fn given_twice(&mut self, key: &Key, entry: &Entry) -> bool {
        let same_file = |a: &Place| match (a, &entry.place) {
            (Place::File(a, _), Place::File(b, _)) => a == b,
            _ => false,
        };
        let Some(Slot { place: Some(first), .. }) = self.slots.get(key.name) else { return false };
        if !same_file(first) {
            return false;
        }
        let problem = format!("is the old name of {}, which is also set", key.name);
        self.problems.push(entry.place.problem(&entry.key, problem, "only one of them"));
        true
    }

    fn take_unknown(
        &mut self,
        vocabulary: &Vocabulary,
        entry: &Entry,
        (table, name): (&str, &str),
        layer: Layer,
    ) {
        let place = &entry.place;
        if !SITES.contains(&table) {
            return self.problems.push(unknown_key(vocabulary, &entry.key, place));
        }
        match vocabulary.suggestion(table, name) {
            Some(near) => {
                let expected = format!("a key of a real {table}.xml");
                let mut problem = place.problem(&entry.key, "unknown key", expected);
                problem.hint = near.split_once('.').map(|(_, name)| format!("\"{name}\""));
                self.problems.push(problem);
            }
            _ if !name.contains('.') => {
                let expected = "a real key in quotes: \"dfs.replication\"";
                self.problems.push(place.problem(&entry.key, "unknown key", expected))
            }
            _ => {
                let origin = place_origin(place, layer == Layer::ClusterFile);
                let (key, value) = (entry.key.clone(), entry.value.text().to_string());
                self.not_modelled.retain(|setting| setting.key != key);
                self.not_modelled.push(Setting { key, value, origin, old_name: None });
            }
        }
    }

    /// Fills in missing values; computed ones last.
    pub fn fill(&mut self, vocabulary: &'static Vocabulary, given: &Defaults) {
        // Rules read other keys: rules of defaults read plain keys, rules of derived keys both.
        let stage = |key: &Key| match key.absent {
            KeyDefault::DefaultBy(..) | KeyDefault::AssumedBy(..) => 1,
            KeyDefault::Derived(..) => 2,
            _ => 0,
        };
        let staged = (0..3).flat_map(|now| vocabulary.all().filter(move |key| stage(key) == now));
        for key in staged {
            let table = key.name.split('.').next().unwrap_or("");
            let has_value = self.slots.contains_key(key.name) || ELSEWHERE.contains(&table);
            if has_value || !(vocabulary.is_read)(self, key) {
                continue;
            }
            let (text, origin) = match key.absent {
                KeyDefault::Required | KeyDefault::Nothing => continue,
                KeyDefault::Default(text) => (text.to_string(), Origin::Default),
                KeyDefault::DefaultBy(text, rule) => {
                    (rule(self, given).unwrap_or(text.to_string()), Origin::Default)
                }
                KeyDefault::Assumed(text) => (text.to_string(), given.assumed(key.name)),
                KeyDefault::AssumedBy(text, rule) => match rule(self, given) {
                    Some(text) => (text, Origin::Default),
                    None => (text.to_string(), given.assumed(key.name)),
                },
                KeyDefault::Derived(_, rule) => match rule(self, given) {
                    Some(text) => (text, Origin::Default),
                    None => continue,
                },
            };
            let typed = key.kind.read(&text).unwrap_or_else(|e| panic!("{}: {e:?}", key.name));
            self.slots.insert(key.name, Slot { typed, text, origin, place: None, old_name: None });
        }
    }
}

pub fn read_value(
    key: &Key,
    name: &str,
    value: &RawValue,
    place: &Place,
) -> Result<TypedValue, Box<Problem>> {
    let fits = match value {
        RawValue::Text(_) => key.kind.quoted(),
        RawValue::Bare(_) => key.kind.bare(),
        RawValue::Loose(_) => true,
        RawValue::List(_) | RawValue::Table(_) | RawValue::Date => false,
    };
    let read = key.kind.read(value.text());
    match read {
        Ok(typed) if fits => Ok(typed),
        Ok(_) => {
            let mut problem = place.problem(name, value.quoted(), key.kind.to_string());
            problem.hint = other_quotes(key.kind, value);
            Err(problem.into())
        }
        Err(wrong) => {
            let mut problem = place.problem(name, value.quoted(), wrong.expected);
            problem.hint = wrong.hint;
            Err(problem.into())
        }
    }
}

fn other_quotes(kind: Kind, value: &RawValue) -> Option<String> {
    match value {
        RawValue::Text(text) if kind.bare() => Some(text.clone()),
        RawValue::Bare(text) if kind.quoted() => Some(format!("\"{text}\"")),
        _ => None,
    }
}

/// The problem of an unknown key, with the nearest known one.
pub fn unknown_key(vocabulary: &Vocabulary, key: &str, place: &Place) -> Problem {
    let (table, name) = key.split_once('.').unwrap_or((key, ""));
    let all = || vocabulary.all().map(|k| k.name);
    let tables = vocabulary.names_of_tables();
    let expected = if tables.contains(&table) && !name.is_empty() {
        let prefix = format!("{table}.");
        let names: Vec<&str> = all().filter_map(|k| k.strip_prefix(&prefix)).collect();
        format!("a key of [{table}]: {}", names.join(", "))
    } else {
        format!("a table of a scenario: {}", tables.join(", "))
    };
    let mut problem = place.problem(key, "unknown key", expected);
    let same_name = || all().find(|k| k.split_once('.').is_some_and(|(_, n)| n == name));
    problem.hint = nearest(key, all()).or_else(same_name).map(str::to_string);
    problem
}

pub fn place_origin(place: &Place, imported: bool) -> Origin {
    match place {
        Place::CommandLine => Origin::CommandLine,
        Place::File(file, line) if imported => {
            Origin::Imported { file: file.to_path_buf(), line: *line }
        }
        Place::File(file, line) => Origin::File { file: file.to_path_buf(), line: *line },
    }
}

/// A value marked as assumed stays assumed until edited; also a default of the real system, if its
/// active value is unknown. The comment of imported hardware names its source.
fn origin(key: &Key, entry: &Entry, layer: Layer) -> Origin {
    let marked = entry.comment.starts_with("ASSUMED");
    let unedited = match key.absent {
        KeyDefault::Assumed(guess)
        | KeyDefault::Default(guess)
        | KeyDefault::DefaultBy(guess, _)
        | KeyDefault::AssumedBy(guess, _) => guess == entry.value.text(),
        _ => false,
    };
    if marked && unedited {
        return Origin::Assumed;
    }
    let edited = key.name.starts_with("hardware.") && !entry.comment.starts_with("from ");
    place_origin(&entry.place, layer == Layer::ClusterFile && !edited)
}
