//! A whole trace as a folder of Parquet files, one a table; `docs/trace.md` has their columns.
mod columns;
mod names;
mod rows;

use crate::Trace;
use cluster::{BadInput, Problem};
use columns::*;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use trace2::parquet_io::{self, Column, Hashing, TempDir, hash_file};

/// The table that every trace's folder has.
const MARK: &str = "run.parquet";

/// What each table says that it belongs to; the number is the form's.
const KIND: (&str, &str) = ("tenbin.kind", "trace 1");

/// A table: its file's name, its number of rows, its sorted columns, its columns for a range of
/// rows.
struct Table {
    name: &'static str,
    sorted: &'static [&'static str],
    rows: fn(&Trace) -> usize,
    columns: fn(&Trace, Range<usize>) -> Vec<Column>,
}

const TABLES: [Table; 11] = [
    Table { name: MARK, sorted: &[], rows: |t| t.run.len(), columns: run },
    Table { name: "racks.parquet", sorted: &[], rows: |t| t.racks.len(), columns: racks },
    Table { name: "nodes.parquet", sorted: &[], rows: |t| t.nodes.len(), columns: nodes },
    Table {
        name: "resources.parquet",
        sorted: &[],
        rows: |t| t.resources.len(),
        columns: resources,
    },
    Table {
        name: "capacities.parquet",
        sorted: &["at_ns"],
        rows: |t| t.capacities.len(),
        columns: capacities,
    },
    Table { name: "settings.parquet", sorted: &[], rows: |t| t.settings.len(), columns: settings },
    Table {
        name: "intervals.parquet",
        sorted: &["id", "start_ns", "end_ns", "block"],
        rows: |t| t.intervals.len(),
        columns: intervals,
    },
    Table { name: "series.parquet", sorted: &["at_ns"], rows: |t| t.series.len(), columns: series },
    Table {
        name: "counter_names.parquet",
        sorted: &[],
        rows: |t| t.counter_names.len(),
        columns: counter_names,
    },
    Table {
        name: "counters.parquet",
        sorted: &["at_ns"],
        rows: |t| t.counters.len(),
        columns: counters,
    },
    Table { name: "requests.parquet", sorted: &[], rows: |t| t.requests.len(), columns: requests },
];

/// Hashes of the tables, as `sha256sum -c` reads them.
const SUMS: &str = "SHA256SUMS";

/// Writes a trace into `folder`: all of it or nothing. A folder that holds a trace is replaced.
///
/// # Errors
/// It cannot be written, or the folder holds something else.
pub fn write(trace: &Trace, folder: &Path) -> io::Result<()> {
    let temp = TempDir::create(folder)?;
    let mut sums = String::new();
    for table in &TABLES {
        let file = Hashing::new(File::create(temp.temp.join(table.name))?);
        let about = [KIND];
        let columns = |range| (table.columns)(trace, range);
        let file = parquet_io::write(file, &about, table.sorted, (table.rows)(trace), columns)?;
        sums += &format!("{}  {}\n", file.finish()?, table.name)
    }
    std::fs::write(temp.temp.join(SUMS), sums)?;
    temp.keep(MARK)
}

/// Reads a trace back from its folder. Where `SHA256SUMS` lies in it, each table must have its
/// hash.
///
/// # Errors
/// A table is missing, has changed, is not Parquet or damaged, lacks a column, or refers to what is
/// not there.
pub fn read(folder: &Path) -> Result<Trace, BadInput> {
    let mut trace = Trace::default();
    let sums = std::fs::read_to_string(folder.join(SUMS)).unwrap_or_default();
    for table in &TABLES {
        read_table(&mut trace, table, folder, &sums).map_err(|problem| {
            let expected = "a table of a trace that `tenbin run -o DIR` wrote";
            Problem::of_file(&folder.join(table.name), problem, expected)
        })?
    }
    Ok(trace)
}

fn read_table(trace: &mut Trace, table: &Table, folder: &Path, sums: &str) -> Result<(), String> {
    let unreadable = |e: io::Error| format!("cannot be read ({e})");
    let mut file = File::open(folder.join(table.name)).map_err(unreadable)?;
    let sum = sums.lines().find_map(|line| line.strip_suffix(table.name)?.strip_suffix("  "));
    if let Some(sum) = sum
        && hash_file(&mut file).map_err(unreadable)? != sum
    {
        return Err(format!("has changed since it was written ({SUMS} has another hash)"));
    }
    let columns = (table.columns)(&Trace::default(), 0..0);
    let (rows, about) = parquet_io::read_all(file, &columns)?;
    match about.iter().find(|(key, _)| key == KIND.0) {
        Some((_, kind)) if kind != KIND.1 => {
            let wanted = KIND.1;
            Err(format!("is of another version of tenbin (\"{kind}\", not \"{wanted}\")"))
        }
        _ => rows::take(trace, table.name, &rows),
    }
}
