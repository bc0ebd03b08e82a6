//! The third document's claims: `tenbin reproduce s1`.
mod c1_1;
mod c1_10;
mod c1_14;
mod c1_5;
mod c1_7;
mod runs;
mod tables;

use runs::Grid;
use serde_json::json;
use system::Failure;
use system::claims::{Asked, Document, Reproduction};

/// Watanabe 2014.
pub static S1: Document = Document {
    name: "s1",
    title: "I/O-aware task scheduling of Hadoop (Watanabe, 2014)",
    reproduce,
};

fn reproduce(asked: &Asked<'_>) -> Result<Reproduction, Failure> {
    let sets = asked.sets;
    let mut grid = Grid::new(sets);
    c1_1::ask(&mut grid);
    c1_5::ask(&mut grid);
    c1_7::ask(&mut grid);
    c1_10::ask(&mut grid);
    c1_14::ask(&mut grid);
    grid.run(asked)?;
    let mut claims = c1_1::judge(&grid);
    claims.extend(c1_5::judge(&grid));
    claims.extend(c1_7::judge(&grid));
    claims.extend(c1_10::judge(&grid));
    claims.extend(c1_14::judge(&grid));
    let parameters = json!({
        "document": "Watanabe 2014, tables 1 to 11",
        "hardware.disk": "120MB/s, 12.7 ms: Seagate Barracuda 7200.12; batch and curve swept",
        "hardware.first_write": "EC2: 2, as Amazon says slower and not how much",
        "hardware.cached": "0.5: a guess",
        "workload.reduces": "EC2: 38 (table 4); table 8 fits 20: both are run",
        "cluster.nodes": "EC2: 50; the table says 51",
        "policy.heartbeat": "5s; Hadoop's own code beats every 0.3 to 0.5 s at that size: \
         swept",
        "null rule": "fair+random: maps withheld by chance, 3 of 10",
        "set": sets,
    });
    Ok(Reproduction { claims, parameters, figures: tables::all(&grid) })
}
