//! Numbers and names of everything that can limit a transfer in a cluster, and paths over it.
use super::{Capacity, Kind, Path, Profile, Profiles, Resource, ResourceId};
use cluster::{Channels, Cluster, DiskId, Hardware, InterRack, NodeId, RackId};
use units::{Bytes, BytesPerSec, Nanos};

/// All resources of a cluster: built once, shared (`rewind::Shared`), never changed.
///
/// Numbers are in the order of nodes (NIC out, NIC in, disks), then of racks, so that related ones
/// are adjacent in memory. The limits that settings give to nodes follow after all hardware.
#[derive(Clone, Debug)]
pub struct Resources {
    all: Vec<Resource>,
    capacity: Vec<Capacity>,
    /// Number of each node's NIC out; the last entry is the first uplink.
    first: Vec<u32>,
    hardware: u32,
    /// Kinds of limits, each with the number of the first node's limit.
    limits: Vec<(Kind, u32)>,
    rack_of: Vec<RackId>,
    hosts: Vec<String>,
    rack_names: Vec<String>,
    /// By node: its disks have separate channels for reads and writes.
    separate: Vec<bool>,
    joined: InterRackLinks,
    nic_latency: Nanos,
    inter_rack_latency: Nanos,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InterRackLinks {
    /// One rack.
    Nothing,
    Uplinks,
    OneLink,
}

impl Resources {
    /// Numbers the resources of a `cluster` of this `hardware`.
    ///
    /// A node of 0 disks gets `disks_per_node`: no input listed its disks. A single rack has no
    /// uplink.
    pub fn build(cluster: &Cluster, hardware: &Hardware) -> Resources {
        let profile = Profile::common(hardware, 0, Bytes(0));
        let profiles = Profiles::alike(profile, cluster.nodes.len());
        Resources::build_uneven(cluster, hardware, &profiles)
    }

    /// As [`build`](Resources::build), with a profile per node; of `hardware` only the network
    /// between nodes counts.
    pub fn build_uneven(cluster: &Cluster, hardware: &Hardware, profiles: &Profiles) -> Resources {
        let joined = match hardware.inter_rack_kind {
            _ if cluster.racks.len() < 2 => InterRackLinks::Nothing,
            InterRack::Uplinks => InterRackLinks::Uplinks,
            InterRack::OneLink => InterRackLinks::OneLink,
        };
        let mut built = Resources {
            all: Vec::new(),
            capacity: Vec::new(),
            first: Vec::with_capacity(cluster.nodes.len() + 1),
            hardware: 0,
            limits: Vec::new(),
            rack_of: cluster.nodes.iter().map(|node| node.rack).collect(),
            hosts: cluster.labels(),
            rack_names: cluster.racks.iter().map(|rack| rack.name.clone()).collect(),
            separate: Vec::with_capacity(cluster.nodes.len()),
            joined,
            nic_latency: hardware.nic_latency,
            inter_rack_latency: hardware.inter_rack_latency,
        };
        for (id, node) in (0..).map(NodeId).zip(&cluster.nodes) {
            let profile = profiles.of(id);
            let disks = if node.disks == 0 { profile.disks } else { node.disks };
            built.add_node(id, disks, profile);
        }
        built.first.push(built.len());
        built.add_between_racks(cluster, hardware);
        built.hardware = built.len();
        built
    }

    /// Gives every node a limit: the total rate of its transfers for one purpose
    /// (`DataTransferThrottler`).
    pub fn add_limit(&mut self, limit: fn(NodeId) -> Resource, rate: BytesPerSec) {
        self.limits.push((limit(NodeId(0)).kind(), self.len()));
        for node in (0..units::u32_of(self.rack_of.len())).map(NodeId) {
            self.add(limit(node), Capacity::fixed(rate))
        }
    }

    /// A node's limit; `None` if there is no limit of this kind.
    pub fn limit(&self, kind: Kind, node: NodeId) -> Option<ResourceId> {
        let of_kind = self.limits.iter().find(|(known, _)| *known == kind);
        of_kind.map(|(_, first)| ResourceId(first + node.0))
    }

    /// Number of hardware resources; the limits have higher numbers.
    pub fn hardware(&self) -> u32 {
        self.hardware
    }

    fn add(&mut self, resource: Resource, capacity: Capacity) {
        self.all.push(resource);
        self.capacity.push(capacity);
    }

    fn add_node(&mut self, node: NodeId, disks: u16, profile: &Profile) {
        self.first.push(self.len());
        self.separate.push(profile.disk.channels == Channels::Separate);
        self.add(Resource::NicOut(node), Capacity::fixed(profile.nic));
        self.add(Resource::NicIn(node), Capacity::fixed(profile.nic));
        let disk_capacity = Capacity::disk(&profile.disk);
        for disk in (0..disks).map(DiskId) {
            match profile.disk.channels {
                Channels::Shared => self.add(Resource::Disk(node, disk), disk_capacity),
                Channels::Separate => {
                    self.add(Resource::DiskRead(node, disk), disk_capacity);
                    self.add(Resource::DiskWrite(node, disk), disk_capacity);
                }
            }
        }
    }

    fn add_between_racks(&mut self, cluster: &Cluster, hardware: &Hardware) {
        let capacity = Capacity::fixed(hardware.inter_rack);
        match self.joined {
            InterRackLinks::Nothing => {}
            InterRackLinks::OneLink => self.add(Resource::InterRackLink, capacity),
            InterRackLinks::Uplinks => {
                for rack in (0..units::u32_of(cluster.racks.len())).map(RackId) {
                    self.add(Resource::UplinkOut(rack), capacity);
                    self.add(Resource::UplinkIn(rack), capacity);
                }
            }
        }
    }

    pub fn len(&self) -> u32 {
        units::u32_of(self.all.len())
    }
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ResourceId, Resource)> + '_ {
        self.all.iter().enumerate().map(|(id, &resource)| (ResourceId(units::u32_of(id)), resource))
    }
    pub fn get(&self, id: ResourceId) -> Resource {
        self.all[id.at()]
    }
    pub fn capacity(&self, id: ResourceId) -> Capacity {
        self.capacity[id.at()]
    }
    pub fn capacities(&self) -> &[Capacity] {
        &self.capacity
    }
    /// As users name it: `dn-r2-05 disk 3 read`.
    pub fn name(&self, id: ResourceId) -> String {
        let host = |node: NodeId| &self.hosts[node.at()];
        let rack = |rack: RackId| &self.rack_names[rack.at()];
        match self.get(id) {
            Resource::Disk(node, disk) => format!("{} disk {}", host(node), disk.0),
            Resource::DiskRead(node, disk) => format!("{} disk {} read", host(node), disk.0),
            Resource::DiskWrite(node, disk) => format!("{} disk {} write", host(node), disk.0),
            Resource::NicOut(node) => format!("{} NIC out", host(node)),
            Resource::NicIn(node) => format!("{} NIC in", host(node)),
            Resource::UplinkOut(id) => format!("{} uplink out", rack(id)),
            Resource::UplinkIn(id) => format!("{} uplink in", rack(id)),
            Resource::InterRackLink => "link between the racks".into(),
            Resource::CopyLimit(node) => format!("{} limit of copies", host(node)),
            Resource::BalanceLimit(node) => format!("{} limit of moves", host(node)),
        }
    }

    pub fn nodes(&self) -> u32 {
        units::u32_of(self.rack_of.len())
    }
    pub fn rack_of(&self, node: NodeId) -> RackId {
        self.rack_of[node.at()]
    }
    /// `None` if there is one rack.
    pub fn joined_by(&self) -> Option<InterRack> {
        match self.joined {
            InterRackLinks::Nothing => None,
            InterRackLinks::Uplinks => Some(InterRack::Uplinks),
            InterRackLinks::OneLink => Some(InterRack::OneLink),
        }
    }
    /// Additional latency between racks.
    pub fn inter_rack_latency(&self) -> Nanos {
        self.inter_rack_latency
    }

    pub fn disks(&self, node: NodeId) -> u16 {
        let behind_nic = self.first[node.at() + 1] - self.first[node.at()] - 2;
        let disks = if self.separate[node.at()] { behind_nic / 2 } else { behind_nic };
        u16::try_from(disks).expect("a node has at most 65 535 disks")
    }
    pub fn nic_out(&self, node: NodeId) -> ResourceId {
        ResourceId(self.first[node.at()])
    }
    pub fn nic_in(&self, node: NodeId) -> ResourceId {
        ResourceId(self.first[node.at()] + 1)
    }
    /// The resource that a read of a disk uses.
    ///
    /// # Panics
    /// If the node has no such disk.
    #[track_caller]
    pub fn disk_read(&self, node: NodeId, disk: DiskId) -> ResourceId {
        assert!(disk.0 < self.disks(node), "{} has no disk {}", self.hosts[node.at()], disk.0);
        let each = 1 + u32::from(self.separate[node.at()]);
        let behind_nic = each * u32::from(disk.0);
        ResourceId(self.first[node.at()] + 2 + behind_nic)
    }
    /// The resource that a write to a disk uses.
    ///
    /// # Panics
    /// If the node has no such disk.
    #[track_caller]
    pub fn disk_write(&self, node: NodeId, disk: DiskId) -> ResourceId {
        let read = self.disk_read(node, disk);
        ResourceId(read.0 + u32::from(self.separate[node.at()]))
    }
    /// In the order of the data flow; none inside a rack.
    pub fn between(&self, from: RackId, to: RackId) -> impl Iterator<Item = ResourceId> {
        let first = self.first[self.rack_of.len()];
        let way = match self.joined {
            _ if from == to => [None, None],
            InterRackLinks::Nothing => [None, None],
            InterRackLinks::OneLink => [Some(first), None],
            InterRackLinks::Uplinks => [Some(first + 2 * from.0), Some(first + 2 * to.0 + 1)],
        };
        way.into_iter().flatten().map(ResourceId)
    }

    /// What joins a rack to the others: nothing, the one link of two racks, or its uplink's two
    /// directions.
    pub fn uplinks(&self, rack: RackId) -> Vec<u32> {
        let first = self.first[self.rack_of.len()];
        match self.joined {
            InterRackLinks::Nothing => vec![],
            InterRackLinks::OneLink => vec![first],
            InterRackLinks::Uplinks => vec![first + 2 * rack.0, first + 2 * rack.0 + 1],
        }
    }

    /// From the departure of the first bit to its arrival: 0 within a node, one hop inside a rack,
    /// plus the inter-rack latency between racks.
    pub fn latency(&self, from: NodeId, to: NodeId) -> Nanos {
        if from == to {
            Nanos::ZERO
        } else if self.rack_of[from.at()] == self.rack_of[to.at()] {
            self.nic_latency
        } else {
            self.nic_latency + self.inter_rack_latency
        }
    }
    /// Least latency of all paths over the network, for [`Path::latency_weight`].
    pub fn shortest_latency(&self) -> Nanos {
        self.nic_latency
    }

    /// Path of a copy from a disk to another; within a node it does not use the NIC.
    ///
    /// # Panics
    /// If source and target are one shared disk, or a disk does not exist: bugs of a policy.
    #[track_caller]
    pub fn path(&self, from: NodeId, read: DiskId, to: NodeId, write: DiskId) -> Path {
        let start = Path::new(Nanos::ZERO).via(self.disk_read(from, read));
        self.over(start, from, to).via(self.disk_write(to, write))
    }
    /// Path of a read whose bytes are used on node `to` and not written.
    #[track_caller]
    pub fn read_path(&self, from: NodeId, read: DiskId, to: NodeId) -> Path {
        self.over(Path::new(Nanos::ZERO).via(self.disk_read(from, read)), from, to)
    }
    /// Path of a write from the memory of node `from`.
    #[track_caller]
    pub fn write_path(&self, from: NodeId, to: NodeId, write: DiskId) -> Path {
        self.over(Path::new(Nanos::ZERO), from, to).via(self.disk_write(to, write))
    }

    /// Extends a path over the network from one node to another; within a node by nothing.
    ///
    /// # Panics
    /// If it leaves or enters a node or rack for the second time.
    #[track_caller]
    pub fn over(&self, mut path: Path, from: NodeId, to: NodeId) -> Path {
        self.extend(&mut path, from, to);
        path
    }

    /// As [`Resources::over`], in place.
    ///
    /// # Panics
    /// As [`Resources::over`].
    #[inline]
    pub fn extend(&self, path: &mut Path, from: NodeId, to: NodeId) {
        if from == to {
            return;
        }
        let racks = (self.rack_of[from.at()], self.rack_of[to.at()]);
        path.latency += self.latency(from, to);
        path.push(self.nic_out(from));
        self.between(racks.0, racks.1).for_each(|link| path.push(link));
        path.push(self.nic_in(to))
    }
}
