//! Bytes of copies per node and disk.
use hdfs_trace::{Interval, NodeId, Trace, bytes, disk, kind};

/// Sums over copies that moved bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct NodeTraffic {
    pub alive: bool,
    pub sent: u64,
    pub received: u64,
    pub sent_bytes: u64,
    pub received_bytes: u64,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Load {
    pub nodes: Vec<NodeTraffic>,
    /// Read and written, by node and disk \[bytes\].
    pub disks: Vec<Vec<u64>>,
}

impl Load {
    pub fn of(trace: &Trace) -> Load {
        let node = |alive| NodeTraffic { alive, ..NodeTraffic::default() };
        let mut load = Load {
            nodes: trace.nodes.iter().map(|row| node(row.alive)).collect(),
            disks: vec![Vec::new(); trace.nodes.len()],
        };
        for resource in trace.resources.iter().filter(|r| r.kind == kind::DISK) {
            if let Some(disks) = resource.node.and_then(|n| load.disks.get_mut(n.at())) {
                disks.push(0);
            }
        }
        for copy in transfers(trace) {
            let bytes = bytes(copy);
            if let Some(source) = load.at(copy.node, disk(trace, copy.resource), bytes) {
                source.sent += 1;
                source.sent_bytes += bytes;
            }
            if let Some(target) = load.at(copy.peer, disk(trace, copy.peer_resource), bytes) {
                target.received += 1;
                target.received_bytes += bytes;
            }
        }
        load
    }

    /// Adds `bytes` to the disk; returns the node.
    fn at(
        &mut self,
        node: Option<NodeId>,
        disk: Option<u16>,
        bytes: u64,
    ) -> Option<&mut NodeTraffic> {
        let node = node?.at();
        let carried = self.nodes.get_mut(node)?;
        if let Some(disk) = disk.map(usize::from) {
            let disks = &mut self.disks[node];
            disks.resize(disks.len().max(disk + 1), 0);
            disks[disk] += bytes;
        }
        Some(carried)
    }

    /// By live node \[bytes\].
    pub fn live_sent(&self) -> Vec<f64> {
        self.live().map(|node| node.sent_bytes as f64).collect()
    }

    /// By live node \[bytes\].
    pub fn live_received(&self) -> Vec<f64> {
        self.live().map(|node| node.received_bytes as f64).collect()
    }

    /// Read and written by each disk of live nodes \[bytes\].
    pub fn live_disks(&self) -> Vec<f64> {
        let live = self.disks.iter().zip(&self.nodes).filter(|(_, node)| node.alive);
        live.flat_map(|(disks, _)| disks.iter().map(|&bytes| bytes as f64)).collect()
    }

    pub fn live(&self) -> impl Iterator<Item = &NodeTraffic> {
        self.nodes.iter().filter(|node| node.alive)
    }
}

/// Copies with bytes; a broken copy has none.
pub fn transfers(trace: &Trace) -> impl Iterator<Item = &Interval> {
    let copies = trace.intervals.iter().filter(|row| row.kind == kind::TRANSFER);
    copies.filter(|copy| bytes(copy) > 0)
}
