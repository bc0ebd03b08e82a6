//! Nodes and racks.
use crate::{NodeId, RackId};
use rewind::Scalar;
use units::Bytes;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub enum Admin {
    #[default]
    InService,
    Decommissioning,
    /// Its replicas no longer count.
    Decommissioned,
    /// Enters maintenance once enough live replicas are on other nodes.
    EnteringMaintenance,
    /// Temporarily down; its replicas count as present.
    InMaintenance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Host name, or the address if the name is unknown.
    pub host: String,
    /// Transfer address `ip:port` (JMX: `xferaddr`), the join key of the tools' outputs.
    pub address: String,
    pub rack: RackId,
    pub alive: bool,
    pub admin: Admin,
    pub capacity: Bytes,
    pub remaining: Bytes,
    /// Open transfer threads, for `considerLoad`.
    pub xceivers: u32,
    pub disks: u16,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Rack {
    /// As in the topology script: `/rack1`.
    pub name: String,
    /// In the order of ids.
    pub nodes: Vec<NodeId>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Cluster {
    pub name: String,
    /// By `NodeId`.
    pub nodes: Vec<Node>,
    /// By `RackId`.
    pub racks: Vec<Rack>,
}

impl Cluster {
    /// Host names without the domain that all share. Nodes with only an address are ignored for the
    /// domain.
    pub fn labels(&self) -> Vec<String> {
        let hosts: Vec<&str> = self.nodes.iter().map(|n| n.host.as_str()).collect();
        let domain = shared_domain(&hosts);
        let label = |host: &&str| {
            let end = if is_name(host) { host.len() - domain } else { host.len() };
            host[..end].to_string()
        };
        hosts.iter().map(label).collect()
    }
}

fn is_name(host: &str) -> bool {
    host.contains(char::is_alphabetic) && !host.contains(':')
}

/// Length of the longest suffix, starting at a dot, that all names share and whose removal leaves a
/// letter in each. A single name next to addresses is cut after its first label.
fn shared_domain(hosts: &[&str]) -> usize {
    let names: Vec<&str> = hosts.iter().copied().filter(|host| is_name(host)).collect();
    let [first, ..] = names[..] else { return 0 };
    let others = hosts.len() > 1;
    let fits = |domain: &str| {
        let mut all = names.iter();
        all.all(|h| h.strip_suffix(domain).is_some_and(|l| l.contains(char::is_alphabetic)))
    };
    let dots = first.match_indices('.').map(|(at, _)| &first[at..]);
    let longest = dots.into_iter().find(|domain| others && fits(domain));
    longest.map_or(0, str::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_drop_only_what_all_share() {
        let table = [
            (vec!["a1.x.org", "b.x.org"], ".x.org"),
            (vec!["a.r1.x.org", "a.r2.x.org"], ".x.org"),
            (vec!["a.x.org", "a.y.org"], ".org"),
            (vec!["a.x.org"], ""),
            (vec!["10.1.0.5", "10.2.0.5"], ""),
            (vec!["a.x.org", "b"], ""),
            (vec!["a.x.org", "10.1.0.5", "fe80::a.x.org"], ".x.org"),
            (vec!["a.x.org", "10.1.0.5", "b.x.org"], ".x.org"),
            (vec![], ""),
        ];
        for (hosts, domain) in table {
            assert_eq!(shared_domain(&hosts), domain.len(), "{hosts:?}")
        }
    }

    #[test]
    fn an_address_stays_whole() {
        let node = |host: &str| Node {
            host: host.into(),
            address: "10.1.0.1:9866".into(),
            rack: RackId(0),
            alive: true,
            admin: Admin::InService,
            capacity: Bytes(0),
            remaining: Bytes(0),
            xceivers: 0,
            disks: 0,
        };
        let of = |hosts: &[&str]| {
            let nodes = hosts.iter().map(|host| node(host)).collect();
            Cluster { name: String::new(), nodes, racks: vec![] }.labels()
        };
        // For any number of nodes without a name.
        assert_eq!(of(&["host5.foo.com", "10.1.0.7"]), ["host5", "10.1.0.7"]);
        let more = ["host5.foo.com", "10.1.0.7", "host3.foo.com"];
        assert_eq!(of(&more), ["host5", "10.1.0.7", "host3"]);
    }
}
