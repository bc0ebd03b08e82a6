//! The incremental solver: recompute what a change reaches, the lowest level first.
use super::{
    network::{Network, slot_of},
    share::same,
    work::Work,
};

/// Relative distance at which a flow may be held by two resources alike, so that its holder is
/// looked at.
const NEAR: f64 = 4e-9;

/// Visits that an attempt may cost; 0 where filling anew is cheaper from the start.
///
/// Measured: a visit of an attempt costs about what an arc costs in filling anew (80 and 110 ns
/// where the cache is too small), so an attempt that has cost `TRIES` visits an arc has lost; one
/// that begins with a good part of all is lost.
pub(super) fn budget(net: &Network, work: &Work) -> u64 {
    const TRIES: u64 = 1;
    let begun: u64 = work.staged.list.iter().map(|&r| net.members.len(r) as u64).sum();
    if net.arcs > 64 && begun * 4 > net.arcs { 0 } else { (TRIES * net.arcs).max(256) }
}

/// Recomputes the staged resources' levels, then those of neighbours whose inputs changed, until
/// nothing does.
///
/// Levels settle from the lowest up, and the fixpoint is the max-min solution (Ros and Tsai, "A
/// theory of convergence order of maxmin rate allocation and an optimal protocol", INFOCOM 2001).
/// Gives up and returns false after `budget` visits; the levels are then of no use.
pub(super) fn relax(net: &mut Network, work: &mut Work, budget: u64) -> bool {
    for &resource in &work.staged.list {
        work.list.push(resource, net.level[resource as usize])
    }
    let mut visits = 0;
    while let Some(resource) = work.list.pop() {
        let old = net.level[resource as usize];
        let new = net.level_of(resource, &mut work.demands);
        visits += work.demands.len() as u64;
        work.cost.evaluations += 1;
        if same(old, new) {
            continue;
        }
        net.level.set(resource as usize, new);
        spread(net, work, resource, old, new);
        if visits > budget {
            work.list.clear();
            work.cost.visits += visits;
            return false;
        }
    }
    work.cost.visits += visits;
    true
}

/// Marks the flows that the change of a level concerns, and queues the resources that see them
/// change.
fn spread(net: &Network, work: &mut Work, resource: u32, old: f64, new: f64) {
    let lower = old.min(new);
    for (demand, &entry) in work.demands.iter().zip(net.members.of(resource)) {
        if demand.bound < lower * (1.0 - NEAR) {
            continue; // Held elsewhere, before and after.
        }
        work.touched.add(slot_of(entry));
        if demand.bound <= lower {
            continue;
        }
        let shape = &net.shape[slot_of(entry) as usize];
        for &other in shape.path() {
            if other == resource {
                continue;
            }
            let mut rest = shape.cap_level;
            for &third in shape.path() {
                if third != other && third != resource {
                    rest = rest.min(net.level[third as usize])
                }
            }
            let own = net.level[other as usize];
            let (before, after) = (rest.min(old).min(own), rest.min(new).min(own));
            // Unsaturated, and asked for less: stays so.
            let idle = own == f64::INFINITY && after < before;
            if !idle && !same(before, after) {
                work.list.push(other, own)
            }
        }
    }
}
