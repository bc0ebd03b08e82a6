//! Network and disk flows of a replayed repair: copies share the resources that remain.
use super::{
    copies::{Block, CopyIndex, Place},
    limits::RemainingLimits,
};
use cluster::{DiskId, NodeId};
use hardware::{FlowId, FlowSpec, Fluid, Kind, Path, ResourceId, Resources};
use std::collections::BTreeMap;
use units::Nanos;

pub struct Network<'a> {
    resources: &'a Resources,
    limits: &'a RemainingLimits,
    fluid: Fluid,
    flows: BTreeMap<FlowId, CopyIndex>,
    racks: Vec<Vec<NodeId>>,
}

impl<'a> Network<'a> {
    pub fn new(resources: &'a Resources, left: &'a RemainingLimits) -> Network<'a> {
        let mut racks: Vec<Vec<NodeId>> = Vec::new();
        for node in (0..resources.nodes()).map(NodeId).filter(|n| left.is_live[n.at()]) {
            let rack = resources.rack_of(node).at();
            racks.resize_with(racks.len().max(rack + 1), Vec::new);
            racks[rack].push(node)
        }
        let fluid = Fluid::new(resources.capacities());
        Network { resources, limits: left, fluid, flows: BTreeMap::new(), racks }
    }

    pub fn start(&mut self, now: Nanos, which: CopyIndex, source: Place, block: &Block) {
        let path = self.path(source, block, which.1);
        let id = self.fluid.start(now, FlowSpec::new(path, block.copies[which.1].bytes));
        self.flows.insert(id, which);
    }

    pub fn next(&mut self) -> Option<Nanos> {
        self.fluid.settle();
        self.fluid.next_completion().map(|(at, _)| at).filter(|at| *at < Nanos::MAX)
    }

    /// Removes one copy that ends at or before `now`.
    pub fn pop_ended(&mut self, now: Nanos) -> Option<CopyIndex> {
        self.fluid.settle();
        let (_, id) = self.fluid.next_completion().filter(|(at, _)| *at <= now)?;
        self.fluid.finish(now, id);
        self.flows.remove(&id)
    }

    fn path(&self, source: Place, block: &Block, c: usize) -> Path {
        let r = self.resources;
        let mut path = Path::new(Nanos::ZERO);
        let ((mut from, disk), all) = (source, &mut path);
        self.through(all, r.disk_read(from, disk));
        if let Some(limit) = r.limit(Kind::CopyLimit, from) {
            self.through(all, limit)
        }
        let first = block.target(c, from, &self.racks, r);
        for (place, &(to, disk)) in block.copies[c].targets.iter().enumerate() {
            let to = if place == 0 { first } else { to };
            self.over(all, from, to);
            self.through(all, r.disk_write(to, DiskId(disk.0 % r.disks(to))));
            from = to
        }
        path
    }

    fn over(&self, path: &mut Path, from: NodeId, to: NodeId) {
        let way = self.resources.over(Path::new(Nanos::ZERO), from, to);
        way.iter().for_each(|resource| self.through(path, *resource))
    }

    fn through(&self, path: &mut Path, resource: ResourceId) {
        if self.limits.has(self.resources.get(resource).kind()) {
            path.push(resource)
        }
    }
}
