//! A flow's specification and its progress.
use crate::{Path, ResourceId};
use rewind::Scalar;
use units::{Bytes, BytesPerSec, Nanos};

/// A running flow; its number is reused after its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct FlowId(pub u32);

impl FlowId {
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
pub struct FlowSpec {
    /// At least one resource.
    pub path: Path,
    pub bytes: Bytes,
    /// Above 0. At a common bottleneck, rates are proportional to weights.
    pub weight: f64,
    /// Maximum rate (`dfs.datanode.data.transfer.bandwidthPerSec`).
    pub cap: Option<BytesPerSec>,
}

impl FlowSpec {
    /// A flow of weight 1 without a cap.
    pub fn new(path: Path, bytes: Bytes) -> FlowSpec {
        FlowSpec { path, bytes, weight: 1.0, cap: None }
    }
}

/// The limit of a flow's rate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Holder {
    /// A saturated resource in which no flow of the same weight is faster.
    Resource(ResourceId),
    OwnCap,
}

/// Constants of a flow. An unused slot has a weight of 0.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Shape {
    pub(super) weight: f64,
    /// Cap / weight; infinite without a cap.
    pub(super) cap_level: f64,
    pub(super) len: u32,
    pub(super) path: [u32; Path::LONGEST],
}

impl Shape {
    pub(super) const UNUSED: Shape =
        Shape { weight: 0.0, cap_level: 0.0, len: 0, path: [u32::MAX; Path::LONGEST] };

    pub(super) fn of(spec: &FlowSpec) -> Shape {
        assert!(spec.weight > 0.0 && spec.weight.is_finite(), "a weight of {}", spec.weight);
        assert!(!spec.path.is_empty(), "a flow through nothing: {spec:?}");
        let mut path = [u32::MAX; Path::LONGEST];
        for (place, id) in path.iter_mut().zip(spec.path.iter()) {
            *place = id.0
        }
        let cap_level = spec.cap.map_or(f64::INFINITY, |cap| cap.0 as f64 / spec.weight);
        Shape { weight: spec.weight, cap_level, len: spec.path.len() as u32, path }
    }

    #[inline(always)]
    pub(super) fn path(&self) -> &[u32] {
        &self.path[..(self.len as usize).min(Path::LONGEST)]
    }
}

/// Progress of a flow: `left` bytes at `since`, and a constant rate from then on.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Motion {
    pub(super) rate: f64,
    pub(super) left: f64,
    pub(super) since: Nanos,
    pub(super) bytes: Bytes,
    pub(super) holder: Holder,
}

impl Motion {
    /// The rate of a flow that was started and not yet settled: differs from any rate.
    pub(super) const NOT_YET: f64 = -1.0;

    pub(super) fn left_at(&self, now: Nanos) -> f64 {
        (self.left - self.rate * (now - self.since).as_secs()).max(0.0)
    }

    /// Whether [`due`](Motion::due) is surely not before `time`. False if only a division could
    /// decide.
    #[inline(always)]
    pub(super) fn lasts_until(&self, time: Nanos) -> bool {
        const SURE: f64 = 1.0 - 1e-12;
        self.rate * time.saturating_sub(self.since).as_secs() <= self.left * SURE
    }

    /// Completion time, rounded up; [`Nanos::MAX`] at a rate of 0.
    pub(super) fn due(&self) -> Nanos {
        if self.left <= 0.0 {
            return self.since;
        }
        // 0/0 is handled above; x/0 is infinite and saturates. Rounding up by integers is faster
        // than `f64::ceil`, which is a call on the oldest 64-bit machines.
        let exact = self.left / self.rate * 1e9;
        let whole = exact as u64;
        let nanos = whole.saturating_add(((whole as f64) < exact) as u64);
        Nanos(self.since.0.saturating_add(nanos))
    }
}
