//! Lookup of the nodes, racks and disks that an event names.
use cluster::{Cluster, DiskId, Node, NodeId, RackId, nearest};

pub(crate) struct NoTarget {
    pub(crate) problem: String,
    pub(crate) expected: String,
    pub(crate) hint: Option<String>,
}

/// Matches host name, its first label, host:port, ip:port or ip; else a unique prefix.
pub(crate) fn node(cluster: &Cluster, name: &str) -> Result<NodeId, NoTarget> {
    let matching = |how: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let of = |node: &Node| names(node).iter().any(|n| how(n));
        (0..cluster.nodes.len()).filter(|&i| of(&cluster.nodes[i])).collect()
    };
    let mut found = matching(&|n| n == name);
    if found.is_empty() {
        found = matching(&|n| n.starts_with(name))
    }
    match found[..] {
        [one] => Ok(NodeId::nth(one)),
        [] => {
            let hosts = cluster.nodes.iter().flat_map(|n| [n.host.as_str(), first_label(&n.host)]);
            Err(NoTarget {
                problem: format!("no node is called \"{name}\""),
                expected: format!(
                    "one of the {} nodes of {}",
                    cluster.nodes.len(),
                    some(cluster, &[0])
                ),
                hint: nearest(name, hosts).map(|host| format!("\"{host}\"")),
            })
        }
        _ => Err(NoTarget {
            problem: format!("{} nodes are called \"{name}\"", found.len()),
            expected: format!("a prefix of only one: {}", some(cluster, &found)),
            hint: None,
        }),
    }
}

/// Nodes that a line of `dfs.hosts.exclude` names: by host name, its first label, host:port,
/// ip:port or ip. No prefixes, since the name can belong to a removed host. Case is ignored, as in
/// `HostsFileReader`.
pub fn nodes_called(cluster: &Cluster, name: &str) -> Vec<NodeId> {
    let is = |node: &Node| names(node).iter().any(|n| n.eq_ignore_ascii_case(name));
    let all = (0..cluster.nodes.len()).filter(|&i| is(&cluster.nodes[i]));
    all.map(NodeId::nth).collect()
}

/// With or without leading slash.
pub(crate) fn rack(cluster: &Cluster, name: &str) -> Result<RackId, NoTarget> {
    let bare = |rack: &str| rack.trim_start_matches('/').to_string();
    let found = cluster.racks.iter().position(|rack| bare(&rack.name) == bare(name));
    found.map(RackId::nth).ok_or_else(|| {
        let names = || cluster.racks.iter().map(|rack| rack.name.as_str());
        let first: Vec<String> = names().take(3).map(|n| format!("\"{n}\"")).collect();
        let more = if cluster.racks.len() > 3 { ", …" } else { "" };
        NoTarget {
            problem: format!("no rack is called \"{name}\""),
            expected: format!("one of {}{more}", first.join(", ")),
            hint: nearest(name, names()).map(|rack| format!("\"{rack}\"")),
        }
    })
}

/// `NODE/NUMBER`, counted from 0. `disks` applies to nodes whose number of disks is unknown.
pub(crate) fn disk(
    cluster: &Cluster,
    disks: u16,
    name: &str,
) -> Result<(NodeId, DiskId), NoTarget> {
    let wrong = |problem: String, expected: String| NoTarget { problem, expected, hint: None };
    let Some((host, number)) = name.rsplit_once('/').filter(|(host, _)| !host.is_empty()) else {
        return Err(wrong(format!("\"{name}\" is not a disk"), "NODE/NUMBER, as in dn-1/0".into()));
    };
    let id = node(cluster, host)?;
    let own = cluster.nodes[id.at()].disks;
    let count = if own == 0 { disks } else { own };
    match number.parse::<u16>() {
        Ok(disk) if disk < count => Ok((id, DiskId(disk))),
        _ => Err(wrong(
            format!("\"{}\" has no disk \"{number}\"", cluster.nodes[id.at()].host),
            format!("0 to {}", count.saturating_sub(1)),
        )),
    }
}

fn names(node: &Node) -> [String; 5] {
    let (ip, port) = node.address.rsplit_once(':').unwrap_or((&node.address, ""));
    let host_port = format!("{}:{port}", node.host);
    let label = first_label(&node.host).to_string();
    [node.host.clone(), label, host_port, node.address.clone(), ip.to_string()]
}

/// `dn1` of `dn1.shop.example`; an IP address unchanged.
fn first_label(host: &str) -> &str {
    let is_address = host.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b':');
    if is_address { host } else { host.split('.').next().unwrap_or(host) }
}

fn some(cluster: &Cluster, found: &[usize]) -> String {
    if let [only] = found {
        let last = cluster.nodes.last().map_or("", |n| n.host.as_str());
        return format!("{}: \"{}\" … \"{last}\"", cluster.name, cluster.nodes[*only].host);
    }
    let first: Vec<_> =
        found.iter().take(3).map(|&i| format!("\"{}\"", cluster.nodes[i].host)).collect();
    first.join(", ") + if found.len() > 3 { ", …" } else { "" }
}
