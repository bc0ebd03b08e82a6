//! Open nodes by load, per rack: finds the least loaded node that may receive a copy.
use super::copy_request::{CopyRequest, NONE};
use std::collections::BTreeSet;
use units::u32_of;

pub(super) struct ByLoad {
    /// Per node; [`NONE`] if it is not open.
    rack_of: Vec<u32>,
    /// Per rack: (load, node).
    nodes: Vec<BTreeSet<(u32, u32)>>,
    /// Per rack with an open node: (least load, rack).
    racks: BTreeSet<(u32, u32)>,
}

impl ByLoad {
    pub(super) fn new(racks: &[Vec<u32>], load: &[u32]) -> ByLoad {
        let mut index = ByLoad {
            rack_of: vec![NONE; load.len()],
            nodes: racks.iter().map(|_| BTreeSet::new()).collect(),
            racks: BTreeSet::new(),
        };
        for (rack, nodes) in racks.iter().enumerate() {
            nodes.iter().for_each(|&node| index.rack_of[node as usize] = u32_of(rack));
            index.nodes[rack] = nodes.iter().map(|&node| (load[node as usize], node)).collect();
            index.racks.extend(index.first(rack));
        }
        index
    }

    /// Changes a node's load; ignores nodes that are not open.
    pub(super) fn set_load(&mut self, node: u32, from: u32, to: u32) {
        let rack = self.rack_of[node as usize];
        if rack == NONE {
            return;
        }
        let before = self.first(rack as usize);
        self.nodes[rack as usize].remove(&(from, node));
        self.nodes[rack as usize].insert((to, node));
        let after = self.first(rack as usize);
        if before != after {
            before.map(|entry| self.racks.remove(&entry));
            self.racks.extend(after);
        }
    }

    /// A node with a load of at most `most` that may receive `copy`: racks come by their least
    /// load, nodes of a rack by load.
    pub(super) fn least(&self, copy: &CopyRequest, most: u32) -> Option<u32> {
        let racks = self.racks.iter().take_while(|(least, _)| *least <= most);
        let open = racks.filter(|(_, rack)| copy.barred != Some(*rack));
        let light = |rack: u32| self.nodes[rack as usize].iter().take_while(|n| n.0 <= most);
        let mut nodes = open.flat_map(|&(_, rack)| light(rack)).map(|&(_, node)| node);
        nodes.find(|node| !copy.taken.contains(node))
    }

    fn first(&self, rack: usize) -> Option<(u32, u32)> {
        self.nodes[rack].first().map(|&(load, _)| (load, u32_of(rack)))
    }
}
