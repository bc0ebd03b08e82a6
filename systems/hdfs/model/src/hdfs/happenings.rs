//! The scenario's `[[event]]`s as messages: who is told what, and when.
use super::{Node, messages::Event, setup::Setup};
use cluster::{NodeId, RackId};
use engine::{Lp, Nanos, World};
use hdfs_scenario::{EventKind, Scenario};
use std::collections::BTreeSet;
use units::BytesPerSec;

/// Tells everybody concerned, in the file's order.
pub fn start(world: &mut World<Node>, scenario: &Scenario, setup: &Setup) {
    for event in &scenario.events {
        // At 1 ns everybody boots.
        let at = event.at.max(Nanos(2));
        match event.kind {
            EventKind::NodeLost(node) => {
                tell_balancer(world, setup, at, Event::Lost(node));
                tell_all(world, setup, node, at, setup.event_driven(), || Event::Lost(node))
            }
            // The node tells the NameNode itself.
            EventKind::NodeBack(node) => {
                tell_balancer(world, setup, at, Event::Back(node));
                tell_all(world, setup, node, at, false, || Event::Back(node))
            }
            EventKind::DiskLost(node, disk) => {
                let event = || Event::DiskLost(node, disk);
                tell_all(world, setup, node, at, setup.event_driven(), event)
            }
            EventKind::Decommission(node) => leave(world, setup, node, false, at),
            EventKind::Maintenance(node) => leave(world, setup, node, true, at),
            EventKind::SlowDisk(node, disk, rate) => {
                let r = &setup.resources;
                slow(
                    world,
                    setup,
                    node,
                    &[r.disk_read(node, disk).0, r.disk_write(node, disk).0],
                    rate,
                    at,
                )
            }
            EventKind::SlowNic(node, rate) => {
                let r = &setup.resources;
                slow(world, setup, node, &[r.nic_out(node).0, r.nic_in(node).0], rate, at)
            }
            EventKind::SlowUplink(rack, rate) => slow_uplink(world, setup, rack, rate, at),
        }
    }
}

/// The node, the network, the clients, and where nothing is found out by heartbeats the NameNode,
/// too.
fn tell_all(
    world: &mut World<Node>,
    setup: &Setup,
    node: NodeId,
    at: Nanos,
    namenode: bool,
    event: impl Fn() -> Event,
) {
    world.start(setup.lps.datanodes.at(node.0), at, event());
    for lp in setup.lps.network.iter().chain(setup.lps.clients.iter()) {
        world.start(lp, at, event())
    }
    if namenode {
        world.start(setup.lps.namenode, at, event())
    }
}

/// Its connections to the node break, or can be made again.
fn tell_balancer(world: &mut World<Node>, setup: &Setup, at: Nanos, event: Event) {
    if let Some(lp) = setup.lps.balancer.iter().next() {
        world.start(lp, at, event)
    }
}

fn leave(world: &mut World<Node>, setup: &Setup, node: NodeId, maintenance: bool, at: Nanos) {
    for lp in std::iter::once(setup.lps.namenode).chain(setup.lps.clients.iter()) {
        world.start(lp, at, Event::Leave { node, maintenance })
    }
}

/// Of a node's own resources: fluid sharing keeps them in one LP, queue sharing at the node.
fn slow(
    world: &mut World<Node>,
    setup: &Setup,
    node: NodeId,
    resources: &[u32],
    rate: BytesPerSec,
    at: Nanos,
) {
    let owner = match setup.is_fluid() {
        true => setup.lps.network.at(0),
        false => setup.lps.datanodes.at(node.0),
    };
    tell(world, owner, resources, rate, at)
}

fn slow_uplink(world: &mut World<Node>, setup: &Setup, rack: RackId, rate: BytesPerSec, at: Nanos) {
    let uplinks = setup.resources.uplinks(rack);
    let owner =
        setup.lps.network.at(if setup.is_fluid() || uplinks.len() == 1 { 0 } else { rack.0 });
    tell(world, owner, &uplinks, rate, at)
}

fn tell(
    world: &mut World<Node>,
    owner: Lp<Event>,
    resources: &[u32],
    rate: BytesPerSec,
    at: Nanos,
) {
    for &resource in &BTreeSet::from_iter(resources.iter().copied()) {
        world.start(owner, at, Event::Slow { resource, rate: rate.0 })
    }
}
