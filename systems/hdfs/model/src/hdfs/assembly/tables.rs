//! The trace's tables of names (racks, nodes, resources, settings, counters), and what a client
//! asked for as its row.
use crate::hdfs::{
    ledger::COUNTERS,
    messages::{Order, Purpose},
    setup::Setup,
};
use engine::Nanos;
use hardware::Kind;
use hdfs_trace::{NodeRow, Request, Resource, ResourceKind, Trace};

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
    let all = setup.resources();
    let row = |(id, r): (_, hardware::Resource)| Resource {
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
        capacity: units::floored_u64(all.capacity(id).at(1)),
    };
    all.iter().take(all.hardware() as usize).map(row).collect()
}

/// When it began and ended, and the way that it went at last.
pub fn request(order: &Order, begun: Nanos, end: Option<Nanos>, tries: u32) -> Request {
    let (write, last) = (order.purpose == Purpose::Write, order.targets().len() - 1);
    let (client, node) = match write {
        true => (order.source, order.targets()[0]),
        false => (order.targets()[last], order.source),
    };
    let (client, node, bytes) = (client.0, node.0, order.bytes);
    Request { write, client, node, begun, end, bytes, tries }
}
