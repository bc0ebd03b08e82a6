//! Tables of names in the trace (racks, nodes, resources, settings, counters), and rows of client
//! requests.
use crate::hdfs::{
    ledger::COUNTERS,
    messages::{Order, Purpose},
    setup::Setup,
};
use engine::Nanos;
use hardware::Kind;
use hdfs_trace::{Interval, NodeId, RackId, Resource, Trace, begin, counter_name, datanode, kind};

pub fn names(setup: &Setup) -> Trace {
    let labels = setup.cluster.labels();
    let nodes = setup.cluster.nodes.iter().zip(labels);
    let nodes = nodes.map(|(n, name)| datanode(name, &n.address, n.rack.at(), n.alive));
    Trace {
        racks: setup.cluster.racks.iter().map(|r| r.name.clone()).collect(),
        nodes: nodes.collect(),
        resources: resources(setup),
        settings: setup.settings.settings.clone(),
        lacks: setup.settings.shortages.clone(),
        counter_names: COUNTERS.map(counter_name).into(),
        ..begin()
    }
}

fn resources(setup: &Setup) -> Vec<Resource> {
    let all = setup.resources();
    let row = |(id, r): (_, hardware::Resource)| Resource {
        kind: match r.kind() {
            Kind::Disk | Kind::DiskRead => kind::DISK,
            Kind::DiskWrite => kind::DISK_WRITE,
            Kind::NicOut => kind::NIC_OUT,
            Kind::NicIn => kind::NIC_IN,
            Kind::UplinkOut => kind::UPLINK_OUT,
            Kind::UplinkIn => kind::UPLINK_IN,
            Kind::InterRackLink => kind::INTER_RACK_LINK,
            Kind::CopyLimit | Kind::BalanceLimit => unreachable!("a setting is no hardware"),
        },
        name: all.name(id),
        node: r.node().map(row_of),
        rack: r.rack().map(|rack| RackId::of(rack.at())),
        place: None,
        capacity: Some(units::floored_u64(all.capacity(id).at(1))),
        setting: None,
    };
    let mut rows: Vec<Resource> = all.iter().take(all.hardware() as usize).map(row).collect();
    hdfs_trace::number(&mut rows);
    rows
}

pub fn row_of(node: cluster::NodeId) -> NodeId {
    NodeId::of(node.at())
}

/// A client request with its last path; no `end`: it never ended.
pub fn request(order: &Order, begun: Nanos, end: Option<Nanos>, tries: u32) -> Interval {
    let (write, last) = (order.purpose == Purpose::Write, order.targets().len() - 1);
    let (client, node) = match write {
        true => (order.source, order.targets()[0]),
        false => (order.targets()[last], order.source),
    };
    let kind = if write { kind::WRITE } else { kind::READ };
    Interval {
        node: Some(row_of(client)),
        peer: Some(row_of(node)),
        amount: Some(order.bytes.0),
        tries,
        ..Interval::new(kind, begun, end.unwrap_or(Nanos::MAX))
    }
}
