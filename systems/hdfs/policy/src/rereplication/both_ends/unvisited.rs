//! Open nodes not seen in this pass; a new pass restores all at once.
use super::copy_request::{CopyRequest, NONE};
use units::u32_of;

/// A sparse set per rack. In the rack's part of `order` the first `left` nodes are unseen, those up
/// to `kept` are seen, the rest are closed for good.
pub(super) struct UnvisitedNodes {
    order: Vec<u32>,
    /// Per node: its position in `order`; [`NONE`] if it is not open.
    place: Vec<u32>,
    rack_of: Vec<u32>,
    /// Per rack: where its part of `order` begins.
    start: Vec<u32>,
    left: Vec<u32>,
    kept: Vec<u32>,
    /// Racks that may still have unseen nodes.
    racks: Vec<u32>,
}

impl UnvisitedNodes {
    pub(super) fn new(racks: &[Vec<u32>], nodes: usize) -> UnvisitedNodes {
        let kept: Vec<u32> = racks.iter().map(|nodes| u32_of(nodes.len())).collect();
        let mut set = UnvisitedNodes {
            order: Vec::new(),
            place: vec![NONE; nodes],
            rack_of: vec![NONE; nodes],
            start: Vec::new(),
            left: kept.clone(),
            kept,
            racks: Vec::new(),
        };
        for (rack, nodes) in racks.iter().enumerate() {
            set.start.push(u32_of(set.order.len()));
            for &node in nodes {
                set.place[node as usize] = u32_of(set.order.len());
                set.rack_of[node as usize] = u32_of(rack);
                set.order.push(node);
            }
        }
        set
    }

    /// Starts a pass: all nodes not closed become unseen.
    pub(super) fn restart(&mut self) {
        self.left.clone_from(&self.kept);
        self.racks.clear();
        let some = |rack: &u32| self.kept[*rack as usize] > 0;
        self.racks.extend((0..u32_of(self.kept.len())).filter(some));
    }

    /// Closes the nodes seen in this pass.
    pub(super) fn close_visited(&mut self) {
        self.kept.clone_from(&self.left);
    }

    pub(super) fn remove(&mut self, node: u32) {
        let place = self.place[node as usize];
        if place == NONE {
            return;
        }
        let rack = self.rack_of[node as usize] as usize;
        let end = self.start[rack] + self.left[rack];
        if place >= end {
            return;
        }
        let last = self.order[end as usize - 1];
        self.order.swap(place as usize, end as usize - 1);
        (self.place[last as usize], self.place[node as usize]) = (place, end - 1);
        self.left[rack] -= 1;
    }

    /// Marks a node as unseen again; ignores nodes that are not open.
    pub(super) fn mark_unvisited(&mut self, node: u32) {
        let place = self.place[node as usize];
        if place == NONE {
            return;
        }
        let rack = self.rack_of[node as usize];
        let end = self.start[rack as usize] + self.left[rack as usize];
        if self.left[rack as usize] == 0 {
            self.racks.push(rack);
        }
        let first_seen = self.order[end as usize];
        self.order.swap(place as usize, end as usize);
        (self.place[first_seen as usize], self.place[node as usize]) = (place, end);
        self.left[rack as usize] += 1;
    }

    /// An unseen node that may receive `copy`. Takes from the front while removed nodes go to the
    /// end, so that the next pass begins with others.
    pub(super) fn next(&mut self, copy: &CopyRequest) -> Option<u32> {
        for at in (0..self.racks.len()).rev() {
            let rack = self.racks[at];
            let start = self.start[rack as usize] as usize;
            let left = self.left[rack as usize] as usize;
            if left == 0 {
                self.racks.swap_remove(at);
                continue;
            }
            let mut nodes = self.order[start..start + left].iter().copied();
            if copy.barred != Some(rack)
                && let Some(node) = nodes.find(|node| !copy.taken.contains(node))
            {
                return Some(node);
            }
        }
        None
    }
}
