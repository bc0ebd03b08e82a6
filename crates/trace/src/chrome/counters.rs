//! Counters over time: waiting intervals, the trace's counters, use of resources.
use super::{Export, micros, process_of};
use crate::kinds::{IntervalRole, KindRole};
use crate::schema::{Cause, Interval};
use std::collections::BTreeMap;
use std::io::{self, Write};
use units::Nanos;

impl<W: Write> Export<'_, W> {
    /// Waits are too many for tracks: one counter for each node, kind and cause.
    pub(super) fn waiting(&mut self) -> io::Result<()> {
        let mut steps = BTreeMap::<(u64, usize, String), BTreeMap<Nanos, i64>>::new();
        for row in &self.trace.intervals {
            let role = self.trace.interval_kind(row.kind).role;
            if row.parent.is_some() || role != KindRole::Interval(IntervalRole::Wait) {
                continue;
            }
            let of = (process_of(row.node), row.kind.at(), self.for_what(row));
            let steps = steps.entry(of).or_default();
            *steps.entry(row.start).or_default() += 1;
            *steps.entry(self.to(row)).or_default() -= 1
        }
        for ((pid, kind, cause), steps) in steps {
            let name = format!("{}: {cause}", self.trace.kinds[kind].label);
            let mut now: i64 = 0;
            for (at, step) in steps.into_iter().filter(|(_, step)| *step != 0) {
                now += step;
                self.counter(pid, &name, at, "waiting", now)?
            }
        }
        Ok(())
    }

    /// The name under which a wait is counted: by kind of resource or interval.
    fn for_what(&self, row: &Interval) -> String {
        let trace = self.trace;
        let known = match row.cause {
            Cause::Resource(id) if id.at() < trace.resources.len() => {
                Some(trace.resource_kind(id).label.clone())
            }
            Cause::Interval(id) => trace.intervals.get(id.at()).map(|other| {
                let kind = trace.interval_kind(other.kind);
                kind.other.clone().unwrap_or_else(|| kind.name.clone())
            }),
            _ => self.cause(row),
        };
        known.unwrap_or_else(|| "unexplained".into())
    }

    pub(super) fn counters(&mut self) -> io::Result<()> {
        let trace = self.trace;
        for count in &trace.counters {
            let name = &trace.counter_names[count.counter.at()];
            let entity = name.entity.map(|id| format!(" of {}", trace.entity_name(id)));
            let shown = format!("{}{}", name.name, entity.unwrap_or_default());
            let unit = if name.unit.is_empty() { "value" } else { &name.unit };
            if let Some(value) = count.value {
                self.counter(process_of(name.node), &shown, count.at, unit, value)?
            }
        }
        for sample in &trace.series {
            let resource = &trace.resources[sample.resource.at()];
            let Some(used) = sample.used.get() else { continue };
            let pid = self.process_with(resource);
            match trace.resource_kind(sample.resource).unit.as_deref() {
                Some("bytes/s") => {
                    self.counter(pid, &resource.name, sample.at, "MB/s", used / 1e6)?
                }
                unit => {
                    let unit = unit.unwrap_or("used");
                    self.counter(pid, &resource.name, sample.at, unit, used)?
                }
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
        value: impl serde::Serialize,
    ) -> io::Result<()> {
        // Direct writing: a tree of JSON values takes ten times as long for millions of counters.
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
