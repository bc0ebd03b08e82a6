//! One setting of Higai et al. 2014.
use system::claims::{BaseScenario, Run, Value};

/// The paper's parameters, and the modelling choices that it leaves open.
pub const BASE: BaseScenario = BaseScenario {
    name: "s0",
    file: "scenarios/s0.toml",
    text: include_str!("../../../../../scenarios/s0.toml"),
};

/// DataNodes in one rack, as in the paper.
pub const ONE_RACK: [u32; 4] = [6, 8, 16, 32];
/// DataNodes in each of two racks.
pub const TWO_RACKS: [u32; 3] = [8, 16, 32];
/// Rates of the disk \[MB/s\]: fitted to the authors' cluster, and measured on it.
pub const DISKS: [u32; 2] = [65, 105];

/// Link between racks: (rate, latency) as the scenario writes them.
pub type Link = [&'static str; 2];

pub const SLOW: Link = ["125MB/s", "0.1ms"];
pub const FAST: Link = ["1.25GB/s", "1ms"];

/// The paper simulated with SimGrid, whose CM02 gives a flow a share by 1/latency.
pub const NETWORK: (&str, &str) = ("model.network", "CM02");

#[derive(Clone, Copy)]
pub struct Cell {
    /// DataNodes in each rack, the lost one included.
    pub nodes: u32,
    /// Rate of the one disk of a node \[MB/s\].
    pub disk: u32,
    /// Between two racks; `None`: one rack.
    pub link: Option<Link>,
    pub policy: &'static str,
}

impl Cell {
    pub fn with_policy(self, policy: &'static str) -> Cell {
        Cell { policy, ..self }
    }

    pub fn with_disk(self, disk: u32) -> Cell {
        Cell { disk, ..self }
    }

    /// "N = 16, disk 65 MB/s, ring".
    pub fn label(&self) -> String {
        let Cell { nodes, disk, link, policy } = self;
        let racks = if link.is_some() { "2 × " } else { "" };
        format!("N = {racks}{nodes}, disk {disk} MB/s, {policy}")
    }

    /// The lost node holds 80·(N − 1) blocks, where N counts all nodes, so that a survivor's share
    /// is the same at every N.
    fn run(&self) -> Run {
        let Cell { nodes, disk, link, policy } = self;
        let racks = if link.is_some() { 2 } else { 1 };
        let [racks, nodes, blocks] =
            [racks, *nodes, 80 * (racks * nodes - 1)].map(|count| count.to_string());
        let own = [
            ("cluster.racks", racks.as_str()),
            ("cluster.nodes_per_rack", &nodes),
            ("hardware.disk", &format!("{disk}MB/s")),
            ("workload.blocks_on_lost_node", &blocks),
            ("policy.rereplication", policy),
            NETWORK,
        ];
        let run = Run::of(BASE, &own);
        match link {
            None => run,
            Some([rate, latency]) => {
                run.with(&[("hardware.inter_rack", rate), ("hardware.inter_rack_latency", latency)])
            }
        }
    }

    /// Bytes re-replicated over the recovery time \[MB/s\].
    pub fn throughput(&self) -> Value {
        self.run().metric(THROUGHPUT)
    }

    /// Time during which some block has all its survivors in one rack \[s\].
    pub fn one_rack_only(&self) -> Value {
        self.run().metric(ONE_RACK_ONLY)
    }
}

pub const THROUGHPUT: &str = "throughput_mb_s";
pub const ONE_RACK_ONLY: &str = "one_rack_only_s";

/// All combinations of sizes, disks and policies.
pub fn cells(
    sizes: &[u32],
    disks: &[u32],
    link: Option<Link>,
    policies: &[&'static str],
) -> Vec<Cell> {
    let mut all = Vec::new();
    for nodes in sizes {
        for disk in disks {
            let cell = Cell { nodes: *nodes, disk: *disk, link, policy: "" };
            all.extend(policies.iter().map(|policy| cell.with_policy(policy)))
        }
    }
    all
}
