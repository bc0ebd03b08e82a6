//! What each node carried in both.
use super::Side;
use super::page::{Carry, NodePair};
use crate::stat::jointly;
use std::collections::BTreeMap;

/// A node's name in a run.
type Name = fn(&hdfs_trace::Node) -> &str;

/// The nodes that both have, in the order of the first: by their addresses, or by names where no
/// address is in both.
pub fn pairs(first: &Side, second: &Side) -> Vec<NodePair> {
    let by_address = joined(first, second, |node| node.address.as_deref().unwrap_or_default());
    let places = match by_address.is_empty() {
        true => joined(first, second, |node| &node.name),
        false => by_address,
    };
    let mut pairs: Vec<NodePair> =
        places.into_iter().map(|(a, b)| pair(first, second, a, b)).collect();
    take_together([first, second], &mut pairs);
    pairs
}

/// Of ten numbers, one is easily where only one in twenty would be: the ranges are those in which
/// all of them lie at once, and then it is said who is inside.
fn take_together(sides: [&Side; 2], pairs: &mut [NodePair]) {
    // What a dead node did not do proves nothing.
    let lives = |pair: &NodePair| pair.alive == [true; 2];
    let numbers = 2 * pairs.iter().filter(|pair| lives(pair)).count();
    let bands = sides.map(|side| side.band.as_ref().map(|band| band.seeds.len()));
    for pair in pairs {
        for carries in [&mut pair.sent, &mut pair.received] {
            for (carry, seeds) in carries.iter_mut().zip(bands) {
                if let (Some((_, high)), Some(seeds)) = (carry.range, seeds) {
                    let wide = (high - carry.copies) * jointly(seeds, numbers);
                    carry.range = Some(((carry.copies - wide).max(0.0), carry.copies + wide))
                }
            }
        }
        if lives(pair) {
            pair.inside = [inside(&pair.sent), inside(&pair.received)]
        }
    }
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
    NodePair {
        name: first.trace.nodes[a].name.clone(),
        alive,
        inside: [None, None],
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
    Carry { copies: copies as f64, range: None, bytes: bytes as f64 }
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
