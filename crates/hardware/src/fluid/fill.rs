//! The full solver: progressive filling of all resources connected with a change.
use super::{
    network::{Network, slot_of},
    share::{SAME, same},
    work::{ResourceFill, Work},
};
use rewind::Array;
use std::cmp::Reverse;

/// Fills all resources connected with the staged ones again, and marks all their flows.
///
/// Bertsekas and Gallager, "Data Networks", §6.5.2: all rates rise together until a resource is
/// full, which fixes its flows; the others continue. The heap has a resource at the level at which
/// it would be full if no more flows were fixed. Each fixed flow only raises this level, so it is
/// corrected when it is popped.
pub(super) fn fill(net: &mut Network, work: &mut Work) {
    reach(net, work);
    prepare(net, work);
    let flows_from = net.capacity.len() as u32;
    while let Some(Reverse((key, id))) = work.heap.pop() {
        if id >= flows_from {
            fix(net, work, id - flows_from, f64::from_bits(key));
            continue;
        }
        let ResourceFill { left, weight, open, .. } = work.filling[id as usize];
        if open == 0 {
            continue;
        }
        let level = (left / weight).max(0.0);
        if level.to_bits() > key {
            work.heap.push(Reverse((level.to_bits(), id)));
            continue;
        }
        for i in 0..net.members.len(id) {
            let slot = slot_of(net.members.of(id)[i as usize]);
            fix(net, work, slot, level)
        }
    }
    work.cost.fills += 1;
    work.cost.filled += work.touched.list.len() as u64;
    work.reached.clear();
}

/// Marks the flows and resources of the connected component.
fn reach(net: &Network, work: &mut Work) {
    for &resource in &work.staged.list {
        work.reached.add(resource);
    }
    let mut next = 0;
    while let Some(&resource) = work.reached.list.get(next) {
        next += 1;
        for &entry in net.members.of(resource) {
            if work.touched.add(slot_of(entry)) {
                for &other in net.shape[slot_of(entry) as usize].path() {
                    work.reached.add(other);
                }
            }
        }
    }
}

fn prepare(net: &mut Network, work: &mut Work) {
    work.filling.resize(net.capacity.len(), ResourceFill::default());
    work.fixed.resize(net.shape.len(), false);
    let mut start = std::mem::take(&mut work.heap).into_vec();
    for &resource in &work.reached.list {
        let members = net.members.of(resource);
        if members.is_empty() {
            set_level(&mut net.level, resource, f64::INFINITY);
            continue;
        }
        let weight = members.iter().map(|&entry| net.weight_of(entry)).sum::<f64>();
        let capacity = net.capacity_now(resource);
        let open = members.len() as u32;
        work.filling[resource as usize] = ResourceFill { capacity, left: capacity, weight, open };
        start.push(Reverse(((capacity / weight).to_bits(), resource)));
    }
    for &slot in &work.touched.list {
        let cap = net.shape[slot as usize].cap_level;
        work.fixed[slot as usize] = false;
        if cap < f64::INFINITY {
            start.push(Reverse((cap.to_bits(), net.capacity.len() as u32 + slot)))
        }
    }
    work.heap = start.into();
}

/// Fixes a flow at `level`, if it is not fixed yet.
fn fix(net: &mut Network, work: &mut Work, slot: u32, level: f64) {
    if std::mem::replace(&mut work.fixed[slot as usize], true) {
        return;
    }
    let shape = &net.shape[slot as usize];
    let level_of = &mut net.level;
    for (hop, &resource) in shape.path().iter().enumerate() {
        let filling = &mut work.filling[resource as usize];
        let weight = shape.weight * shape.use_at(hop);
        filling.left -= weight * level;
        filling.weight -= weight;
        filling.open -= 1;
        if filling.open == 0 {
            let full = filling.left <= filling.capacity * SAME;
            set_level(level_of, resource, if full { level } else { f64::INFINITY })
        }
    }
}

fn set_level(levels: &mut Array<f64>, resource: u32, level: f64) {
    if !same(levels[resource as usize], level) {
        levels.set(resource as usize, level)
    }
}
