//! Every key's value, from the layer that says it last: default, cluster file, scenario, `--set`.
use super::foreground;
use crate::catalogue;
use crate::document::{Entry, Place, Written};
use crate::keys::{self, Absent, Key, Kind, Typed};
use crate::{Origin, Problem, Setting, nearest};
use std::collections::BTreeMap;
use units::{Bytes, BytesPerSec, Nanos};

/// Which file a line stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    ClusterFile,
    Scenario,
    CommandLine,
}

/// A key's value.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) typed: Typed,
    pub(super) text: String,
    pub(super) origin: Origin,
    /// Where to complain about it.
    pub(super) place: Option<Place>,
}

/// All keys that have a value.
#[derive(Default)]
pub(super) struct Values {
    slots: BTreeMap<&'static str, Slot>,
    /// Keys of real systems that no model reads.
    pub(super) not_modelled: Vec<Setting>,
    pub(super) problems: Vec<Problem>,
}

/// Tables that are lists or hold other keys, read elsewhere.
const ELSEWHERE: [&str; 3] = ["event", "compare", "variant"];

impl Values {
    pub(super) fn find(&self, key: &str) -> Option<&Slot> {
        self.slots.get(key)
    }

    /// The value of a key that has one by its default.
    pub(super) fn slot(&self, key: &str) -> &Slot {
        self.slots.get(key).unwrap_or_else(|| panic!("no value of {key}"))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&'static Key, &Slot)> {
        keys::all().filter_map(|key| Some((key, self.slots.get(key.name)?)))
    }

    /// Takes a line over what earlier layers said.
    pub(super) fn take(&mut self, entry: &Entry, layer: Layer) {
        let (table, name) = entry.key.split_once('.').unwrap_or(("", &entry.key));
        if ELSEWHERE.contains(&table) || ELSEWHERE.contains(&entry.key.as_str()) {
            return;
        }
        let numbered = keys::of_event(&entry.key).is_some();
        if numbered && layer == Layer::CommandLine {
            return;
        }
        let Some(key) = keys::find(&entry.key).filter(|_| !numbered) else {
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
                self.slots.insert(key.name, Slot { typed, text, origin, place });
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
        if !table.ends_with("-site") || !keys::TABLES.contains(&table) {
            return self.problems.push(unknown_key(&entry.key, place));
        }
        let modelled = keys::all().map(|k| k.name).filter(|k| k.starts_with(table));
        let limit = (name.len() / 10).max(1);
        let near = nearest(&entry.key, modelled);
        let near = near.filter(|k| crate::edit_distance(k, &entry.key) <= limit);
        match near {
            Some(near) if !keys::ELSEWHERE.contains(&name) => {
                let expected = "a key of a real hdfs-site.xml";
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
                self.not_modelled.push(Setting { key, value, origin });
            }
        }
    }

    /// Fills in what no layer said; what follows from other keys comes last.
    pub(super) fn fill(&mut self, defaults: &Defaults) {
        let derived = |key: &&Key| matches!(key.absent, Absent::Derived(_));
        let balancer = self.slots.contains_key(keys::BALANCER_START);
        let read = || keys::all().filter(|key| balancer || !keys::is_balancers(key.name));
        let plain = read().filter(|key| !derived(key));
        for key in plain.chain(read().filter(derived)) {
            let table = key.name.split('.').next().unwrap_or("");
            if self.slots.contains_key(key.name) || ELSEWHERE.contains(&table) {
                continue;
            }
            let (text, origin) = match key.absent {
                Absent::Required | Absent::Nothing => continue,
                Absent::Default(text) => (self.default_of(key.name, text), Origin::Default),
                Absent::Assumed(text) => (text.to_string(), defaults.assumed(key.name)),
                Absent::Derived(_) => match self.derived(key.name, defaults) {
                    Some(text) => (text, Origin::Default),
                    None => continue,
                },
            };
            let typed = key.kind.read(&text).unwrap_or_else(|e| panic!("{}: {e:?}", key.name));
            self.slots.insert(key.name, Slot { typed, text, origin, place: None });
        }
    }

    /// A default, which under `hdfs1` pacing is Hadoop 1.x's.
    fn default_of(&self, key: &str, text: &str) -> String {
        if self.find("policy.pacing").is_none_or(|slot| slot.text != "hdfs1") {
            return text.to_string();
        }
        if key == "hdfs-site.dfs.namenode.replication.max-streams-hard-limit" {
            return self.slot("hdfs-site.dfs.namenode.replication.max-streams").text.clone();
        }
        keys::hdfs1_default(key).unwrap_or(text).to_string()
    }

    fn derived(&self, key: &str, defaults: &Defaults) -> Option<String> {
        let disk = || match &self.slot("hardware.disk").typed {
            Typed::Text(name) => catalogue::disk(name),
            _ => None,
        };
        match key {
            "cluster.name" => Some(defaults.name.clone()),
            "hardware.disk_seek" => Some(disk().map_or(Nanos::ZERO, |d| d.seek).to_string()),
            "hardware.disk_batch" => Some(disk().map_or(Bytes::mib(4), |d| d.batch).to_string()),
            key if key.starts_with("workload.foreground.") => {
                let default = || match key.rsplit_once('.').map(|(_, last)| last) {
                    Some("think" | "start") => "0s".to_string(),
                    Some("local") => "0".to_string(),
                    _ => self.bytes("hdfs-site.dfs.blocksize").to_string(),
                };
                foreground::is_given(self).then(default)
            }
            "workload.block_bytes" if defaults.imported => None,
            "workload.balancer.mean_utilisation" if defaults.imported => None,
            "workload.balancer.mean_utilisation" => Some("50".into()),
            "workload.balancer.new_nodes_per_rack" if defaults.imported => None,
            "workload.balancer.new_nodes_per_rack" => Some("0".into()),
            "workload.block_bytes" => Some(self.bytes("hdfs-site.dfs.blocksize").to_string()),
            other => panic!("no rule derives {other}"),
        }
    }

    pub(super) fn text(&self, key: &str) -> &str {
        &self.slot(key).text
    }

    pub(super) fn count(&self, key: &str) -> u64 {
        match self.slot(key).typed {
            Typed::Count(n) => n,
            _ => panic!("{key} is no count"),
        }
    }

    /// A count of a key whose greatest value fits.
    pub(super) fn narrow<T: TryFrom<u64>>(&self, key: &str) -> T {
        let count = self.count(key);
        T::try_from(count).unwrap_or_else(|_| panic!("{key} takes {count}: more than it can hold"))
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.slot(key).typed == Typed::Flag(true)
    }

    pub(super) fn number(&self, key: &str) -> f64 {
        match self.slot(key).typed {
            Typed::Number(n) => n,
            _ => panic!("{key} is no number"),
        }
    }

    pub(super) fn bytes(&self, key: &str) -> Bytes {
        match self.slot(key).typed {
            Typed::Bytes(n) => n,
            _ => panic!("{key} is no amount"),
        }
    }

    pub(super) fn time(&self, key: &str) -> Nanos {
        match self.slot(key).typed {
            Typed::Time(t) => t,
            _ => panic!("{key} is no time"),
        }
    }

    /// A rate, or the rate of a catalogue's name.
    pub(super) fn rate(&self, key: &str) -> BytesPerSec {
        self.slot(key).typed.rate().unwrap_or_else(|| panic!("{key} is no rate"))
    }
}

/// What the defaults depend on.
pub(super) struct Defaults {
    pub(super) name: String,
    pub(super) imported: bool,
    pub(super) one_rack: bool,
    /// Where an import tells the disks of every node.
    pub(super) disks_told: Option<Origin>,
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
pub(super) fn read_value(
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
pub(super) fn unknown_key(key: &str, place: &Place) -> Problem {
    let (table, name) = key.split_once('.').unwrap_or((key, ""));
    let expected = if keys::TABLES.contains(&table) && !name.is_empty() {
        let prefix = format!("{table}.");
        let names: Vec<&str> = keys::all().filter_map(|k| k.name.strip_prefix(&prefix)).collect();
        format!("a key of [{table}]: {}", names.join(", "))
    } else {
        format!("a table of a scenario: {}", keys::TABLES.join(", "))
    };
    let mut problem = place.problem(key, "unknown key", expected);
    let all = || keys::all().map(|k| k.name);
    let same_name = || all().find(|k| k.split_once('.').is_some_and(|(_, n)| n == name));
    problem.hint = nearest(key, all()).or_else(same_name).map(str::to_string);
    problem
}

fn place_origin(place: &Place, imported: bool) -> Origin {
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
        Absent::Assumed(guess) | Absent::Default(guess) => guess == entry.value.text(),
        _ => false,
    };
    if marked && unedited {
        return Origin::Assumed;
    }
    let edited = key.name.starts_with("hardware.") && !entry.comment.starts_with("from ");
    place_origin(&entry.place, layer == Layer::ClusterFile && !edited)
}
