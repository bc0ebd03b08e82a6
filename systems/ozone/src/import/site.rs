//! `ozone-site.xml`: what of it a cluster file says.
use crate::OZONE;
use import::{Wanted, issue, site};
use std::path::Path;
use system::Failure;
use system::lab::Lab;

/// What is asked for.
pub const WANTED: Wanted = Wanted::new(
    "ozone-site.xml: <configuration> with <property>s",
    "cp $OZONE_CONF_DIR/ozone-site.xml .",
);

const LOGS: [&str; 2] =
    ["hdds.container.ratis.datanode.storage.dir", "dfs.container.ratis.datanode.storage.dir"];
const DATA: [&str; 2] = ["hdds.datanode.dir", "dfs.datanode.data.dir"];

/// What is taken from a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// Modelled settings: their names today, and their values.
    pub settings: Vec<(String, String)>,
    /// Directories of RaftLogs; without the key they lie in the one of `ozone.metadata.dirs`
    /// (`HddsServerUtil.getOzoneDatanodeRatisDirectory`).
    pub log_disks: usize,
    /// Directories of containers, where they are told.
    pub disks: Option<usize>,
}

/// What of a configuration is modelled; `path` is its file.
///
/// # Errors
/// A value that its key cannot have; two names of one key.
pub fn of(path: &Path, read: &site::Site) -> Result<Site, Failure> {
    let mut site = Site { log_disks: 1, ..Site::default() };
    for site::Property { name, value, line, .. } in &read.properties {
        let directories = value.split(',').filter(|place| !place.trim().is_empty()).count().max(1);
        if LOGS.contains(&name.as_str()) {
            site.log_disks = directories
        } else if DATA.contains(&name.as_str()) {
            site.disks = Some(directories)
        } else if let Some(key) = OZONE.vocabulary.find(&format!("ozone-site.{name}")) {
            let today = key.name.trim_start_matches("ozone-site.").to_string();
            if site.settings.iter().any(|(other, _)| *other == today) {
                let twice = issue(format!("{name}: {today} is given twice"), "it once");
                return Err(twice.at(&path.display().to_string(), Some(*line)).into());
            }
            check(path, *line, &today, value)?;
            site.settings.push((today, value.clone()))
        }
    }
    site.log_disks = site.disks.map_or(site.log_disks, |disks| site.log_disks.min(disks));
    Ok(site)
}

/// Whether a key may have this value, by a scenario that has it on this line.
fn check(path: &Path, line: u64, key: &str, value: &str) -> Result<(), Failure> {
    let above = "\n".repeat(units::usize_of(line.saturating_sub(1)));
    let setting = format!("{above}ozone-site.\"{key}\" = {}\n", written(value));
    let text = format!("{setting}[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 3\n");
    Lab::of(&OZONE)?.read_text(&text, path, &[]).map(|_| ())
}

/// A value as a cluster file writes it.
pub fn written(value: &str) -> String {
    match value.parse::<i64>().is_ok() || ["true", "false"].contains(&value) {
        true => value.to_string(),
        false => serde_json::Value::from(value).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(properties: &str) -> Result<Site, String> {
        let text = format!("<configuration>\n{properties}\n</configuration>");
        let read = site::parse(text.as_bytes(), &WANTED).map_err(|wrong| wrong.to_string())?;
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
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let limit = property("ozone.scm.datanode.pipeline.limit", "many");
        let why = site(&format!("\n{limit}")).unwrap_err();
        assert!(why.starts_with("site.xml:3: ") && why.contains("many"), "{why}");
        let both = [limit.replace("many", "2"), property("ozone.datanode.pipeline.limit", "3")];
        let why = site(&both.concat()).unwrap_err();
        assert!(why.starts_with("site.xml:3: ") && why.contains("given twice"), "{why}");
        let none = site::parse(b"{}", &WANTED).unwrap_err().to_string();
        assert!(none.contains("<configuration>"), "{none}");
    }
}
