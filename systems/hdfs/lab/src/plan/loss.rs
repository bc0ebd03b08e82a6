//! `[[event]]` tables of a plan: what is lost or leaves.
use super::leaving_hosts::{LeavingHosts, read_hosts};
use crate::failure::Failure;
use crate::job;
use cluster::{Cluster, NodeId, Rack};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Clone, Debug, Default)]
pub struct Losses {
    pub lose: Vec<String>,
    pub decommission: Vec<String>,
    pub maintenance: Vec<String>,
    /// Racks with the addresses of their live nodes, for racks that leave.
    pub racks: Vec<(String, Vec<String>)>,
    /// Content of the files of names, by kind and name.
    pub files: BTreeMap<(&'static str, String), LeavingHosts>,
}

const RACK: &str = "rack=";

const FILE: &str = "@";

/// Time with clients and without a repair, for comparison.
pub const BEFORE: &str = "120s";

#[derive(Clone, PartialEq, Eq, Debug)]
struct Loss {
    /// On the command line; for a name in a file, the line there.
    argument: String,
    kind: &'static str,
    target: String,
}

impl Losses {
    /// All tables at one time: the beginning of the run, or [`BEFORE`] later with clients. Empty if
    /// nothing more is lost.
    ///
    /// # Errors
    /// If a kind cannot be lost or a rack does not exist.
    pub fn tables(&self, clients: bool) -> Result<String, Failure> {
        let all = self.all()?;
        let at = if clients && !self.are_noticed_late() { BEFORE } else { "0s" };
        let table = |text: &mut String, loss: &Loss| {
            // A JSON string is a TOML string.
            let target = serde_json::Value::from(loss.target.as_str());
            let _ = write!(text, "[[event]]\nat = \"{at}\"\nkind = \"{}\"\n", loss.kind);
            let _ = write!(text, "target = {target}\n\n");
        };
        Ok(all.iter().fold(String::new(), |mut text, loss| {
            table(&mut text, loss);
            text
        }))
    }

    /// Whether all losses are silent nodes, which HDFS detects only after a time.
    pub fn are_noticed_late(&self) -> bool {
        let disk = self.lose.iter().any(|text| text.starts_with("disk="));
        !disk && self.decommission.is_empty() && self.maintenance.is_empty()
    }

    fn all(&self) -> Result<Vec<Loss>, Failure> {
        let mut all = self.lose.iter().map(|text| lost(text)).collect::<Result<Vec<Loss>, _>>()?;
        for (kind, names) in
            [("decommission", &self.decommission), ("maintenance", &self.maintenance)]
        {
            for text in names {
                let of = |(argument, target)| Loss { argument, kind, target };
                all.extend(self.leaving(kind, text)?.into_iter().map(of))
            }
        }
        Ok(all)
    }

    /// Whether racks or files must be resolved to nodes.
    pub fn need_cluster(&self) -> bool {
        let mut all = self.decommission.iter().chain(&self.maintenance);
        all.any(|text| text.starts_with(RACK) || text.starts_with(FILE))
    }

    /// Resolves names of racks and files.
    ///
    /// # Errors
    /// If a file cannot be read or names no node of the cluster.
    pub fn look_up(&mut self, cluster: &Cluster) -> Result<(), Failure> {
        self.racks = racks(cluster);
        for (kind, names) in
            [("decommission", &self.decommission), ("maintenance", &self.maintenance)]
        {
            for file in names.iter().filter_map(|text| text.strip_prefix(FILE)) {
                self.files.insert((kind, file.into()), read_hosts(kind, file, cluster)?);
            }
        }
        Ok(())
    }

    pub fn notes(&self) -> Vec<String> {
        self.files.values().flat_map(|file| file.notes.clone()).collect()
    }

    /// (place, address) of leaving nodes. HDFS has no racks here: a rack is all of its nodes.
    fn leaving(&self, kind: &'static str, text: &str) -> Result<Vec<(String, String)>, Failure> {
        if let Some(file) = text.strip_prefix(FILE) {
            let found = self.files.get(&(kind, file.to_string()));
            return Ok(found.expect("files were looked up").leave.clone());
        }
        let Some(name) = text.strip_prefix(RACK) else {
            return Ok(vec![(format!("--{kind} {text}"), text.to_string())]);
        };
        let bare = |name: &str| name.trim_start_matches('/').to_string();
        let found = self.racks.iter().find(|(rack, _)| bare(rack) == bare(name));
        let place = format!("--{kind} {text}");
        let Some((_, nodes)) = found else {
            let names: Vec<&str> = self.racks.iter().take(3).map(|(rack, _)| &rack[..]).collect();
            let more = if self.racks.len() > 3 { ", …" } else { "" };
            let known = names.join(", ");
            return Err(job::bad(format!(
                "{place}: no rack is called \"{name}\"; expected one of {known}{more}"
            )));
        };
        Ok(nodes.iter().map(|node| (place.clone(), node.clone())).collect())
    }

    /// Attributes an error in a line of the generated scenario `made` to its command-line argument.
    pub fn locate_error(&self, complaint: &str, made: &str, file: &Path) -> String {
        let argument = |line: &str| -> Option<String> {
            let rest = line.strip_prefix(&format!("{}:", file.display()))?;
            let (number, rest) = rest.split_once(": event.target: ")?;
            let above = made.lines().take(number.parse().ok()?);
            let place = above.filter(|line| *line == "[[event]]").count().checked_sub(1)?;
            let all = self.all().ok()?;
            Some(format!("{}: {rest}", all.get(place)?.argument))
        };
        let lines = complaint.lines().map(|line| argument(line).unwrap_or_else(|| line.into()));
        lines.collect::<Vec<String>>().join("\n")
    }

    pub fn is_empty(&self) -> bool {
        self.lose.is_empty() && self.decommission.is_empty() && self.maintenance.is_empty()
    }
}

fn lost(text: &str) -> Result<Loss, Failure> {
    let (kind, target) = match text.split_once('=') {
        None => ("node-lost", text),
        Some(("node", target)) => ("node-lost", target),
        Some(("rack", target)) => ("rack-lost", target),
        Some(("disk", target)) => ("disk-lost", target),
        Some((other, _)) => {
            let expected = "expected NODE, rack=/RACK or disk=NODE/NUMBER";
            return Err(job::bad(format!("--lose {text}: {other} cannot be lost; {expected}")));
        }
    };
    if target.is_empty() {
        return Err(job::bad(format!("--lose {text}: expected a name after the =")));
    }
    Ok(Loss { argument: format!("--lose {text}"), kind, target: target.to_string() })
}

/// (name, addresses of live nodes)
fn racks(cluster: &Cluster) -> Vec<(String, Vec<String>)> {
    let node = |id: &NodeId| &cluster.nodes[id.at()];
    let alive = |rack: &Rack| {
        let all = rack.nodes.iter().map(node).filter(|node| node.alive);
        all.map(|node| node.address.clone()).collect()
    };
    cluster.racks.iter().map(|rack| (rack.name.clone(), alive(rack))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_loss() {
        let losses = Losses { lose: vec!["dn-1".into(), "rack=/r3".into()], ..Losses::default() };
        assert_eq!(
            losses.tables(false).unwrap(),
            "[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget = \"dn-1\"\n\n\
             [[event]]\nat = \"0s\"\nkind = \"rack-lost\"\ntarget = \"/r3\"\n\n"
        );
    }

    #[test]
    fn a_rack_leaves_as_its_nodes() {
        let racks = vec![("/r1".into(), vec!["10.0.0.1:9866".into(), "10.0.0.2:9866".into()])];
        let of = |name: &str| Losses {
            maintenance: vec![format!("rack={name}")],
            racks: racks.clone(),
            ..Losses::default()
        };
        for name in ["/r1", "r1"] {
            let tables = of(name).tables(false).unwrap();
            assert_eq!(tables.matches("kind = \"maintenance\"").count(), 2, "{tables}");
            assert!(tables.contains("target = \"10.0.0.2:9866\""), "{tables}");
        }
        let Err(Failure::BadInput(said)) = of("/r9").tables(false) else { panic!("no such rack") };
        assert!(
            said.contains("rack=/r9: no rack is called \"/r9\"; expected one of /r1"),
            "{said}"
        );
    }

    #[test]
    fn complaints_name_the_argument() {
        let losses = Losses { lose: vec!["dn-1".into(), "dn-x".into()], ..Losses::default() };
        let made = losses.tables(true).unwrap();
        let said =
            losses.locate_error("a.toml:9: event.target: no node", &made, Path::new("a.toml"));
        assert_eq!(said, "--lose dn-x: no node");
        let other = "a.toml:1: cluster.import: no file";
        assert_eq!(losses.locate_error(other, &made, Path::new("a.toml")), other);
    }

    #[test]
    fn what_cannot_be_lost_is_said() {
        let say = |lose: &str| match (Losses { lose: vec![lose.into()], ..Losses::default() })
            .tables(false)
        {
            Err(Failure::BadInput(text)) => text,
            other => panic!("{other:?}"),
        };
        assert!(say("cable=7").contains("cable cannot be lost"));
        assert!(say("rack=").contains("a name after the ="));
        assert_eq!(Losses::default().tables(false).unwrap(), "", "what is short already");
    }
}
