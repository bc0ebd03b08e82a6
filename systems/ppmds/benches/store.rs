//! Times of a write and a read in a real embedded store, for `store.latency`, `store.each` and
//! `store.read_latency`: `cargo bench -p ppmds --bench store -- [ROWS] [FOLDER]`.
//!
//! Rows are (parent directory, name) → an inode of 24 bytes. A fit gives latency and each of a
//! commit of n rows, which takes latency + n × each. `synced`: the commit returns once it is on
//! disk; `in memory`: the store alone.
use redb::{Database, Durability, ReadableDatabase, TableDefinition};
use std::path::Path;
use system::clock::now;

const INODES: TableDefinition<(u64, &str), [u8; 24]> = TableDefinition::new("inodes");
/// Rows in the store before the measurement.
const ROWS: u64 = 1_000_000;
const GROUPS: [u64; 6] = [1, 4, 16, 64, 256, 1024];
/// Rows written for each of them.
const WRITTEN: u64 = 4_096;
const READS: u64 = 200_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let rows = arguments.first().map_or(ROWS, |rows| rows.parse().expect("a number of rows"));
    let folder = arguments.get(1).map_or_else(std::env::temp_dir, |folder| folder.into());
    let file = folder.join(format!("tenbin-store-{}.redb", std::process::id()));
    let measured = measure(&file, rows);
    std::fs::remove_file(&file).expect("the store's file can be removed");
    measured.expect("the store works")
}

fn measure(file: &Path, rows: u64) -> Result<(), redb::Error> {
    let store = Database::create(file)?;
    for first in (0..rows).step_by(10_000) {
        write(&store, first..rows.min(first + 10_000), Durability::None)?
    }
    write(&store, rows..rows + 1, Durability::Immediate)?;
    println!("{rows} rows, in {}", file.parent().unwrap_or(file).display());
    let mut next = rows + 1;
    for (name, durability) in [("synced", Durability::Immediate), ("in memory", Durability::None)] {
        let mut points = Vec::new();
        for group in GROUPS {
            let commits = (WRITTEN / group).clamp(8, 256);
            let mut times: Vec<f64> = Vec::new();
            for _ in 0..commits {
                let begun = now();
                write(&store, next..next + group, durability)?;
                times.push(begun.elapsed().as_secs_f64());
                next += group
            }
            times.sort_by(f64::total_cmp);
            let middle = times[times.len() / 2];
            println!("{name:>10}, {group:>5} rows a commit: {:>9.1} us", middle * 1e6);
            points.push((group as f64, middle))
        }
        let (latency, each) = line(&points);
        println!("{name:>10}: latency {:.1} us, each {:.2} us", latency * 1e6, each * 1e6)
    }
    println!("      read: {:.2} us", read(&store, rows)? * 1e6);
    Ok(())
}

/// Names in random order.
fn name(row: u64) -> String {
    format!("file.{:016x}", row.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn write(
    store: &Database,
    rows: std::ops::Range<u64>,
    durability: Durability,
) -> Result<(), redb::Error> {
    let mut commit = store.begin_write()?;
    commit.set_durability(durability)?;
    {
        let mut table = commit.open_table(INODES)?;
        for row in rows {
            table.insert((1, name(row).as_str()), [7; 24])?;
        }
    }
    Ok(commit.commit()?)
}

/// The mean of a read \[s\].
fn read(store: &Database, rows: u64) -> Result<f64, redb::Error> {
    let table = store.begin_read()?.open_table(INODES)?;
    let begun = now();
    for n in 0..READS {
        let row = n.wrapping_mul(0x2545_f491_4f6c_dd1d) % rows;
        assert!(table.get((1, name(row).as_str()))?.is_some(), "row {row} is there")
    }
    Ok(begun.elapsed().as_secs_f64() / READS as f64)
}

/// The line with the least relative error through the points: (at 0, slope).
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let weigh = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| f(*x, *y) / (y * y)).sum();
    let (w, x, y): (f64, f64, f64) = (weigh(&|_, _| 1.0), weigh(&|x, _| x), weigh(&|_, y| y));
    let (xx, xy): (f64, f64) = (weigh(&|x, _| x * x), weigh(&|x, y| x * y));
    let slope = (w * xy - x * y) / (w * xx - x * x);
    ((y - slope * x) / w, slope)
}
