//! A trace as Chrome's JSON, which [Perfetto](https://ui.perfetto.dev) opens.
//!
//! Processes: the whole, each node. A node's tracks are its works by kind, on as many lanes as run
//! at once, with their parts nested in them; then counters and the use of resources. Times are in
//! µs, as the format wants.
use crate::ids::{IntervalId, NodeId};
use crate::kinds::{IntervalRole, KindRole};
use crate::parquet_io::TempFile;
use crate::schema::{Interval, Trace};
use crate::walk::{Lane, Lanes};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use units::Nanos;

/// Writes `trace` to a file, whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn write(trace: &Trace, path: &Path) -> io::Result<()> {
    let (temp, file) = TempFile::create(path)?;
    let file = write_to(trace, BufWriter::new(file))?.into_inner()?;
    file.sync_all()?;
    temp.keep()
}

/// Writes `trace` event by event; returns the writer.
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
    export.counters()?;
    export.out.write_all(b"\n]}\n")?;
    Ok(export.out)
}

/// The process of what has no node.
const WHOLE: u64 = 1;

/// Kinds of tracks in a process, by the hundred thousands of their thread numbers.
const LANES: u64 = 100_000;

/// Parts of parts that are drawn.
const DEEP: u32 = 16;

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
    fn event(&mut self, event: &Value) -> io::Result<()> {
        if !std::mem::take(&mut self.first) {
            self.out.write_all(b",\n")?
        }
        Ok(serde_json::to_writer(&mut self.out, event)?)
    }

    fn named(&mut self, what: &str, pid: u64, tid: u64, name: &str) -> io::Result<()> {
        let mut said = |what: String, args: Value| {
            self.event(&json!({"ph": "M", "name": what, "pid": pid, "tid": tid, "args": args}))
        };
        said(format!("{what}_name"), json!({"name": name}))?;
        let order = if what == "process" { pid } else { tid };
        said(format!("{what}_sort_index"), json!({"sort_index": order}))
    }

    fn names(&mut self) -> io::Result<()> {
        self.named("process", WHOLE, 0, "the whole")?;
        for (at, node) in self.trace.nodes.iter().enumerate() {
            let lost = if node.alive { "" } else { " (lost)" };
            let pid = process_of(Some(NodeId::of(at)));
            self.named("process", pid, 0, &format!("{}{lost}", node.name))?
        }
        Ok(())
    }

    /// What runs: by process and kind, on as many lanes as overlap.
    fn slices(&mut self) -> io::Result<()> {
        for ((pid, kind), mut all) in self.tracks() {
            all.sort_unstable();
            // Lanes by the time at which they are free; the lowest free one is taken.
            let mut busy = BinaryHeap::<Reverse<(Nanos, u64)>>::new();
            let mut free = BinaryHeap::<Reverse<u64>>::new();
            let mut lanes = 0;
            for (start, id) in all {
                while busy.peek().is_some_and(|Reverse((end, _))| *end <= start) {
                    free.extend(busy.pop().map(|Reverse((_, lane))| Reverse(lane)))
                }
                let lane = free.pop().map_or(lanes, |Reverse(lane)| lane);
                let tid = (kind as u64 + 1) * LANES + lane;
                if lane == lanes {
                    lanes += 1;
                    let name = format!("{} {}", self.trace.kinds[kind].label, lane + 1);
                    self.named("thread", pid, tid, &name)?
                }
                let end = self.to(&self.trace.intervals[id.at()]);
                busy.push(Reverse((end, lane)));
                self.slice(id, pid, tid, (start, end), 0)?
            }
        }
        Ok(())
    }

    /// Intervals without a parent that are no waits, by process and kind.
    fn tracks(&self) -> BTreeMap<(u64, usize), Vec<(Nanos, IntervalId)>> {
        let mut tracks = BTreeMap::<(u64, usize), Vec<(Nanos, IntervalId)>>::new();
        for (at, row) in self.trace.intervals.iter().enumerate() {
            let wait = KindRole::Interval(IntervalRole::Wait);
            if row.parent.is_none() && self.trace.interval_kind(row.kind).role != wait {
                let track = (process_of(row.node), row.kind.at());
                tracks.entry(track).or_default().push((row.start, IntervalId::of(at)))
            }
        }
        tracks
    }

    fn to(&self, row: &Interval) -> Nanos {
        row.end.min(self.end).max(row.start)
    }

    /// An interval with its parts inside of it, one behind the other: of those that overlap, what
    /// is left of the later ones.
    fn slice(
        &mut self,
        id: IntervalId,
        pid: u64,
        tid: u64,
        (start, end): (Nanos, Nanos),
        depth: u32,
    ) -> io::Result<()> {
        let event = self.said(&self.trace.intervals[id.at()], pid, tid, start, end);
        self.event(&event)?;
        if depth == DEEP {
            return Ok(());
        }
        let mut parts: Vec<IntervalId> = self.lanes.intervals(Lane::Parts(id)).collect();
        parts.sort_by_key(|id| (self.trace.intervals[id.at()].start, *id));
        let mut from = start;
        for part in parts {
            let row = &self.trace.intervals[part.at()];
            let (begin, to) = (row.start.max(from), self.to(row).min(end));
            if begin < to {
                self.slice(part, pid, tid, (begin, to), depth + 1)?;
                from = to
            }
        }
        Ok(())
    }

    fn said(&self, row: &Interval, pid: u64, tid: u64, start: Nanos, end: Nanos) -> Value {
        use crate::schema::Cause::{Interval, Lack, Phase, Resource, Setting, Unexplained};
        let trace = self.trace;
        let kind = trace.interval_kind(row.kind);
        let cause = match row.cause {
            Resource(id) => trace.resources.get(id.at()).map(|r| r.name.as_str()),
            Setting(id) => trace.settings.get(id.at()).map(|s| s.key.as_str()),
            Lack(id) => trace.lacks.get(id.at()).map(|l| l.name.as_str()),
            Interval(_) => Some("interval"),
            Phase => Some("phase"),
            Unexplained => None,
        };
        let mut args = json!({"cause": cause.unwrap_or("unexplained")});
        if let Some(amount) = row.amount {
            args[kind.unit.as_deref().unwrap_or("amount")] = json!(amount)
        }
        if let Some(peer) = row.peer.and_then(|peer| trace.nodes.get(peer.at())) {
            args["peer"] = json!(peer.name)
        }
        let whose = row.subject.map(|subject| trace.entity_name(subject));
        let name = whose.map_or(kind.label.clone(), |whose| format!("{whose} {}", kind.label));
        let dur = micros(end.saturating_sub(start));
        json!({
            "ph": "X", "cat": kind.name, "name": name,
            "pid": pid, "tid": tid, "ts": micros(start), "dur": dur, "args": args,
        })
    }

    fn counters(&mut self) -> io::Result<()> {
        let trace = self.trace;
        for count in &trace.counters {
            let name = &trace.counter_names[count.counter.at()];
            let entity = name.entity.map(|id| format!(" of {}", trace.entity_name(id)));
            let shown = format!("{}{}", name.name, entity.unwrap_or_default());
            if let Some(value) = count.value {
                self.counter(process_of(name.node), &shown, count.at, &name.unit, value)?
            }
        }
        for sample in &trace.series {
            let resource = &trace.resources[sample.resource.at()];
            let unit = trace.resource_kind(sample.resource).unit.as_deref().unwrap_or("used");
            if let Some(used) = sample.used {
                let pid = process_of(resource.node);
                self.counter(pid, &resource.name, sample.at, unit, used)?
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
        value: f64,
    ) -> io::Result<()> {
        let unit = if unit.is_empty() { "value" } else { unit };
        let ts = micros(at);
        self.event(&json!({"ph": "C", "name": name, "pid": pid, "ts": ts, "args": {unit: value}}))
    }
}

fn micros(time: Nanos) -> f64 {
    time.0 as f64 / 1e3
}
