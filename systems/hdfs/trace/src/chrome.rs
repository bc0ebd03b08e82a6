//! A trace as Chrome's JSON, which [Perfetto](https://ui.perfetto.dev) opens.
//!
//! Processes: the cluster, each rack's links, each node. A node's tracks are what it sends (as many
//! lanes as copies run at once) with what held each copy nested in it, and its reports; counters
//! are its disks' and NIC's use, the blocks at risk, and who waits. Times are in µs, as the format
//! wants.
use crate::{Interval, IntervalKind, Resource, Trace};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use units::{Nanos, u32_of};

/// Writes `trace` to a file, whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn write(trace: &Trace, path: &Path) -> io::Result<()> {
    let (temp, file) = trace2::parquet_io::TempFile::create(path)?;
    let file = write_to(trace, BufWriter::new(file))?.into_inner()?;
    file.sync_all()?;
    temp.keep()
}

/// Writes `trace` event by event; returns the writer.
///
/// # Errors
/// The writer fails.
pub fn write_to<W: Write>(trace: &Trace, out: W) -> io::Result<W> {
    let mut export = Export { trace, out, first: true, end: last(trace) };
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

/// The last time that is said; what never ends is drawn up to here.
fn last(trace: &Trace) -> Nanos {
    let known = |t: Nanos| Some(t).filter(|t| *t != Nanos::MAX);
    let intervals = trace.intervals.iter().flat_map(|i| [known(i.start), known(i.end)]);
    let others = trace.series.iter().map(|s| s.at).chain(trace.counters.iter().map(|c| c.at));
    intervals.chain(others.map(Some)).flatten().max().unwrap_or_default()
}

const CLUSTER: u64 = 1;

/// Kinds of tracks in a process, by the hundred thousands of their thread numbers.
const LANES: u64 = 100_000;

struct Export<'a, W> {
    trace: &'a Trace,
    out: W,
    first: bool,
    end: Nanos,
}

/// An interval with what is nested in it.
struct Group {
    at: usize,
    parts: Vec<usize>,
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
    fn rack_process(&self, rack: u32) -> u64 {
        CLUSTER + 1 + u64::from(rack)
    }
    fn node_process(&self, node: u32) -> u64 {
        self.rack_process(u32_of(self.trace.racks.len())) + u64::from(node)
    }
    fn process_of(&self, resource: &Resource) -> u64 {
        match (resource.node, resource.rack) {
            (Some(node), _) => self.node_process(node),
            (None, Some(rack)) => self.rack_process(rack),
            (None, None) => CLUSTER,
        }
    }
    /// Processes by name: a rack stands before its nodes.
    fn names(&mut self) -> io::Result<()> {
        let trace = self.trace;
        self.process(CLUSTER, 0, "cluster")?;
        let mut sort = 0;
        for (rack, name) in (0u32..).zip(&trace.racks) {
            sort += 1;
            self.process(self.rack_process(rack), sort, &format!("{name}: links"))?;
            for (node, row) in (0u32..).zip(&trace.nodes).filter(|(_, n)| n.rack == rack) {
                sort += 1;
                let lost = if row.alive { "" } else { " (lost)" };
                self.process(self.node_process(node), sort, &format!("{name} {}{lost}", row.name))?
            }
        }
        Ok(())
    }
    fn process(&mut self, pid: u64, sort: u64, name: &str) -> io::Result<()> {
        self.event(
            &json!({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}),
        )?;
        let args = json!({"sort_index": sort});
        self.event(&json!({"ph": "M", "name": "process_sort_index", "pid": pid, "args": args}))
    }
    fn thread(&mut self, pid: u64, tid: u64, name: &str) -> io::Result<()> {
        let args = json!({"name": name});
        self.event(
            &json!({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": args}),
        )?;
        let args = json!({"sort_index": tid});
        self.event(
            &json!({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": args}),
        )
    }
    /// What runs: by process and kind, on as many lanes as overlap.
    fn slices(&mut self) -> io::Result<()> {
        for ((pid, track), mut groups) in self.groups() {
            let intervals = &self.trace.intervals;
            groups.sort_by_key(|g| (intervals[g.at].start, g.at));
            // Lanes by the time at which they are free; the lowest free one is taken.
            let mut busy = BinaryHeap::<Reverse<(Nanos, u64)>>::new();
            let mut free = BinaryHeap::<Reverse<u64>>::new();
            let mut lanes = 0;
            for group in groups {
                let interval = &self.trace.intervals[group.at];
                while busy.peek().is_some_and(|Reverse((end, _))| *end <= interval.start) {
                    free.extend(busy.pop().map(|Reverse((_, lane))| Reverse(lane)))
                }
                let lane = free.pop().map_or(lanes, |Reverse(lane)| lane);
                let tid = (track as u64 + 1) * LANES + lane;
                if lane == lanes {
                    lanes += 1;
                    self.thread(pid, tid, &format!("{} {}", lane_name(track), lane + 1))?
                }
                busy.push(Reverse((self.to(interval), lane)));
                self.slice(interval, pid, tid, interval.start, self.to(interval))?;
                self.parts(&group, pid, tid)?
            }
        }
        Ok(())
    }
    /// Intervals to draw, with their parts, by process and track.
    fn groups(&self) -> BTreeMap<(u64, IntervalKind), Vec<Group>> {
        let mut parts = BTreeMap::<u64, Vec<usize>>::new();
        let mut groups = BTreeMap::<(u64, IntervalKind), Vec<Group>>::new();
        for (at, interval) in self.trace.intervals.iter().enumerate() {
            if let (IntervalKind::Held, Some(parent)) = (interval.kind, interval.parent) {
                parts.entry(parent).or_default().push(at)
            }
        }
        for (at, interval) in self.trace.intervals.iter().enumerate() {
            use IntervalKind::{Detection, Report, Transfer};
            if !matches!(interval.kind, Detection | Transfer | Report) {
                continue;
            }
            let pid = match interval.node {
                Some(node) => self.node_process(node),
                None => CLUSTER,
            };
            let parts = parts.remove(&(at as u64)).unwrap_or_default();
            groups.entry((pid, interval.kind)).or_default().push(Group { at, parts })
        }
        groups
    }
    /// What held a copy, inside of it and one behind the other.
    fn parts(&mut self, group: &Group, pid: u64, tid: u64) -> io::Result<()> {
        let intervals = &self.trace.intervals;
        let (mut from, to) = (intervals[group.at].start, self.to(&intervals[group.at]));
        let mut parts = group.parts.clone();
        parts.sort_by_key(|at| (intervals[*at].start, *at));
        for at in parts {
            let part = &intervals[at];
            let (start, end) = (part.start.max(from), self.to(part).min(to));
            if start < end {
                self.slice(part, pid, tid, start, end)?;
                from = end
            }
        }
        Ok(())
    }
    fn to(&self, interval: &Interval) -> Nanos {
        interval.end.min(self.end).max(interval.start)
    }
    fn slice(
        &mut self,
        interval: &Interval,
        pid: u64,
        tid: u64,
        start: Nanos,
        end: Nanos,
    ) -> io::Result<()> {
        let peer = interval.peer.and_then(|p| self.trace.nodes.get(p as usize));
        let peer = peer.map(|n| n.name.as_str());
        let cause = interval.cause.label(self.trace).unwrap_or(interval.cause.kind());
        let name = match (interval.kind, peer) {
            (IntervalKind::Transfer, Some(peer)) => format!("to {peer}"),
            (IntervalKind::Held, _) => format!("held by {cause}"),
            (kind, _) => kind.name().to_string(),
        };
        let mut args = json!({"cause": cause});
        let mut add = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                args[key] = value
            }
        };
        add("block", interval.block.map(|b| json!(format!("blk_{b}"))));
        add("bytes", (interval.bytes.0 > 0).then(|| json!(interval.bytes.0)));
        add("from_disk", interval.disk.map(Value::from));
        add("to_disk", interval.peer_disk.map(Value::from));
        let (ts, dur) = (micros(start), micros(end.saturating_sub(start)));
        self.event(&json!({
            "ph": "X", "cat": interval.kind.name(), "name": name,
            "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args,
        }))
    }
    /// Those who wait are too many for tracks: a counter, at the NameNode and at each source.
    fn waiting(&mut self) -> io::Result<()> {
        let mut steps = BTreeMap::<(u64, &str), BTreeMap<Nanos, i64>>::new();
        for interval in &self.trace.intervals {
            let counter = match (interval.kind, interval.node) {
                (IntervalKind::Queued, _) => (CLUSTER, "waiting in the NameNode's queue"),
                (IntervalKind::Handout, Some(node)) => {
                    (self.node_process(node), "waiting to be sent")
                }
                _ => continue,
            };
            let steps = steps.entry(counter).or_default();
            *steps.entry(interval.start).or_default() += 1;
            *steps.entry(self.to(interval)).or_default() -= 1
        }
        for ((pid, name), steps) in steps {
            let mut now = 0;
            for (at, step) in steps.into_iter().filter(|(_, step)| *step != 0) {
                now += step;
                self.counter(pid, name, at, "blocks", now.into())?
            }
        }
        Ok(())
    }
    fn counters(&mut self) -> io::Result<()> {
        let trace = self.trace;
        for counter in &trace.counters {
            let name = trace.counter_names.get(counter.name as usize).map_or("?", String::as_str);
            self.counter(CLUSTER, name, counter.at, "value", counter.value.into())?
        }
        for sample in &trace.series {
            if let Some(resource) = trace.resources.get(sample.resource as usize) {
                let pid = self.process_of(resource);
                self.counter(pid, &resource.name, sample.at, "MB/s", (sample.used / 1e6).into())?
            }
        }
        Ok(())
    }
    fn counter(
        &mut self,
        pid: u64,
        name: &str,
        at: Nanos,
        unit: &str,
        value: Value,
    ) -> io::Result<()> {
        // Millions of them: piece by piece, for a tree of values takes ten times as long.
        self.separate()?;
        let out = &mut self.out;
        out.write_all(b"{\"args\":{")?;
        serde_json::to_writer(&mut *out, unit)?;
        out.write_all(b":")?;
        serde_json::to_writer(&mut *out, &value)?;
        out.write_all(b"},\"name\":")?;
        serde_json::to_writer(&mut *out, name)?;
        write!(out, ",\"ph\":\"C\",\"pid\":{pid},\"ts\":")?;
        serde_json::to_writer(&mut *out, &micros(at))?;
        out.write_all(b"}")
    }
}

fn lane_name(kind: IntervalKind) -> &'static str {
    match kind {
        IntervalKind::Detection => "lost",
        IntervalKind::Transfer => "sends",
        _ => "reports",
    }
}

fn micros(time: Nanos) -> f64 {
    time.0 as f64 / 1e3
}
