//! A whole trace as a folder of Parquet files, one a table; `docs/trace.md` has their columns.
use crate::parquet_io::{self, Column, Hashing, TempDir, hash_file};
use crate::{Cause, Counter, Interval, IntervalKind, NodeRow, Resource, ResourceKind, Sample};
use crate::{SettingRow, Trace};
use cluster::{BadInput, Problem};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use units::{Bytes, Nanos};

/// The table that every trace's folder has.
const MARK: &str = "run.parquet";

/// Resource kinds by their numbers, and their names in the files.
const RESOURCE_KINDS: [(ResourceKind, &str); 7] = [
    (ResourceKind::Disk, "disk"),
    (ResourceKind::DiskWrite, "disk-write"),
    (ResourceKind::NicOut, "nic-out"),
    (ResourceKind::NicIn, "nic-in"),
    (ResourceKind::UplinkOut, "uplink-out"),
    (ResourceKind::UplinkIn, "uplink-in"),
    (ResourceKind::InterRackLink, "inter-rack-link"),
];

/// Interval kinds by their numbers, and their names in the files.
const INTERVAL_KINDS: [(IntervalKind, &str); 6] = [
    (IntervalKind::Detection, "detection"),
    (IntervalKind::Queued, "queued"),
    (IntervalKind::Handout, "handout"),
    (IntervalKind::Transfer, "transfer"),
    (IntervalKind::Held, "held"),
    (IntervalKind::Report, "report"),
];

impl ResourceKind {
    /// Its name in files: "nic-out".
    pub fn name(self) -> &'static str {
        RESOURCE_KINDS[self as usize].1
    }
}

impl IntervalKind {
    /// Its name in files: "transfer".
    pub fn name(self) -> &'static str {
        INTERVAL_KINDS[self as usize].1
    }
}

impl Cause {
    /// What kind of thing it is, in files: "resource", "setting", "interval", "unexplained".
    pub fn kind(self) -> &'static str {
        match self {
            Cause::Unexplained => "unexplained",
            Cause::Resource(_) => "resource",
            Cause::Setting(_) => "setting",
            Cause::Interval(_) => "interval",
        }
    }
    /// Its place in its table.
    fn place(self) -> Option<u64> {
        match self {
            Cause::Unexplained => None,
            Cause::Resource(at) | Cause::Setting(at) => Some(u64::from(at)),
            Cause::Interval(at) => Some(at),
        }
    }
    /// The resource's name, or the setting's key.
    pub fn label(self, trace: &Trace) -> Option<&str> {
        match self {
            Cause::Resource(at) => trace.resources.get(at as usize).map(|r| r.name.as_str()),
            Cause::Setting(at) => trace.settings.get(at as usize).map(|s| s.key.as_str()),
            Cause::Interval(_) | Cause::Unexplained => None,
        }
    }
}

/// A table: its file's name, its number of rows, its sorted columns, its columns for a range of rows.
struct Table {
    name: &'static str,
    sorted: &'static [&'static str],
    rows: fn(&Trace) -> usize,
    columns: fn(&Trace, Range<usize>) -> Vec<Column>,
}

const TABLES: [Table; 9] = [
    Table { name: MARK, sorted: &[], rows: |t| t.run.len(), columns: run },
    Table { name: "racks.parquet", sorted: &[], rows: |t| t.racks.len(), columns: racks },
    Table { name: "nodes.parquet", sorted: &[], rows: |t| t.nodes.len(), columns: nodes },
    Table {
        name: "resources.parquet",
        sorted: &[],
        rows: |t| t.resources.len(),
        columns: resources,
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
        let about = [("tenbin.kind", "trace 1")];
        let columns = |range| (table.columns)(trace, range);
        let file = parquet_io::write(file, &about, table.sorted, (table.rows)(trace), columns)?;
        sums += &format!("{}  {}\n", file.finish()?, table.name)
    }
    std::fs::write(temp.temp.join(SUMS), sums)?;
    temp.keep(MARK)
}

fn id(range: &Range<usize>) -> Column {
    Column::int("id", range.clone().map(|at| at as i64))
}

fn run(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.run[range];
    vec![
        Column::text("key", rows.iter().map(|(key, _)| key.as_str())),
        Column::text("value", rows.iter().map(|(_, value)| value.as_str())),
    ]
}

fn racks(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let names = Column::text("name", trace.racks[range.clone()].iter().map(String::as_str));
    vec![id(&range), names]
}

fn nodes(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.nodes[range.clone()];
    vec![
        id(&range),
        Column::text("name", rows.iter().map(|n| n.name.as_str())),
        Column::int("rack", rows.iter().map(|n| i64::from(n.rack))),
        Column::flag("alive", rows.iter().map(|n| n.alive)),
    ]
}

fn resources(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.resources[range.clone()];
    vec![
        id(&range),
        Column::text("kind", rows.iter().map(|r| r.kind.name())),
        Column::text("name", rows.iter().map(|r| r.name.as_str())),
        Column::maybe_int("node", rows.iter().map(|r| r.node.map(i64::from))),
        Column::maybe_int("rack", rows.iter().map(|r| r.rack.map(i64::from))),
        Column::int("capacity_bytes_per_s", rows.iter().map(|r| r.capacity as i64)),
    ]
}

fn settings(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.settings[range.clone()];
    vec![
        id(&range),
        Column::text("key", rows.iter().map(|s| s.key.as_str())),
        Column::text("value", rows.iter().map(|s| s.value.as_str())),
    ]
}

fn intervals(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.intervals[range.clone()];
    vec![
        id(&range),
        Column::text("kind", rows.iter().map(|i| i.kind.name())),
        Column::maybe_int("parent", rows.iter().map(|i| i.parent.map(|p| p as i64))),
        Column::maybe_int("block", rows.iter().map(|i| i.block)),
        Column::maybe_int("node", rows.iter().map(|i| i.node.map(i64::from))),
        Column::maybe_int("peer", rows.iter().map(|i| i.peer.map(i64::from))),
        Column::maybe_int("disk", rows.iter().map(|i| i.disk.map(i64::from))),
        Column::maybe_int("peer_disk", rows.iter().map(|i| i.peer_disk.map(i64::from))),
        Column::int("start_ns", rows.iter().map(|i| i.start.0 as i64)),
        Column::int("end_ns", rows.iter().map(|i| i.end.0 as i64)),
        Column::int("bytes", rows.iter().map(|i| i.bytes.0 as i64)),
        Column::text("cause_kind", rows.iter().map(|i| i.cause.kind())),
        Column::maybe_int("cause", rows.iter().map(|i| i.cause.place().map(|p| p as i64))),
        Column::maybe_text("cause_name", rows.iter().map(|i| i.cause.label(trace))),
    ]
}

fn series(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.series[range];
    vec![
        Column::int("resource", rows.iter().map(|s| i64::from(s.resource))),
        Column::int("at_ns", rows.iter().map(|s| s.at.0 as i64)),
        Column::real("used_bytes_per_s", rows.iter().map(|s| s.used)),
        Column::int("queue", rows.iter().map(|s| i64::from(s.queue))),
    ]
}

fn counter_names(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let names = trace.counter_names[range.clone()].iter().map(String::as_str);
    vec![id(&range), Column::text("name", names)]
}

fn counters(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.counters[range];
    vec![
        Column::int("counter", rows.iter().map(|c| i64::from(c.name))),
        Column::int("at_ns", rows.iter().map(|c| c.at.0 as i64)),
        Column::real("value", rows.iter().map(|c| c.value)),
    ]
}

/// Reads a trace back from its folder. Where `SHA256SUMS` lies in it, each table must have its hash.
///
/// # Errors
/// A table is missing, has changed, is not Parquet or damaged, lacks a column, or refers to what is not there.
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
    if let Some(sum) = sum {
        if hash_file(&mut file).map_err(unreadable)? != sum {
            return Err(format!("has changed since it was written ({SUMS} has another hash)"));
        }
    }
    let columns = (table.columns)(&Trace::default(), 0..0);
    take(trace, table.name, &parquet_io::read_all(file, &columns)?)
}

fn take(trace: &mut Trace, table: &str, columns: &[Column]) -> Result<(), String> {
    match (table, columns) {
        (MARK, [key, value]) => {
            let pairs = key.texts().iter().cloned().zip(value.texts().iter().cloned());
            trace.run = pairs.collect()
        }
        ("racks.parquet", [_, name]) => trace.racks = name.texts().to_vec(),
        ("counter_names.parquet", [_, name]) => trace.counter_names = name.texts().to_vec(),
        ("settings.parquet", [_, key, value]) => {
            let pairs = key.texts().iter().cloned().zip(value.texts().iter().cloned());
            trace.settings = pairs.map(|(key, value)| SettingRow { key, value }).collect()
        }
        ("nodes.parquet", columns) => trace.nodes = take_nodes(columns, trace.racks.len())?,
        ("resources.parquet", columns) => trace.resources = take_resources(columns)?,
        ("intervals.parquet", columns) => trace.intervals = take_intervals(columns)?,
        ("series.parquet", columns) => trace.series = take_series(columns, trace.resources.len())?,
        ("counters.parquet", columns) => {
            trace.counters = take_counters(columns, trace.counter_names.len())?
        }
        _ => unreachable!("a table has the columns that were asked for"),
    }
    Ok(())
}

/// A whole number that fits, or what is wrong.
fn fits<T: TryFrom<i64>>(value: i64, column: &str) -> Result<T, String> {
    T::try_from(value).map_err(|_| format!("has {value} in column \"{column}\""))
}

/// As [`fits`], for a column with nulls.
fn may<T: TryFrom<i64>>(value: Option<i64>, column: &str) -> Result<Option<T>, String> {
    value.map(|value| fits(value, column)).transpose()
}

/// A place in a table of `rows` rows.
fn refers(value: i64, rows: usize, column: &str) -> Result<u32, String> {
    match u32::try_from(value) {
        Ok(at) if (at as usize) < rows => Ok(at),
        _ => Err(format!("refers to {column} {value} of {rows}")),
    }
}

fn named<K: Copy>(kinds: &[(K, &str)], name: &str) -> Result<K, String> {
    let kind = kinds.iter().find(|(_, n)| *n == name).map(|(kind, _)| *kind);
    kind.ok_or_else(|| format!("has an unknown kind \"{name}\""))
}

fn take_nodes(columns: &[Column], racks: usize) -> Result<Vec<NodeRow>, String> {
    let [_, name, rack, alive] = columns else { unreachable!("four columns") };
    let rows = name.texts().iter().zip(rack.ints()).zip(alive.flags());
    rows.map(|((name, rack), alive)| {
        Ok(NodeRow { name: name.clone(), rack: refers(*rack, racks, "rack")?, alive: *alive })
    })
    .collect()
}

fn take_resources(columns: &[Column]) -> Result<Vec<Resource>, String> {
    let [_, kind, name, node, rack, capacity] = columns else { unreachable!("six columns") };
    let rows = kind.texts().iter().zip(name.texts()).zip(capacity.ints());
    rows.zip(node.maybe_ints().zip(rack.maybe_ints()))
        .map(|(((kind, name), capacity), (node, rack))| {
            Ok(Resource {
                kind: named(&RESOURCE_KINDS, kind)?,
                name: name.clone(),
                node: may(node, "node")?,
                rack: may(rack, "rack")?,
                capacity: *capacity as u64,
            })
        })
        .collect()
}

fn take_intervals(columns: &[Column]) -> Result<Vec<Interval>, String> {
    let [
        _,
        kind,
        parent,
        block,
        node,
        peer,
        disk,
        peer_disk,
        start,
        end,
        bytes,
        cause_kind,
        cause,
        _,
    ] = columns
    else {
        unreachable!("fourteen columns")
    };
    let (mut parent, mut block) = (parent.maybe_ints(), block.maybe_ints());
    let (mut node, mut peer) = (node.maybe_ints(), peer.maybe_ints());
    let (mut disk, mut peer_disk) = (disk.maybe_ints(), peer_disk.maybe_ints());
    let mut cause = cause.maybe_ints();
    let row = |(at, kind): (usize, &String)| {
        Ok(Interval {
            kind: named(&INTERVAL_KINDS, kind)?,
            parent: parent.next().flatten().map(|p| p as u64),
            block: block.next().flatten(),
            node: may(node.next().flatten(), "node")?,
            peer: may(peer.next().flatten(), "peer")?,
            disk: may(disk.next().flatten(), "disk")?,
            peer_disk: may(peer_disk.next().flatten(), "peer_disk")?,
            start: Nanos(start.ints()[at] as u64),
            end: Nanos(end.ints()[at] as u64),
            bytes: Bytes(bytes.ints()[at] as u64),
            cause: cause_of(&cause_kind.texts()[at], cause.next().flatten())?,
        })
    };
    kind.texts().iter().enumerate().map(row).collect()
}

fn cause_of(kind: &str, place: Option<i64>) -> Result<Cause, String> {
    match (kind, place) {
        ("unexplained", None) => Ok(Cause::Unexplained),
        ("resource", Some(at)) => Ok(Cause::Resource(fits(at, "cause")?)),
        ("setting", Some(at)) => Ok(Cause::Setting(fits(at, "cause")?)),
        ("interval", Some(at)) => Ok(Cause::Interval(at as u64)),
        _ => Err(format!("has a cause \"{kind}\" {place:?}")),
    }
}

fn take_series(columns: &[Column], resources: usize) -> Result<Vec<Sample>, String> {
    let [resource, at, used, queue] = columns else { unreachable!("four columns") };
    let rows = resource.ints().iter().zip(at.ints()).zip(used.reals()).zip(queue.ints());
    rows.map(|(((resource, at), used), queue)| {
        Ok(Sample {
            resource: refers(*resource, resources, "resource")?,
            at: Nanos(*at as u64),
            used: *used,
            queue: fits(*queue, "queue")?,
        })
    })
    .collect()
}

fn take_counters(columns: &[Column], names: usize) -> Result<Vec<Counter>, String> {
    let [name, at, value] = columns else { unreachable!("three columns") };
    let rows = name.ints().iter().zip(at.ints()).zip(value.reals());
    rows.map(|((name, at), value)| {
        let name = refers(*name, names, "counter")?;
        Ok(Counter { name, at: Nanos(*at as u64), value: *value })
    })
    .collect()
}
