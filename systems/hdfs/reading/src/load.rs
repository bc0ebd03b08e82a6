//! What each node and each disk carried in copies.
use crate::report::Balance;
use hdfs_trace::{Interval, IntervalKind, ResourceKind, Trace};
use serde::{Deserialize, Serialize};

/// What a node carried in copies that moved bytes.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Carried {
    /// Copies sent.
    pub sent: f64,
    /// Copies received.
    pub received: f64,
    /// Sent \[bytes\].
    pub sent_bytes: f64,
    /// Received \[bytes\].
    pub received_bytes: f64,
}

/// Of each node of a trace, by its place.
pub fn carried(trace: &Trace) -> Vec<Carried> {
    let mut all = vec![Carried::default(); trace.nodes.len()];
    let place = |node: Option<u32>| node.map_or(usize::MAX, |node| node as usize);
    for copy in transfers(trace) {
        let bytes = copy.bytes.0 as f64;
        if let Some(source) = all.get_mut(place(copy.node)) {
            source.sent += 1.0;
            source.sent_bytes += bytes;
        }
        if let Some(target) = all.get_mut(place(copy.peer)) {
            target.received += 1.0;
            target.received_bytes += bytes;
        }
    }
    all
}

/// Bytes of all copies, by who carried them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Load {
    /// Sent, node by node.
    pub sent: Vec<u64>,
    /// Received, node by node.
    pub received: Vec<u64>,
    /// Read and written, node by node and disk by disk.
    pub disks: Vec<Vec<u64>>,
    /// Whether the node is live at the end.
    pub alive: Vec<bool>,
}

impl Load {
    /// Sums the transfers of a trace.
    pub fn of(trace: &Trace) -> Load {
        let nodes = trace.nodes.len();
        let mut load = Load {
            sent: vec![0; nodes],
            received: vec![0; nodes],
            disks: vec![Vec::new(); nodes],
            alive: trace.nodes.iter().map(|node| node.alive).collect(),
        };
        for resource in trace.resources.iter().filter(|r| r.kind == ResourceKind::Disk) {
            if let Some(disks) = resource.node.and_then(|n| load.disks.get_mut(n as usize)) {
                disks.push(0);
            }
        }
        for transfer in transfers(trace) {
            load.add(transfer);
        }
        load
    }

    fn add(&mut self, transfer: &Interval) {
        let bytes = transfer.bytes.0;
        let ends = [(transfer.node, transfer.disk), (transfer.peer, transfer.peer_disk)];
        for (carried, (node, disk)) in [&mut self.sent, &mut self.received].into_iter().zip(ends) {
            let Some(node) = node.map(|n| n as usize).filter(|&n| n < carried.len()) else {
                continue;
            };
            carried[node] += bytes;
            if let Some(disk) = disk {
                let disks = &mut self.disks[node];
                disks.resize(disks.len().max(disk as usize + 1), 0);
                disks[disk as usize] += bytes;
            }
        }
    }

    /// Sent by each live node \[bytes\].
    pub fn live_sent(&self) -> Vec<f64> {
        self.live(&self.sent)
    }

    /// Received by each live node \[bytes\].
    pub fn live_received(&self) -> Vec<f64> {
        self.live(&self.received)
    }

    /// Read and written by each disk of live nodes \[bytes\].
    pub fn live_disks(&self) -> Vec<f64> {
        let live = self.disks.iter().zip(&self.alive).filter(|(_, alive)| **alive);
        live.flat_map(|(disks, _)| disks.iter().map(|&bytes| bytes as f64)).collect()
    }

    fn live(&self, of: &[u64]) -> Vec<f64> {
        let live = of.iter().zip(&self.alive).filter(|(_, alive)| **alive);
        live.map(|(&bytes, _)| bytes as f64).collect()
    }

    /// Node by node over the mean of live nodes, for the page's dots.
    pub fn balance(&self) -> Balance {
        let mean = |of: Vec<f64>| of.iter().fold(0.0, |sum, x| sum + x) / of.len().max(1) as f64;
        let (sent, received) = (mean(self.live_sent()), mean(self.live_received()));
        let over = |of: &[u64], mean: f64| {
            let nodes = of.iter().zip(&self.alive);
            let ratio = |bytes: u64| if mean > 0.0 { bytes as f64 / mean } else { 0.0 };
            nodes.map(|(&bytes, &alive)| alive.then(|| ratio(bytes))).collect()
        };
        Balance {
            send: over(&self.sent, sent),
            receive: over(&self.received, received),
            send_mean_bytes: sent,
            receive_mean_bytes: received,
        }
    }
}

/// The copies of a trace that moved bytes: one that broke has none.
pub fn transfers(trace: &Trace) -> impl Iterator<Item = &Interval> {
    let copies = trace.intervals.iter().filter(|row| row.kind == IntervalKind::Transfer);
    copies.filter(|copy| copy.bytes.0 > 0)
}
