//! Internal blocks of a group are spread evenly over all racks.
use cluster::{NodeId, RackId};
use hdfs_policy::{Fitness, View, placement};
use std::collections::{BTreeMap, BTreeSet};

use crate::seeded::{Nodes, Seeded};

const CODES: [usize; 4] = [3, 5, 9, 14];

fn by_rack(nodes: &[NodeId], view: View<'_>) -> BTreeMap<RackId, usize> {
    let mut count = BTreeMap::new();
    nodes.iter().for_each(|id| *count.entry(view.rack(*id)).or_default() += 1);
    count
}

/// Racks of one size, all healthy: no two racks differ by more than one block of a new group.
#[test]
fn a_new_group_lies_evenly_on_all_racks() {
    for (seed, total) in (0..2_000).zip(CODES.into_iter().cycle()) {
        let mut draw = Seeded(seed);
        let racks = 1 + draw.below(15) as u32;
        let per_rack = (total as u32).div_ceil(racks) + draw.below(3) as u32;
        let nodes = Nodes::healthy(racks, per_rack);
        let writer = NodeId(draw.below(u64::from(racks * per_rack)) as u32);
        let bytes = units::Bytes(1);
        let group = placement::Group { writer: Some(writer), live: &[], taken: &[], bytes };
        let chosen = placement::spread_group(group, total, nodes.view(), &mut draw)
            .unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
        let apart: BTreeSet<NodeId> = chosen.iter().copied().collect();
        assert_eq!((chosen.len(), apart.len(), chosen[0]), (total, total, writer), "seed {seed}");
        let count = by_rack(&chosen, nodes.view());
        let even = total.div_ceil(racks as usize);
        assert!(count.values().all(|n| *n <= even), "seed {seed}: {count:?}");
        assert_eq!(count.len(), total.min(racks as usize), "seed {seed}: {count:?}");
        assert!(placement::fault_tolerant_rule_met(&chosen, nodes.view(), total));
    }
}

/// Nodes in all states: lost internal blocks go to fit nodes that hold nothing of the group, and to
/// a new rack if one is left.
#[test]
fn a_repaired_group_lies_on_fit_nodes_of_new_racks() {
    let (mut repaired, mut refused) = (0, 0);
    for (seed, total) in (0..6_000).zip(CODES.into_iter().cycle()) {
        let mut draw = Seeded(seed);
        let nodes = Nodes::in_all_states(&mut draw);
        let view = nodes.view();
        let all = nodes.nodes.len() as u64;
        let mut held: Vec<NodeId> = vec![];
        for _ in 0..total {
            let id = NodeId(draw.below(all) as u32);
            if !held.contains(&id) {
                held.push(id)
            }
        }
        let live: Vec<NodeId> =
            held.iter().copied().filter(|id| view.node(*id).in_service()).collect();
        let Some(&writer) = live.first() else { continue };
        let more = total - live.len();
        let bytes = units::Bytes(1 << 20);
        let group = placement::Group { writer: Some(writer), live: &live, taken: &held, bytes };
        let fits = |id: &NodeId| {
            let view = View { avoid_stale: false, ..view };
            !held.contains(id) && view.fitness(*id, bytes) == Fitness::Fit
        };
        match placement::spread_group(group, more, view, &mut draw) {
            Ok(chosen) => {
                repaired += 1;
                assert!(chosen.len() <= more && chosen.iter().all(fits), "seed {seed}: {chosen:?}");
                let apart: BTreeSet<NodeId> = chosen.iter().copied().collect();
                assert_eq!(apart.len(), chosen.len(), "seed {seed}: {chosen:?}");
                let racks = by_rack(&live, view);
                let free = (0..all as u32).map(NodeId).filter(fits).map(|id| view.rack(id));
                let new: BTreeSet<RackId> = free.filter(|r| !racks.contains_key(r)).collect();
                let found = by_rack(&chosen, view).keys().any(|r| new.contains(r));
                let crowded = live.len() + more < view.populated_racks().count();
                assert!(!crowded || found, "seed {seed}: {chosen:?} of {new:?}");
            }
            Err(_) => refused += usize::from(more > 0),
        }
    }
    assert!(repaired > 2_000 && refused > 50, "{repaired} and {refused} say little");
}
