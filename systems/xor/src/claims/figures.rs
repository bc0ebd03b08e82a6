//! Figure 10, the layouts, and a comparison that no paper has: all schedules and three copies by
//! number of writers.
use super::layouts;
use super::table::{BLOCKS, at};
use crate::policy;
use page::{Axis, Body, Cell, Column, Origin, Points, Row, Scatter, Section, Table};
use system::claims::{Run, Runs};

const CLIENTS: [u32; 5] = [1, 2, 3, 4, 5];
/// The same as [`BLOCKS`] in KiB.
const KIB: [f64; 5] = [4.0, 8.0, 16.0, 64.0, 1024.0];
const ETHERNET: [(&str, &str); 5] = [
    ("network.rate", "10Gbit/s"),
    ("network.mtu", "1500B"),
    ("network.latency", "50us"),
    ("workload.bytes", "64MiB"),
    ("node.block_time", "3us"),
];

pub fn all(runs: &Runs<'_>) -> Vec<Section> {
    vec![figure_10(runs), layouts::figure(), beyond(runs)]
}

/// In units of `over` Mbit/s.
fn goodput(runs: &Runs<'_>, run: &Run, over: f64) -> f64 {
    run.value().stat(runs).mean / over
}

/// Relay over naive by block size, with the one value that the paper's text states.
fn figure_10(runs: &Runs<'_>) -> Section {
    let gain = |block: &str| {
        let of = |schedule| goodput(runs, &at(3, 1, schedule, block, &[]), 8e3);
        of("chain") / of("naive")
    };
    let ours = BLOCKS.into_iter().zip(KIB).map(|(block, kib)| (kib, gain(block)));
    let series = vec![
        Points::line("Tenbin", Origin::Ours, ours),
        Points { joined: false, ..Points::line("paper", Origin::Document, [(16.0, 1.32)]) },
    ];
    let x = Axis::log("block", "KiB", KIB[0], KIB[KIB.len() - 1]);
    let y = Axis::linear("relay / naive", "", 0.0, 1.6);
    Section::new(
        "figure-10",
        "Figure 10: a client writes to three nodes",
        "simulated, FDR InfiniBand, one core a host",
        Body::Scatter(Scatter { x, y, series, diagonal: false }),
    )
}

/// Five nodes, 10 Gbit/s Ethernet, blocks of 64 KiB.
fn beyond(runs: &Runs<'_>) -> Section {
    let names: Vec<&str> = policy::ALL.iter().map(|policy| policy.name()).collect();
    let row = |clients: u32| {
        let of = |name: &&str| goodput(runs, &at(5, clients, name, "64KiB", &ETHERNET), 1e3);
        let cells = [f64::from(clients)].into_iter().chain(names.iter().map(of));
        Row::new(cells.map(Cell::number).collect())
    };
    let rows = CLIENTS.map(row).to_vec();
    let mut columns = vec![Column::numbers("clients", "", 0)];
    columns.extend(names.iter().map(|name| Column::numbers(name, "Gbit/s", 2)));
    Section::new(
        "beyond",
        "Five nodes, 10 Gbit/s: data of all clients together",
        "naive moves as much as Reed-Solomon (3, 2) by the client; copies-3 stores 3.0 for 1.0, \
         the others 1.67",
        Body::Table(Table { columns, rows }),
    )
}
