//! Resources, the flows through them, and the solver's levels.
use super::{
    flow::{Positions, Shape},
    members::Members,
    share::{Demand, lesser, level},
};
use crate::{Capacity, Holder, ResourceId};
use rewind::{Array, Rewind};

/// Holders whose levels differ by less than this are equal; the first on the path is returned.
const TIE: f64 = 1e-9;

/// All inputs of the rates, and per resource its level λ.
///
/// λ is the rate per weight of a flow that nothing else limits; infinite while the resource is
/// unsaturated. A flow's rate is its weight times the least level on its path (or its cap).
#[derive(Rewind)]
pub(super) struct Network {
    pub(super) capacity: Array<Capacity>,
    pub(super) level: Array<f64>,
    pub(super) members: Members,
    pub(super) shape: Array<Shape>,
    pub(super) position: Array<Positions>,
    /// Sum of all path lengths.
    pub(super) arcs: u64,
}

const HOP_BITS: u32 = 5;
const _: () = assert!(Shape::MOST <= 1 << HOP_BITS);

/// An entry of a member list: a flow, and the index of the list's resource in its path.
#[inline(always)]
pub(super) fn entry(slot: u32, hop: usize) -> u32 {
    slot << HOP_BITS | hop as u32
}

#[inline(always)]
pub(super) fn slot_of(entry: u32) -> u32 {
    entry >> HOP_BITS
}

#[inline(always)]
fn hop_of(entry: u32) -> usize {
    (entry & ((1 << HOP_BITS) - 1)) as usize
}

impl Network {
    pub(super) fn new(capacities: &[Capacity]) -> Network {
        Network {
            capacity: capacities.iter().copied().collect(),
            level: capacities.iter().map(|_| f64::INFINITY).collect(),
            members: Members::new(capacities.len()),
            shape: Array::new(),
            position: Array::new(),
            arcs: 0,
        }
    }

    pub(super) fn connect(&mut self, slot: u32, shape: Shape) {
        let mut position = Positions([0; Shape::MOST]);
        for (hop, &resource) in shape.path().iter().enumerate() {
            position.0[hop] = self.members.add(resource, entry(slot, hop))
        }
        self.arcs += shape.len as u64;
        if slot as usize == self.shape.len() {
            self.shape.push(shape);
            self.position.push(position);
        } else {
            self.shape.set(slot as usize, shape);
            self.position.set(slot as usize, position);
        }
    }

    pub(super) fn disconnect(&mut self, slot: u32) {
        let (shape, position) = (self.shape[slot as usize], self.position[slot as usize]);
        for (&resource, &place) in shape.path().iter().zip(&position.0) {
            if let Some(moved) = self.members.remove(resource, place) {
                let hop = hop_of(moved);
                self.position.update(slot_of(moved) as usize, |all| all.0[hop] = place)
            }
        }
        self.arcs -= shape.len as u64;
        self.shape.set(slot as usize, Shape::UNUSED)
    }

    /// Total rate for the present flows \[bytes/s\].
    #[inline(always)]
    pub(super) fn capacity_now(&self, resource: u32) -> f64 {
        self.capacity[resource as usize].at(self.members.len(resource))
    }

    /// Use of a list's resource by one of its flows, at a level of 1.
    #[inline(always)]
    pub(super) fn weight_of(&self, entry: u32) -> f64 {
        let shape = &self.shape[slot_of(entry) as usize];
        shape.weight * shape.use_at(hop_of(entry))
    }

    /// Least level on a flow's path, and its cap, without the resource at `hop`.
    #[inline(always)]
    fn bound_but(&self, shape: &Shape, hop: usize) -> f64 {
        let mut least = shape.cap_level;
        for (i, &resource) in shape.path().iter().enumerate() {
            // Which hop it is cannot be predicted: adding needs no branch.
            let skipped = [0.0, f64::INFINITY][(i == hop) as usize];
            least = lesser(least, self.level[resource as usize] + skipped)
        }
        least
    }

    /// The level of a resource by the levels of the others. Leaves its inputs in `demands`.
    pub(super) fn level_of(&self, resource: u32, demands: &mut Vec<Demand>) -> f64 {
        demands.clear();
        demands.extend(self.members.of(resource).iter().map(|&entry| {
            let (shape, hop) = (&self.shape[slot_of(entry) as usize], hop_of(entry));
            Demand { weight: shape.weight * shape.use_at(hop), bound: self.bound_but(shape, hop) }
        }));
        if demands.is_empty() {
            return f64::INFINITY;
        }
        level(self.capacity_now(resource), demands, self.level[resource as usize])
    }

    /// A flow's rate by the present levels, and its limit.
    #[inline(always)]
    pub(super) fn rate(&self, shape: &Shape) -> (f64, Holder) {
        let levels = shape.path().iter().map(|&resource| self.level[resource as usize]);
        let least = levels.fold(shape.cap_level, lesser);
        let rate = shape.weight * least;
        let limit = least * (1.0 + TIE);
        if shape.cap_level <= limit {
            return (rate, Holder::OwnCap);
        }
        // All of them, from the last to the first: where to stop cannot be predicted.
        let first = shape.path().iter().rev().fold(u32::MAX, |first, &resource| {
            if self.level[resource as usize] <= limit { resource } else { first }
        });
        (rate, Holder::Resource(ResourceId(first)))
    }
}
