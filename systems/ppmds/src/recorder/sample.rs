//! Records a sample of operations completely, chosen by a hash of client and number.
use super::names::Names;
use super::parts::PARTS;
use crate::model::Done;
use ppmds_protocol::mixed;
use std::collections::BTreeMap;
use trace::operations::Rows;
use trace::{EntityId, EntityKind, Interval, IntervalKind, TraceBuilder};
use units::Nanos;

/// Approximate size of the sample.
const KEPT: u64 = 4_000;

struct Kept {
    rows: Rows,
    wanted: Nanos,
    end: Nanos,
    kind: IntervalKind,
}

pub struct Sample {
    seed: u64,
    /// One operation in `of` is kept.
    of: u64,
    kept: BTreeMap<(u32, u32), Kept>,
    client: Option<EntityKind>,
}

impl Sample {
    pub fn new(seed: u64, expected: u64) -> Sample {
        Sample { seed, of: (expected / KEPT).max(1), kept: BTreeMap::new(), client: None }
    }

    pub fn take(&mut self, done: &Done, parts: &[u64; PARTS], names: &Names) {
        let number = u64::from(done.client) << 32 | u64::from(done.number);
        if !mixed(number ^ mixed(self.seed)).is_multiple_of(self.of) {
            return;
        }
        self.client = Some(names.client);
        let kind = names.operations[done.op as usize];
        let new = || Kept { rows: Rows::default(), wanted: done.wanted, end: done.end, kind };
        let kept = self.kept.entry((done.client, done.number)).or_insert_with(new);
        kept.end = done.end;
        if kept.rows.intervals.is_empty() {
            kept.rows.add(Interval::new(kind, done.wanted, done.end));
        }
        let whole = trace::IntervalId::of(0);
        kept.rows.intervals[0].end = done.end;
        let mut at = done.start;
        for (part, length) in parts.iter().enumerate().filter(|(_, length)| **length > 0) {
            let to = at + Nanos(*length);
            kept.rows.add(Interval {
                parent: Some(whole),
                cause: names.cause(part, done.server as usize, done.op),
                ..Interval::new(names.parts[part], at, to)
            });
            at = to
        }
    }

    /// Merges another thread's sample. If a client moved between threads, each has some of its
    /// steps.
    pub fn include(&mut self, other: Sample) {
        self.client = self.client.or(other.client);
        for (key, kept) in other.kept {
            let Some(mine) = self.kept.get_mut(&key) else {
                self.kept.insert(key, kept);
                continue;
            };
            mine.end = mine.end.max(kept.end);
            mine.rows.intervals[0].end = mine.end;
            mine.rows.intervals.extend(kept.rows.intervals.into_iter().skip(1));
            mine.rows.intervals[1..].sort_by_key(|step| step.start)
        }
    }

    /// Writes the sample to the trace, each operation with weight `of`.
    pub fn write(self, trace: &mut TraceBuilder) {
        let mut clients: BTreeMap<u32, EntityId> = BTreeMap::new();
        for ((client, _), mut kept) in self.kept {
            let Some(kind) = self.client else { continue };
            let subject = *clients
                .entry(client)
                .or_insert_with(|| trace.entity(kind).number(client.into()).add());
            let whole = &mut kept.rows.intervals[0];
            (whole.subject, whole.weight) = (Some(subject), self.of as f64);
            (whole.start, whole.end, whole.kind) = (kept.wanted, kept.end, kept.kind);
            trace.add_rows(&kept.rows.intervals, &kept.rows.depends)
        }
    }
}
