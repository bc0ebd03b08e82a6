//! A copy that the NameNode does not know yet.
use super::parts::LimitSpan;
use crate::hdfs::messages::{CopyId, Leg, Reason};
use engine::Nanos;
use hdfs_trace::IntervalId;

pub(super) struct OpenCopy {
    pub(super) leg: Leg,
    /// The task of a group, else its order.
    pub(super) task: CopyId,
    /// Start and reason of the wait at its source; in a pipeline only the first copy waits.
    pub(super) waits: Option<(Nanos, Reason)>,
    pub(super) started: Option<Nanos>,
    /// When the last byte arrived, and the transfer's interval.
    pub(super) done: Option<(Nanos, IntervalId)>,
    /// Fluid sharing: since when, and by which resource, it is limited now.
    pub(super) held: Option<(Nanos, u32)>,
    pub(super) parts: Vec<LimitSpan>,
    /// Queue sharing: what limited it from start to end.
    pub(super) held_by: Option<Option<u32>>,
    /// Queue sharing: resources on its path or on that of another copy of its pipeline, with their
    /// busy time at its start.
    pub(super) way: Vec<(u32, Nanos)>,
    /// The NameNode no longer counts on it.
    pub(super) given_up: bool,
}
