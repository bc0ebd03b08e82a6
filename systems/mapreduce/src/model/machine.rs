//! Disks, cores, NICs and uplinks as resources of the solver.
use crate::keys::numbers;
use cluster::document::Place;
use cluster::{DiskCurve, Sheet};
use hardware::{Capacity, Path, ResourceId};
use units::{BytesPerSec, Nanos};

/// Core time per second \[ns\]; flows on cores are in ns.
pub(crate) const CORE: u64 = 1_000_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Disk { node: u32, place: u32 },
    Cores { node: u32 },
    NicIn { node: u32 },
    NicOut { node: u32 },
    UplinkIn { rack: u32 },
    UplinkOut { rack: u32 },
}

pub(crate) struct Resources {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) capacities: Vec<Capacity>,
    pub(crate) disks: Vec<u32>,
    /// A disk to readers and to writers, if they differ.
    pub(crate) access: Option<[Capacity; 2]>,
    /// Index of each node's first disk; its cores, NIC in and NIC out follow its disks.
    first: Vec<u32>,
    /// Index of the first rack's uplink in; its uplink out follows, then the next rack's.
    uplinks: u32,
    racks: u32,
}

impl Resources {
    pub(crate) fn of(sheet: &Sheet) -> Resources {
        let nodes = sheet.count32("cluster.nodes");
        let racks = sheet.count32("cluster.racks");
        let disks = numbers(sheet.text("cluster.disks"), nodes).expect("checked");
        let cores = numbers(sheet.text("cluster.cores"), nodes).expect("checked");
        let curve = match sheet.text("hardware.disk_curve") {
            "0" => 0,
            "0.25" => 1,
            "0.5" => 2,
            "0.75" => 3,
            _ => 4,
        };
        let disk = Capacity {
            rate: sheet.rate("hardware.disk"),
            seek: sheet.time("hardware.disk_seek"),
            batch: sheet.bytes("hardware.disk_batch"),
            curve: DiskCurve::quarters(curve),
        };
        let batch = sheet.bytes("hardware.write_batch");
        let access = (batch != disk.batch).then_some([disk, Capacity { batch, ..disk }]);
        let nic = Capacity::fixed(sheet.rate("hardware.nic"));
        let uplink = Capacity::fixed(sheet.rate("hardware.inter_rack"));
        let (mut kinds, mut capacities, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for node in 0..nodes {
            first.push(units::u32_of(kinds.len()));
            let own = disks[node as usize];
            kinds.extend((0..own).map(|place| Kind::Disk { node, place }));
            capacities.extend((0..own).map(|_| disk));
            kinds.extend([Kind::Cores { node }, Kind::NicIn { node }, Kind::NicOut { node }]);
            let all = Capacity::fixed(BytesPerSec(CORE * u64::from(cores[node as usize])));
            capacities.extend([all, nic, nic])
        }
        let uplinks = units::u32_of(kinds.len());
        for rack in 0..racks {
            kinds.extend([Kind::UplinkIn { rack }, Kind::UplinkOut { rack }]);
            capacities.extend([uplink, uplink])
        }
        Resources { kinds, capacities, disks, access, first, uplinks, racks }
    }

    pub(crate) fn disk(&self, node: u32, place: u32) -> ResourceId {
        ResourceId(self.first[node as usize] + place)
    }

    pub(crate) fn cores(&self, node: u32) -> ResourceId {
        ResourceId(self.first[node as usize] + self.disks[node as usize])
    }

    pub(crate) fn nic_in(&self, node: u32) -> ResourceId {
        ResourceId(self.cores(node).0 + 1)
    }

    fn nic_out(&self, node: u32) -> ResourceId {
        ResourceId(self.cores(node).0 + 2)
    }

    pub(crate) fn rack(&self, node: u32) -> u32 {
        node % self.racks
    }

    pub(crate) fn only_disks(&self, path: &Path) -> Path {
        path.iter().filter(|id| self.is_disk(**id)).fold(nothing(), |path, id| path.via(*id))
    }

    pub(crate) fn without_disks(&self, path: &Path) -> Path {
        path.iter().filter(|id| !self.is_disk(**id)).fold(nothing(), |path, id| path.via(*id))
    }

    fn is_disk(&self, id: ResourceId) -> bool {
        matches!(self.kinds[id.at()], Kind::Disk { .. })
    }

    /// Adds the network between two nodes.
    pub(crate) fn add_network(&self, path: Path, from: u32, to: u32) -> Path {
        if from == to {
            return path;
        }
        let path = path.via(self.nic_out(from));
        let (a, b) = (self.rack(from), self.rack(to));
        let path = match a == b {
            true => path,
            false => {
                path.via(ResourceId(self.uplinks + 2 * a + 1)).via(ResourceId(self.uplinks + 2 * b))
            }
        };
        path.via(self.nic_in(to))
    }
}

pub(crate) fn nothing() -> Path {
    Path::new(Nanos::ZERO)
}

/// The list names more nodes than there are. Ignored for a list in the file if `--set` reduces
/// `cluster.nodes`: the file's author could not know that.
pub(crate) fn is_too_long(sheet: &Sheet, key: &str, nodes: u32) -> bool {
    let words = sheet.text(key).split([' ', ',']).filter(|word| !word.is_empty());
    let set = |key: &str| {
        let place = sheet.values.find(key).and_then(|slot| slot.place.as_ref());
        matches!(place, Some(Place::CommandLine))
    };
    words.count() > nodes as usize && (set(key) || !set("cluster.nodes"))
}
