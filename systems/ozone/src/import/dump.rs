//! What `ozone admin … --json` of several versions says of nodes and pipelines, and what SCM makes
//! of it.
use super::fields::{flag, text};
use crate::names::{few, many};
use serde_json::Value;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Host {
    id: String,
    name: String,
    /// Its network location; empty: not told.
    pub rack: String,
    /// "DECOMMISSIONED", "DEAD": why SCM opens no pipeline on it; empty: it may.
    pub away: String,
    /// Open EC pipelines that it is in.
    pub coded: u32,
    pub disks: Option<usize>,
}

impl Host {
    /// A node of which only the id is known.
    pub fn named(id: &str) -> Host {
        Host { id: id.into(), ..Host::default() }
    }

    /// Of a member of a pipeline, or of a row of the list of nodes.
    pub fn of(value: &Value) -> Option<Host> {
        if let Value::String(id) = value {
            return Some(Host::named(id));
        }
        let details = value.get("datanodeDetails").unwrap_or(value);
        let id = text(details, &["uuid", "uuidString", "id"])?;
        let name = text(details, &["hostName", "hostname", "ipAddress"]).unwrap_or_default();
        let rack = text(details, &["networkLocation"]).unwrap_or_default();
        let count = |field: &str| value.get(field).and_then(Value::as_u64);
        let disks = count("healthyVolumeCount").or(count("totalVolumeCount"));
        let disks = disks.and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
        Some(Host { id, name, rack, away: away(value, details), coded: 0, disks })
    }

    /// Its name without blanks; else the head of its id.
    pub fn short(&self) -> String {
        match self.name.is_empty() || self.name.contains(char::is_whitespace) {
            true => self.id.chars().take(8).collect(),
            false => self.name.clone(),
        }
    }

    /// Its name and its id, as an error names it.
    pub fn full(&self) -> String {
        match self.name.is_empty() {
            true => self.id.clone(),
            false => format!("{} ({})", self.name, self.id),
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Why SCM opens no pipeline on a node. SCM's own word (`opState`) goes before what the node has
/// written down (`persistedOpState`).
fn away(row: &Value, details: &Value) -> String {
    let states = ["opState", "operationalState"];
    let state = text(row, &states).or_else(|| text(details, &["persistedOpState"]));
    let told = |name: &str| flag(details, name) || flag(row, name);
    let state = match state {
        Some(state) => state,
        None if told("decommissioned") => "DECOMMISSIONED".into(),
        None if told("maintenance") => "IN_MAINTENANCE".into(),
        None => "IN_SERVICE".into(),
    };
    let health = text(row, &["healthState", "nodeState"]).unwrap_or("HEALTHY".into());
    match (state.as_str(), health.as_str()) {
        ("IN_SERVICE", "HEALTHY") => String::new(),
        ("IN_SERVICE", _) => health,
        _ => state,
    }
}

/// A Ratis pipeline of three: its nodes and its leader, as places among the hosts.
pub type Pipeline = ([usize; 3], usize);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dump {
    /// All nodes, those of pipelines first.
    pub hosts: Vec<Host>,
    /// Open Ratis pipelines of three.
    pub pipelines: Vec<Pipeline>,
    pub notes: Vec<String>,
    /// The version of a node's software, where one tells it.
    pub version: Option<String>,
}

impl Dump {
    /// The place of the node of this id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.hosts.iter().position(|host| host.id == id)
    }

    /// The place of a node, which is new or known.
    pub fn add(&mut self, host: Host) -> usize {
        self.place(&host.id).unwrap_or_else(|| {
            self.hosts.push(host);
            self.hosts.len() - 1
        })
    }

    /// Leaves out nodes on which SCM opens no pipelines, and pipelines that such a node is in: SCM
    /// closes them (`StartDatanodeAdminHandler`, `StaleNodeHandler`).
    pub fn without_away(mut self) -> Dump {
        let is_away = |place: &usize| !self.hosts[*place].away.is_empty();
        let stays = |(of, _): &Pipeline| !of.iter().any(is_away);
        let (staying, closing): (Vec<Pipeline>, Vec<Pipeline>) =
            self.pipelines.iter().copied().partition(stays);
        let away: Vec<String> = self
            .hosts
            .iter()
            .filter(|host| !host.away.is_empty())
            .map(|host| format!("{} ({})", host.short(), host.away))
            .collect();
        if !away.is_empty() {
            self.notes.push(format!("SCM opens no pipelines on {}: left out", few(&away)))
        }
        if !closing.is_empty() {
            let one = closing.len() == 1;
            self.notes.push(format!(
                "{} {} such a node: SCM closes {}, left out",
                many(closing.len() as u64, "open pipeline"),
                if one { "has" } else { "have" },
                if one { "it" } else { "them" },
            ))
        }
        let mut moved = vec![usize::MAX; self.hosts.len()];
        let mut hosts = Vec::new();
        for (place, host) in self.hosts.into_iter().enumerate() {
            if host.away.is_empty() {
                moved[place] = hosts.len();
                hosts.push(host)
            }
        }
        let again = |(of, leader): Pipeline| (of.map(|place| moved[place]), moved[leader]);
        let pipelines = staying.into_iter().map(again).collect();
        Dump { hosts, pipelines, notes: self.notes, version: self.version }
    }
}

/// Whether a pipeline replicates by Ratis, by erasure coding, or not: "RATIS", "EC"; `None`: the
/// dump does not say.
pub fn kind(row: &Value) -> Option<String> {
    let config = row.get("replicationConfig").unwrap_or(&Value::Null);
    text(row, &["type", "replicationType"]).or_else(|| text(config, &["replicationType"]))
}
