//! Old names of keys, and prefixes of Ozone's keys.

/// Old names that Ozone still reads (`OzoneConfiguration.addDeprecatedKeys`), and their current
/// names.
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

pub fn renamed(name: &str) -> String {
    let old = name.strip_prefix("ozone-site.");
    match RENAMED.iter().find(|(from, _)| Some(*from) == old) {
        Some((_, to)) => format!("ozone-site.{to}"),
        None => name.to_string(),
    }
}

/// First parts of names in `ozone-default.xml`, and in Hadoop files that Ozone reads.
const OWN: [&str; 12] = [
    "ozone", "hdds", "recon", "ratis", "scm", "hadoop", "fs", "ssl", "net", "ipc", "io", "security",
];

/// Prefixes of old names (`OzoneConfiguration.addDeprecatedKeys`).
const OLD: [&str; 3] = ["dfs.container.", "dfs.ratis.", "dfs.datanode."];

/// Only Ozone has keys with this prefix.
pub fn is_of_ozone(name: &str) -> bool {
    ["ozone.", "hdds.", OLD[0], OLD[1]].iter().any(|start| name.starts_with(start))
}

/// Ozone reads keys with this prefix.
pub fn is_own(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or("");
    OWN.contains(&first) || OLD.iter().any(|start| name.starts_with(start))
}
