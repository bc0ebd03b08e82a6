//! Remaining disks, NICs, uplinks and cores, shared max-min fair.
use crate::model::{Kind, Resources};
use hardware::{Capacity, FlowId, FlowSpec, Fluid, Path, ResourceId};
use std::collections::BTreeMap;
use units::{BytesPerSec, Nanos};

/// Capacity of a removed resource: 10 TB/s, or ten thousand cores.
const ANY: Capacity = Capacity::fixed(BytesPerSec(10_000_000_000_000));

/// Causes that parts of a task's time are charged to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    Slots {
        map: bool,
    },
    /// Index in `policy::RULES` of the rule that withheld the task.
    Rule(u32),
    Startup,
    /// A reduce waits for further map outputs.
    Maps,
    Disk,
    Network,
    Uplink,
    /// Waits for cores that other tasks use.
    Core,
    /// The task computes, on one core.
    Compute,
}

pub(super) struct Share<W> {
    fluid: Fluid,
    whose: BTreeMap<FlowId, W>,
}

impl<W> Share<W> {
    pub(super) fn new(resources: &Resources, gone: &[Holder]) -> Share<W> {
        let all = resources.kinds.iter().zip(&resources.capacities);
        let left = |(kind, capacity): (&Kind, &Capacity)| match gone.contains(&holder(kind)) {
            true => ANY,
            false => *capacity,
        };
        let left: Vec<Capacity> = all.map(left).collect();
        Share { fluid: Fluid::new(&left), whose: BTreeMap::new() }
    }

    pub(super) fn start(&mut self, now: Nanos, flow: FlowSpec, whose: W) {
        let id = self.fluid.start(now, flow);
        self.whose.insert(id, whose);
    }

    pub(super) fn next(&mut self) -> Option<Nanos> {
        self.fluid.settle();
        self.fluid.next_completion().map(|(at, _)| at)
    }

    /// Ends the next flow. Returns its owner.
    pub(super) fn end(&mut self, now: Nanos) -> Option<W> {
        let (_, id) = self.fluid.next_completion()?;
        self.fluid.finish(now, id);
        self.whose.remove(&id)
    }
}

fn holder(kind: &Kind) -> Holder {
    match kind {
        Kind::Disk { .. } => Holder::Disk,
        Kind::Cores { .. } => Holder::Core,
        Kind::NicIn { .. } | Kind::NicOut { .. } => Holder::Network,
        Kind::UplinkIn { .. } | Kind::UplinkOut { .. } => Holder::Uplink,
    }
}

pub(super) fn via(resource: ResourceId) -> Path {
    Path::new(Nanos::ZERO).via(resource)
}
