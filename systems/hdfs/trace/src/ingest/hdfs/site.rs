//! `hdfs-site.xml`: the settings that the model knows, how many disks a DataNode has, and where
//! the NameNode is. The rest (paths, other host names, users) is not kept.
use super::namenode::NameNodes;
use super::sniff::Kind;
use import::site::Property;
use import::{ImportError, Input, Issue, OnProgress, issue, quote};

/// What a site file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::ingest) struct Site {
    /// Real key, value as written, line; in the file's order, each key once.
    pub(in crate::ingest) settings: Vec<(String, String, u64)>,
    /// Keys among them that stand as `<final>true</final>`: Hadoop heeds no later property of them.
    pub(in crate::ingest) finals: Vec<String>,
    /// The names by which those stand that have an old one here.
    pub(in crate::ingest) site_names: Vec<String>,
    /// Entries of `dfs.datanode.data.dir`.
    pub(super) data_dirs: Option<u16>,
    pub(super) namenodes: NameNodes,
    pub(in crate::ingest) notes: Vec<String>,
}

/// The site file, where one is given.
pub(in crate::ingest) fn of(
    input: Option<&Input>,
    tell: &mut OnProgress<'_>,
) -> Result<Site, ImportError> {
    let Some(input) = input else { return Ok(Site::default()) };
    let (file, mut site) = (input.name(), Site::default());
    let read = import::site::read(input, &Kind::Conf.wanted(), tell)?;
    for line in read.includes {
        let what = "an XInclude is not followed: give the file that has the settings";
        site.notes.push(format!("{file}:{line}: {what}"))
    }
    for property in &read.properties {
        site.property(&file, property).map_err(|wrong| wrong.at(&file, Some(property.line)))?
    }
    site.site_names = site_names(read.properties.iter().map(|property| property.name.as_str()));
    Ok(site)
}

impl Site {
    fn property(&mut self, file: &str, property: &Property) -> Result<(), Issue> {
        let Property { name, value, line, .. } = property;
        let today = hdfs_scenario::keys::name_today(name);
        if today == "dfs.datanode.data.dir" {
            let dirs = value.split(',').filter(|d| !d.trim().is_empty()).count();
            self.data_dirs = u16::try_from(dirs).ok().filter(|n| *n > 0);
            return Ok(());
        }
        self.namenodes.property(today, value);
        let Some((key, kind)) = modelled(name) else { return Ok(()) };
        if key != *name {
            let read = "and Hadoop still reads it";
            self.notes.push(format!("{file}:{line}: {name} is an old name of {key}, {read}"))
        }
        if value.contains("${") {
            let found = format!("{file}:{line}: {key}: a variable is not resolved");
            self.notes.push(format!("{found} ({}): its default holds", quote(value.as_bytes())));
            return Ok(());
        }
        if let Err(wrong) = kind.read(value) {
            let hint = wrong.hint.map(|h| format!("Did you mean {h}?")).unwrap_or_default();
            let found = issue(format!("{name}: {}", quote(value.as_bytes())), wrong.expected);
            return Err(found.advice(hint));
        }
        self.keep(file, key, property);
        Ok(())
    }

    /// Of one that stands twice the last holds, unless the first is final.
    fn keep(&mut self, file: &str, key: String, property: &Property) {
        let line = property.line;
        if let Some(at) = self.settings.iter().position(|(k, _, _)| *k == key) {
            let locked = self.finals.contains(&key);
            let holds = if locked { "the first is final and holds" } else { "the last holds" };
            let first = self.settings[at].2;
            self.notes.push(format!("{file}:{line}: {key} stands twice (line {first}): {holds}"));
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

/// The names of settings that one of them has an old name of, each once.
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

/// Today's name of a setting that the model obeys, and what it takes.
fn modelled(name: &str) -> Option<(String, hdfs_scenario::keys::Kind)> {
    let key = hdfs_scenario::keys::find(&format!("hdfs-site.{name}"))?;
    Some((key.name.strip_prefix("hdfs-site.")?.to_string(), key.kind))
}
