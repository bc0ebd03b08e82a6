//! A real SCM with simulated DataNodes, each rack's in one process with its own address.
use crate::cases::{Case, Counted, MOST_RACKS, counted};
use crate::site::{self, write};
use ozone::policy::Trio;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Failure, interrupt};
use testbed::links::Links;
use testbed::twin::Program;
use testbed::twin::java::Java;
use units::BytesPerSec;

pub const OZONE: &str = "2.2.0";
const POM: &str = include_str!("../pom.xml");
const PARENT: &str = include_str!("../parent.xml");
const PARENT_FILE: &str = "maven/repository/org/apache/ozone/hdds-hadoop-dependency-client/\
                           2.2.0/hdds-hadoop-dependency-client-2.2.0.pom";

const SCM: &str = "org.apache.hadoop.hdds.scm.server.StorageContainerManagerStarter";
const NODES: &str = "org.apache.hadoop.ozone.freon.Vapor";
const ADMIN: &str = "org.apache.hadoop.ozone.admin.OzoneAdmin";

const NAMES: &str = "names";

/// Heap of a process \[MiB\].
const HEAP: u32 = 1024;
/// Timeout of starts and tools, and of all registrations.
const SOON: Duration = Duration::from_secs(300);
/// SCM opens no further pipeline if it opened none for this time: eight of its intervals.
const QUIET: Duration = Duration::from_secs(8);
/// Fast enough not to limit anything.
const LINK: BytesPerSec = BytesPerSec(1_250_000_000);

/// Hosts, jars, and an initialised SCM without nodes. Its folder is removed on drop.
pub struct Stage {
    java: Java,
    links: Links,
    folder: PathBuf,
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Stage {
    /// # Errors
    /// Bad input: what the machine lacks, or no such Ozone. SCM cannot be initialised.
    pub fn make() -> Result<Stage, Failure> {
        let folder = std::env::temp_dir().join(format!("tenbin-scm-{}", std::process::id()));
        write(&folder.join(PARENT_FILE), PARENT)?;
        let names = (1..=MOST_RACKS).map(|rack| format!("rack{rack}"));
        let names: Vec<String> = [String::from("scm")].into_iter().chain(names).collect();
        let links = Links::make(&names, LINK)?;
        let java = Java::find(POM, OZONE, None, &folder.join("maven"))?;
        let names = links.hosts.iter().map(|host| format!("{} {}\n", host.address, host.name));
        write(&folder.join(NAMES), &names.collect::<String>())?;
        Ok(Stage { java, links, folder })
    }

    /// Pipelines that SCM opens.
    ///
    /// # Errors
    /// A program fails; interrupted.
    pub fn run(&self, case: &Case) -> Result<Counted, Failure> {
        let (hosts, folder) = (&self.links.hosts, self.folder.join("case"));
        let _ = fs::remove_dir_all(&folder);
        let (own, log) = (folder.join("scm"), folder.join("scm.log"));
        site::scm(&own, hosts, case)?;
        self.tool(&self.line(&own, SCM, &["--init"]), &folder.join("init"))?;
        let mut scm = Program::start(&hosts[0], &words(&self.line(&own, SCM, &[])), &log)?;
        let is_ready = "BackgroundPipelineCreator transitions to RUNNING";
        scm.until("SCM is ready", SOON, |line| line.contains(is_ready))?;
        let mut nodes = Vec::new();
        for rack in 0..case.racks {
            let host = &hosts[units::usize_of(u64::from(rack) + 1)];
            let share = case.nodes / case.racks + u32::from(rack < case.nodes % case.racks);
            let (place, log) = (folder.join(&host.name), folder.join(&host.name).join("log"));
            site::nodes(&place, hosts, case)?;
            // Their capacity is that of the containers.
            let args = ["simulate-datanode", "-n", &share.to_string(), "-c", "1000", "-t", "4"];
            nodes.push(Program::start(host, &words(&self.line(&place, NODES, &args)), &log)?)
        }
        for node in &mut nodes {
            let is_done = |line: &str| line.contains("have been created and registered");
            node.until("its nodes have registered", SOON, is_done)?
        }
        let mut opened = |line: &str| line.contains("Opened pipeline");
        let mut left = case.formula();
        while left > 0 && scm.until("a pipeline opens", QUIET, &mut opened).is_ok() {
            left -= 1
        }
        interrupt::check()?;
        let list = folder.join("pipelines.json");
        self.tool(&self.line(&own, ADMIN, &["pipeline", "list", "--json"]), &list)?;
        let text = fs::read_to_string(&list).unwrap_or_default();
        listed(&text, case.nodes).ok_or_else(|| {
            Failure::Failed(format!("`ozone admin pipeline list --json` printed {text:.200}"))
        })
    }

    /// A command line in a host, whose namespace has no resolver: Java reads names from a file.
    fn line(&self, conf: &Path, class: &str, args: &[&str]) -> Vec<String> {
        let mut line = self.java.line(conf, HEAP, class, args);
        let names = self.folder.join(NAMES);
        line.insert(1, format!("-Djdk.net.hosts.file={}", names.display()));
        line
    }

    /// Runs a tool of SCM's host.
    fn tool(&self, line: &[String], out: &Path) -> Result<(), Failure> {
        let log = self.folder.join("tools.log");
        Program::run(&self.links.hosts[0], &words(line), (out, &log), SOON)
    }
}

fn words(line: &[String]) -> Vec<&str> {
    line.iter().map(String::as_str).collect()
}

/// Open pipelines of a list. The rack of a node without pipelines does not matter.
fn listed(text: &str, nodes: u32) -> Option<Counted> {
    let all: Value = serde_json::from_str(text.get(text.find('[')?..)?).ok()?;
    let (mut known, mut names) = (BTreeMap::new(), BTreeMap::new());
    let mut racks = vec![0; units::usize_of(nodes.into())];
    let (mut pipelines, mut led): (Vec<Trio>, _) = (Vec::new(), Vec::new());
    for pipeline in all.as_array()?.iter().filter(|one| one["pipelineState"] == "OPEN") {
        let mut trio = Vec::new();
        for node in pipeline["nodes"].as_array()? {
            let next = units::u32_of(known.len());
            let place = *known.entry(node["uuidString"].as_str()?).or_insert(next);
            let next = units::u32_of(names.len());
            let rack = *names.entry(node["networkLocation"].as_str()?).or_insert(next);
            *racks.get_mut(place as usize)? = rack;
            trio.push(place)
        }
        // Each simulated node reports that it leads, so `leaderId` is by chance.
        led.push(*known.get(pipeline["suggestedLeaderId"]["uuid"].as_str()?)?);
        trio.sort_unstable();
        pipelines.push(trio.try_into().ok()?)
    }
    Some(counted(&racks, &pipelines, &led))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_has_sets_nodes_and_racks() {
        let pipeline = |(state, nodes): (&str, &str)| {
            let rack = |id| if id == 'd' { "/rack2" } else { "/rack1" };
            let node = |id| json!({ "uuidString": id, "networkLocation": rack(id) });
            let nodes: Vec<Value> = nodes.chars().map(node).collect();
            let leader = json!({ "uuid": nodes[0]["uuidString"] });
            json!({ "pipelineState": state, "nodes": nodes, "suggestedLeaderId": leader })
        };
        let all = [("OPEN", "abc"), ("OPEN", "cab"), ("CLOSED", "abd"), ("OPEN", "abd")];
        let list: Value = all.map(pipeline).into_iter().collect();
        assert_eq!(listed(&list.to_string(), 5), Some([3, 2, 0, 3, 2, 1]))
    }
}
