//! Nodes and pipelines from `ozone admin … --json` of several versions, and which of them SCM uses.
use super::fields::{flag, text};
use crate::names::{list_names, many};
use serde_json::Value;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Host {
    id: String,
    name: String,
    /// Network location; empty: unknown.
    pub rack: String,
    /// State for which SCM opens no pipelines on it ("DECOMMISSIONED", "DEAD"); empty: it opens
    /// some.
    pub unavailable: String,
    /// Number of open EC pipelines.
    pub coded: u32,
    pub disks: Option<usize>,
}

impl Host {
    pub fn named(id: &str) -> Host {
        Host { id: id.into(), ..Host::default() }
    }

    /// From a pipeline's member, or a row of the list of nodes.
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
        Some(Host { id, name, rack, unavailable: away(value, details), coded: 0, disks })
    }

    /// The name, or the start of the ID if the name is empty or has blanks.
    pub fn short(&self) -> String {
        match self.name.is_empty() || self.name.contains(char::is_whitespace) {
            true => self.id.chars().take(8).collect(),
            false => self.name.clone(),
        }
    }

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

/// State for which SCM opens no pipelines on a node; "": none. SCM's state (`opState`) overrides
/// the one that the node stored (`persistedOpState`).
fn away(row: &Value, details: &Value) -> String {
    let states = ["opState", "operationalState"];
    let state = text(row, &states).or_else(|| text(details, &["persistedOpState"]));
    let has_flag = |name: &str| flag(details, name) || flag(row, name);
    let state = match state {
        Some(state) => state,
        None if has_flag("decommissioned") => "DECOMMISSIONED".into(),
        None if has_flag("maintenance") => "IN_MAINTENANCE".into(),
        None => "IN_SERVICE".into(),
    };
    let health = text(row, &["healthState", "nodeState"]).unwrap_or("HEALTHY".into());
    match (state.as_str(), health.as_str()) {
        ("IN_SERVICE", "HEALTHY") => String::new(),
        ("IN_SERVICE", _) => health,
        _ => state,
    }
}

/// A three-node Ratis pipeline: indexes of its nodes and its leader in `hosts`.
pub type Pipeline = ([usize; 3], usize);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dump {
    /// Nodes of pipelines come first.
    pub hosts: Vec<Host>,
    /// Open three-node Ratis pipelines.
    pub pipelines: Vec<Pipeline>,
    pub notes: Vec<String>,
    /// Software version of a node; `None`: not in the dump.
    pub version: Option<String>,
}

impl Dump {
    pub fn place(&self, id: &str) -> Option<usize> {
        self.hosts.iter().position(|host| host.id == id)
    }

    /// Returns the index of the node, new or known.
    pub fn add(&mut self, host: Host) -> usize {
        self.place(&host.id).unwrap_or_else(|| {
            self.hosts.push(host);
            self.hosts.len() - 1
        })
    }

    /// Removes nodes on which SCM opens no pipelines. Also removes their pipelines, which SCM
    /// closes (`StartDatanodeAdminHandler`, `StaleNodeHandler`).
    pub fn without_unavailable(mut self) -> Dump {
        let is_away = |place: &usize| !self.hosts[*place].unavailable.is_empty();
        let stays = |(of, _): &Pipeline| !of.iter().any(is_away);
        let (staying, closing): (Vec<Pipeline>, Vec<Pipeline>) =
            self.pipelines.iter().copied().partition(stays);
        let away: Vec<String> = self
            .hosts
            .iter()
            .filter(|host| !host.unavailable.is_empty())
            .map(|host| format!("{} ({})", host.short(), host.unavailable))
            .collect();
        if !away.is_empty() {
            self.notes.push(format!("SCM opens no pipelines on {}: left out", list_names(&away)))
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
            if host.unavailable.is_empty() {
                moved[place] = hosts.len();
                hosts.push(host)
            }
        }
        let again = |(of, leader): Pipeline| (of.map(|place| moved[place]), moved[leader]);
        let pipelines = staying.into_iter().map(again).collect();
        Dump { hosts, pipelines, notes: self.notes, version: self.version }
    }
}

/// Replication type: "RATIS", "EC", …; `None`: not in the dump.
pub fn kind(row: &Value) -> Option<String> {
    let config = row.get("replicationConfig").unwrap_or(&Value::Null);
    text(row, &["type", "replicationType"]).or_else(|| text(config, &["replicationType"]))
}
