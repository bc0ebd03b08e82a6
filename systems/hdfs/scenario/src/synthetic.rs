//! Synthetic clusters with identical racks and nodes.
use cluster::{Admin, Cluster, Node, NodeId, Rack, RackId};
use units::Bytes;

/// DataNode transfer port since Hadoop 3 (`dfs.datanode.address`).
const PORT: u16 = 9866;

/// A synthetic node is never full: 1 PiB exceeds any workload of a run.
const CAPACITY: Bytes = Bytes(1 << 50);

/// `racks` × `nodes_per_rack` nodes dn-r1-01 … in /rack1 …; 10.0.0.0/8 has 16 M addresses.
pub(crate) fn cluster(name: &str, racks: u32, nodes_per_rack: u32, disks: u16) -> Cluster {
    let node = |rack: u32, place: u32| Node {
        host: format!("dn-r{}-{:02}", rack + 1, place + 1),
        address: address(rack, place, racks, nodes_per_rack),
        rack: RackId(rack),
        alive: true,
        admin: Admin::InService,
        capacity: CAPACITY,
        remaining: CAPACITY,
        xceivers: 0,
        disks,
    };
    let rack = |rack: u32| Rack {
        name: format!("/rack{}", rack + 1),
        nodes: (0..nodes_per_rack).map(|place| NodeId(rack * nodes_per_rack + place)).collect(),
    };
    let places = |rack| (0..nodes_per_rack).map(move |place| (rack, place));
    let nodes = (0..racks).flat_map(places).map(|(rack, place)| node(rack, place)).collect();
    Cluster { name: name.to_string(), nodes, racks: (0..racks).map(rack).collect() }
}

/// 10.0.RACK.PLACE if both fit a byte, else consecutive addresses.
fn address(rack: u32, place: u32, racks: u32, nodes_per_rack: u32) -> String {
    if racks < 255 && nodes_per_rack < 255 {
        return format!("10.0.{}.{}:{PORT}", rack + 1, place + 1);
    }
    let [_, a, b, c] = (rack * nodes_per_rack + place + 1).to_be_bytes();
    format!("10.{a}.{b}.{c}:{PORT}")
}
