//! Converts the listing's blocks to the cluster's ids of nodes and disks, with states by admin
//! state and without duplicate replicas. Works piece by piece.
use super::counts::Counts;
use super::fsck::{Fsck, TargetEstimate};
use crate::packed::PackedBlocks;
use cluster::{Admin, Cluster, DiskId, NodeId};
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState, ReplicaState::*};
use units::u32_of;

struct BlockResolver<'a> {
    cluster: &'a Cluster,
    places: &'a [NodeId],
    disks: Vec<Vec<DiskId>>,
    /// Sorted ids of blocks with only corrupt replicas.
    all_corrupt: Vec<i64>,
    unsaid: Option<TargetEstimate>,
    /// Replicas that fsck does not count as live, for an unknown reason.
    unexplained: u64,
    duplicates: u64,
    counts: Counts,
}

/// Takes the blocks from `fsck` and counts them; adds notes on unknown facts.
pub(super) fn resolve_blocks(
    fsck: &mut Fsck,
    cluster: &Cluster,
    places: &[NodeId],
    notes: &mut Vec<String>,
) -> (PackedBlocks, Counts) {
    let mut blocks = std::mem::take(&mut fsck.blocks);
    let mut resolver = BlockResolver {
        cluster,
        places,
        disks: fsck.locations.nodes.iter().map(|n| sorted_places(&n.storages)).collect(),
        all_corrupt: std::mem::take(&mut fsck.all_corrupt),
        unsaid: fsck.unsaid(),
        unexplained: 0,
        duplicates: 0,
        counts: Counts::default(),
    };
    let live = std::mem::take(&mut fsck.live);
    let mut live = live.numbers();
    blocks.change(|piece| resolver.piece(piece, &mut live));
    let BlockResolver { unexplained, duplicates: twice, counts, .. } = resolver;
    if unexplained > 0 {
        let taken = "assumed live, since their state is unknown";
        notes.push(format!("{unexplained} listed replicas are not live by fsck's count: {taken}"))
    }
    if twice > 0 {
        notes.push(format!("{twice} replicas are listed twice on one node: one of each is kept"))
    }
    (blocks, counts)
}

impl BlockResolver<'_> {
    /// `live`: fsck's count of each block.
    fn piece(&mut self, piece: &mut BlockMap, live: &mut impl Iterator<Item = u64>) {
        for (at, said) in (0..piece.id.len()).zip(live) {
            let replicas = piece.first[at] as usize..piece.first[at + 1] as usize;
            let (id, replicas) = (piece.id[at], &mut piece.replica[replicas]);
            self.replicas(id, replicas);
            if id >= 0 {
                let live = replicas.iter().filter(|r| matches!(r.state, Live | Stale)).count();
                self.unexplained += (live as u64).saturating_sub(said)
            }
            if let (Redundancy::Replicated(0), Some(unsaid)) = (piece.redundancy[at], self.unsaid) {
                let there = said.max(replicas.len() as u64);
                piece.redundancy[at] = Redundancy::Replicated(unsaid.wanted(there))
            }
        }
        self.duplicates += drop_doubles(piece);
        self.counts.hold(piece)
    }
    /// Maps nodes, disks (in the order of storage ids) and states (by admin state). Without
    /// `-replicaDetails`, only a message shows that all replicas of a block are corrupt.
    fn replicas(&self, id: i64, replicas: &mut [Replica]) {
        let corrupt = id >= 0 && self.all_corrupt.binary_search(&id).is_ok();
        for replica in replicas {
            if corrupt && replica.state == Live {
                replica.state = Corrupt
            }
            let disks = &self.disks[replica.node.at()];
            replica.disk = disks.get(replica.disk.0 as usize).copied().unwrap_or(DiskId(0));
            replica.node = self.places[replica.node.at()];
            replica.state = state(replica.state, self.cluster.nodes[replica.node.at()].admin)
        }
    }
}

/// Rank of each storage id.
fn sorted_places(storages: &[String]) -> Vec<DiskId> {
    let mut order: Vec<usize> = (0..storages.len()).collect();
    order.sort_by_key(|&at| &storages[at]);
    let mut places = vec![DiskId(0); storages.len()];
    for (place, at) in order.into_iter().enumerate() {
        places[at] = DiskId(u16::try_from(place).expect("one more is an error where it is met"))
    }
    places
}

/// fsck prints LIVE for maintenance without `-maintenance`, and no state without `-replicaDetails`.
fn state(said: ReplicaState, admin: Admin) -> ReplicaState {
    match (said, admin) {
        (ReplicaState::Live | ReplicaState::Stale, Admin::Decommissioning) => {
            ReplicaState::Decommissioning
        }
        (ReplicaState::Live | ReplicaState::Stale, Admin::Decommissioned) => {
            ReplicaState::Decommissioned
        }
        (ReplicaState::Live | ReplicaState::Stale, Admin::EnteringMaintenance) => {
            ReplicaState::EnteringMaintenance
        }
        (ReplicaState::Live | ReplicaState::Stale, Admin::InMaintenance) => {
            ReplicaState::InMaintenance
        }
        (said, _) => said,
    }
}

/// A replica that moves between two disks of a node is listed on both; keeps one.
fn drop_doubles(blocks: &mut BlockMap) -> u64 {
    let (mut kept, mut from, mut dropped) = (0usize, 0usize, 0);
    for block in 0..blocks.id.len() {
        let (start, end) = (kept, blocks.first[block + 1] as usize);
        for at in from..end {
            let replica = blocks.replica[at];
            let same =
                |r: &hdfs_scenario::Replica| r.node == replica.node && r.index == replica.index;
            if blocks.replica[start..kept].iter().any(same) {
                dropped += 1
            } else {
                blocks.replica[kept] = replica;
                kept += 1
            }
        }
        from = end;
        blocks.first[block + 1] = u32_of(kept)
    }
    blocks.replica.truncate(kept);
    dropped
}
