//! The incremental solver: recompute what a change reaches, the lowest level first.
use super::{
    USE_PARTS,
    network::{Network, slot_of},
    share::{lesser, same},
    work::Work,
};

/// Relative distance at which a flow may be held by two resources alike, so that its holder is
/// looked at.
const NEAR: f64 = 4e-9;

/// Part of a capacity that must be left for sure, far above all rounding.
const MARGIN: f64 = 1e-6;

/// Visits that an attempt may cost; 0 where filling from scratch is cheaper from the start.
///
/// Measured: a visit of an attempt costs about what an arc costs in filling from scratch (80 and
/// 110 ns where the cache is too small), so an attempt that has cost `TRIES` visits an arc has
/// lost; one that begins with a good part of all is lost.
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
/// Gives up and returns false after `budget` visits; the levels are then of no use. `used` is what
/// each resource gave before the change.
pub(super) fn relax(net: &mut Network, work: &mut Work, used: &[u64], budget: u64) -> bool {
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
        spread(net, work, used, resource, old, new);
        if visits > budget {
            break;
        }
    }
    let settled = work.list.is_empty();
    work.list.clear();
    work.slack.clear();
    work.cost.visits += visits;
    settled
}

/// Marks the flows that the change of a level concerns, and queues the resources that see them
/// change.
fn spread(net: &Network, work: &mut Work, used: &[u64], resource: u32, old: f64, new: f64) {
    let Work { demands, touched, staged, list, slack, .. } = work;
    let lower = lesser(old, new);
    for (demand, &entry) in demands.iter().zip(net.members.of(resource)) {
        if demand.bound < lower * (1.0 - NEAR) {
            continue; // Held elsewhere, before and after.
        }
        touched.add(slot_of(entry));
        if demand.bound <= lower {
            continue;
        }
        let (before, after) = (lesser(demand.bound, old), lesser(demand.bound, new));
        if same(before, after) {
            continue;
        }
        let more = demand.weight * (after - before);
        for &other in net.shape[slot_of(entry) as usize].path() {
            let own = net.level[other as usize];
            if other == resource || own == f64::INFINITY && more < 0.0 {
                continue; // Unsaturated, and asked for less: stays so.
            }
            // Unsaturated, and asked for little more: stays so. (A flow that has just started is
            // not in `used`.)
            let idle = own == f64::INFINITY
                && !staged.has(other)
                && slack.take(other, more, || free(net, used, other)) > 0.0;
            if !idle {
                list.push(other, own)
            }
        }
    }
}

/// What an unsaturated resource could give on top [bytes/s] and stay so.
fn free(net: &Network, used: &[u64], resource: u32) -> f64 {
    net.capacity_now(resource) * (1.0 - MARGIN) - used[resource as usize] as f64 / USE_PARTS
}
