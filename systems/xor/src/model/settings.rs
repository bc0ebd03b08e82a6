//! Constants of a run.
use super::message::Event;
use super::recipe::Recipe;
use crate::policy::{self, StripeSchedule};
use cluster::Sheet;
use engine::*;
use units::{Bytes, BytesPerSec};

/// IP and TCP headers with timestamps, of each packet \[bytes\].
const IP_TCP: u64 = 52;
/// Ethernet header, which shapers count, too \[bytes\].
const ETHERNET: u64 = 14;
/// Header of each block (`systems/xor/docs/relay-format.md`) \[bytes\].
const HEAD: u64 = 32;

pub struct Settings {
    pub(crate) clients: Lps<Event>,
    pub(crate) nodes: Lps<Event>,
    pub(crate) width: u32,
    pub(crate) recipes: Vec<Recipe>,
    /// By a client's place among the writers of its nodes: the repeating sequence of recipes.
    turns: Vec<Vec<u32>>,
    /// Clients that write to the same nodes.
    pub(crate) writers: u32,
    pub(crate) stripes: u64,
    pub(crate) stripe: Bytes,
    pub(crate) window: u64,
    pub(crate) block: Bytes,
    /// A block with all headers.
    pub(crate) wire: Bytes,
    pub(crate) client_rate: BytesPerSec,
    pub(crate) rate: BytesPerSec,
    pub(crate) xor_rate: BytesPerSec,
    pub(crate) block_time: Nanos,
    pub(crate) disk: Option<BytesPerSec>,
}

impl Settings {
    pub(crate) fn of(sheet: &Sheet, clients: Lps<Event>, nodes: Lps<Event>) -> Settings {
        let Shape { width, writers } = Shape::of(sheet);
        let policy = policy::named(sheet.text("policy.schedule")).expect("checked");
        let layout = policy::layout(units::usize_of(width.into()));
        let mut ways: Vec<StripeSchedule> = Vec::new();
        let mut turn = |first: u32| -> Vec<u32> {
            let dealt = policy.sequence(&layout, writers as usize, first as usize);
            let place = |way: StripeSchedule| {
                let known = ways.iter().position(|known| *known == way);
                units::u32_of(known.unwrap_or_else(|| {
                    ways.push(way);
                    ways.len() - 1
                }))
            };
            dealt.into_iter().map(place).collect()
        };
        let turns: Vec<Vec<u32>> = (0..width).map(&mut turn).collect();
        let recipes: Vec<Recipe> = ways.iter().map(|way| Recipe::of(*way, &layout)).collect();
        let block = sheet.bytes("workload.block");
        let stripe = Bytes(recipes[0].data * block.0);
        let in_flight = sheet.bytes("workload.in_flight").0 / stripe.0;
        let rate = sheet.rate("network.rate");
        let client_rate = sheet.find("network.client_rate").map(|_| "network.client_rate");
        Settings {
            clients,
            nodes,
            width,
            recipes,
            turns,
            writers,
            stripes: sheet.bytes("workload.bytes").0.div_ceil(stripe.0),
            stripe,
            window: in_flight.clamp(4, 128),
            block,
            wire: Bytes(wire(block.0, sheet.bytes("network.mtu").0)),
            client_rate: client_rate.map_or(rate, |key| sheet.rate(key)),
            rate,
            xor_rate: sheet.rate("node.xor_rate"),
            block_time: sheet.time("node.block_time"),
            disk: sheet.find("node.disk").map(|_| sheet.rate("node.disk")),
        }
    }

    pub(crate) fn recipe_of(&self, client: u32, number: u64) -> u32 {
        let turns = &self.turns[(client % self.width) as usize];
        turns[units::usize_of(number % turns.len() as u64)]
    }

    /// The host of a node of the layout, for this client.
    pub(crate) fn host(&self, client: u32, node: u32) -> u32 {
        (self.base(client) + node) % self.nodes.len()
    }

    /// The layout's node that a host is for this client.
    pub(crate) fn place(&self, client: u32, host: u32) -> u32 {
        (host + self.nodes.len() - self.base(client)) % self.nodes.len()
    }

    /// First host of the client's group. Groups are adjacent; clients use them round-robin.
    fn base(&self, client: u32) -> u32 {
        let groups = (self.nodes.len() / self.width).max(1);
        (client % groups) * self.width
    }

    /// Core time for a block that is the xor of `sources` blocks.
    pub(crate) fn core_time(&self, sources: u64) -> Nanos {
        match sources {
            0 | 1 => self.block_time,
            _ => self.block_time + self.xor_rate.time_for(Bytes(self.block.0 * sources)),
        }
    }
}

pub fn wire(block: u64, mtu: u64) -> u64 {
    let bytes = block + HEAD;
    bytes + bytes.div_ceil(mtu - IP_TCP) * (IP_TCP + ETHERNET)
}

/// Bytes on a link for a block of a continuous stream of full packets.
pub fn bare(block: u64, mtu: u64) -> f64 {
    let data = mtu - IP_TCP;
    block as f64 * (data + IP_TCP + ETHERNET) as f64 / data as f64
}

/// Nodes that store a file, and clients that share them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) width: u32,
    pub(crate) writers: u32,
}

impl Shape {
    pub(crate) fn of(sheet: &Sheet) -> Shape {
        let width = sheet.count32("layout.nodes");
        let groups = (sheet.count32("cluster.nodes") / width).max(1);
        Shape { width, writers: sheet.count32("cluster.clients").div_ceil(groups) }
    }
}
