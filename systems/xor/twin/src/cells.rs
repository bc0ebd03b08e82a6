//! The cells of the figures to measure, each with its simulation.
use system::claims::{ReproduceRequest, Run};
use xor::claims::table::at;

/// Rate of each link in each direction \[Mbit/s\].
pub const LINK: u64 = 200;
/// Block sizes \[bytes\]: two of Otsuji, Tatebe 2013, and a larger one.
pub const BLOCKS: [u32; 3] = [4 << 10, 16 << 10, 64 << 10];
/// Block size with a number in the paper; also used with many clients \[bytes\].
pub const BLOCK: u32 = 16 << 10;
pub const NODES: [u32; 2] = [3, 5];
/// Writing at a time.
pub const CLIENTS: std::ops::RangeInclusive<u32> = 1..=5;
pub const FIXED: [&str; 3] = ["naive", "chain", "pivot"];
/// The mix, by number of writing clients.
pub const AUTO: &str = "auto";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TransferPath {
    Bare,
    Two,
    /// Through the transport, over a third host that forwards them.
    OverThird,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Site {
    /// Separate hosts behind shaped links.
    Links,
    Loopback,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// Of figure 9.
    Moved(TransferPath, u32),
    /// Of figure 10.
    Written(Write),
}

/// Clients write; nodes or clients compute all parity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Write {
    pub site: Site,
    pub nodes: u32,
    pub clients: u32,
    pub schedule: &'static str,
    /// In bytes.
    pub block: u32,
}

impl Cell {
    /// "links, 5 nodes, 1 clients, chain, 16 KiB".
    pub fn name(&self) -> String {
        match self {
            Cell::Moved(path, block) => {
                let path = match path {
                    TransferPath::Bare => "bare socket",
                    TransferPath::Two => "two nodes",
                    TransferPath::OverThird => "over a third",
                };
                format!("{path}, {} KiB", block >> 10)
            }
            Cell::Written(Write { site, nodes, clients, schedule, block }) => {
                let site = match site {
                    Site::Links => "links",
                    Site::Loopback => "loopback",
                };
                let block = block >> 10;
                format!("{site}, {nodes} nodes, {clients} clients, {schedule}, {block} KiB")
            }
        }
    }

    /// The claim needs this cell; cells without a claim are for the figures.
    fn is_for(&self, claim: &str) -> bool {
        match self {
            Cell::Moved(..) => claim == "C2.2",
            Cell::Written(Write { site, nodes, clients, schedule, .. }) => {
                let is_first = (*site, *nodes, *clients) == (Site::Links, 3, 1);
                claim == "C2.1" && is_first && ["naive", "chain"].contains(schedule)
            }
        }
    }
}

impl Write {
    /// The same write in the model, over plain Ethernet at the links' rate.
    pub fn simulated(&self) -> Run {
        let rate = format!("{LINK}Mbit/s");
        let links = [
            ("network.rate", rate.as_str()),
            ("network.mtu", "1500B"),
            ("network.latency", "50us"),
            ("node.block_time", "3us"),
            ("workload.bytes", "40MB"),
        ];
        let block = format!("{}KiB", self.block >> 10);
        at(self.nodes, self.clients, self.schedule, &block, &links)
    }
}

pub fn schedules() -> impl Iterator<Item = &'static str> {
    FIXED.into_iter().chain([AUTO])
}

pub fn all(asked: &ReproduceRequest<'_>) -> Vec<Cell> {
    let paths = [TransferPath::Bare, TransferPath::Two, TransferPath::OverThird];
    let moved = BLOCKS.iter().flat_map(|block| paths.map(|path| Cell::Moved(path, *block)));
    let mut cells: Vec<Cell> = moved.collect();
    let write = |site, nodes, clients, block| {
        schedules()
            .map(move |schedule| Cell::Written(Write { site, nodes, clients, schedule, block }))
    };
    for nodes in NODES {
        for site in [Site::Links, Site::Loopback] {
            cells.extend(BLOCKS.into_iter().flat_map(|block| write(site, nodes, 1, block)))
        }
        let many = CLIENTS.filter(|clients| *clients > 1);
        cells.extend(many.flat_map(|clients| write(Site::Links, nodes, clients, BLOCK)))
    }
    if asked.claim.is_some() {
        let wanted = |claim: &str| asked.includes(claim);
        let is_for = |cell: &Cell, claim| wanted(claim) && cell.is_for(claim);
        cells.retain(|cell| is_for(cell, "C2.1") || is_for(cell, "C2.2"))
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn asked(claim: Option<&str>) -> Vec<Cell> {
        all(&ReproduceRequest {
            seeds: system::claims::Seeds::fixed(2),
            sets: &[],
            claim,
            place: Path::new("out"),
        })
    }

    #[test]
    fn every_cell_is_measured_once_and_has_a_name_of_its_own() {
        let cells = asked(None);
        assert_eq!(cells.len(), 9 + 2 * (2 * 3 * 4 + 4 * 4));
        let names: BTreeSet<String> = cells.iter().map(Cell::name).collect();
        assert_eq!(names.len(), cells.len());
    }

    #[test]
    fn a_claim_needs_its_own_figure_alone() {
        assert_eq!(asked(Some("C2.1")).len(), 6, "chain and naive, three blocks");
        assert_eq!(asked(Some("C2.2")).len(), 9);
    }
}
