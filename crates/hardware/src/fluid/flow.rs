//! A flow's specification and its progress.
use crate::{Path, ResourceId};
use rewind::{Digest, Hasher, Scalar};
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
    /// Resources that acknowledgements use, each for [`CROSS_TRAFFIC`] of the flow's rate; they may
    /// be on the path, too. `None`: acknowledgements are not counted.
    pub back: Option<Path>,
}

/// Rate of a flow's acknowledgements over its own, as in SimGrid.
pub const CROSS_TRAFFIC: f64 = 0.05;

impl FlowSpec {
    /// A flow of weight 1 without a cap.
    pub fn new(path: Path, bytes: Bytes) -> FlowSpec {
        FlowSpec { path, bytes, weight: 1.0, cap: None, back: None }
    }

    /// Use of a resource over the flow's rate: 0 if it uses it neither for data nor for
    /// acknowledgements.
    pub fn use_of(&self, resource: ResourceId) -> f64 {
        let acknowledges = self.back.is_some_and(|back| back.contains(&resource));
        match (self.path.contains(&resource), acknowledges) {
            (true, false) => USES[DATA],
            (false, true) => USES[BACK],
            (true, true) => USES[BOTH],
            (false, false) => 0.0,
        }
    }
}

/// The limit of a flow's rate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Holder {
    /// A saturated resource in which no flow of the same weight is faster.
    Resource(ResourceId),
    OwnCap,
}

/// Uses of a resource over the flow's rate.
const USES: [f64; 4] = [1.0, CROSS_TRAFFIC, 1.0 + CROSS_TRAFFIC, 0.0];
/// Indices of [`USES`]. For data 0, so that flows without acknowledgements have zeros only.
const DATA: usize = 0;
const BACK: usize = 1;
const BOTH: usize = 2;

/// Constants of a flow. An unused slot has a weight of 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) weight: f64,
    /// Cap / weight; infinite without a cap.
    pub(super) cap_level: f64,
    /// Two bits for each resource: its index in [`USES`].
    uses: u64,
    pub(super) len: u32,
    /// The path, then resources that only acknowledgements use.
    path: [u32; Shape::MOST],
}

impl Shape {
    /// A pipeline's acknowledgements add the other way of its first NIC and uplink, of its last
    /// ones, and of at most four disks.
    pub(super) const MOST: usize = Path::LONGEST + 8;

    pub(super) const UNUSED: Shape =
        Shape { weight: 0.0, cap_level: 0.0, uses: 0, len: 0, path: [u32::MAX; Shape::MOST] };

    pub(super) fn of(spec: &FlowSpec) -> Shape {
        assert!(spec.weight > 0.0 && spec.weight.is_finite(), "a weight of {}", spec.weight);
        assert!(!spec.path.is_empty(), "a flow through nothing: {spec:?}");
        let (mut path, mut len, mut uses) = ([u32::MAX; Shape::MOST], 0, 0);
        let back = spec.back.iter().flat_map(|back| back.iter());
        let only_back = back.filter(|id| !spec.path.contains(id));
        for id in spec.path.iter().chain(only_back) {
            let part = USES.iter().position(|part| *part == spec.use_of(*id));
            uses |= (part.expect("one of the four") as u64) << (2 * len);
            path[len] = id.0;
            len += 1
        }
        let cap_level = spec.cap.map_or(f64::INFINITY, |cap| cap.0 as f64 / spec.weight);
        Shape { weight: spec.weight, cap_level, uses, len: len as u32, path }
    }

    /// Use of its resource at `hop` over the flow's rate.
    #[inline(always)]
    pub(super) fn use_at(&self, hop: usize) -> f64 {
        USES[(self.uses >> (2 * hop)) as usize & 3]
    }

    #[inline(always)]
    pub(super) fn path(&self) -> &[u32] {
        &self.path[..(self.len as usize).min(Shape::MOST)]
    }
}

/// The digest of a flow without acknowledgements does not depend on the space for them, so that old
/// trace hashes stay valid.
impl Digest for Shape {
    fn digest(&self, h: &mut Hasher) {
        let Shape { weight, cap_level, uses, len, path } = self;
        (*weight, *cap_level, *len).digest(h);
        let (usual, more) = path.split_at(Path::LONGEST);
        u32::digest_all(usual, h);
        if *uses != 0 {
            uses.digest(h);
            u32::digest_all(more, h)
        }
    }
    fn weight(&self) -> u64 {
        Shape::MOST as u64
    }
}
rewind::by_value!(for Shape);

/// By hop: position in the resource's list of flows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Positions(pub(super) [u32; Shape::MOST]);

impl Digest for Positions {
    fn digest(&self, h: &mut Hasher) {
        let (usual, more) = self.0.split_at(Path::LONGEST);
        u32::digest_all(usual, h);
        if more.iter().any(|position| *position != 0) {
            u32::digest_all(more, h)
        }
    }
    fn weight(&self) -> u64 {
        Shape::MOST as u64
    }
}
rewind::by_value!(for Positions);

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
