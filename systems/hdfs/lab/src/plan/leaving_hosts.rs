//! `--decommission @FILE`: a file of hosts such as `dfs.hosts.exclude`. Hosts that the cluster
//! lacks or has already taken out are reported and skipped.
use crate::failure::Failure;
use crate::job;
use cluster::{Admin, Cluster, Node};
use hdfs_scenario::nodes_called;
use std::collections::BTreeSet;
use std::path::Path;

/// Leaving hosts of a file, and notes about the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeavingHosts {
    /// (place in the file, address)
    pub leave: Vec<(String, String)>,
    pub notes: Vec<String>,
}

/// Byte order mark, which some editors prepend.
const BOM: char = '\u{feff}';

/// Names that a note lists in full.
const NAMED: usize = 5;

/// Nodes of `cluster` that `file` names: hosts separated by blanks and line ends; a word that
/// begins with `#` starts a comment. Duplicates count once.
///
/// # Errors
/// If the file is missing, has no name, or none that the cluster knows.
pub fn read_hosts(kind: &str, file: &str, cluster: &Cluster) -> Result<LeavingHosts, Failure> {
    let wrong = |what: String| {
        let expected = "expected host names, as in dfs.hosts.exclude";
        job::bad(format!("--{kind} @{file}: {what}; {expected}"))
    };
    let content = std::fs::read_to_string(Path::new(file)).map_err(|e| wrong(e.to_string()))?;
    let names = names(&content);
    let bom = format!(
        "{file} begins with a byte order mark: Hadoop takes it for part of the first host's name, \
         so that host stays unknown; save the file without the mark"
    );
    let (mut found, mut seen) = (LeavingHosts::default(), BTreeSet::new());
    let (mut gone, mut dead, mut out) = (Vec::new(), Vec::new(), Vec::new());
    for (number, name) in &names {
        let nodes = nodes_called(cluster, name);
        if nodes.is_empty() {
            gone.push(format!("{name} (line {number})"))
        }
        for id in nodes.into_iter().filter(|id| seen.insert(*id)) {
            let node: &Node = &cluster.nodes[id.at()];
            match (node.alive, node.admin) {
                (false, _) => dead.push(name.clone()),
                (true, Admin::InService) => {
                    found.leave.push((format!("{file}:{number}: --{kind}"), node.address.clone()))
                }
                (true, _) => out.push(name.clone()),
            }
        }
    }
    if names.is_empty() {
        return Err(wrong("has no names".into()));
    }
    if seen.is_empty() {
        let first = &cluster.nodes[0].host;
        let what = format!("the cluster has none of these hosts: {}", some(&gone));
        return Err(wrong(format!("{what} (it has {first}, …)")));
    }
    for (names, why) in [
        (gone, "not in this cluster, skipped"),
        (dead, "dead already, so it cannot be a source"),
        (out, "leaving or out already: its missing replicas are copied anyway"),
    ] {
        if !names.is_empty() {
            found.notes.push(format!("of {file}: {}: {why}", some(&names)))
        }
    }
    found.notes.extend(content.starts_with(BOM).then_some(bom));
    Ok(found)
}

/// Host names with their lines, parsed as by `HostsFileReader`: several per line, up to a word that
/// begins with `#`.
fn names(content: &str) -> Vec<(u32, String)> {
    let lines = (1..).zip(content.trim_start_matches(BOM).lines());
    let of_line = |(number, line): (u32, &str)| -> Vec<(u32, String)> {
        let words = line.split([' ', '\t', '\x0c', '\r']).filter(|word| !word.is_empty());
        let names = words.take_while(|word| !word.starts_with('#'));
        names.map(|name| (number, name.to_string())).collect()
    };
    lines.flat_map(of_line).collect()
}

/// "a, b", "a, b, c, d, e and 7 more"
fn some(names: &[String]) -> String {
    let first = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
