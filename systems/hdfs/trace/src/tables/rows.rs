//! Rows from a table's columns; what does not fit is an error for people.
use super::names::{INTERVAL_KINDS, RESOURCE_KINDS};
use crate::{
    CapacityChange, Cause, Counter, Interval, NodeRow, Request, Resource, Sample, SettingRow, Trace,
};
use trace2::parquet_io::Column;
use units::{Bytes, Nanos};

/// Puts a table's rows into the trace.
pub(super) fn take(trace: &mut Trace, table: &str, columns: &[Column]) -> Result<(), String> {
    match (table, columns) {
        (super::MARK, [key, value]) => {
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
        ("capacities.parquet", columns) => {
            trace.capacities = take_capacities(columns, trace.resources.len())?
        }
        ("intervals.parquet", columns) => trace.intervals = take_intervals(columns)?,
        ("series.parquet", columns) => trace.series = take_series(columns, trace.resources.len())?,
        ("counters.parquet", columns) => {
            trace.counters = take_counters(columns, trace.counter_names.len())?
        }
        ("requests.parquet", columns) => {
            trace.requests = take_requests(columns, trace.nodes.len())?
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
    let [_, name, address, rack, alive] = columns else { unreachable!("five columns") };
    let rows = name.texts().iter().zip(address.texts()).zip(rack.ints()).zip(alive.flags());
    rows.map(|(((name, address), rack), alive)| {
        let rack = refers(*rack, racks, "rack")?;
        Ok(NodeRow { name: name.clone(), address: address.clone(), rack, alive: *alive })
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
                capacity: capacity.cast_unsigned(),
            })
        })
        .collect()
}

fn take_capacities(columns: &[Column], resources: usize) -> Result<Vec<CapacityChange>, String> {
    let [resource, at, capacity] = columns else { unreachable!("three columns") };
    let rows = resource.ints().iter().zip(at.ints()).zip(capacity.ints());
    rows.map(|((resource, at), capacity)| {
        let resource = refers(*resource, resources, "resource")?;
        let capacity = capacity.cast_unsigned();
        Ok(CapacityChange { resource, at: Nanos(at.cast_unsigned()), capacity })
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
            parent: may(parent.next().flatten(), "parent")?,
            block: block.next().flatten(),
            node: may(node.next().flatten(), "node")?,
            peer: may(peer.next().flatten(), "peer")?,
            disk: may(disk.next().flatten(), "disk")?,
            peer_disk: may(peer_disk.next().flatten(), "peer_disk")?,
            start: Nanos(start.ints()[at].cast_unsigned()),
            end: Nanos(end.ints()[at].cast_unsigned()),
            bytes: Bytes(bytes.ints()[at].cast_unsigned()),
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
        ("interval", Some(at)) => Ok(Cause::Interval(fits(at, "cause")?)),
        _ => Err(format!("has a cause \"{kind}\" {place:?}")),
    }
}

fn take_series(columns: &[Column], resources: usize) -> Result<Vec<Sample>, String> {
    let [resource, at, used, queue] = columns else { unreachable!("four columns") };
    let rows = resource.ints().iter().zip(at.ints()).zip(used.reals()).zip(queue.ints());
    rows.map(|(((resource, at), used), queue)| {
        Ok(Sample {
            resource: refers(*resource, resources, "resource")?,
            at: Nanos(at.cast_unsigned()),
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
        Ok(Counter { name, at: Nanos(at.cast_unsigned()), value: *value })
    })
    .collect()
}

fn take_requests(columns: &[Column], nodes: usize) -> Result<Vec<Request>, String> {
    let [write, client, node, begun, end, bytes, tries] = columns else {
        unreachable!("seven columns")
    };
    let mut end = end.maybe_ints();
    let row = |(at, write): (usize, &bool)| {
        Ok(Request {
            write: *write,
            client: refers(client.ints()[at], nodes, "client")?,
            node: refers(node.ints()[at], nodes, "node")?,
            begun: Nanos(begun.ints()[at].cast_unsigned()),
            end: end.next().flatten().map(|end| Nanos(end.cast_unsigned())),
            bytes: Bytes(bytes.ints()[at].cast_unsigned()),
            tries: fits(tries.ints()[at], "tries")?,
        })
    };
    write.flags().iter().enumerate().map(row).collect()
}
