//! Number of racks that a block needs, and the most replicas that one rack may hold.
use crate::View;
use cluster::NodeId;

/// Whether replicas on `live` meet the placement policy (`BlockPlacementStatusDefault`): two racks,
/// one for a block with a single replica, or all racks if there are fewer.
pub fn rack_rule_met(live: &[NodeId], view: View<'_>, expected: u16) -> bool {
    if view.racks.len() <= 1 {
        return true;
    }
    let mut racks = live.iter().map(|&id| view.rack(id));
    let used = match racks.next() {
        None => 0,
        Some(first) => 1 + usize::from(racks.any(|rack| rack != first)),
    };
    used >= usize::from(expected.min(2)) || used >= view.populated_racks().take(2).count()
}

/// Most replicas that placement puts into one rack, for `total` replicas (`getMaxNodesPerRack`).
/// With `spread` (Hadoop 3) below `total`, so that one rack never holds all.
pub fn max_per_rack(total: usize, view: View<'_>, spread: bool) -> usize {
    // Only min(total, nodes) and ⌊(total−1)/racks⌋ matter, so counting can stop at `total`.
    let total = view.nodes.iter().filter(|node| node.alive).take(total).count();
    let racks = view.populated_racks().take(total.max(2)).count();
    if racks <= 1 || total <= 1 {
        return total;
    }
    let most = (total - 1) / racks + 2;
    if spread && most == total { most - 1 } else { most }
}
