//! Names of keys: old ones, Ozone's, and others'.

/// Old names that Ozone still reads (`OzoneConfiguration.addDeprecatedKeys`), and their new ones.
const RENAMED: [(&str, &str); 5] = [
    ("ozone.datanode.pipeline.limit", "ozone.scm.datanode.pipeline.limit"),
    ("dfs.container.ratis.datanode.storage.dir", "hdds.container.ratis.datanode.storage.dir"),
    ("dfs.datanode.data.dir", "hdds.datanode.dir"),
    ("dfs.container.chunk.write.sync", "hdds.container.chunk.write.sync"),
    (
        "dfs.ratis.leader.election.minimum.timeout.duration",
        "hdds.ratis.leader.election.minimum.timeout.duration",
    ),
];

/// The name that a key has today.
pub fn renamed(name: &str) -> String {
    let old = name.strip_prefix("ozone-site.");
    match RENAMED.iter().find(|(from, _)| Some(*from) == old) {
        Some((_, to)) => format!("ozone-site.{to}"),
        None => name.to_string(),
    }
}

/// First parts of the names in `ozone-default.xml`, and of those that Hadoop's own files share with
/// it.
const OWN: [&str; 12] = [
    "ozone", "hdds", "recon", "ratis", "scm", "hadoop", "fs", "ssl", "net", "ipc", "io", "security",
];

/// Old names of Ozone's keys begin so (`OzoneConfiguration.addDeprecatedKeys`).
const OLD: [&str; 3] = ["dfs.container.", "dfs.ratis.", "dfs.datanode."];

/// Whether only Ozone has a key of this name.
pub fn is_of_ozone(name: &str) -> bool {
    ["ozone.", "hdds.", OLD[0], OLD[1]].iter().any(|start| name.starts_with(start))
}

/// Whether Ozone reads keys like this one.
pub fn is_own(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or("");
    OWN.contains(&first) || OLD.iter().any(|start| name.starts_with(start))
}
