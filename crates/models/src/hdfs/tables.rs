//! The trace's tables of names: racks, nodes, resources, settings, counters.
use super::{ledger::COUNTERS, setup::Setup};
use crate::hardware::Kind;
use trace::{NodeRow, Resource, ResourceKind, Trace};

/// The tables of names.
pub fn names(setup: &Setup) -> Trace {
    let labels = setup.cluster.labels();
    let nodes = setup.cluster.nodes.iter().zip(labels).map(|(n, name)| NodeRow {
        name,
        address: n.address.clone(),
        rack: n.rack.0,
        alive: n.alive,
    });
    Trace {
        racks: setup.cluster.racks.iter().map(|r| r.name.clone()).collect(),
        nodes: nodes.collect(),
        resources: resources(setup),
        settings: setup.settings.0.clone(),
        counter_names: COUNTERS.iter().map(|c| c.to_string()).collect(),
        ..Trace::default()
    }
}

fn resources(setup: &Setup) -> Vec<Resource> {
    let all = &setup.resources;
    let row = |(id, r): (_, crate::hardware::Resource)| Resource {
        kind: match r.kind() {
            Kind::Disk | Kind::DiskRead => ResourceKind::Disk,
            Kind::DiskWrite => ResourceKind::DiskWrite,
            Kind::NicOut => ResourceKind::NicOut,
            Kind::NicIn => ResourceKind::NicIn,
            Kind::UplinkOut => ResourceKind::UplinkOut,
            Kind::UplinkIn => ResourceKind::UplinkIn,
            Kind::InterRackLink => ResourceKind::InterRackLink,
            Kind::CopyLimit | Kind::BalanceLimit => unreachable!("a setting is no hardware"),
        },
        name: all.name(id),
        node: r.node().map(|n| n.0),
        rack: r.rack().map(|r| r.0),
        capacity: all.capacity(id).at(1) as u64,
    };
    all.iter().take(all.hardware() as usize).map(row).collect()
}
