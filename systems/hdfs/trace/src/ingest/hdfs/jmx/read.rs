//! Reads a NameNode's dump.
use super::super::sniff::Kind;
use super::beans::Beans;
use super::dump::Dump;
use super::nodes::{self, NodeUse};
use import::jmx::Page;
use import::{ImportError, Input, Issue, OnProgress, issue};
use std::collections::BTreeSet;

/// A dump of 10 000 nodes has 6 MB.
pub(in super::super) fn read(
    input: &Input,
    tell: &mut OnProgress<'_>,
) -> Result<Dump, ImportError> {
    let name = input.name();
    let whole = |bad: Issue| bad.at(&name, None);
    let bytes = import::open(input, tell).map_err(whole)?;
    let page: Page<Beans> = import::jmx::read(&Kind::Jmx.wanted(), &name, bytes)?;
    if !page.beans.has("NameNodeInfo") {
        let expected = "a NameNode's, with the bean NameNodeInfo";
        return Err(whole(page.foreign(&Kind::Jmx.wanted(), "NameNode", expected)));
    }
    let beans = page.beans;
    beans.check().map_err(whole)?;
    let mut nodes = Vec::new();
    for (attribute, alive) in [("LiveNodes", true), ("DeadNodes", false)] {
        let text = beans.text("NameNodeInfo", attribute).unwrap_or("{}");
        nodes.extend(nodes::read(attribute, text, alive).map_err(whole)?)
    }
    let mut addresses = BTreeSet::new();
    for NodeUse { node, .. } in nodes.iter().filter(|counted| counted.node.alive) {
        if !addresses.insert(&node.address) {
            let found = format!("LiveNodes: two nodes have {} as xferaddr", node.address);
            let advice = "Save the page again: a NameNode treats them as one node.";
            return Err(whole(issue(found, "a unique address for each").advice(advice)));
        }
    }
    if nodes.is_empty() {
        let advice = "Has the NameNode just started? Save the page again when its nodes are there.";
        return Err(whole(issue("no DataNode in LiveNodes", "at least one").advice(advice)));
    }
    let mut dump = Dump { nodes, beans };
    dump.spread_transfers();
    Ok(dump)
}
