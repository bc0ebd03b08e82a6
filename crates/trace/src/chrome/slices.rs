//! Running intervals: slices on lanes, with nested parts.
use super::{Export, micros, process_of};
use crate::ids::{EntityId, IntervalId};
use crate::kinds::{IntervalRole, KindRole};
use crate::schema::{Interval, Outcome, Trace};
use crate::walk::Lane;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, Write};
use units::Nanos;

/// Distance of thread numbers between kinds.
const LANES: u64 = 100_000;

/// Maximum nesting of parts.
const DEEP: u32 = 16;

#[derive(Clone, Copy)]
struct Track {
    pid: u64,
    tid: u64,
}

impl<W: Write> Export<'_, W> {
    /// By process and kind, on as many lanes as overlap.
    pub(super) fn slices(&mut self) -> io::Result<()> {
        for ((pid, kind), mut all) in tracks(self.trace) {
            all.sort_unstable();
            // Lanes by the time when they become free; the lowest free lane is used.
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
                    self.named("thread", pid, tid, tid, &name)?
                }
                let end = self.to(&self.trace.intervals[id.at()]);
                busy.push(Reverse((end, lane)));
                self.slice(id, Track { pid, tid }, (start, end), None, 0)?
            }
        }
        Ok(())
    }

    /// Draws an interval with its parts inside, in sequence. Of overlapping parts, the later one is
    /// shortened. `whose`: the entity of the enclosing slice.
    fn slice(
        &mut self,
        id: IntervalId,
        track: Track,
        (start, end): (Nanos, Nanos),
        whose: Option<EntityId>,
        depth: u32,
    ) -> io::Result<()> {
        let row = &self.trace.intervals[id.at()];
        let mut parts: Vec<IntervalId> = match depth {
            DEEP => Vec::new(),
            _ => self.lanes.intervals(Lane::Parts(id)).collect(),
        };
        let subject = row.subject.filter(|subject| Some(*subject) != whose);
        let name = self.name(row, subject, parts.is_empty());
        let args = self.args(row);
        let (ts, dur) = (micros(start), micros(end.saturating_sub(start)));
        self.event(&json!({
            "ph": "X", "cat": self.trace.interval_kind(row.kind).name, "name": name,
            "pid": track.pid, "tid": track.tid, "ts": ts, "dur": dur, "args": args,
        }))?;
        parts.sort_by_key(|id| (self.trace.intervals[id.at()].start, *id));
        let mut from = start;
        for part in parts {
            let row = &self.trace.intervals[part.at()];
            let (begin, to) = (row.start.max(from), self.to(row).min(end));
            if begin < to {
                self.slice(part, track, (begin, to), subject.or(whose), depth + 1)?;
                from = to
            }
        }
        Ok(())
    }

    /// "blk_7 copied → dn-r2-02"; leaves also have their cause.
    fn name(&self, row: &Interval, subject: Option<EntityId>, leaf: bool) -> String {
        let trace = self.trace;
        let whose = subject.map(|subject| trace.entity_name(subject) + " ").unwrap_or_default();
        let peer = row.peer.and_then(|peer| trace.nodes.get(peer.at()));
        let peer = peer.map(|peer| format!(" → {}", peer.name)).unwrap_or_default();
        let cause = if leaf { self.cause(row) } else { None };
        let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        format!("{whose}{}{peer}{cause}", trace.interval_kind(row.kind).label)
    }

    fn args(&self, row: &Interval) -> Value {
        let trace = self.trace;
        let mut args = json!({"cause": self.cause(row).as_deref().unwrap_or("unexplained")});
        let mut add = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                args[key] = value
            }
        };
        let unit = trace.interval_kind(row.kind).unit.as_deref().unwrap_or("amount");
        let resource = |id: Option<crate::ResourceId>| {
            id.and_then(|id| trace.resources.get(id.at())).map(|r| json!(r.name))
        };
        add(unit, row.amount.map(Value::from));
        add("uses", resource(row.resource));
        add("uses there", resource(row.peer_resource));
        add("outcome", (row.outcome != Outcome::Ok).then(|| json!(row.outcome.name())));
        add("tries", (row.tries > 0).then(|| json!(row.tries)));
        args
    }
}

fn tracks(trace: &Trace) -> BTreeMap<(u64, usize), Vec<(Nanos, IntervalId)>> {
    let mut tracks = BTreeMap::<(u64, usize), Vec<(Nanos, IntervalId)>>::new();
    for (at, row) in trace.intervals.iter().enumerate() {
        let wait = KindRole::Interval(IntervalRole::Wait);
        if row.parent.is_none() && trace.interval_kind(row.kind).role != wait {
            let track = (process_of(row.node), row.kind.at());
            tracks.entry(track).or_default().push((row.start, IntervalId::of(at)))
        }
    }
    tracks
}
