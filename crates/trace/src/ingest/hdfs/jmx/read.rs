//! Reads a NameNode's dump.
use super::super::error::{Bad, ImportError, bad};
use super::super::sniff::Kind;
use super::super::source::{self, Input, OnProgress};
use super::beans::Beans;
use super::dump::Dump;
use super::nodes;
use super::page::{self, Page};

/// Reads a NameNode's dump; of 10 000 nodes it has 6 MB.
pub(in super::super) fn read(
    input: &Input,
    tell: &mut OnProgress<'_>,
) -> Result<Dump, ImportError> {
    let name = input.name();
    let whole = |bad: Bad| bad.at(&name, None);
    let bytes = source::open(input, tell).map_err(whole)?;
    let page: Page<Beans> = page::read(Kind::Jmx, &name, bytes)?;
    if !page.beans.has("NameNodeInfo") {
        let expected = "a NameNode's, with the bean NameNodeInfo";
        return Err(whole(page.foreign(Kind::Jmx, "NameNode", expected)));
    }
    let beans = page.beans;
    beans.check().map_err(whole)?;
    let mut nodes = Vec::new();
    for (attribute, alive) in [("LiveNodes", true), ("DeadNodes", false)] {
        let text = beans.text("NameNodeInfo", attribute).unwrap_or("{}");
        nodes.extend(nodes::read(attribute, text, alive).map_err(whole)?)
    }
    if nodes.is_empty() {
        let advice = "Is it a NameNode that has just started? Ask again when its nodes are there.";
        return Err(whole(bad("no DataNode in LiveNodes", "at least one").advice(advice)));
    }
    let mut dump = Dump { nodes, beans };
    dump.spread_transfers();
    Ok(dump)
}
