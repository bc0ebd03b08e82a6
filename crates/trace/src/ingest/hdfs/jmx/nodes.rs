//! The nodes of `NameNodeInfo`: JSON texts within the JSON.
use super::super::error::{Bad, bad};
use super::super::report::{ReportedNode, admin_state};
use super::beans::{MOST, no_count};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A node of `LiveNodes` or `DeadNodes`, as the NameNode prints it; older ones print less.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Printed {
    xferaddr: String,
    location: Option<String>,
    admin_state: Option<String>,
    capacity: Option<i64>,
    remaining: Option<i64>,
    used: Option<i64>,
    num_blocks: Option<i64>,
    decommissioned: bool,
}

/// A node, and what it holds.
pub(super) struct Counted {
    pub(super) node: ReportedNode,
    pub(super) used: u64,
}

/// All nodes of an attribute: `{"host:port": { … }, … }`.
pub(super) fn read(attribute: &str, text: &str, alive: bool) -> Result<Vec<Counted>, Bad> {
    let printed: BTreeMap<String, Printed> = serde_json::from_str(text).map_err(|e| {
        bad(format!("{attribute} of NameNodeInfo is damaged ({e})"), "JSON in a text").advice(AGAIN)
    })?;
    let somewhere = printed.values().any(|node| node.location.is_some());
    let placeless = printed.iter().find(|(_, node)| somewhere && node.location.is_none());
    if let (Some((name, _)), true) = (placeless, alive) {
        let found = format!("{attribute} of NameNodeInfo: {name} has no location");
        return Err(bad(found, "a rack, as the other nodes have one").advice(AGAIN));
    }
    printed.into_iter().map(|(name, node)| counted(attribute, &name, node, alive)).collect()
}

const AGAIN: &str = "Save the page again.";

fn counted(attribute: &str, name: &str, node: Printed, alive: bool) -> Result<Counted, Bad> {
    let port = node.xferaddr.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
    if port.is_none() {
        let found = format!("{attribute}: {name} has \"{}\" as xferaddr", node.xferaddr);
        return Err(bad(found, "ip:port (Hadoop 2.3 and later print it)"));
    }
    let state = node.admin_state.as_deref();
    let said = if node.decommissioned { "Decommissioned" } else { "In Service" };
    let admin = admin_state(state.unwrap_or(said)).map_err(|wrong| Bad {
        problem: format!("{attribute}: {name} has the adminState {}", wrong.problem),
        ..wrong
    })?;
    let count = |key: &str, n: Option<i64>, most: u64| {
        // Of a dead node nothing of this is printed.
        let Some(n) = n.or((!alive).then_some(0)) else {
            let found = format!("{attribute} of NameNodeInfo: {name} has no {key}");
            return Err(bad(found, "a count, as every NameNode prints it").advice(AGAIN));
        };
        let found = || format!("{attribute} of NameNodeInfo: {name} has {key} = {n}");
        u64::try_from(n).ok().filter(|n| *n <= most).ok_or_else(|| no_count(&found(), most))
    };
    let bytes = |key: &str, n: Option<i64>| count(key, n, i64::MAX as u64);
    let blocks = count("numBlocks", node.num_blocks, MOST)?;
    let (capacity, used) = (bytes("capacity", node.capacity)?, bytes("used", node.used)?);
    // What is reserved later may leave a little less than is used.
    if capacity > 0 && used > capacity.saturating_add(capacity / 10) {
        let found = format!("{attribute} of NameNodeInfo: {name} has used = {used}");
        let expected = format!("at most its capacity, {capacity}");
        let advice = "Save the page again; if it says so again, look at that DataNode's volumes.";
        return Err(bad(found, expected).advice(advice));
    }
    let host = name.rsplit_once(':').map_or(name, |(host, _)| host);
    Ok(Counted {
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
