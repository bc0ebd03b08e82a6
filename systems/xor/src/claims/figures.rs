//! Figure 10, the layouts, and a comparison that no paper has: all schedules and three copies by
//! number of writers.
use super::layouts;
use super::table::{BLOCKS, at};
use crate::policy;
use page::{Body, Cell, Column, Row, Section, Table};
use system::claims::{Run, Runs};

const CLIENTS: [u32; 5] = [1, 2, 3, 4, 5];
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

fn figure_10(runs: &Runs<'_>) -> Section {
    let row = |block: &str| {
        let of = |schedule| goodput(runs, &at(3, 1, schedule, block, &[]), 8e3);
        let [relay, naive] = ["chain", "naive"].map(of);
        let numbers = [relay, naive, relay / naive].map(Cell::number);
        Row::new(std::iter::once(Cell::text(block)).chain(numbers).collect())
    };
    let columns = vec![
        Column::words("block"),
        Column::numbers("relay", "GB/s", 2),
        Column::numbers("naive", "GB/s", 2),
        Column::numbers("relay / naive", "", 2),
    ];
    Section::new(
        "figure-10",
        "Figure 10: a client writes to three nodes",
        "simulated, FDR InfiniBand, one core a host; paper: 1.32 at 16 KB",
        Body::Table(Table { columns, rows: BLOCKS.map(row).to_vec() }),
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
