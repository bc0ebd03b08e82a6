//! What nobody compared: all schedules, and three copies, by how many write.
use super::runs::{at, goodputs};
use crate::policy;
use page::{Body, Cell, Column, Row, Section, Table};
use system::Failure;

const CLIENTS: [u32; 5] = [1, 2, 3, 4, 5];
const ETHERNET: [(&str, &str); 5] = [
    ("network.rate", "10Gbit/s"),
    ("network.mtu", "1500B"),
    ("network.latency", "50us"),
    ("workload.bytes", "64MiB"),
    ("node.block_time", "3us"),
];

/// Five nodes, 10 Gbit/s Ethernet, blocks of 64 KiB.
pub fn figure(over: &[(String, String)]) -> Result<Section, Failure> {
    let names: Vec<&str> = policy::ALL.iter().map(|policy| policy.name()).collect();
    let mut asked = Vec::new();
    for clients in CLIENTS {
        asked.extend(names.iter().map(|name| at(5, clients, name, "64KiB", &ETHERNET)))
    }
    let found = goodputs(&asked, over)?;
    let row = |(clients, rates): (&u32, &[f64])| {
        let cells = [f64::from(*clients)].into_iter().chain(rates.iter().map(|rate| rate / 1e3));
        Row::new(cells.map(Cell::number).collect())
    };
    let mut columns = vec![Column::numbers("clients", "", 0)];
    columns.extend(names.iter().map(|name| Column::numbers(name, "Gbit/s", 2)));
    Ok(Section::new(
        "beyond",
        "Five nodes, 10 Gbit/s: data of all clients together",
        "naive is what Reed-Solomon (3, 2) by the client moves, too; copies-3 stores 3.0 for 1.0, \
         the others 1.67",
        Body::Table(Table {
            columns,
            rows: CLIENTS.iter().zip(found.chunks(names.len())).map(row).collect(),
        }),
    ))
}
