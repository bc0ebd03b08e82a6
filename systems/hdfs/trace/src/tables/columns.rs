//! The columns of each table, for a range of its rows.
use crate::Trace;
use std::ops::Range;
use trace2::parquet_io::Column;

fn id(range: &Range<usize>) -> Column {
    Column::int("id", range.clone().map(|at| at as i64))
}

pub(super) fn run(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.run[range];
    vec![
        Column::text("key", rows.iter().map(|(key, _)| key.as_str())),
        Column::text("value", rows.iter().map(|(_, value)| value.as_str())),
    ]
}

pub(super) fn racks(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let names = Column::text("name", trace.racks[range.clone()].iter().map(String::as_str));
    vec![id(&range), names]
}

pub(super) fn nodes(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.nodes[range.clone()];
    vec![
        id(&range),
        Column::text("name", rows.iter().map(|n| n.name.as_str())),
        Column::text("address", rows.iter().map(|n| n.address.as_str())),
        Column::int("rack", rows.iter().map(|n| i64::from(n.rack))),
        Column::flag("alive", rows.iter().map(|n| n.alive)),
    ]
}

pub(super) fn resources(trace: &Trace, range: Range<usize>) -> Vec<Column> {
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

pub(super) fn capacities(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.capacities[range];
    vec![
        Column::int("resource", rows.iter().map(|c| i64::from(c.resource))),
        Column::int("at_ns", rows.iter().map(|c| c.at.0 as i64)),
        Column::int("capacity_bytes_per_s", rows.iter().map(|c| c.capacity as i64)),
    ]
}

pub(super) fn settings(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.settings[range.clone()];
    vec![
        id(&range),
        Column::text("key", rows.iter().map(|s| s.key.as_str())),
        Column::text("value", rows.iter().map(|s| s.value.as_str())),
    ]
}

pub(super) fn intervals(trace: &Trace, range: Range<usize>) -> Vec<Column> {
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

pub(super) fn series(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.series[range];
    vec![
        Column::int("resource", rows.iter().map(|s| i64::from(s.resource))),
        Column::int("at_ns", rows.iter().map(|s| s.at.0 as i64)),
        Column::real("used_bytes_per_s", rows.iter().map(|s| s.used)),
        Column::int("queue", rows.iter().map(|s| i64::from(s.queue))),
    ]
}

pub(super) fn counter_names(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let names = trace.counter_names[range.clone()].iter().map(String::as_str);
    vec![id(&range), Column::text("name", names)]
}

pub(super) fn counters(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.counters[range];
    vec![
        Column::int("counter", rows.iter().map(|c| i64::from(c.name))),
        Column::int("at_ns", rows.iter().map(|c| c.at.0 as i64)),
        Column::real("value", rows.iter().map(|c| c.value)),
    ]
}

pub(super) fn requests(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &trace.requests[range];
    vec![
        Column::flag("write", rows.iter().map(|r| r.write)),
        Column::int("client", rows.iter().map(|r| i64::from(r.client))),
        Column::int("node", rows.iter().map(|r| i64::from(r.node))),
        Column::int("begun_ns", rows.iter().map(|r| r.begun.0 as i64)),
        Column::maybe_int("end_ns", rows.iter().map(|r| r.end.map(|end| end.0 as i64))),
        Column::int("bytes", rows.iter().map(|r| r.bytes.0 as i64)),
        Column::int("tries", rows.iter().map(|r| i64::from(r.tries))),
    ]
}
