//! Order of the targets in a write pipeline.
use crate::View;
use cluster::NodeId;

/// Each target is the nearest to the one before (`BlockPlacementPolicyDefault.getPipeline`): one of
/// the same rack if there is one, else the first left. The pipeline enters no rack twice.
pub fn sort_as_pipeline(writer: NodeId, targets: &mut [NodeId], view: View<'_>) {
    let mut last = writer;
    for place in 0..targets.len() {
        let near = |id: &NodeId| view.rack(*id) == view.rack(last);
        let next = targets[place..].iter().position(near).unwrap_or(0);
        targets.swap(place, place + next);
        last = targets[place];
    }
}
