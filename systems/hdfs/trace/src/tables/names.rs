//! What kinds are called in files.
use crate::{Cause, IntervalKind, ResourceKind, Trace};

/// Resource kinds by their numbers, and their names in the files.
pub(super) const RESOURCE_KINDS: [(ResourceKind, &str); 7] = [
    (ResourceKind::Disk, "disk"),
    (ResourceKind::DiskWrite, "disk-write"),
    (ResourceKind::NicOut, "nic-out"),
    (ResourceKind::NicIn, "nic-in"),
    (ResourceKind::UplinkOut, "uplink-out"),
    (ResourceKind::UplinkIn, "uplink-in"),
    (ResourceKind::InterRackLink, "inter-rack-link"),
];

/// Interval kinds by their numbers, and their names in the files.
pub(super) const INTERVAL_KINDS: [(IntervalKind, &str); 6] = [
    (IntervalKind::Detection, "detection"),
    (IntervalKind::Queued, "queued"),
    (IntervalKind::Handout, "handout"),
    (IntervalKind::Transfer, "transfer"),
    (IntervalKind::Held, "held"),
    (IntervalKind::Report, "report"),
];

impl ResourceKind {
    /// Its name in files: "nic-out".
    pub fn name(self) -> &'static str {
        RESOURCE_KINDS[self as usize].1
    }
}

impl IntervalKind {
    /// Its name in files: "transfer".
    pub fn name(self) -> &'static str {
        INTERVAL_KINDS[self as usize].1
    }
}

impl Cause {
    /// What kind of thing it is, in files: "resource", "setting", "interval", "unexplained".
    pub fn kind(self) -> &'static str {
        match self {
            Cause::Unexplained => "unexplained",
            Cause::Resource(_) => "resource",
            Cause::Setting(_) => "setting",
            Cause::Interval(_) => "interval",
        }
    }
    /// Its place in its table.
    pub(super) fn place(self) -> Option<u64> {
        match self {
            Cause::Unexplained => None,
            Cause::Resource(at) | Cause::Setting(at) => Some(u64::from(at)),
            Cause::Interval(at) => Some(at),
        }
    }
    /// The resource's name, or the setting's key.
    pub fn label(self, trace: &Trace) -> Option<&str> {
        match self {
            Cause::Resource(at) => trace.resources.get(at as usize).map(|r| r.name.as_str()),
            Cause::Setting(at) => trace.settings.get(at as usize).map(|s| s.key.as_str()),
            Cause::Interval(_) | Cause::Unexplained => None,
        }
    }
}
