//! Nodes of `NameNodeInfo`: JSON texts within the JSON.
use super::super::report::{ReportedNode, admin_state};
use super::beans::{MOST, no_count};
use import::{Issue, issue};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A node of `LiveNodes` or `DeadNodes`; older NameNodes print fewer fields.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct PrintedNode {
    xferaddr: String,
    location: Option<String>,
    admin_state: Option<String>,
    capacity: Option<i64>,
    remaining: Option<i64>,
    used: Option<i64>,
    num_blocks: Option<i64>,
    decommissioned: bool,
}

pub(super) struct NodeUse {
    pub(super) node: ReportedNode,
    pub(super) used: u64,
}

/// Parses the nodes of an attribute: `{"host:port": { … }, … }`.
pub(super) fn read(attribute: &str, text: &str, alive: bool) -> Result<Vec<NodeUse>, Issue> {
    let printed: BTreeMap<String, PrintedNode> = serde_json::from_str(text).map_err(|e| {
        issue(format!("{attribute} of NameNodeInfo is damaged ({e})"), "JSON in a text")
            .advice(AGAIN)
    })?;
    if alive {
        complete(attribute, &printed)?
    }
    printed.into_iter().map(|(name, node)| counted(attribute, &name, node, alive)).collect()
}

const AGAIN: &str = "Save the page again.";

type FieldCheck = fn(&PrintedNode) -> bool;

/// All nodes must have the same fields: an old NameNode omits a field on every node.
fn complete(attribute: &str, printed: &BTreeMap<String, PrintedNode>) -> Result<(), Issue> {
    let has: [(&str, FieldCheck); 5] = [
        ("numBlocks", |node| node.num_blocks.is_some()),
        ("used", |node| node.used.is_some()),
        ("capacity", |node| node.capacity.is_some()),
        ("remaining", |node| node.remaining.is_some()),
        ("location", |node| node.location.is_some()),
    ];
    for (key, has) in has {
        let lacks = printed.iter().find(|(_, node)| !has(node));
        if let (Some((name, _)), true) = (lacks, printed.values().any(has)) {
            let found = format!("{attribute} of NameNodeInfo: {name} has no {key}");
            return Err(issue(found, "one, as other nodes have").advice(AGAIN));
        }
    }
    Ok(())
}

fn counted(attribute: &str, name: &str, node: PrintedNode, alive: bool) -> Result<NodeUse, Issue> {
    let port = node.xferaddr.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
    if port.is_none() {
        let found = format!("{attribute}: {name} has \"{}\" as xferaddr", node.xferaddr);
        return Err(issue(found, "ip:port (Hadoop 2.3 and later print it)"));
    }
    let state = node.admin_state.as_deref();
    let said = if node.decommissioned { "Decommissioned" } else { "In Service" };
    let admin = admin_state(state.unwrap_or(said)).map_err(|wrong| Issue {
        problem: format!("{attribute}: {name} has the adminState {}", wrong.problem),
        ..wrong
    })?;
    let count = |key: &str, n: Option<i64>, most: u64| {
        let n = n.unwrap_or(0);
        let found = || format!("{attribute} of NameNodeInfo: {name} has {key} = {n}");
        u64::try_from(n).ok().filter(|n| *n <= most).ok_or_else(|| no_count(&found(), most))
    };
    let bytes = |key: &str, n: Option<i64>| count(key, n, i64::MAX as u64);
    let blocks = count("numBlocks", node.num_blocks, MOST)?;
    let (capacity, used) = (bytes("capacity", node.capacity)?, bytes("used", node.used)?);
    // A reservation made later can reduce the capacity slightly below the used space.
    if capacity > 0 && used > capacity.saturating_add(capacity / 10) {
        let found = format!("{attribute} of NameNodeInfo: {name} has used = {used}");
        let expected = format!("at most its capacity, {capacity}");
        let advice = "Save the page again; if the error stays, check that DataNode's volumes.";
        return Err(issue(found, expected).advice(advice));
    }
    let host = name.rsplit_once(':').map_or(name, |(host, _)| host);
    Ok(NodeUse {
        node: ReportedNode {
            address: node.xferaddr,
            host: (!host.is_empty()).then(|| host.to_string()),
            rack: node.location,
            admin,
            capacity,
            remaining: bytes("remaining", node.remaining)?,
            xceivers: 0,
            blocks: alive.then_some(blocks),
            alive,
            line: 0,
        },
        used,
    })
}
