//! What a walk begins with, and what it finds.
use super::lanes::Lane;
use crate::ids::{EntityId, IntervalId, IntervalKind, ResourceId, SettingId, ShortageId};
use crate::schema::{Cause, Trace};
use units::Nanos;

/// What a stretch of time is charged to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// A disk, NIC, store, slot.
    Resource(ResourceId),
    /// A setting.
    Setting(SettingId),
    /// What the cluster does not have.
    Shortage(ShortageId),
    /// Another interval of this kind, of which the trace does not say what limited it.
    Interval(IntervalKind),
    /// A phase of this kind.
    Phase(IntervalKind),
    /// Nothing was wanted: what it waited for came later.
    Idle,
    /// No evidence.
    Unexplained,
}

impl Holder {
    /// What an interval of this kind is charged to by its own cause; `None`: to another interval.
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

    /// For people; those of a trace's own walk.
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

/// A stretch of time with what it is charged to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// To what.
    pub holder: Holder,
    /// The interval that was under way; `None` in a gap.
    pub interval: Option<IntervalId>,
    /// From.
    pub start: Nanos,
    /// To.
    pub end: Nanos,
}

impl Piece {
    /// How long.
    pub fn length(&self) -> Nanos {
        self.end - self.start
    }
}

/// A stretch in which the path lay in a wait that wanted one of a resource's slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Of which.
    pub resource: ResourceId,
    /// From.
    pub start: Nanos,
    /// To.
    pub end: Nanos,
}

/// Since when nothing was wanted, looking back from a time; `None` if something was.
pub type Idle<'a> = &'a dyn Fn(Nanos) -> Option<Nanos>;

/// How far a walk follows causes where it does not say.
pub const DEEP: u32 = 99;

/// Where a walk begins and what it may follow.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// In which lane; `None`: in none, so all of it is a gap.
    pub lane: Option<Lane>,
    /// From this time backwards.
    pub top: Nanos,
    /// Down to this one.
    pub floor: Nanos,
    /// The path stays in the tree of this entity, its top; `None`: everything is in it.
    pub tree: Option<EntityId>,
    /// Who knows when nothing was wanted.
    pub idle: Option<Idle<'a>>,
}

impl<'a> Start<'a> {
    /// In a lane, from a time down to another.
    pub fn new(lane: Lane, top: Nanos, floor: Nanos) -> Start<'a> {
        Start { lane: Some(lane), top, floor, tree: None, idle: None }
    }
}
