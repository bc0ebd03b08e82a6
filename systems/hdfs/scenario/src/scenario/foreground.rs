//! `[workload.foreground]`: reads and writes of clients during the repair.
use super::{Event, EventKind, typed};
use crate::keys::{self, TypedValue};
use crate::targets;
use cluster::document::{Document, Entry, Place};
use cluster::paths::beside;
use cluster::read_text;
use cluster::sheet::layers::read_value;
use cluster::sheet::values::Values;
use cluster::{BadInput, Cluster, NodeId, Problem, nearest};
use std::path::Path;
use units::{Bytes, Nanos};

#[derive(Clone, PartialEq, Debug)]
pub struct Foreground {
    /// Reads started per second in the entire cluster; 0: none.
    pub reads: f64,
    /// Writes started per second in the entire cluster; 0: none.
    pub writes: f64,
    /// Clients that read sequentially, one request at a time.
    pub readers: u32,
    /// Clients that write sequentially, one block at a time.
    pub writers: u32,
    pub start: Nanos,
    /// Mean pause of a reader or writer between two requests.
    pub think: Nanos,
    pub read_bytes: Bytes,
    pub write_bytes: Bytes,
    /// Fraction of reads whose client runs on a node with a replica.
    pub local: f64,
    /// (reads, writes) served by each node, by `NodeId`, in any unit. `None`: in proportion to the
    /// data that a node holds.
    pub shares: Option<Vec<(f64, f64)>>,
}

/// A load needs at least one of these keys.
const LOADS: [&str; 4] = ["reads", "writes", "readers", "writers"];

fn name(key: &str) -> String {
    format!("workload.foreground.{key}")
}

pub(crate) fn is_given(values: &Values) -> bool {
    LOADS.iter().any(|key| values.find(&name(key)).is_some())
}

pub(super) fn read(values: &mut Values, cluster: &Cluster, events: &[Event]) -> Option<Foreground> {
    if !is_given(values) {
        refuse_without_load(values);
        return None;
    }
    let number = |key| match values.find(&name(key)).map(|slot| &slot.typed) {
        Some(TypedValue::Number(n)) => *n,
        _ => 0.0,
    };
    let count = |key| match values.find(&name(key)).map(|slot| &slot.typed) {
        Some(TypedValue::Count(n)) => u32::try_from(*n).expect("its kind has a greatest value"),
        _ => 0,
    };
    let found = Foreground {
        reads: number("reads"),
        writes: number("writes"),
        readers: count("readers"),
        writers: count("writers"),
        start: values.time(&name("start")),
        think: values.time(&name("think")),
        read_bytes: values.bytes(&name("read_bytes")),
        write_bytes: values.bytes(&name("write_bytes")),
        local: number("local"),
        shares: None,
    };
    let checked = shares(values, cluster).and_then(|shares| {
        let found = Foreground { shares, ..found };
        refuse_overload(&found, values, cluster, events).map(|()| found)
    });
    checked.map_err(|problem| values.problems.push(*problem)).ok()
}

/// Rejects an open loop with more demand than the disks or NICs provide: its queues would grow
/// without limit, and no repair would end.
fn refuse_overload(
    load: &Foreground,
    values: &Values,
    cluster: &Cluster,
    events: &[Event],
) -> Result<(), Box<Problem>> {
    if values.find("hardware.disk").is_none() || values.find("hardware.nic").is_none() {
        return Ok(());
    }
    let hardware = typed::hardware(values);
    let lost = |n: usize| events.iter().any(|e| e.kind == EventKind::NodeLost(NodeId::nth(n)));
    let stay: Vec<usize> =
        (0..cluster.nodes.len()).filter(|&n| cluster.nodes[n].alive && !lost(n)).collect();
    if stay.is_empty() {
        // Without a node, no request is served or queued.
        return Ok(());
    }
    let disks: u64 = stay.iter().map(|&n| u64::from(cluster.nodes[n].disks)).sum();
    let replicas = values.count("hdfs-site.dfs.replication") as f64;
    let reads = load.reads * load.read_bytes.0 as f64;
    let written = load.writes * load.write_bytes.0 as f64 * replicas;
    let on_network = reads * (1.0 - load.local) + written * (1.0 - 1.0 / replicas.max(1.0));
    let each = hardware.disk.rate_of_many();
    let sides = [
        ("disks", reads + written, disks as f64 * each),
        ("NICs", on_network, stay.len() as f64 * hardware.nic.0 as f64),
    ];
    for (what, asked, given) in sides {
        if asked >= given {
            let key = if load.reads > 0.0 { "reads" } else { "writes" };
            let place = values.slot(&name(key)).place.clone().unwrap_or(Place::CommandLine);
            let rate = |of: f64| format!("{:.1} GB/s", of / 1e9);
            let problem = format!(
                "clients request {} from the {what}, but {} nodes have only {}",
                rate(asked),
                stay.len(),
                rate(given)
            );
            let expected = "fewer or smaller requests, or clients in a closed loop (readers, \
                            writers)";
            return Err(place.problem(&name(key), problem, expected).into());
        }
    }
    Ok(())
}

fn refuse_without_load(values: &mut Values) {
    for key in ["start", "think", "read_bytes", "write_bytes", "local", "shares"] {
        let Some(place) = values.find(&name(key)).and_then(|slot| slot.place.clone()) else {
            continue;
        };
        let expected = "one of reads, writes (per second), readers, writers (clients), too";
        values.problems.push(place.problem(&name(key), "has no load", expected))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForegroundLine {
    pub key: String,
    /// As for `--set`. The path of the shares file is resolved, so that any folder works.
    pub value: String,
    pub line: u32,
}

/// Reads a file that contains only `[workload.foreground]`.
///
/// # Errors
/// The file does not exist or is not TOML, has another table, an unknown key, an invalid value, or
/// no load.
pub fn foreground_file(file: &Path) -> Result<Vec<ForegroundLine>, BadInput> {
    let document = Document::parse(&read_text(file)?, file)?;
    let problems: Vec<Problem> = document.entries.iter().filter_map(complaint).collect();
    if !problems.is_empty() {
        return Err(BadInput::all(problems));
    }
    if !document.entries.iter().any(|e| LOADS.iter().any(|key| e.key == name(key))) {
        let expected = "[workload.foreground] with reads, writes (per second), readers or writers";
        return Err(Problem::of_file(file, "has no load", expected).into());
    }
    let line = |entry: &Entry| ForegroundLine {
        key: entry.key.clone(),
        value: match entry.key == name("shares") {
            true => beside(file, entry.value.text()).display().to_string(),
            false => entry.value.text().to_string(),
        },
        line: match entry.place {
            Place::File(_, line) => line,
            Place::CommandLine => 1,
        },
    };
    Ok(document.entries.iter().map(line).collect())
}

fn complaint(entry: &Entry) -> Option<Problem> {
    let known = || keys::all().filter(|key| key.name.starts_with(&name("")));
    if let Some(key) = known().find(|key| key.name == entry.key) {
        return read_value(key, &entry.key, &entry.value, &entry.place).err().map(|p| *p);
    }
    let names: Vec<&str> = known().filter_map(|key| key.name.strip_prefix(&name(""))).collect();
    let expected = format!("a key of [workload.foreground]: {}", names.join(", "));
    let mut problem = entry.place.problem(&entry.key, "is not a key of a foreground", expected);
    problem.hint = nearest(&entry.key, known().map(|key| key.name)).map(str::to_string);
    Some(problem)
}

fn shares(values: &Values, cluster: &Cluster) -> Result<Option<Vec<(f64, f64)>>, Box<Problem>> {
    let Some(slot) = values.find(&name("shares")) else { return Ok(None) };
    let file = match &slot.place {
        Some(Place::File(file, _)) => beside(file, &slot.text),
        _ => Path::new(&slot.text).to_path_buf(),
    };
    let place = slot.place.clone().unwrap_or(Place::CommandLine);
    let text = read_text(&file).map_err(|error| {
        let first = &error.problems[0];
        let problem = format!("{} {}", file.display(), first.problem);
        let expected = "a table of comma-separated values `node,reads,writes`";
        Box::new(place.problem(&name("shares"), problem, expected))
    })?;
    table(&text, &file, cluster).map(Some)
}

const HEAD: &str = "node,reads,writes";

fn table(text: &str, file: &Path, cluster: &Cluster) -> Result<Vec<(f64, f64)>, Box<Problem>> {
    let bad = |line: usize, problem: String, expected: &str| {
        let problem = Problem::of_file(file, problem, expected);
        Box::new(Problem { line: Some(cluster::count32(line)), ..problem })
    };
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut lines = lines.by_ref().filter(|(_, l)| !l.is_empty() && !l.starts_with('#'));
    match lines.next() {
        Some((_, HEAD)) => {}
        other => {
            let (line, found) = other.unwrap_or((1, ""));
            return Err(bad(line, format!("begins with \"{found}\""), HEAD));
        }
    }
    let mut shares = vec![(0.0, 0.0); cluster.nodes.len()];
    for (line, row) in lines {
        let parts: Vec<&str> = row.split(',').map(str::trim).collect();
        let number = |text: &str| text.parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0);
        let [node, reads, writes] = parts[..] else {
            return Err(bad(
                line,
                format!("\"{row}\""),
                "a node and two numbers, separated by commas",
            ));
        };
        let (Some(reads), Some(writes)) = (number(reads), number(writes)) else {
            return Err(bad(line, format!("\"{row}\""), "two numbers from 0 after the node"));
        };
        let found = targets::node(cluster, node);
        let id = found.map_err(|no| {
            let problem = bad(line, no.problem, &no.expected);
            Box::new(Problem { hint: no.hint, ..*problem })
        })?;
        let share = &mut shares[id.at()];
        *share = (share.0 + reads, share.1 + writes)
    }
    Ok(shares)
}
