//! Reads `ozone-site.xml`, or a daemon's `/conf`, into settings of a cluster file.
use crate::keys::{is_of_ozone, is_own};
use crate::names::{list_names, many};
use crate::policy::classes::{self, Class};
use crate::{OZONE, version};
use import::conf::Conf;
use import::site::Property;
use import::{InputSpec, Issue, issue};
use std::path::Path;
use system::Failure;
use system::lab::Lab;

pub const WANTED: InputSpec = InputSpec::new(
    "ozone-site.xml, or /conf of SCM (JSON or XML)",
    "cp $OZONE_CONF_DIR/ozone-site.xml .",
);

const LOGS: &str = "hdds.container.ratis.datanode.storage.dir";
const DATA: &str = "hdds.datanode.dir";

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// Modelled settings: current name, value.
    pub settings: Vec<(String, String)>,
    /// Policies by their class names.
    pub policies: Vec<&'static Class>,
    /// Settings that are not modelled: name, value.
    pub others: Vec<(String, String)>,
    /// Number of Raft log directories. Without the key they are in `ozone.metadata.dirs`, which is
    /// one (`HddsServerUtil.getOzoneDatanodeRatisDirectory`).
    pub log_disks: usize,
    /// Number of container directories; `None`: not set.
    pub disks: Option<usize>,
    /// Settings without effect, with the reason.
    pub notes: Vec<String>,
}

/// Splits a configuration into modelled and other settings; `path` is for messages.
///
/// # Errors
/// The file has no key of Ozone, or an invalid value.
pub fn of(path: &Path, conf: &Conf) -> Result<Site, Failure> {
    let file = path.display().to_string();
    if !conf.site.properties.iter().any(|property| is_of_ozone(&property.name)) {
        return Err(foreign(conf).at(&file, None).into());
    }
    let mut site = Site { log_disks: 1, ..Site::default() };
    let mut defaults = 0;
    for (today, property) in in_force(&file, conf, &mut site.notes) {
        let value = property.value.as_str();
        let directories = value.split(',').filter(|place| !place.trim().is_empty()).count();
        match today.as_str() {
            LOGS => site.log_disks = directories.max(1),
            DATA => site.disks = Some(directories).filter(|n| *n > 0),
            _ if site.policy(&file, &today, property) => (),
            _ if OZONE.vocabulary.find(&format!("ozone-site.{today}")).is_some() => {
                check(path, property.line, &today, value)?;
                site.settings.push((today, value.into()))
            }
            _ if conf.is_default(&property.name) => defaults += 1,
            _ => site.others.push((today, value.into())),
        }
    }
    site.log_disks = site.disks.map_or(site.log_disks, |disks| site.log_disks.min(disks));
    site.refused(path);
    site.add_notes(&file, defaults);
    Ok(site)
}

impl Site {
    /// Records a policy's class. Returns whether the key selects a policy.
    fn policy(&mut self, file: &str, key: &str, Property { value, line, .. }: &Property) -> bool {
        let Some(policy) = classes::decides(key) else { return false };
        match classes::named(key, value) {
            Some(class) => self.policies.push(class),
            None if value.is_empty() => (),
            None => {
                self.others.push((key.into(), value.clone()));
                self.notes.push(format!(
                    "{file}:{line}: {key} = {value}: a class that is not modelled; {policy} keeps \
                     its default"
                ))
            }
        }
        true
    }

    /// Removes keys that a scenario rejects: they are misspelt.
    fn refused(&mut self, path: &Path) {
        let (file, mut notes) = (path.display(), Vec::new());
        self.others.retain(|(key, value)| {
            let wrong = check(path, 1, key, value).is_err();
            if wrong {
                notes.push(format!("{file}: {key}: Ozone has no such key; left out"))
            }
            !wrong
        });
        self.notes.extend(notes)
    }

    /// Adds notes on settings that are not modelled.
    fn add_notes(&mut self, file: &str, defaults: u64) {
        let named = |own: bool| -> Vec<String> {
            let of = self.others.iter().filter(|(key, _)| is_own(key) == own);
            of.map(|(key, _)| key.clone()).collect()
        };
        let (own, foreign) = (named(true), named(false));
        for (keys, what) in [(own, "not modelled"), (foreign, "not of Ozone")] {
            if !keys.is_empty() {
                let is = if keys.len() == 1 { "is" } else { "are" };
                let count = many(keys.len() as u64, "key");
                self.notes.push(format!("{file}: {count} {is} {what}: {}", list_names(&keys)))
            }
        }
        if defaults > 0 {
            let count = many(defaults, "default");
            self.notes.push(format!("{file}: {count} of keys that are not modelled: left out"))
        }
    }
}

fn foreign(conf: &Conf) -> Issue {
    let first = conf.site.properties.first().map(|property| property.name.as_str());
    let found = match first {
        Some(first) => format!("no key of Ozone in the file (the first is {first})"),
        None => "no property in the file".to_string(),
    };
    issue(found, WANTED.content)
        .advice(format!("This file is of another program. {}", WANTED.advice()))
}

/// The effective property of each key, by current name. The last one wins, except after a final one
/// (`Configuration.loadProperty`). A default never overrides a set value.
fn in_force<'c>(
    file: &str,
    conf: &'c Conf,
    notes: &mut Vec<String>,
) -> Vec<(String, &'c Property)> {
    let mut all: Vec<(String, &Property)> = Vec::new();
    for property in &conf.site.properties {
        let name = (OZONE.vocabulary.renamed)(&format!("ozone-site.{}", property.name));
        let today = name.trim_start_matches("ozone-site.").to_string();
        let Some((_, before)) = all.iter_mut().find(|(name, _)| *name == today) else {
            all.push((today, property));
            continue;
        };
        let is_later = |name: &str| conf.is_default(name);
        let keeps = before.is_final || is_later(&property.name) && !is_later(&before.name);
        if before.value != property.value {
            let (line, held) = (property.line, if keeps { &before.value } else { &property.value });
            notes.push(format!("{file}:{line}: {today} is given twice: {held} applies"))
        }
        if !keeps {
            *before = property
        }
    }
    all
}

/// The version's line in the cluster file, and a note if it is unknown or assumed.
pub fn version(dumped: Option<&str>) -> (String, Option<String>) {
    let latest = version::LATEST;
    match dumped.map(|dumped| (dumped, version::find(dumped))) {
        Some((_, Some(version))) => (format!("version = \"{}\"\n", version.name), None),
        Some((dumped, None)) => (
            format!("# The dump has version {dumped}.\nversion = \"{latest}\"\n"),
            Some(format!("Ozone {dumped} is unknown: the defaults of {latest} are used")),
        ),
        None => (
            format!("version = \"{latest}\" # ASSUMED: in no file\n"),
            Some(format!(
                "assumed ozone.version = {latest}: in no file (--jmx has the version); defaults \
                 differ"
            )),
        ),
    }
}

/// Fails if a scenario rejects the value; the error has this line.
fn check(path: &Path, line: u64, key: &str, value: &str) -> Result<(), Failure> {
    let above = "\n".repeat(units::usize_of(line.saturating_sub(1)));
    let setting = format!("{above}ozone-site.{} = {}\n", quoted(key), written(value));
    let text = format!("{setting}[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 3\n");
    Lab::of(&OZONE)?.read_text(&text, path, &[]).map(|_| ())
}

pub fn written(value: &str) -> String {
    let is_whole = value.parse::<i64>().is_ok_and(|n| n.to_string() == value);
    match is_whole || ["true", "false"].contains(&value) {
        true => value.to_string(),
        false => quoted(value),
    }
}

pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;
    use import::{Input, conf};

    fn site(properties: &str) -> Result<Site, String> {
        let text = format!("<configuration>\n{properties}\n</configuration>");
        let name = "site.xml".to_string();
        let input = Input::Memory { name, bytes: text.into_bytes() };
        let read = conf::read(&input, &WANTED, &mut |_| ()).map_err(|wrong| wrong.to_string())?;
        of(Path::new("site.xml"), &read).map_err(|e| match e {
            Failure::BadInput(why) => why,
            _ => panic!("bad input"),
        })
    }

    fn property(name: &str, value: &str) -> String {
        format!("<property><name>{name}</name><value> {value} </value></property>\n")
    }

    #[test]
    fn old_names_directories_and_what_is_modelled() {
        let text = [
            property("ozone.datanode.pipeline.limit", "5"),
            property("hdds.ratis.client.request.watch.type", "MAJORITY_COMMITTED"),
            property("dfs.container.ratis.datanode.storage.dir", "/1/ratis, /2/ratis,"),
            property("hdds.datanode.dir", "[DISK]/1,[DISK]/2,/3"),
            property("ozone.om.address", "om"),
        ];
        let site = site(&text.concat()).unwrap();
        let pair = |key: &str, value: &str| (key.to_string(), value.to_string());
        assert_eq!(
            site.settings,
            [
                pair("ozone.scm.datanode.pipeline.limit", "5"),
                pair("hdds.ratis.client.request.watch.type", "MAJORITY_COMMITTED"),
            ]
        );
        assert_eq!((site.log_disks, site.disks), (2, Some(3)));
        assert_eq!(site.others, [pair("ozone.om.address", "om")]);
        assert_eq!(site.notes, ["site.xml: 1 key is not modelled: ozone.om.address"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let limit = property("ozone.scm.datanode.pipeline.limit", "many");
        let why = site(&format!("\n{limit}")).unwrap_err();
        assert!(why.starts_with("site.xml:3: ") && why.contains("many"), "{why}");
        let other = site(&property("dfs.replication", "2")).unwrap_err();
        assert!(
            other.contains("no key of Ozone in the file (the first is dfs.replication)"),
            "{other}"
        );
    }

    /// `Configuration.loadProperty`: the last property with any of the names wins, except after a
    /// final one.
    #[test]
    fn the_last_property_is_in_force() {
        let limit = |value: &str| property("ozone.scm.datanode.pipeline.limit", value);
        let old = property("ozone.datanode.pipeline.limit", "3");
        let found = site(&[limit("2"), old].concat()).unwrap();
        assert_eq!(found.settings, [("ozone.scm.datanode.pipeline.limit".into(), "3".into())]);
        assert!(found.notes[0].starts_with("site.xml:3: ") && found.notes[0].contains("twice"));
        let last = limit("2").replace("</value>", "</value><final>true</final>");
        let found = site(&[last, limit("4")].concat()).unwrap();
        assert_eq!(found.settings[0].1, "2");
    }

    #[test]
    fn a_key_that_looks_misspelt_is_left_out_with_a_note() {
        let two = [
            property("ozone.scm.datanode.pipline.limit", "5"),
            property("hdds.scm.ec.pipeline.choose.policy.impl", "x.Y"),
        ];
        let found = site(&two.concat()).unwrap();
        assert!(found.notes[0].contains("pipline.limit: Ozone has no such key"), "{found:?}");
        assert_eq!(found.others.len(), 1);
    }
}
