use super::super::report::Report;
use super::beans::Beans;
use super::nodes::NodeUse;

pub(in super::super) struct Dump {
    pub(super) nodes: Vec<NodeUse>,
    pub(super) beans: Beans,
}

impl Dump {
    /// In the form of `hdfs dfsadmin -report`.
    pub(in super::super) fn report(self) -> Report {
        let under = self.beans.count(&["LowRedundancyBlocks", "UnderReplicatedBlocks"]);
        let nodes = self.nodes.into_iter().map(|counted| counted.node).collect();
        Report { nodes, under, has_live: true, has_dead: true }
    }

    /// JMX only has the transfers of all nodes together: each live node gets the mean.
    pub(super) fn spread_transfers(&mut self) {
        let live = self.nodes.iter().filter(|n| n.node.alive).count() as u64;
        let load = self.beans.count(&["TotalLoad"]).unwrap_or(0);
        let mean = u32::try_from(load.checked_div(live).unwrap_or(0)).unwrap_or(u32::MAX);
        self.nodes.iter_mut().filter(|n| n.node.alive).for_each(|n| n.node.xceivers = mean)
    }

    /// Day of the dump, from the timestamp in `TopUserOpCounts`.
    pub(super) fn day(&self) -> String {
        let counts = self.beans.text("FSNamesystemState", "TopUserOpCounts").unwrap_or("");
        let made = counts.split_once("\"timestamp\":\"").map_or("", |(_, rest)| rest);
        let day = made.split('T').next().unwrap_or("");
        let is_day = day.len() == 10 && day.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        if is_day { day.to_string() } else { String::new() }
    }

    pub(super) fn address(&self) -> Option<String> {
        let said = self.beans.text("NameNodeStatus", "HostAndPort")?;
        said.contains(':').then(|| said.to_string())
    }

    pub(super) fn version(&self) -> Option<&str> {
        self.beans.text("NameNodeInfo", "SoftwareVersion").filter(|version| !version.is_empty())
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let beans = &self.beans;
        let mut notes = vec![
            "block map SYNTHESISED: JMX counts each node's blocks but does not list them; the map \
             is drawn for each seed to match every node's numBlocks and used"
                .to_string(),
        ];
        let state =
            beans.text("NameNodeStatus", "State").or(beans.text("FSNamesystem", "tag.HAState"));
        if let Some(state) = state.filter(|state| *state != "active") {
            notes.push(format!("this NameNode is {state}: its counts may lag; use the active one"))
        }
        if let Some(why) = beans.text("NameNodeInfo", "Safemode").filter(|why| !why.is_empty()) {
            notes.push(format!(
                "the NameNode is in safe mode, so counts may be too low: {}",
                short(why)
            ))
        }
        if let Some(version) = self.version().filter(|version| !reconfigures(version)) {
            notes.push(format!(
                "this NameNode is Hadoop {version}: its `-reconfig` has no settings of \
                 re-replication (HDFS-14560: 3.1.3, 3.2.1 and 3.3.0 have): to change them, restart \
                 the NameNode"
            ))
        }
        if let Some(n) = beans.count(&["FilesTotal"]) {
            notes.push(format!(
                "number of files unknown: JMX counts {n} files and directories together"
            ))
        }
        let dead = self.nodes.iter().filter(|n| !n.node.alive).count();
        if dead > 0 {
            notes.push(format!("blocks and space of dead nodes ({dead}) are unknown"))
        }
        notes
    }
}

/// True if `dfsadmin -reconfig namenode` of this version sets limits and multiplier, or if the
/// version is unknown. Source: `analysis::releases`.
fn reconfigures(version: &str) -> bool {
    let mut parts = version.split(['.', '-']).map(|part| part.parse::<u32>().ok());
    let mut next = || parts.next().flatten();
    let (Some(major), Some(minor)) = (next(), next()) else { return true };
    let since = match (major, minor) {
        (0..=2, _) | (3, 0) => return false,
        (3, 1) => 3,
        (3, 2) => 1,
        _ => 0,
    };
    next().unwrap_or(0) >= since
}

fn short(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(120).collect()
}
