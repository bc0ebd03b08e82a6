//! What each node carried in both.
use super::Side;
use super::page::{Carry, NodePair};
use std::collections::BTreeMap;

/// A node's name in a run.
type Name = fn(&trace::NodeRow) -> &str;

/// The nodes that both have, in the order of the first: by their addresses, or by names where no
/// address is in both.
pub fn pairs(first: &Side, second: &Side) -> Vec<NodePair> {
    let by_address = joined(first, second, |node| &node.address);
    let places = match by_address.is_empty() {
        true => joined(first, second, |node| &node.name),
        false => by_address,
    };
    places.into_iter().map(|(a, b)| pair(first, second, a, b)).collect()
}

/// Places of equal names, where a name stands for one node only.
fn joined(first: &Side, second: &Side, name: Name) -> Vec<(usize, usize)> {
    let (ours, theirs) = (unique(first, name), unique(second, name));
    let mut places: Vec<(usize, usize)> =
        ours.iter().filter_map(|(name, a)| Some((*a, *theirs.get(name)?))).collect();
    places.sort_unstable();
    places
}

fn unique(side: &Side, name: Name) -> BTreeMap<&str, usize> {
    let mut places = BTreeMap::new();
    for (place, node) in side.trace.nodes.iter().enumerate().filter(|(_, n)| !name(n).is_empty()) {
        places.entry(name(node)).and_modify(|at| *at = usize::MAX).or_insert(place);
    }
    places.retain(|_, place| *place != usize::MAX);
    places
}

fn pair(first: &Side, second: &Side, a: usize, b: usize) -> NodePair {
    let sent = [carry(first, a, true), carry(second, b, true)];
    let received = [carry(first, a, false), carry(second, b, false)];
    let alive = [first.trace.nodes[a].alive, second.trace.nodes[b].alive];
    // What a dead node did not do proves nothing.
    let told = |of: &[Carry; 2]| inside(of).filter(|_| alive == [true; 2]);
    NodePair {
        name: first.trace.nodes[a].name.clone(),
        alive,
        inside: [told(&sent), told(&received)],
        sent,
        received,
    }
}

fn carry(side: &Side, node: usize, sent: bool) -> Carry {
    if let Some(of) = side.band.as_ref().and_then(|band| band.nodes.get(node)) {
        let (spread, bytes) = match sent {
            true => (of.sent, of.sent_bytes),
            false => (of.received, of.received_bytes),
        };
        let range = ((spread.mean - spread.further).max(0.0), spread.mean + spread.further);
        return Carry { copies: spread.mean, range: Some(range), bytes };
    }
    let of = side.run.carried.get(node).copied().unwrap_or_default();
    let (copies, bytes) = match sent {
        true => (of.sent, of.sent_bytes),
        false => (of.received, of.received_bytes),
    };
    Carry { copies, range: None, bytes }
}

/// Whether the one run lies in the other's range.
fn inside(of: &[Carry; 2]) -> Option<bool> {
    let within = |one: &Carry, (low, high): (f64, f64)| low <= one.copies && one.copies <= high;
    match (of[0].range, of[1].range) {
        (None, Some(range)) => Some(within(&of[0], range)),
        (Some(range), None) => Some(within(&of[1], range)),
        _ => None,
    }
}
