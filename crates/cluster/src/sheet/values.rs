//! Every key's value, from the layer that says it last: default, cluster file, scenario, `--set`.
use super::{Origin, Setting};
use crate::document::{Entry, Place, Written};
use crate::keys::{Absent, Key, Kind, SITES, Typed, Vocabulary, of_event};
use crate::{Problem, nearest};
use std::collections::BTreeMap;
use units::{Bytes, BytesPerSec, Nanos};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The cluster file that a scenario imports.
    ClusterFile,
    /// The scenario's file.
    Scenario,
    /// `--set` and `--vary`.
    CommandLine,
}

/// A key's value.
#[derive(Clone, Debug)]
pub struct Slot {
    pub typed: Typed,
    /// As written, or as the default would be written.
    pub text: String,
    /// Where it came from.
    pub origin: Origin,
    pub place: Option<Place>,
    /// The old name of the key by which it stands there.
    pub old_name: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Values {
    vocabulary: &'static Vocabulary,
    slots: BTreeMap<&'static str, Slot>,
    /// Keys of real systems that no model reads.
    pub not_modelled: Vec<Setting>,
    /// What is wrong with the values so far.
    pub problems: Vec<Problem>,
}

/// Tables that are lists or hold other keys, read elsewhere.
const ELSEWHERE: [&str; 3] = ["event", "compare", "variant"];

impl Values {
    /// None yet.
    pub fn new(vocabulary: &'static Vocabulary) -> Values {
        let (not_modelled, problems) = (Vec::new(), Vec::new());
        Values { vocabulary, slots: BTreeMap::new(), not_modelled, problems }
    }

    /// The keys that these may be.
    pub fn vocabulary(&self) -> &'static Vocabulary {
        self.vocabulary
    }

    /// The value of a key, if it has one.
    pub fn find(&self, key: &str) -> Option<&Slot> {
        self.slots.get(key)
    }

    /// The value of a key that has one by its default.
    pub fn slot(&self, key: &str) -> &Slot {
        self.slots.get(key).unwrap_or_else(|| panic!("no value of {key}"))
    }

    /// Keys that have a value, in the order of the tables.
    pub fn all(&self) -> impl Iterator<Item = (&'static Key, &Slot)> {
        self.vocabulary.all().filter_map(|key| Some((key, self.slots.get(key.name)?)))
    }

    /// Takes a line over what earlier layers said.
    pub fn take(&mut self, entry: &Entry, layer: Layer) {
        let (table, name) = entry.key.split_once('.').unwrap_or(("", &entry.key));
        if ELSEWHERE.contains(&table) || ELSEWHERE.contains(&entry.key.as_str()) {
            return;
        }
        let numbered = of_event(&entry.key).is_some();
        if numbered && layer == Layer::CommandLine {
            return;
        }
        let Some(key) = self.vocabulary.find(&entry.key).filter(|_| !numbered) else {
            return self.take_unknown(entry, table, name, layer);
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

    /// An old and a new name of one key in one file.
    fn given_twice(&mut self, key: &Key, entry: &Entry) -> bool {
        let same_file = |a: &Place| match (a, &entry.place) {
            (Place::File(a, _), Place::File(b, _)) => a == b,
            _ => false,
        };
        let Some(Slot { place: Some(first), .. }) = self.slots.get(key.name) else { return false };
        if !same_file(first) {
            return false;
        }
        let problem = format!("is the old name of {}, which is also given", key.name);
        self.problems.push(entry.place.problem(&entry.key, problem, "one of them"));
        true
    }

    fn take_unknown(&mut self, entry: &Entry, table: &str, name: &str, layer: Layer) {
        let place = &entry.place;
        if !SITES.contains(&table) {
            return self.problems.push(unknown_key(self.vocabulary, &entry.key, place));
        }
        match self.vocabulary.misspelt(table, name) {
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

    /// Fills in what no layer said; what follows from other keys comes last.
    pub fn fill(&mut self, given: &Defaults) {
        let all = self.vocabulary;
        // Rules look at other keys: those of defaults at plain ones, those of derived keys at both.
        let stage = |key: &Key| match key.absent {
            Absent::DefaultBy(..) | Absent::AssumedBy(..) => 1,
            Absent::Derived(..) => 2,
            _ => 0,
        };
        let staged = (0..3).flat_map(|now| all.all().filter(move |key| stage(key) == now));
        for key in staged {
            let table = key.name.split('.').next().unwrap_or("");
            let has_value = self.slots.contains_key(key.name) || ELSEWHERE.contains(&table);
            if has_value || !(all.is_read)(self, key) {
                continue;
            }
            let (text, origin) = match key.absent {
                Absent::Required | Absent::Nothing => continue,
                Absent::Default(text) => (text.to_string(), Origin::Default),
                Absent::DefaultBy(text, rule) => {
                    (rule(self, given).unwrap_or(text.to_string()), Origin::Default)
                }
                Absent::Assumed(text) => (text.to_string(), given.assumed(key.name)),
                Absent::AssumedBy(text, rule) => match rule(self, given) {
                    Some(text) => (text, Origin::Default),
                    None => (text.to_string(), given.assumed(key.name)),
                },
                Absent::Derived(_, rule) => match rule(self, given) {
                    Some(text) => (text, Origin::Default),
                    None => continue,
                },
            };
            let typed = key.kind.read(&text).unwrap_or_else(|e| panic!("{}: {e:?}", key.name));
            self.slots.insert(key.name, Slot { typed, text, origin, place: None, old_name: None });
        }
    }

    /// The value as its text.
    pub fn text(&self, key: &str) -> &str {
        &self.slot(key).text
    }

    /// Of keys whose values do not go together the one to blame, and its place: what the command
    /// line sets, if it sets another than the first, for the file was right without it.
    pub fn blamed<'k>(&self, keys: &[&'k str]) -> (&'k str, Place) {
        let place = |key: &str| self.find(key).and_then(|slot| slot.place.clone());
        let set = |key: &&&str| matches!(place(key), Some(Place::CommandLine));
        let key = *keys.iter().find(set).or(keys.first()).expect("a key at least");
        (key, place(key).unwrap_or(Place::CommandLine))
    }

    /// Whether something is wrong with the value of one of these keys already: what it was before
    /// is no reason for another complaint.
    pub fn are_wrong(&self, keys: &[&str]) -> bool {
        self.problems.iter().any(|problem| keys.contains(&problem.key.as_str()))
    }

    pub fn count(&self, key: &str) -> u64 {
        match self.slot(key).typed {
            Typed::Count(n) => n,
            _ => panic!("{key} is no count"),
        }
    }

    /// A count of a key whose greatest value fits.
    pub fn narrow<T: TryFrom<u64>>(&self, key: &str) -> T {
        let count = self.count(key);
        T::try_from(count).unwrap_or_else(|_| panic!("{key} takes {count}: more than it can hold"))
    }

    pub fn flag(&self, key: &str) -> bool {
        self.slot(key).typed == Typed::Flag(true)
    }

    pub fn number(&self, key: &str) -> f64 {
        match self.slot(key).typed {
            Typed::Number(n) => n,
            _ => panic!("{key} is no number"),
        }
    }

    pub fn bytes(&self, key: &str) -> Bytes {
        match self.slot(key).typed {
            Typed::Bytes(n) => n,
            _ => panic!("{key} is no amount"),
        }
    }

    pub fn time(&self, key: &str) -> Nanos {
        match self.slot(key).typed {
            Typed::Time(t) => t,
            _ => panic!("{key} is no time"),
        }
    }

    /// A rate, or the rate of a catalogue's name.
    pub fn rate(&self, key: &str) -> BytesPerSec {
        self.slot(key).typed.rate().unwrap_or_else(|| panic!("{key} is no rate"))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// The imported cluster's name, else the file's stem.
    pub name: String,
    /// A cluster file is imported.
    pub imported: bool,
    /// There is one rack, so that nothing is known of the way between racks and nothing depends on
    /// it.
    pub one_rack: bool,
    /// Where an import tells the disks of every node.
    pub disks_told: Option<Origin>,
}

impl Defaults {
    /// A guess is only an assumption where it matters.
    fn assumed(&self, key: &str) -> Origin {
        match key {
            "hardware.disks_per_node" => self.disks_told.clone().unwrap_or(Origin::Assumed),
            _ if self.one_rack && key.starts_with("hardware.inter_rack") => Origin::Default,
            _ => Origin::Assumed,
        }
    }
}

/// Reads a value as its key wants it.
pub fn read_value(
    key: &Key,
    name: &str,
    value: &Written,
    place: &Place,
) -> Result<Typed, Box<Problem>> {
    let fits = match value {
        Written::Text(_) => key.kind.quoted(),
        Written::Bare(_) => key.kind.bare(),
        Written::Loose(_) => true,
        Written::List(_) | Written::Table(_) | Written::Date => false,
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

fn other_quotes(kind: Kind, value: &Written) -> Option<String> {
    match value {
        Written::Text(text) if kind.bare() => Some(text.clone()),
        Written::Bare(text) if kind.quoted() => Some(format!("\"{text}\"")),
        _ => None,
    }
}

/// The complaint about a key that is none, with the nearest that is one.
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

/// Where a value came from that is written there.
pub fn place_origin(place: &Place, imported: bool) -> Origin {
    match place {
        Place::CommandLine => Origin::CommandLine,
        Place::File(file, line) if imported => {
            Origin::Imported { file: file.to_path_buf(), line: *line }
        }
        Place::File(file, line) => Origin::File { file: file.to_path_buf(), line: *line },
    }
}

/// A line marked as assumed is so until its value is edited (a real system's default is assumed
/// where nobody knows what was in force); the hardware that an import found
/// says from what.
fn origin(key: &Key, entry: &Entry, layer: Layer) -> Origin {
    let marked = entry.comment.starts_with("ASSUMED");
    let unedited = match key.absent {
        Absent::Assumed(guess)
        | Absent::Default(guess)
        | Absent::DefaultBy(guess, _)
        | Absent::AssumedBy(guess, _) => guess == entry.value.text(),
        _ => false,
    };
    if marked && unedited {
        return Origin::Assumed;
    }
    let edited = key.name.starts_with("hardware.") && !entry.comment.starts_with("from ");
    place_origin(&entry.place, layer == Layer::ClusterFile && !edited)
}
