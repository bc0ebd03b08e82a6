//! Sends the scenario's `[[event]]`s as messages.
use super::{Node, messages::Event, setup::Setup};
use cluster::NodeId;
use engine::{Nanos, World};
use hardware::{ResourceId, transport::flow::Request};
use hdfs_scenario::{EventKind, Scenario};
use std::collections::BTreeSet;
use units::BytesPerSec;

/// Sends each event to all LPs concerned, in the file's order.
pub fn start(world: &mut World<Node>, scenario: &Scenario, setup: &Setup) {
    for event in &scenario.events {
        // All LPs boot at 1 ns.
        let at = event.at.max(Nanos(2));
        match event.kind {
            EventKind::NodeLost(node) => {
                notify_balancer(world, setup, at, Event::Lost(node));
                world.start(setup.ports.of_node(node), at, Request::Lost(node));
                tell_all(world, setup, node, at, setup.event_driven(), || Event::Lost(node))
            }
            // The NameNode learns it from the node's own messages.
            EventKind::NodeBack(node) => {
                notify_balancer(world, setup, at, Event::Back(node));
                world.start(setup.ports.of_node(node), at, Request::Back(node));
                tell_all(world, setup, node, at, false, || Event::Back(node))
            }
            EventKind::DiskLost(node, disk) => {
                let event = || Event::DiskLost(node, disk);
                tell_all(world, setup, node, at, setup.event_driven(), event)
            }
            EventKind::Decommission(node) => leave(world, setup, node, false, at),
            EventKind::Maintenance(node) => leave(world, setup, node, true, at),
            EventKind::SlowDisk(node, disk, rate) => {
                let r = setup.resources();
                let disk = [r.disk_read(node, disk), r.disk_write(node, disk)];
                slow(world, setup, &disk, rate, at)
            }
            EventKind::SlowNic(node, rate) => {
                let r = setup.resources();
                slow(world, setup, &[r.nic_out(node), r.nic_in(node)], rate, at)
            }
            EventKind::SlowUplink(rack, rate) => {
                let uplinks = setup.resources().uplinks(rack).into_iter().map(ResourceId);
                slow(world, setup, &uplinks.collect::<Vec<_>>(), rate, at)
            }
        }
    }
}

/// To the node and the clients; also to the NameNode if there are no heartbeats to detect it.
fn tell_all(
    world: &mut World<Node>,
    setup: &Setup,
    node: NodeId,
    at: Nanos,
    namenode: bool,
    event: impl Fn() -> Event,
) {
    world.start(setup.lps.datanodes.at(node.0), at, event());
    for lp in setup.lps.clients.iter() {
        world.start(lp, at, event())
    }
    if namenode {
        world.start(setup.lps.namenode, at, event())
    }
}

/// The balancer's connections to the node break, or can open again.
fn notify_balancer(world: &mut World<Node>, setup: &Setup, at: Nanos, event: Event) {
    if let Some(lp) = setup.lps.balancer.iter().next() {
        world.start(lp, at, event)
    }
}

fn leave(world: &mut World<Node>, setup: &Setup, node: NodeId, maintenance: bool, at: Nanos) {
    for lp in std::iter::once(setup.lps.namenode).chain(setup.lps.clients.iter()) {
        world.start(lp, at, Event::Leave { node, maintenance })
    }
}

/// Once per resource: a disk may have one for reads and writes.
fn slow(
    world: &mut World<Node>,
    setup: &Setup,
    resources: &[ResourceId],
    rate: BytesPerSec,
    at: Nanos,
) {
    for &resource in &BTreeSet::from_iter(resources) {
        let resource = *resource;
        world.start(setup.ports.of(resource), at, Request::Slow { resource, rate })
    }
}
