//! `hdfs-site.xml`: settings of the model, disks of a DataNode, the NameNode's address. Names of
//! other settings are kept for `tenbin check`, with values that are numbers or words. Paths, other
//! host names and users are dropped.
use super::namenode::NameNodes;
use super::sniff::Kind;
use hdfs_scenario::keys::HDFS;
use import::site::Property;
use import::{ImportError, Input, Issue, OnProgress, issue, quote};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::ingest) struct Site {
    /// (current key, value as written, line) in file order, without duplicates.
    pub(in crate::ingest) settings: Vec<(String, String, u64)>,
    /// Settings that the model does not implement: (key, value or [`LEFT_OUT`]).
    pub(in crate::ingest) others: Vec<(String, String)>,
    /// Keys with `<final>true</final>`: Hadoop ignores later properties of the same name.
    pub(in crate::ingest) finals: Vec<String>,
    /// All names in the file of settings that occur under a deprecated name.
    pub(in crate::ingest) site_names: Vec<String>,
    /// Number of entries of `dfs.datanode.data.dir`.
    pub(super) data_dirs: Option<u16>,
    pub(super) namenodes: NameNodes,
    pub(in crate::ingest) notes: Vec<String>,
}

/// Replaces a value that could identify a machine or a person.
const LEFT_OUT: &str = "(not kept)";

pub(in crate::ingest) fn of(
    input: Option<&Input>,
    tell: &mut OnProgress<'_>,
) -> Result<Site, ImportError> {
    let Some(input) = input else { return Ok(Site::default()) };
    let read = import::site::read(input, &Kind::Conf.wanted(), tell)?;
    let mut site = Site::default();
    site.is_of_hdfs(input, &read)?;
    site.notes.extend_from_slice(&read.notes);
    for property in &read.properties {
        site.property(property).map_err(|wrong| wrong.at(&property.file, Some(property.line)))?
    }
    for Property { name, file, line, .. } in &read.unset {
        if modelled(name).is_some() {
            let left = "has no value: Hadoop ignores it, and its default applies";
            site.notes.push(format!("{file}:{line}: {name} {left}"))
        }
    }
    site.hide_services();
    site.site_names = site_names(read.properties.iter().map(|property| property.name.as_str()));
    Ok(site)
}

impl Site {
    /// Rejects the configuration of another component; warns if the file is empty.
    fn is_of_hdfs(&mut self, input: &Input, read: &import::site::Site) -> Result<(), ImportError> {
        let mut names = read.properties.iter().chain(&read.unset).map(|p| p.name.as_str());
        let Some(first) = names.clone().next() else {
            let defaults = "no property: HDFS's defaults apply";
            self.notes.push(format!("{}: {defaults}", input.name()));
            return Ok(());
        };
        let is = |name: &str| {
            let today = hdfs_scenario::keys::name_today(name);
            today.starts_with("dfs.") || today == "fs.defaultFS" || today != name
        };
        if names.any(is) {
            return Ok(());
        }
        let wanted = Kind::Conf.wanted();
        let what = format!("a configuration without a setting of HDFS: it has {first}");
        Err(wanted.refuses(&what, "").at(&input.name(), None))
    }

    fn property(&mut self, property: &Property) -> Result<(), Issue> {
        let Property { name, value, file, line, .. } = property;
        let today = hdfs_scenario::keys::name_today(name);
        if today == "dfs.datanode.data.dir" {
            let dirs = value.split(',').filter(|d| !d.trim().is_empty()).count();
            self.data_dirs = u16::try_from(dirs).ok().filter(|n| *n > 0);
            return Ok(());
        }
        let names_namenode = self.namenodes.property(today, value);
        let Some((key, kind)) = modelled(name) else {
            if !names_namenode {
                self.without_effect(today, property)
            }
            return Ok(());
        };
        if key != *name {
            let read = "and Hadoop still reads it";
            self.notes.push(format!("{file}:{line}: {name} is an old name of {key}, {read}"))
        }
        if value.contains("${") {
            let found = format!("{file}:{line}: {key}: a variable is not resolved");
            self.notes.push(format!("{found} ({}): its default applies", quote(value.as_bytes())));
            return Ok(());
        }
        if let Err(wrong) = kind.read(value) {
            let hint = wrong.hint.map(|h| format!("Did you mean {h}?")).unwrap_or_default();
            let found = issue(format!("{name}: {}", quote(value.as_bytes())), wrong.expected);
            return Err(found.advice(hint));
        }
        self.keep(key, property);
        Ok(())
    }

    /// Records a setting that the model does not implement, or that no system has.
    fn without_effect(&mut self, today: &str, Property { name, value, file, line, .. }: &Property) {
        let near = HDFS.suggestion("hdfs-site", today).and_then(|key| key.split_once('.'));
        if let Some((_, near)) = near {
            let what = format!("Hadoop has no {name} and ignores it: did you mean {near}?");
            return self.notes.push(format!("{file}:{line}: {what}"));
        }
        if !today.contains('.') {
            return self.notes.push(format!("{file}:{line}: {name} is not a setting: left out"));
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+%".contains(c);
        let is_class = value.starts_with("org.apache.");
        let is_number = value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let is_address = value.split('.').count() > 2 || value.len() > 32;
        let keep = value.chars().all(is_plain)
            && (is_class || is_number && !is_address || value.parse::<bool>().is_ok());
        let value = if keep { value.as_str() } else { LEFT_OUT };
        self.others.retain(|(key, _)| key != today);
        self.others.push((today.into(), value.into()))
    }

    /// Keys of a name service end in its name and a NameNode's: `dfs.ha.namenodes.shop`.
    fn hide_services(&mut self) {
        for (key, _) in &mut self.others {
            let is = |part: &str| self.namenodes.services.iter().any(|service| service == part);
            let parts: Vec<&str> = key.split('.').take_while(|part| !is(part)).collect();
            if parts.len() < key.split('.').count() {
                *key = parts.join(".") + ".*"
            }
        }
        let mut known = Vec::new();
        self.others.retain(|(key, _)| {
            let is_new = !known.contains(key);
            known.push(key.clone());
            is_new
        })
    }

    /// The last duplicate wins, unless the first is final.
    fn keep(&mut self, key: String, property: &Property) {
        let (file, line) = (&property.file, property.line);
        if let Some(at) = self.settings.iter().position(|(k, _, _)| *k == key) {
            let locked = self.finals.contains(&key);
            let holds = if locked { "the first is final and applies" } else { "the last applies" };
            let first = self.settings[at].2;
            self.notes.push(format!("{file}:{line}: {key} is set twice (line {first}): {holds}"));
            if locked {
                return;
            }
            self.settings.remove(at);
        }
        if property.is_final {
            self.finals.push(key.clone())
        }
        self.settings.push((key, property.value.clone(), line));
    }
}

/// Settings in file order, then those without effect.
pub(super) fn all(
    settings: Vec<(String, String, u64)>,
    others: Vec<(String, String)>,
) -> Vec<(String, String)> {
    settings.into_iter().map(|(key, value, _)| (key, value)).chain(others).collect()
}

/// All names in the file of settings that occur under a deprecated name, without duplicates.
fn site_names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let known = |name: &'a str| modelled(name).map(|(key, _)| (key, name));
    let named: Vec<(String, &str)> = all.filter_map(known).collect();
    let is_old = |key: &str| named.iter().any(|(of, name)| of == key && of != name);
    let mut names: Vec<String> = Vec::new();
    for (_, name) in named.iter().filter(|(key, _)| is_old(key)) {
        if !names.iter().any(|known| known == name) {
            names.push((*name).into())
        }
    }
    names
}

/// Current name and kind of a setting that the model implements.
fn modelled(name: &str) -> Option<(String, hdfs_scenario::keys::Kind)> {
    let key = hdfs_scenario::keys::find(&format!("hdfs-site.{name}"))?;
    Some((key.name.strip_prefix("hdfs-site.")?.to_string(), key.kind))
}
