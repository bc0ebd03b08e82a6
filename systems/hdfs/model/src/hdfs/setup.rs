//! Constants of a run: one value shared by all LPs.
use super::{
    balancer::Balancing,
    messages::{Event, Leg, Order, Purpose, Record},
    reasons::SettingKeys,
    striped::Code,
};
use cluster::{Admin, BlockIndex, Channels, Cluster, Network, NodeId, Sharing};
use engine::{Context, Lp, Lps, Nanos, Shared};
use hardware::{
    Kind, Path, ResourceId, Resources,
    transport::{FlowName, Ports, flow},
};
use hdfs_policy::{NodeView, rereplication::Rereplication};
use hdfs_scenario::{
    BlockMap, EventKind, Foreground, HdfsSite, ModelKeys, Pacing, PolicyKeys, Redundancy,
    ReplicaState, Scenario, SourcesChosen,
};
use std::{cmp::Reverse, sync::Arc};
use units::Bytes;

pub struct Setup {
    pub hdfs: HdfsSite,
    pub balancer: Option<Balancing>,
    /// `[policy]`
    pub keys: PolicyKeys,
    pub model: ModelKeys,
    pub racks: Vec<Vec<NodeId>>,
    /// At the start.
    pub cluster: Cluster,
    /// At the start.
    pub blocks: Arc<BlockMap>,
    /// Disk by disk, in the NameNode's order of scanning a dead node's storages.
    pub by_node: ByNode,
    /// The map has all blocks of the cluster, not only those that the events concern.
    pub all_blocks: bool,
    pub foreground: Option<Foreground>,
    /// LPs of the transport.
    pub ports: Shared<Ports>,
    pub policy: Box<dyn Rereplication>,
    /// Real keys of settings that can hold a run up.
    pub settings: SettingKeys,
    /// Some node is asked to leave during the run.
    pub leaves: bool,
    /// Time of the scenario's last fault.
    pub last_fault: Nanos,
    /// The last fault is slow hardware, which the NameNode does not detect.
    pub ends_undetected: bool,
    pub faults: bool,
    /// How far ahead a run may be stopped: the longest latency.
    pub stop_margin: Nanos,
    /// Copies that keep a rack's uplink full, in each direction; at least 1.
    pub uplink_copies: u32,
    pub lps: Addresses,
}

#[derive(Clone, Copy)]
pub struct Addresses {
    pub namenode: Lp<Event>,
    /// By `NodeId`.
    pub datanodes: Lps<Event>,
    /// One if there is a foreground load, else none.
    pub clients: Lps<Event>,
    /// One if it runs, else none.
    pub balancer: Lps<Event>,
}

impl Setup {
    /// Disks, NICs, links, and limits of settings.
    pub fn resources(&self) -> &Resources {
        self.ports.resources()
    }

    /// Expected replicas; for a group its internal blocks.
    pub fn expected_replicas(&self, block: BlockIndex) -> u16 {
        match self.blocks.redundancy[block.at()] {
            Redundancy::Replicated(n) => n,
            Redundancy::ErasureCoded { .. } => {
                self.code(block).map_or(0, |code| code.total().into())
            }
        }
    }

    /// Replicas or internal blocks without which the block is lost.
    pub fn needed_to_read(&self, block: BlockIndex) -> u16 {
        self.code(block).map_or(1, |code| code.real_data().into())
    }

    pub fn is_replicated(&self, block: BlockIndex) -> bool {
        self.code(block).is_none()
    }

    /// `None` for a replicated block.
    pub fn code(&self, block: BlockIndex) -> Option<Code> {
        match self.blocks.redundancy[block.at()] {
            Redundancy::Replicated(_) => None,
            Redundancy::ErasureCoded { data, parity } => {
                Some(Code { data, parity, bytes: self.bytes(block) })
            }
        }
    }

    pub fn bytes(&self, block: BlockIndex) -> Bytes {
        self.blocks.bytes(block)
    }

    /// Bytes of the block on each holder; for a short group the mean.
    pub fn held_bytes(&self, block: BlockIndex) -> Bytes {
        let whole = self.bytes(block);
        self.code(block).map_or(whole, |code| Bytes(whole.0 / u64::from(code.data.max(1))))
    }

    pub fn path(&self, order: &Order) -> Path {
        let r = self.resources();
        let (mut path, mut from) = (Path::new(Nanos::ZERO), order.source);
        if let Some(disk) = order.source_disk() {
            path.push(r.disk_read(from, disk))
        }
        if order.purpose == Purpose::Replicate
            && let Some(limit) = r.limit(Kind::CopyLimit, from)
        {
            path.push(limit)
        }
        self.throttle(&mut path, order, from);
        for (to, disk) in order.places() {
            r.extend(&mut path, from, to);
            self.throttle(&mut path, order, to);
            if let Some(disk) = disk {
                path.push(r.disk_write(to, disk))
            }
            from = to
        }
        path
    }

    /// Resources and limits of settings on the path of one copy.
    pub fn path_of_copy(&self, leg: &Leg) -> Vec<ResourceId> {
        let r = self.resources();
        let read = leg.source_disk.map(|disk| r.disk_read(leg.sender, disk));
        let write = leg.written_to().map(|disk| r.disk_write(leg.target, disk));
        let network = r.over(Path::new(Nanos::ZERO), leg.sender, leg.target);
        let mut way: Vec<ResourceId> = read.into_iter().chain(self.limits(leg)).collect();
        way.extend(network.iter().copied().chain(write));
        way
    }

    /// A move passes one throttler at each end (`BlockBalanceThrottler`).
    fn throttle(&self, path: &mut Path, order: &Order, node: NodeId) {
        if order.purpose == Purpose::Move
            && let Some(limit) = self.resources().limit(Kind::BalanceLimit, node)
        {
            path.push(limit)
        }
    }

    /// Limits of settings on the path of a copy.
    pub fn limits(&self, leg: &Leg) -> impl Iterator<Item = ResourceId> {
        let r = self.resources();
        // A target that forwards has no limit of copies.
        let sends = leg.source_disk.filter(|_| leg.purpose == Purpose::Replicate);
        let copy = sends.and_then(|_| r.limit(Kind::CopyLimit, leg.sender));
        let ends = [leg.sender, leg.target].into_iter().filter(|_| leg.copy.is_move());
        copy.into_iter().chain(ends.filter_map(|node| r.limit(Kind::BalanceLimit, node)))
    }

    /// Starts an order's flow after all targets have chosen their disks. The caller and `peer`
    /// receive its end. The path is already open, so its latency does not count again.
    pub fn flow(
        &self,
        order: &Order,
        peer: Option<Lp<flow::Reply>>,
        cx: &impl Context<Event, Record>,
    ) {
        let (flow, path, bytes) = (flow_of(order, cx), self.path(order), order.bytes);
        let start = Box::new(flow::Start { flow, peer, path, bytes });
        cx.notify(self.ports.entry(&path), flow::Request::Start(start))
    }

    /// Ends a flow that this LP started.
    pub fn cut(&self, order: &Order, cx: &impl Context<Event, Record>) {
        let entry = self.ports.entry(&self.path(order));
        cx.notify(entry, flow::Request::Cut(flow_of(order, cx)))
    }

    /// One solver shares all resources.
    pub fn is_fluid(&self) -> bool {
        self.model.sharing == Sharing::Fluid
    }

    /// The way of a flow's acknowledgements, if they are counted.
    pub fn acknowledgements(&self, path: &Path) -> Option<Path> {
        let counted = self.is_fluid() && self.model.network == Network::Lv08;
        counted.then(|| self.resources().reverse(path))
    }

    /// Orders are handed out without heartbeats and rounds.
    pub fn event_driven(&self) -> bool {
        self.keys.pacing == Pacing::EventDriven
    }

    /// Each source has a list of copies before the first one starts.
    pub fn chooses_before(&self) -> bool {
        self.keys.sources_chosen == SourcesChosen::Before
    }
}

fn flow_of(order: &Order, cx: &impl Context<Event, Record>) -> FlowName {
    FlowName { owner: cx.me().port(), tag: order.first.0 }
}

/// Blocks of each node as compressed rows.
pub struct ByNode {
    first: Vec<u32>,
    blocks: Vec<BlockIndex>,
}

impl ByNode {
    /// Inverts a block map, the newest block of a disk first: `DatanodeStorageInfo` puts blocks
    /// that are added or reported at the head of its list. Newer blocks have larger ids.
    pub fn new(map: &BlockMap, nodes: usize) -> ByNode {
        let mut newest_first: Vec<u32> = (0..map.len()).collect();
        newest_first.sort_unstable_by_key(|block| Reverse(map.id[*block as usize]));
        // By node: the number of its first disk.
        let mut disks = vec![0; nodes + 1];
        for r in &map.replica {
            disks[r.node.at() + 1] = (1 + usize::from(r.disk.0)).max(disks[r.node.at() + 1])
        }
        (0..nodes).for_each(|node| disks[node + 1] += disks[node]);
        // Counts and distributes by disk without sorting: maps have millions of rows.
        let deal = |to: &mut dyn FnMut(usize, BlockIndex)| {
            let mut last = vec![None; disks[nodes]];
            for block in newest_first.iter().copied().map(BlockIndex) {
                for r in map.replicas(block) {
                    let disk = disks[r.node.at()] + usize::from(r.disk.0);
                    if last[disk].replace(block) != Some(block) {
                        to(disk, block)
                    }
                }
            }
        };
        let mut next = vec![0; disks[nodes] + 1];
        deal(&mut |disk, _| next[disk + 1] += 1);
        (0..disks[nodes]).for_each(|disk| next[disk + 1] += next[disk]);
        let first = disks.iter().map(|disk| next[*disk]).collect();
        let mut blocks = vec![BlockIndex(0); next[disks[nodes]] as usize];
        deal(&mut |disk, block| {
            blocks[next[disk] as usize] = block;
            next[disk] += 1
        });
        ByNode { first, blocks }
    }

    /// Disk by disk, the newest first.
    pub fn of(&self, node: NodeId) -> &[BlockIndex] {
        &self.blocks[self.first[node.at()] as usize..self.first[node.at() + 1] as usize]
    }
}

/// A node at the start, as policies see it.
pub fn view_of(n: &cluster::Node) -> NodeView {
    let mut view = NodeView::new(n.rack, n.remaining);
    (view.alive, view.admin, view.xceivers) = (n.alive, n.admin as u8, n.xceivers);
    view
}

/// Whether a replica counts as live while its node lives.
pub fn counts(state: ReplicaState) -> bool {
    matches!(state, ReplicaState::Live | ReplicaState::Stale)
}

/// Whether a replica is readable while its node lives.
pub fn readable(state: ReplicaState) -> bool {
    counts(state)
        || matches!(state, ReplicaState::Decommissioning | ReplicaState::EnteringMaintenance)
}

/// Whether a replica counts for the racks while its node stays.
pub fn held(state: ReplicaState) -> bool {
    !matches!(state, ReplicaState::Corrupt | ReplicaState::Excess)
}

/// Whether a node's replicas count for the racks, even in maintenance.
pub fn stays(admin: Admin) -> bool {
    !matches!(admin, Admin::Decommissioning | Admin::Decommissioned)
}

pub fn last_fault(scenario: &Scenario) -> Nanos {
    scenario.events.iter().map(|e| e.at).max().unwrap_or(Nanos::ZERO)
}

/// Whether all faults at the time of the last one are slow hardware.
pub fn ends_undetected(scenario: &Scenario) -> bool {
    let last = scenario.events.iter().filter(|event| event.at == last_fault(scenario));
    let slow = |kind| {
        matches!(kind, EventKind::SlowDisk(..) | EventKind::SlowNic(..) | EventKind::SlowUplink(..))
    };
    !scenario.events.is_empty() && last.into_iter().all(|event| slow(event.kind))
}

/// Copies that keep an uplink full: twice its rate over the rate of one copy. That rate assumes
/// that all nodes send and receive at their limit. Twice, since a copy crosses two uplinks and some
/// copies are always ending.
pub fn uplink_copies(scenario: &Scenario) -> u32 {
    let h = &scenario.hardware;
    let streams = match scenario.policy.pacing {
        Pacing::EventDriven => scenario.policy.streams_per_source,
        Pacing::Hdfs1 | Pacing::Hdfs3 => scenario.hdfs.max_streams,
    };
    let both_ways = if h.disk.channels == Channels::Shared { 2.0 } else { 1.0 };
    let disks = h.disk.rate.0 as f64 * f64::from(h.disks_per_node) / both_ways;
    let one_of_all = disks.min(h.nic.0 as f64) / f64::from(streams.max(1));
    let copy = one_of_all.min(h.disk.rate.0 as f64);
    let whole = units::floored_u64(2.0 * h.inter_rack.0 as f64 / copy);
    u32::try_from(whole).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cluster::DiskId;
    use hdfs_scenario::Replica;

    /// The result is as by sorting. A map may name a replica twice.
    #[test]
    fn blocks_of_a_node_stand_disk_by_disk_the_newest_first() {
        let (mut map, mut rows) = (BlockMap { first: vec![0], ..BlockMap::default() }, vec![]);
        for block in 0..50u32 {
            let mut draw = engine::Draw::keyed(1, "holders", u64::from(block), 0);
            let mut below = |n| units::narrow::<u16>(draw.below(n));
            let place = |_| (NodeId(2 * u32::from(below(4))), DiskId(below(3) * below(60)));
            let mut places: Vec<(NodeId, DiskId)> = (0..3).map(place).collect();
            places.push(places[0]);
            rows.extend(places.iter().map(|at| (*at, Reverse(block))));
            let state = ReplicaState::Live;
            let replica = |(node, disk)| Replica { node, disk, state, index: 0 };
            let replicas: Vec<Replica> = places.into_iter().map(replica).collect();
            map.push(i64::from(block), 1, Redundancy::Replicated(3), &replicas)
        }
        rows.sort_unstable();
        rows.dedup();
        let by_node = ByNode::new(&map, 9);
        for node in (0..9).map(NodeId) {
            let own = rows.iter().filter(|((at, _), _)| *at == node);
            let own: Vec<BlockIndex> = own.map(|(_, Reverse(block))| BlockIndex(*block)).collect();
            assert_eq!(by_node.of(node), own)
        }
    }
}
