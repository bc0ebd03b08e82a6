//! The JSON of `ozone admin pipeline list` and `ozone admin datanode list`, of several versions.
use serde_json::Value;
use std::path::Path;
use system::Failure;

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    id: String,
    name: String,
    /// Its network location; empty: not told.
    pub rack: String,
}

impl Host {
    /// A node of which only the id is known.
    pub fn named(id: &str) -> Host {
        Host { id: id.into(), name: String::new(), rack: String::new() }
    }

    /// Its name without blanks; else the head of its id.
    pub fn short(&self) -> String {
        match self.name.is_empty() || self.name.contains(char::is_whitespace) {
            true => self.id.chars().take(8).collect(),
            false => self.name.clone(),
        }
    }
}

/// What dumps say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dump {
    /// All nodes, those of pipelines first.
    pub hosts: Vec<Host>,
    /// Open Ratis pipelines of three: nodes and leader, as places in `hosts`.
    pub pipelines: Vec<([usize; 3], usize)>,
    /// What was left out or assumed.
    pub notes: Vec<String>,
}

impl Dump {
    /// The place of the node of this id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.hosts.iter().position(|host| host.id == id)
    }

    fn add(&mut self, host: Host) -> usize {
        self.place(&host.id).unwrap_or_else(|| {
            self.hosts.push(host);
            self.hosts.len() - 1
        })
    }
}

/// Parses a dump: an array of objects, bare or below one of these keys.
fn rows(path: &Path, text: &str, what: &str) -> Result<Vec<Value>, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|e| {
        let cut = if e.is_eof() { " (the file is cut off)" } else { "" };
        Failure::BadInput(format!("{}:{}: {e}{cut}: expected {what}", path.display(), e.line()))
    })?;
    match value {
        Value::Array(rows) => Ok(rows),
        _ => Err(Failure::BadInput(format!(
            "{}:1: no array at its top: expected {what}",
            path.display()
        ))),
    }
}

/// The first of these fields that is a text, or an object with one of `id`, `uuid` in it.
fn text(row: &Value, fields: &[&str]) -> Option<String> {
    let of = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(_) => ["id", "uuid", "uuidString"].iter().find_map(|f| {
            let inner = value.get(f)?;
            let nested = inner.get("id").or(inner.get("uuid")).unwrap_or(inner);
            nested.as_str().map(str::to_string)
        }),
        _ => None,
    };
    fields.iter().find_map(|field| row.get(field).and_then(of))
}

fn host(value: &Value) -> Option<Host> {
    if let Value::String(id) = value {
        return Some(Host::named(id));
    }
    let id = text(value, &["uuid", "uuidString", "id"])?;
    let name = text(value, &["hostName", "hostname", "ipAddress"]).unwrap_or_default();
    let rack = text(value, &["networkLocation"]).unwrap_or_default();
    Some(Host { id, name, rack })
}

/// Reads open pipelines.
///
/// # Errors
/// No JSON, half a dump, a pipeline without nodes.
pub fn pipelines(path: &Path, content: &str) -> Result<Dump, Failure> {
    let what = "what `ozone admin pipeline list --json` prints";
    let mut dump = Dump::default();
    let (mut closed, mut others) = (0, 0);
    for (number, row) in (1..).zip(rows(path, content, what)?) {
        let wrong = |problem: &str| {
            Failure::BadInput(format!(
                "{}: pipeline {number}: {problem}: expected {what}",
                path.display()
            ))
        };
        let state = text(&row, &["state", "pipelineState"]).ok_or_else(|| wrong("no state"))?;
        let nodes = ["nodes", "members", "nodeSet"].iter().find_map(|f| row.get(f)?.as_array());
        let nodes = nodes.ok_or_else(|| wrong("no nodes"))?;
        if nodes.len() != 3 {
            others += 1;
            continue;
        }
        let mut of = [0; 3];
        for (place, node) in of.iter_mut().zip(nodes) {
            *place = dump.add(host(node).ok_or_else(|| wrong("a node without id"))?)
        }
        if of[0] == of[1] || of[1] == of[2] || of[0] == of[2] {
            return Err(wrong("a node stands in it twice"));
        }
        if state != "OPEN" {
            closed += 1;
            continue;
        }
        let leader = text(&row, &["leader", "leaderId", "leaderNode", "leaderDatanode"]);
        let leader = match leader.as_deref().and_then(|id| dump.place(id)) {
            Some(place) if of.contains(&place) => place,
            _ => {
                dump.notes.push(format!(
                    "pipeline {number}: its leader is not told; its first node is assumed"
                ));
                of[0]
            }
        };
        dump.pipelines.push((of, leader))
    }
    for (count, what) in [(closed, "not open"), (others, "not of three nodes")] {
        if count > 0 {
            dump.notes.push(format!("{count} pipelines are {what}: left out"))
        }
    }
    Ok(dump)
}

/// Reads the list of nodes.
///
/// # Errors
/// No JSON, half a dump; a pipeline's node that is not in the list.
pub fn datanodes(path: &Path, content: &str, dump: &mut Dump) -> Result<(), Failure> {
    let what = "what `ozone admin datanode list --json` prints";
    let mut listed = Vec::new();
    for (number, row) in (1..).zip(rows(path, content, what)?) {
        let details = row.get("datanodeDetails").unwrap_or(&row);
        let host = host(details).ok_or_else(|| {
            Failure::BadInput(format!("{}: node {number}: no id: expected {what}", path.display()))
        })?;
        let health = text(&row, &["healthState", "nodeState"]).unwrap_or("HEALTHY".into());
        listed.push(host.id.clone());
        match dump.place(&host.id) {
            Some(place) => dump.hosts[place] = host,
            None if health == "HEALTHY" => dump.hosts.push(host),
            None => dump.notes.push(format!("{} is {health}: left out", host.short())),
        }
    }
    match dump.hosts.iter().find(|host| !listed.contains(&host.id)) {
        None => Ok(()),
        Some(host) => Err(Failure::BadInput(format!(
            "{}: node {} is in a pipeline and not in this list: expected both dumps from the same \
             time; take them again",
            path.display(),
            host.id
        ))),
    }
}
