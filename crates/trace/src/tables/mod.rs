//! A trace as a folder of Parquet files, one a table; `docs/trace.md` has their columns.
//!
//! A table without rows has no file. A column without values may be missing. Rows with ids may be
//! in any order.
mod causes;
mod few;
mod field;
mod many;
mod names;
mod references;
mod value;

use crate::parquet_io::{self, HashingWriter, TempDir, hash_file};
use crate::schema::*;
use crate::{Kind, Trace};
use cluster::{BadInput, Problem};
use field::{Table, columns, rows, sorted};
use names::Names;
use std::fs::File;
use std::io;
use std::path::Path;

/// The table that every trace has.
const MARK: &str = "run.parquet";

/// Metadata of each table; the number is the version of the form.
const KIND: (&str, &str) = ("tenbin.kind", "trace 2");

/// Hashes of the tables, for `sha256sum -c`.
const SUMS: &str = "SHA256SUMS";

type About = (String, String);
type Rack = String;

/// Calls a function for each table; tables that others refer to by name come first.
macro_rules! each_table {
    ($do:ident($($with:expr),*)) => {
        $do::<About>($($with),*)?;
        $do::<Rack>($($with),*)?;
        $do::<Node>($($with),*)?;
        $do::<Setting>($($with),*)?;
        $do::<Shortage>($($with),*)?;
        $do::<Resource>($($with),*)?;
        $do::<CapacityChange>($($with),*)?;
        $do::<Entity>($($with),*)?;
        $do::<Fact>($($with),*)?;
        $do::<Interval>($($with),*)?;
        $do::<Depend>($($with),*)?;
        $do::<Sample>($($with),*)?;
        $do::<CounterName>($($with),*)?;
        $do::<Count>($($with),*)?;
        $do::<Sum>($($with),*)?;
        $do::<Histogram>($($with),*)?;
        $do::<ObjectiveRow>($($with),*)?;
        $do::<Clock>($($with),*)?;
        $do::<Source>($($with),*)?;
        $do::<ImportIssue>($($with),*)?;
    };
}

/// Writes a trace into `folder`, completely or not at all. Replaces a folder with a trace.
///
/// # Errors
/// The folder cannot be written or has other content.
pub fn write(trace: &Trace, folder: &Path) -> io::Result<()> {
    let temp = TempDir::create(folder)?;
    let mut sums = String::new();
    write_table::<Kind>(trace, &temp, &mut sums)?;
    each_table!(write_table(trace, &temp, &mut sums));
    std::fs::write(temp.temp.join(SUMS), sums)?;
    temp.keep(MARK)
}

fn write_table<R: Table>(trace: &Trace, temp: &TempDir, sums: &mut String) -> io::Result<()> {
    let name = format!("{}.parquet", R::NAME);
    let count = R::rows(trace).len();
    if count == 0 && name != MARK {
        return Ok(());
    }
    let file = HashingWriter::new(File::create(temp.temp.join(&name))?);
    let columns = |range| columns::<R>(trace, range);
    let file = parquet_io::write(file, &[KIND], &sorted::<R>(), count, columns)?;
    *sums += &format!("{}  {name}\n", file.finish()?);
    Ok(())
}

/// Reads a trace from its folder. If the folder has `SHA256SUMS`, each table must have its hash.
///
/// # Errors
/// There is no trace. Or a table that `SHA256SUMS` names is missing, changed, damaged or not
/// Parquet, lacks a column, or has a dangling reference.
pub fn read(folder: &Path) -> Result<Trace, BadInput> {
    let mut trace = Trace::default();
    if !folder.join(MARK).is_file() {
        let problem = format!("has no {MARK}, so it is not a trace");
        return Err(Problem::of_file(folder, problem, "a folder with a trace").into());
    }
    let sums = std::fs::read_to_string(folder.join(SUMS)).unwrap_or_default();
    read_table::<Kind>(&mut trace, folder, &sums, &Names::default())?;
    let names = Names::of(&trace.kinds);
    each_table!(read_table(&mut trace, folder, &sums, &names));
    trace.kinds.extend(names.found());
    match references::dangling(&trace) {
        Some((table, what)) => Err(bad(folder, table, what)),
        None => Ok(trace),
    }
}

/// Reads only the run table of the trace in `folder`.
///
/// # Errors
/// As for [`read`], for this table.
pub fn about(folder: &Path) -> Result<Vec<(String, String)>, BadInput> {
    let none = Names::default();
    take::<About>(folder, "", &none).map_err(|problem| bad(folder, About::NAME, problem))
}

fn bad(folder: &Path, table: &str, problem: String) -> BadInput {
    let file = folder.join(format!("{table}.parquet"));
    Problem::of_file(&file, problem, "a table of a trace of this version of tenbin").into()
}

fn read_table<R: Table>(
    trace: &mut Trace,
    folder: &Path,
    sums: &str,
    names: &Names,
) -> Result<(), BadInput> {
    let table = take::<R>(folder, sums, names).map_err(|problem| bad(folder, R::NAME, problem))?;
    *R::rows_mut(trace) = table;
    Ok(())
}

fn take<R: Table>(folder: &Path, sums: &str, names: &Names) -> Result<Vec<R>, String> {
    let name = format!("{}.parquet", R::NAME);
    let sum = sums.lines().find_map(|line| line.strip_suffix(&name)?.strip_suffix("  "));
    let unreadable = |e: io::Error| format!("cannot be read ({e})");
    let mut file = match File::open(folder.join(&name)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound && sum.is_none() => return Ok(Vec::new()),
        file => file.map_err(unreadable)?,
    };
    if let Some(sum) = sum
        && hash_file(&mut file).map_err(unreadable)? != sum
    {
        return Err(format!("has changed since it was written ({SUMS} has another hash)"));
    }
    let (mut ids, mut all) = (Vec::new(), Vec::new());
    let about = parquet_io::read(file, &columns::<R>(&Trace::default(), 0..0), |group| {
        let (more_ids, more) = rows::<R>(&group, names)?;
        ids.extend(more_ids);
        all.extend(more);
        Ok(())
    })?;
    match about.iter().find(|(key, _)| key == KIND.0) {
        Some((_, kind)) if kind != KIND.1 => {
            let wanted = KIND.1;
            Err(format!("is of another version of tenbin (\"{kind}\", not \"{wanted}\")"))
        }
        _ if R::IDS => by_id(ids, all),
        _ => Ok(all),
    }
}

/// Sorts rows by their ids.
fn by_id<R>(ids: Vec<i64>, rows: Vec<R>) -> Result<Vec<R>, String> {
    if ids.iter().enumerate().all(|(place, id)| place as i64 == *id) {
        return Ok(rows);
    }
    let mut rows: Vec<(i64, R)> = ids.into_iter().zip(rows).collect();
    rows.sort_by_key(|(id, _)| *id);
    match rows.iter().enumerate().find(|(place, (id, _))| *place as i64 != *id) {
        Some((place, (id, _))) => Err(format!("has the id {id} instead of {place}")),
        None => Ok(rows.into_iter().map(|(_, row)| row).collect()),
    }
}
