//! Latencies between nodes, and oversubscription of racks.
use crate::{Cluster, Hardware, NodeId, RackId};
use units::{BytesPerSec, Nanos};

#[derive(Clone, PartialEq, Debug)]
pub struct Topology {
    /// By `RackId`.
    pub racks: Vec<RackLinks>,
    /// Between two nodes of a rack.
    pub within_rack: Nanos,
    /// Between two nodes of different racks.
    pub between_racks: Nanos,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RackLinks {
    pub rack: RackId,
    /// Sum of its nodes' NICs, each direction.
    pub nics: BytesPerSec,
    /// Rate to other racks, each direction; `None`: a single rack.
    pub uplink: Option<BytesPerSec>,
}

impl RackLinks {
    /// Sum of NICs / uplink; above 1: oversubscribed.
    pub fn oversubscription(&self) -> Option<f64> {
        self.uplink.map(|uplink| self.nics.0 as f64 / uplink.0 as f64)
    }
}

impl Topology {
    pub fn new(cluster: &Cluster, hardware: &Hardware) -> Topology {
        let alone = cluster.racks.len() < 2;
        let links = |(i, rack): (usize, &crate::Rack)| RackLinks {
            rack: RackId::nth(i),
            nics: BytesPerSec(hardware.nic.0.saturating_mul(rack.nodes.len() as u64)),
            uplink: (!alone).then_some(hardware.inter_rack),
        };
        Topology {
            racks: cluster.racks.iter().enumerate().map(links).collect(),
            within_rack: hardware.nic_latency,
            between_racks: hardware.nic_latency + hardware.inter_rack_latency,
        }
    }

    /// 0 if `a` is `b`.
    pub fn latency(&self, cluster: &Cluster, a: NodeId, b: NodeId) -> Nanos {
        let rack = |node: NodeId| cluster.nodes[node.at()].rack;
        match (a == b, rack(a) == rack(b)) {
            (true, _) => Nanos::ZERO,
            (false, true) => self.within_rack,
            (false, false) => self.between_racks,
        }
    }
}
