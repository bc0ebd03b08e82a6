//! Which node a name means.
use crate::{Cluster, Node, NodeId, nearest};

/// Why a name means no node.
pub(crate) struct NoNode {
    pub(crate) problem: String,
    pub(crate) expected: String,
    pub(crate) hint: Option<String>,
}

/// The node whose host name, first label of it, host:port, ip:port or ip is `name`, else the only
/// one of which it is a prefix.
pub(crate) fn find(cluster: &Cluster, name: &str) -> Result<NodeId, NoNode> {
    let matching = |how: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let of = |node: &Node| names(node).iter().any(|n| how(n));
        (0..cluster.nodes.len()).filter(|&i| of(&cluster.nodes[i])).collect()
    };
    let mut found = matching(&|n| n == name);
    if found.is_empty() {
        found = matching(&|n| n.starts_with(name))
    }
    match found[..] {
        [one] => Ok(NodeId(one as u32)),
        [] => {
            let hosts = cluster.nodes.iter().flat_map(|n| [n.host.as_str(), first_label(&n.host)]);
            Err(NoNode {
                problem: format!("no node is called \"{name}\""),
                expected: format!(
                    "one of the {} nodes of {}",
                    cluster.nodes.len(),
                    some(cluster, &[0])
                ),
                hint: nearest(name, hosts).map(|host| format!("\"{host}\"")),
            })
        }
        _ => Err(NoNode {
            problem: format!("{} nodes are called \"{name}\"", found.len()),
            expected: format!("a prefix of one only: {}", some(cluster, &found)),
            hint: None,
        }),
    }
}

fn names(node: &Node) -> [String; 5] {
    let (ip, port) = node.address.rsplit_once(':').unwrap_or((&node.address, ""));
    let host_port = format!("{}:{port}", node.host);
    let label = first_label(&node.host).to_string();
    [node.host.clone(), label, host_port, node.address.clone(), ip.to_string()]
}

/// `dn1` of `dn1.shop.example`; an address whole.
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
