//! A trace as Chrome's JSON, which [Perfetto](https://ui.perfetto.dev) opens.
//!
//! Processes are the whole run, each rack's links, and each node. A node's tracks are its works by
//! kind, on as many lanes as run at once, with nested parts. Counters show waits, the trace's
//! counters, and the use of resources. Times are in µs, as the format requires.
mod counters;
mod slices;

use crate::ids::{NodeId, RackId};
use crate::parquet_io::TempFile;
use crate::schema::{Cause, Interval, Resource, Trace};
use crate::walk::Lanes;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use units::Nanos;

/// Writes `trace` to a file, completely or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn write(trace: &Trace, path: &Path) -> io::Result<()> {
    let (temp, file) = TempFile::create(path)?;
    let file = write_to(trace, BufWriter::new(file))?.into_inner()?;
    file.sync_all()?;
    temp.keep()
}

/// Writes `trace` event by event and returns the writer.
///
/// # Errors
/// The writer fails.
pub fn write_to<W: Write>(trace: &Trace, out: W) -> io::Result<W> {
    let (lanes, end) = (Lanes::of(trace), trace.last());
    let mut export = Export { trace, lanes, out, first: true, end };
    export.out.write_all(b"{\"displayTimeUnit\":\"ms\",\"otherData\":")?;
    let about: BTreeMap<&String, &String> = trace.run.iter().map(|(k, v)| (k, v)).collect();
    serde_json::to_writer(&mut export.out, &about)?;
    export.out.write_all(b",\"traceEvents\":[\n")?;
    export.names()?;
    export.slices()?;
    export.waiting()?;
    export.counters()?;
    export.out.write_all(b"\n]}\n")?;
    Ok(export.out)
}

/// The process of rows without node and rack.
const WHOLE: u64 = 1;

struct Export<'a, W> {
    trace: &'a Trace,
    lanes: Lanes,
    out: W,
    first: bool,
    end: Nanos,
}

fn process_of(node: Option<NodeId>) -> u64 {
    node.map_or(WHOLE, |node| WHOLE + 1 + node.at() as u64)
}

impl<W: Write> Export<'_, W> {
    fn separate(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.first) {
            self.out.write_all(b",\n")?
        }
        Ok(())
    }

    fn event(&mut self, event: &Value) -> io::Result<()> {
        self.separate()?;
        Ok(serde_json::to_writer(&mut self.out, event)?)
    }

    fn rack_process(&self, rack: RackId) -> u64 {
        WHOLE + 1 + (self.trace.nodes.len() + rack.at()) as u64
    }

    fn process_with(&self, resource: &Resource) -> u64 {
        match (resource.node, resource.rack) {
            (None, Some(rack)) => self.rack_process(rack),
            (node, _) => process_of(node),
        }
    }

    fn named(&mut self, what: &str, pid: u64, tid: u64, sort: u64, name: &str) -> io::Result<()> {
        let mut said = |what: String, args: Value| {
            self.event(&json!({"ph": "M", "name": what, "pid": pid, "tid": tid, "args": args}))
        };
        said(format!("{what}_name"), json!({"name": name}))?;
        said(format!("{what}_sort_index"), json!({"sort_index": sort}))
    }

    /// Names processes. A rack with links comes before its nodes; nodes without a rack come last.
    fn names(&mut self) -> io::Result<()> {
        let trace = self.trace;
        self.named("process", WHOLE, 0, 0, "the whole")?;
        let links = trace.resources.iter().filter(|r| r.node.is_none()).filter_map(|r| r.rack);
        let links: BTreeSet<RackId> = links.collect();
        let racks = trace.racks.iter().enumerate().map(|(at, name)| (RackId::of(at), name));
        let mut sort = 0;
        for (rack, name) in racks {
            if links.contains(&rack) {
                sort += 1;
                let pid = self.rack_process(rack);
                self.named("process", pid, 0, sort, &format!("{name}: links"))?
            }
            self.nodes(Some(rack), &format!("{name} "), &mut sort)?
        }
        self.nodes(None, "", &mut sort)
    }

    fn nodes(&mut self, rack: Option<RackId>, before: &str, sort: &mut u64) -> io::Result<()> {
        let trace = self.trace;
        for (at, node) in trace.nodes.iter().enumerate().filter(|(_, node)| node.rack == rack) {
            let lost = if node.alive { "" } else { " (lost)" };
            let name = format!("{before}{}{lost}", node.name);
            *sort += 1;
            self.named("process", process_of(Some(NodeId::of(at))), 0, *sort, &name)?
        }
        Ok(())
    }

    /// Open intervals end at the last time of the trace.
    fn to(&self, row: &Interval) -> Nanos {
        row.end.min(self.end).max(row.start)
    }

    /// The cause in words; `None`: no evidence.
    fn cause(&self, row: &Interval) -> Option<String> {
        let trace = self.trace;
        match row.cause {
            Cause::Resource(id) => trace.resources.get(id.at()).map(|r| r.name.clone()),
            Cause::Setting(id) => trace.settings.get(id.at()).map(|s| s.key.clone()),
            Cause::Shortage(id) => trace.lacks.get(id.at()).map(|l| l.name.clone()),
            Cause::Interval(id) if id.at() < trace.intervals.len() => {
                Some(crate::reading::label(trace, Some(id)))
            }
            Cause::Phase => Some("phase".into()),
            Cause::Interval(_) | Cause::Unexplained => None,
        }
    }
}

fn micros(time: Nanos) -> f64 {
    time.0 as f64 / 1e3
}
