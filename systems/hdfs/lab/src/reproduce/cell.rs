//! One setting of the S0 document, and what was measured there.
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Link {
    /// 125 MB/s, 0.1 ms.
    Slow,
    /// 1.25 GB/s, 1 ms.
    Fast,
}

impl Link {
    /// As the scenario says it.
    pub fn rate(self) -> &'static str {
        match self {
            Link::Slow => "125MB/s",
            Link::Fast => "1.25GB/s",
        }
    }

    /// As the scenario says it.
    pub fn latency(self) -> &'static str {
        match self {
            Link::Slow => "0.1ms",
            Link::Fast => "1ms",
        }
    }
}

/// One setting. Ordered, so that runs and tables have one order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// 1 or 2.
    pub racks: u32,
    /// DataNodes in each, the lost one included.
    pub nodes_per_rack: u32,
    /// Rate of the one disk of a node [MB/s].
    pub disk: u32,
    /// Between the racks; without effect with one.
    pub link: Link,
    /// `policy.rereplication`
    pub policy: &'static str,
}

impl Cell {
    pub fn one_rack(nodes: u32, disk: u32, policy: &'static str) -> Cell {
        Cell { racks: 1, nodes_per_rack: nodes, disk, link: Link::Slow, policy }
    }

    pub fn two_racks(nodes_per_rack: u32, disk: u32, link: Link, policy: &'static str) -> Cell {
        Cell { racks: 2, nodes_per_rack, disk, link, policy }
    }

    /// The same place under another policy.
    pub fn under(self, policy: &'static str) -> Cell {
        Cell { policy, ..self }
    }

    /// The same place with another disk.
    pub fn with_disk(self, disk: u32) -> Cell {
        Cell { disk, ..self }
    }

    /// "N = 16, disk 65, ring".
    pub fn label(&self) -> String {
        let n = if self.racks == 1 {
            format!("N = {}", self.nodes_per_rack)
        } else {
            format!("N = {} × {}", self.racks, self.nodes_per_rack)
        };
        format!("{n}, disk {} MB/s, {}", self.disk, self.policy)
    }

    /// What `--set` would say. The lost node holds 80·(N − 1) blocks, N being all nodes, so that a
    /// survivor's share is the same at every N.
    pub fn sets(&self) -> Vec<(String, String)> {
        let blocks = 80 * (self.racks * self.nodes_per_rack - 1);
        let mut sets = vec![
            ("cluster.racks", self.racks.to_string()),
            ("cluster.nodes_per_rack", self.nodes_per_rack.to_string()),
            ("hardware.disk", format!("{}MB/s", self.disk)),
            ("workload.blocks_on_lost_node", blocks.to_string()),
            ("policy.rereplication", self.policy.to_string()),
        ];
        if self.racks > 1 {
            sets.push(("hardware.inter_rack", self.link.rate().to_string()));
            sets.push(("hardware.inter_rack_latency", self.link.latency().to_string()));
        }
        sets.into_iter().map(|(k, v)| (k.to_string(), v)).collect()
    }
}

/// DataNodes in the one rack, as the document varies them.
pub const ONE_RACK: [u32; 4] = [6, 8, 16, 32];
/// DataNodes in each of two racks.
pub const TWO_RACKS: [u32; 3] = [8, 16, 32];
/// Rates of the disk [MB/s]: fitted to the authors' cluster, and as measured on it.
pub const DISKS: [u32; 2] = [65, 105];

/// What one cell gave, seed by seed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Bytes re-replicated over the recovery time [MB/s].
    pub throughput: Vec<f64>,
    /// Time during which some block has all its survivors in one rack \[s\].
    pub one_rack_only: Vec<f64>,
}

impl Measured {
    /// Of the first seeds only.
    pub fn first(&self, seeds: usize) -> Measured {
        let of = |values: &[f64]| values.iter().take(seeds).copied().collect();
        Measured { throughput: of(&self.throughput), one_rack_only: of(&self.one_rack_only) }
    }
}

pub type Data = BTreeMap<Cell, Measured>;

/// Cells without their repetitions.
pub fn distinct(cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    cells.into_iter().collect::<BTreeSet<Cell>>().into_iter().collect()
}
