//! Copies under way as policies see them: per uplink and per disk read. A copy counts from its
//! decision until the NameNode knows its replica or has given it up.
use crate::hdfs::{messages::Leg, setup::Setup};
use cluster::{DiskId, InterRack, NodeId, RackId};
use engine::{Array, Rewind, Table};
use hdfs_policy::Uplink;

#[derive(Rewind)]
pub(super) struct Traffic {
    /// By `RackId`.
    uplinks: Array<Uplink>,
    /// Copies being read from a disk; no entry for 0.
    reads: Table<(NodeId, DiskId), u32>,
}

impl Traffic {
    pub(super) fn new(setup: &Setup) -> Traffic {
        let idle = Uplink { carries: setup.uplink_copies, leaving: 0, entering: 0 };
        Traffic { uplinks: setup.racks.iter().map(|_| idle).collect(), reads: Table::new() }
    }

    pub(super) fn uplinks(&self) -> &[Uplink] {
        &self.uplinks
    }

    pub(super) fn count_reads(&self, node: NodeId, disk: DiskId) -> u32 {
        self.reads.get(&(node, disk)).copied().unwrap_or(0)
    }

    /// Whether its uplink is full in one direction.
    pub(super) fn is_full(&self, rack: RackId) -> bool {
        let uplink = &self.uplinks[rack.at()];
        uplink.leaving.max(uplink.entering) >= uplink.carries
    }

    pub(super) fn add_copy(&mut self, leg: &Leg, setup: &Setup) {
        self.cross(leg, setup, |n| n + 1);
        if let Some(disk) = leg.source_disk {
            let reads = self.count_reads(leg.sender, disk);
            self.reads.insert((leg.sender, disk), reads + 1);
        }
    }

    pub(super) fn remove_copy(&mut self, leg: &Leg, setup: &Setup) {
        self.cross(leg, setup, |n| n - 1);
        let Some(disk) = leg.source_disk else { return };
        match self.count_reads(leg.sender, disk) {
            1 => _ = self.reads.discard(&(leg.sender, disk)),
            reads => _ = self.reads.insert((leg.sender, disk), reads - 1),
        }
    }

    fn cross(&mut self, leg: &Leg, setup: &Setup, change: impl Fn(u32) -> u32) {
        let Some((from, to)) = crossing(leg, setup) else { return };
        if setup.resources().joined_by() == Some(InterRack::OneLink) {
            for rack in [from, to] {
                let both = |u: &mut Uplink| {
                    (u.leaving, u.entering) = (change(u.leaving), change(u.entering))
                };
                self.uplinks.update(rack.at(), both);
            }
        } else {
            self.uplinks.update(from.at(), |u| u.leaving = change(u.leaving));
            self.uplinks.update(to.at(), |u| u.entering = change(u.entering));
        }
    }
}

/// Racks of sender and target; `None` if they are the same.
pub(super) fn crossing(leg: &Leg, setup: &Setup) -> Option<(RackId, RackId)> {
    let rack = |node: NodeId| setup.cluster.nodes[node.at()].rack;
    let (from, to) = (rack(leg.sender), rack(leg.target));
    (from != to).then_some((from, to))
}
