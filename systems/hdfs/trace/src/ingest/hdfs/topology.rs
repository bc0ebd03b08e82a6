//! `hdfs dfsadmin -printTopology`: racks, host names and admin states, but not dead nodes.
use super::report::admin_state;
use super::sniff::Kind;
use cluster::Admin;
use import::{ImportError, Issue, Lines, issue, quote};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlacedNode {
    pub(super) address: String,
    pub(super) host: Option<String>,
    pub(super) rack: String,
    /// `None`: Hadoop 2.
    pub(super) admin: Option<Admin>,
    pub(super) line: u64,
}

pub(super) fn read(name: &str, lines: &mut Lines<'_>) -> Result<Vec<PlacedNode>, ImportError> {
    let (mut out, mut rack, mut seen) = (Vec::<PlacedNode>::new(), None, BTreeSet::new());
    loop {
        let number = lines.number + 1;
        let line = lines.next_line().map_err(|bad| bad.at(name, Some(number)))?;
        let Some(line) = line else { break };
        let text = std::str::from_utf8(line).map_err(|_| {
            issue(format!("{} is not UTF-8", quote(line)), "UTF-8").at(name, Some(number))
        })?;
        if let Some(path) = text.strip_prefix("Rack: ") {
            rack = Some(path.trim().to_string());
        } else if let (true, Some(rack)) = (text.starts_with("   "), &rack) {
            let node = node(text.trim(), rack, number).map_err(|bad| bad.at(name, Some(number)))?;
            if !seen.insert(node.address.clone()) {
                let found = format!("{} twice", node.address);
                return Err(issue(found, "each node once").at(name, Some(number)));
            }
            out.push(node)
        } else if rack.is_some() && !text.trim().is_empty() {
            let expected = "`Rack: /path`, or `   ip:port (host) state` below it";
            return Err(issue(quote(line), expected).at(name, Some(number)));
        }
    }
    if out.is_empty() {
        let advice = format!("Run `{}` as HDFS's superuser.", Kind::Topology.command());
        return Err(issue("no node", "`Rack: /path` and its nodes").advice(advice).at(name, None));
    }
    Ok(out)
}

/// Parses `10.0.1.2:9866 (dn-r1-02.shop.example) In Service`.
fn node(text: &str, rack: &str, line: u64) -> Result<PlacedNode, Issue> {
    let form = || issue(quote(text.as_bytes()), "`ip:port (host) state`");
    let (address, rest) = text.split_once(' ').unwrap_or((text, ""));
    address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok()).ok_or_else(form)?;
    let (host, state) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').map(|(h, s)| (Some(h), s.trim())).ok_or_else(form)?,
        None => (None, rest.trim()),
    };
    Ok(PlacedNode {
        address: address.into(),
        host: host.filter(|h| !h.is_empty()).map(String::from),
        rack: rack.into(),
        admin: if state.is_empty() { None } else { Some(admin_state(state)?) },
        line,
    })
}
