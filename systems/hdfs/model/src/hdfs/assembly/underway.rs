//! A copy that is not known yet.
use super::parts::Part;
use crate::hdfs::messages::{CopyId, Leg, Reason};
use engine::Nanos;
use hdfs_trace::IntervalId;

pub(super) struct Underway {
    pub(super) leg: Leg,
    /// Of which task of a group.
    pub(super) task: CopyId,
    /// Since when it waits at its source, and why; of a pipeline the first copy waits for all.
    pub(super) waits: Option<(Nanos, Reason)>,
    pub(super) started: Option<Nanos>,
    /// When the last byte arrived, and the interval that says so.
    pub(super) done: Option<(Nanos, IntervalId)>,
    pub(super) held: Option<(Nanos, u32)>,
    pub(super) parts: Vec<Part>,
    /// Queue sharing: what limited it from start to end.
    pub(super) held_by: Option<Option<u32>>,
    /// Queue sharing: what it, or another copy of its pipeline, has to pass, and how long that was
    /// known to have worked before it started.
    pub(super) way: Vec<(u32, Nanos)>,
    /// The NameNode counts on it no longer.
    pub(super) given_up: bool,
}
