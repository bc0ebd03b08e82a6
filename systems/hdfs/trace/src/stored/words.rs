//! What HDFS's kinds are called, in tables and for people.
use crate::{IntervalKind, ResourceKind};
use trace::{IntervalRole, ResourceRole};

/// Resource kinds by their numbers: role, name in tables, label for people.
pub(super) const RESOURCES: [(ResourceKind, ResourceRole, &str, &str); 7] = [
    (ResourceKind::Disk, ResourceRole::Disk, "disk", "Disk"),
    (ResourceKind::DiskWrite, ResourceRole::Disk, "disk-write", "Disk"),
    (ResourceKind::NicOut, ResourceRole::Network, "nic-out", "NIC"),
    (ResourceKind::NicIn, ResourceRole::Network, "nic-in", "NIC"),
    (ResourceKind::UplinkOut, ResourceRole::Network, "uplink-out", "Rack uplink"),
    (ResourceKind::UplinkIn, ResourceRole::Network, "uplink-in", "Rack uplink"),
    (ResourceKind::InterRackLink, ResourceRole::Network, "inter-rack-link", "Inter-rack link"),
];

/// What an interval kind is called.
pub(super) struct Words {
    pub(super) kind: IntervalKind,
    pub(super) role: IntervalRole,
    /// In tables.
    pub(super) name: &'static str,
    label: &'static str,
    other: &'static str,
}

/// Interval kinds by their numbers.
pub(super) const INTERVALS: [Words; 6] = [
    Words {
        kind: IntervalKind::Detection,
        role: IntervalRole::Notice,
        name: "detection",
        label: "detection",
        other: "detection of another loss",
    },
    Words {
        kind: IntervalKind::Queued,
        role: IntervalRole::Wait,
        name: "queued",
        label: "queued",
        other: "another block's wait in the queue",
    },
    Words {
        kind: IntervalKind::Handout,
        role: IntervalRole::Wait,
        name: "handout",
        label: "waits at its source",
        other: "another copy's handout",
    },
    Words {
        kind: IntervalKind::Transfer,
        role: IntervalRole::Work,
        name: "transfer",
        label: "copied",
        other: "another copy",
    },
    Words {
        kind: IntervalKind::Held,
        role: IntervalRole::Work,
        name: "held",
        label: "copied",
        other: "another copy",
    },
    Words {
        kind: IntervalKind::Report,
        role: IntervalRole::Wait,
        name: "report",
        label: "reported",
        other: "another copy's report",
    },
];

/// Clients' requests: whether it is a write, its name in tables, its label.
pub(super) const REQUESTS: [(bool, &str, &str); 2] =
    [(false, "read", "read"), (true, "write", "write")];

impl IntervalKind {
    /// For people: "queued".
    pub fn label(self) -> &'static str {
        INTERVALS[self as usize].label
    }
    /// What it is called when something else waits for it: "another copy".
    pub fn other(self) -> &'static str {
        INTERVALS[self as usize].other
    }
}

impl ResourceKind {
    /// For people: "Rack uplink". Both directions have one.
    pub fn label(self) -> &'static str {
        RESOURCES[self as usize].3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_stand_in_the_order_of_the_kinds() {
        assert!(INTERVALS.iter().enumerate().all(|(at, words)| words.kind as usize == at));
        assert!(RESOURCES.iter().enumerate().all(|(at, row)| row.0 as usize == at));
    }
}
