//! Who is there: DataNodes and racks.
use crate::{NodeId, RackId};
use rewind::Scalar;
use units::Bytes;

/// What the operator has asked of a DataNode (`DatanodeInfo.AdminStates`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub enum Admin {
    /// Serves and receives.
    #[default]
    InService,
    /// Its blocks are being copied away.
    Decommissioning,
    /// Done with; its replicas count no more.
    Decommissioned,
    /// On its way to a maintenance with a minimum of live replicas elsewhere.
    EnteringMaintenance,
    /// Down for a while; its replicas count as present.
    InMaintenance,
}

/// A DataNode as the NameNode knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Host name, or the address where no input told the name.
    pub host: String,
    /// Transfer address, `ip:port` (JMX: `xferaddr`): what joins the tools' outputs.
    pub address: String,
    /// Its rack.
    pub rack: RackId,
    /// Sends heartbeats.
    pub alive: bool,
    /// Operator's wish.
    pub admin: Admin,
    /// Configured capacity.
    pub capacity: Bytes,
    /// Left for HDFS.
    pub remaining: Bytes,
    /// Open transfer threads, for `considerLoad`.
    pub xceivers: u32,
    /// Disks (storages).
    pub disks: u16,
}

/// A rack: the nodes below one uplink.
#[derive(Clone, PartialEq, Debug)]
pub struct Rack {
    /// As the topology script names it: `/rack1`.
    pub name: String,
    /// Its nodes, in the order of ids.
    pub nodes: Vec<NodeId>,
}

/// All nodes and racks.
#[derive(Clone, PartialEq, Debug)]
pub struct Cluster {
    /// Short name, for titles.
    pub name: String,
    /// By `NodeId`.
    pub nodes: Vec<Node>,
    /// By `RackId`.
    pub racks: Vec<Rack>,
}

impl Cluster {
    /// What people call the nodes: host names without the domain that they all share.
    pub fn labels(&self) -> Vec<String> {
        let hosts: Vec<&str> = self.nodes.iter().map(|n| n.host.as_str()).collect();
        let domain = shared_domain(&hosts);
        hosts.iter().map(|host| host[..host.len() - domain].to_string()).collect()
    }
}

/// The length of the longest suffix, from a dot on, that all names share and that leaves a name
/// with a letter to each (an address is no name). What differs before the suffix keeps them apart.
fn shared_domain(hosts: &[&str]) -> usize {
    let [first, others @ ..] = hosts else { return 0 };
    let fits = |domain: &str| {
        let mut all = hosts.iter();
        all.all(|h| h.strip_suffix(domain).is_some_and(|l| l.contains(char::is_alphabetic)))
    };
    let dots = first.match_indices('.').map(|(at, _)| &first[at..]);
    let longest = dots.into_iter().find(|domain| !others.is_empty() && fits(domain));
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
            (vec![], ""),
        ];
        for (hosts, domain) in table {
            assert_eq!(shared_domain(&hosts), domain.len(), "{hosts:?}")
        }
    }
}
