//! The resources that one transfer uses at the same time.
use super::ResourceId;
use rewind::Scalar;
use std::ops::Deref;
use units::Nanos;

/// Resources in the order of the data flow, and the latency of the route. Reads like a slice of
/// ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Path {
    resources: [ResourceId; Path::LONGEST],
    len: u8,
    /// From the departure of the first byte to its arrival, without load.
    pub latency: Nanos,
}

impl Path {
    /// Disk and a setting's limit, then three times NIC, uplink, uplink, NIC, disk.
    pub const LONGEST: usize = 2 + 5 * Path::MOST_TARGETS;
    /// Disks that one stream of bytes is written to, one after the other.
    pub const MOST_TARGETS: usize = 3;

    pub fn new(latency: Nanos) -> Path {
        Path { resources: [ResourceId(u32::MAX); Path::LONGEST], len: 0, latency }
    }

    /// Appends `resource`.
    ///
    /// # Panics
    /// With more than [`Path::LONGEST`] resources, or one twice: its share would not be the flow's
    /// rate.
    #[must_use]
    pub fn via(mut self, resource: ResourceId) -> Path {
        self.push(resource);
        self
    }

    /// As [`Path::via`], in place.
    ///
    /// # Panics
    /// As [`Path::via`].
    #[inline]
    pub fn push(&mut self, resource: ResourceId) {
        assert!(!self.contains(&resource), "{resource:?} twice in a path");
        self.resources[self.len as usize] = resource;
        self.len += 1
    }

    /// SimGrid's CM02: the weight 1/latency, relative to that of `shortest`. A flow of half the
    /// latency gets twice the rate at a common bottleneck. A latency of 0 counts as the shortest.
    pub fn latency_weight(&self, shortest: Nanos) -> f64 {
        shortest.0.max(1) as f64 / self.latency.max(shortest).0.max(1) as f64
    }
}

impl Deref for Path {
    type Target = [ResourceId];
    fn deref(&self) -> &[ResourceId] {
        &self.resources[..self.len as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_as_one_over_latency() {
        let weight = |micros| Path::new(Nanos::micros(micros)).latency_weight(Nanos::micros(200));
        assert_eq!((weight(200), weight(1200) * 6.0, weight(0)), (1.0, 1.0, 1.0));
        assert_eq!(Path::new(Nanos(0)).latency_weight(Nanos(0)), 1.0);
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn a_resource_stands_once_in_a_path() {
        let _ = Path::new(Nanos(0)).via(ResourceId(3)).via(ResourceId(3));
    }
}
