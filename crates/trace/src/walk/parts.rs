//! Start and result of a walk.
use super::lanes::Lane;
use crate::ids::{EntityId, IntervalId, IntervalKind, ResourceId, SettingId, ShortageId};
use crate::schema::{Cause, Trace};
use units::Nanos;

/// The holder of a stretch of time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// A disk, NIC, store or slot.
    Resource(ResourceId),
    /// A setting's value.
    Setting(SettingId),
    /// Something that the cluster lacks.
    Shortage(ShortageId),
    /// Another interval of this kind with an unknown limit.
    Interval(IntervalKind),
    /// A phase of this kind.
    Phase(IntervalKind),
    /// No work was requested yet.
    Idle,
    /// The trace has no evidence.
    Unexplained,
}

impl Holder {
    /// The holder of an interval by its own cause; `None`: another interval.
    pub(crate) fn own(cause: Cause, kind: IntervalKind) -> Option<Holder> {
        match cause {
            Cause::Unexplained => Some(Holder::Unexplained),
            Cause::Resource(resource) => Some(Holder::Resource(resource)),
            Cause::Setting(setting) => Some(Holder::Setting(setting)),
            Cause::Shortage(lack) => Some(Holder::Shortage(lack)),
            Cause::Phase => Some(Holder::Phase(kind)),
            Cause::Interval(_) => None,
        }
    }

    /// Its name for users; the holder must come from a walk over this trace.
    pub fn name(self, trace: &Trace) -> String {
        match self {
            Holder::Resource(id) => trace.resources[id.at()].name.clone(),
            Holder::Setting(id) => {
                let setting = &trace.settings[id.at()];
                format!("{} = {}", setting.key, setting.value)
            }
            Holder::Shortage(id) => {
                let lack = &trace.lacks[id.at()];
                format!("{}: {}", lack.name, lack.why)
            }
            Holder::Interval(id) => {
                let kind = trace.interval_kind(id);
                kind.other.clone().unwrap_or_else(|| kind.name.clone())
            }
            Holder::Phase(id) => trace.interval_kind(id).label.clone(),
            Holder::Idle => "nothing was wanted".into(),
            Holder::Unexplained => "unexplained".into(),
        }
    }
}

/// A stretch of time with its holder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The holder of the time.
    pub holder: Holder,
    /// The active interval; `None`: a gap.
    pub interval: Option<IntervalId>,
    /// Inclusive.
    pub start: Nanos,
    /// Exclusive.
    pub end: Nanos,
}

impl Piece {
    /// Its duration.
    pub fn length(&self) -> Nanos {
        self.end - self.start
    }
}

/// A stretch in which the path waited for one of a resource's slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceDemand {
    /// The resource.
    pub resource: ResourceId,
    /// Inclusive.
    pub start: Nanos,
    /// Exclusive.
    pub end: Nanos,
}

/// The start of the idle time before a given time; `None`: not idle.
pub type Idle<'a> = &'a dyn Fn(Nanos) -> Option<Nanos>;

/// Default depth of a walk's causes.
pub const DEEP: u32 = 99;

/// Start and limits of a walk.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// `None`: no lane, so the whole window is a gap.
    pub lane: Option<Lane>,
    /// The walk goes backwards from this time.
    pub top: Nanos,
    /// The walk stops at this time.
    pub floor: Nanos,
    /// The root of the tree in which the path stays; `None`: no limit.
    pub tree: Option<EntityId>,
    /// A system's knowledge of idle times.
    pub idle: Option<Idle<'a>>,
}

impl<'a> Start<'a> {
    /// In a lane, from `top` down to `floor`.
    pub fn new(lane: Lane, top: Nanos, floor: Nanos) -> Start<'a> {
        Start { lane: Some(lane), top, floor, tree: None, idle: None }
    }
}
