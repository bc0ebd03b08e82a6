//! The incremental solver: recomputes what a change affects, the lowest level first.
use super::{
    USE_PARTS,
    network::{Network, slot_of},
    share::{lesser, same},
    work::Work,
};

/// Relative distance at which two resources may hold a flow alike, so that its holder is
/// recomputed.
const NEAR: f64 = 4e-9;

/// Fraction of a capacity that must be left for certain, far above all rounding.
const MARGIN: f64 = 1e-6;

/// Maximum visits of an attempt; 0 if filling from scratch is cheaper from the start.
///
/// Measured: a visit costs about as much as an arc in filling from scratch (80 and 110 ns if the
/// cache is too small). So an attempt has failed after `TRIES` visits per arc. One that begins with
/// over a quarter of all arcs will fail.
pub(super) fn budget(net: &Network, work: &Work) -> u64 {
    const TRIES: u64 = 1;
    let begun: u64 = work.staged.list.iter().map(|&r| net.members.len(r) as u64).sum();
    if net.arcs > 64 && begun * 4 > net.arcs { 0 } else { (TRIES * net.arcs).max(256) }
}

/// Recomputes the levels of staged resources, then those of neighbours whose inputs changed, until
/// nothing changes.
///
/// Levels settle from the lowest up, and the fixpoint is the max-min solution (Ros and Tsai, "A
/// theory of convergence order of maxmin rate allocation and an optimal protocol", INFOCOM 2001).
/// Returns false after `budget` visits; the levels are then invalid. `used`: use of each resource
/// before the change.
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

/// Marks the flows that the change of a level affects, and queues their other resources.
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
        let shape = &net.shape[slot_of(entry) as usize];
        let faster = shape.weight * (after - before);
        for (hop, &other) in shape.path().iter().enumerate() {
            let more = faster * shape.use_at(hop);
            let own = net.level[other as usize];
            if other == resource || own == f64::INFINITY && more < 0.0 {
                continue; // Unsaturated, and asked for less: stays so.
            }
            // An unsaturated resource with little more demand stays so. (`used` lacks flows that
            // have just started.)
            let idle = own == f64::INFINITY
                && !staged.has(other)
                && slack.take(other, more, || free(net, used, other)) > 0.0;
            if !idle {
                list.push(other, own)
            }
        }
    }
}

/// Additional use \[bytes/s\] with which an unsaturated resource surely stays so.
fn free(net: &Network, used: &[u64], resource: u32) -> f64 {
    net.capacity_now(resource) * (1.0 - MARGIN) - used[resource as usize] as f64 / USE_PARTS
}
