//! A list of copies over a cluster: what both sides simulate.
use cluster::Network;
use std::fmt::Write;
use std::path::Path;

/// A cluster as SimGrid's and Tenbin's documents describe it (`scenarios/s0.toml`): one disk a node
/// that reads and writes share, full-duplex NICs; two racks are joined by one link.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Site {
    pub nodes: u32,
    /// 1 or 2, of as many nodes each.
    pub racks: u32,
    /// Copies that a node sends at a time.
    pub streams: u32,
    /// \[bytes/s\]
    pub disk: u64,
    /// \[bytes/s\], each way
    pub nic: u64,
    /// Rate of the link between the racks \[bytes/s\].
    pub link: u64,
    /// Between two nodes of a rack \[ns\].
    pub latency: u64,
    /// More between racks \[ns\].
    pub link_latency: u64,
    /// How both sides weigh flows.
    pub network: Network,
}

impl Site {
    pub fn rack_of(&self, node: u32) -> u32 {
        (node as u64 * self.racks as u64 / self.nodes as u64) as u32
    }
}

/// One block from a node to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Copy {
    pub source: u32,
    pub target: u32,
    pub bytes: u64,
}

/// All copies; those of one source begin in this order.
#[derive(Clone, PartialEq, Debug)]
pub struct Copies {
    pub site: Site,
    pub list: Vec<Copy>,
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

impl Copies {
    /// `each` copies of every node to random others: half to one and a half blocks of 67 MB, so
    /// that no two end together.
    pub fn random(nodes: u32, racks: u32, streams: u32, each: u32) -> Copies {
        // The link carries a quarter of what the nodes of a rack could send.
        let link = nodes as u64 * 125_000_000 / 8;
        let (disk, nic) = (65_000_000, 125_000_000);
        let (latency, link_latency) = (100_000, 500_000);
        let network = Network::Cm02;
        let site = Site { nodes, racks, streams, disk, nic, link, latency, link_latency, network };
        let mut dice = Dice(1);
        let mut copy = |source: u32| {
            let step = 1 + dice.below(nodes as u64 - 1) as u32;
            let target = (source + step) % nodes;
            Copy { source, target, bytes: 33_500_000 + dice.below(67_000_000) }
        };
        let list = (0..each).flat_map(|_| 0..nodes).map(&mut copy).collect();
        Copies { site, list }
    }

    pub fn under(mut self, network: Network) -> Copies {
        self.site.network = network;
        self
    }

    /// Writes the file that the peer reads.
    pub fn write(&self, path: &Path) {
        let Site { nodes, racks, streams, disk, nic, link, latency, link_latency, .. } = self.site;
        let mut text = format!(
            "nodes {nodes}\nracks {racks}\nstreams {streams}\ndisk {disk}\nnic {nic}\n\
             link {link}\nlatency {latency}\nlink_latency {link_latency}\ncopies\n"
        );
        for Copy { source, target, bytes } in &self.list {
            writeln!(text, "{source} {target} {bytes}").expect("strings take all");
        }
        std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}
