//! Work of each node in both runs, and utilisation of each resource.
use super::band::LoadBand;
use super::data::{NodePair, ResourceUse};
use super::side::Side;
use analysis::stat::jointly;
use std::collections::BTreeMap;
use trace::reading::{End, Load, Uses};
use trace::{KindRole, Node, Trace};

type Name = fn(&Node) -> &str;

/// Work of nodes in both runs, in the order of the first. Nodes match by address; by name if no
/// address is in both.
pub(super) fn pairs(sides: &[Side; 2]) -> Vec<NodePair> {
    let places = joined(sides);
    let mut pairs: Vec<NodePair> = Vec::new();
    for (a, b) in places {
        for [first, second] in works(sides) {
            pairs.extend(pair(sides, (a, first), (b, second)))
        }
    }
    take_together(sides, &mut pairs);
    pairs
}

/// Widens the ranges so that all counts together are inside with 95 % probability, then judges.
/// Otherwise one of twenty counts would be outside by chance.
fn take_together(sides: &[Side; 2], pairs: &mut [NodePair]) {
    // Missing work of a dead node proves nothing.
    let lives = |pair: &NodePair| pair.alive == [true; 2];
    let numbers = pairs.iter().filter(|pair| lives(pair)).count();
    let bands = sides.each_ref().map(|side| side.band.as_ref().map(|band| band.seeds.len()));
    for pair in pairs {
        for ((range, mean), seeds) in pair.ranges.iter_mut().zip(pair.counts).zip(bands) {
            if let (Some((_, high)), Some(seeds)) = (*range, seeds) {
                let wide = (high - mean) * jointly(seeds, numbers);
                *range = Some(((mean - wide).max(0.0), mean + wide))
            }
        }
        if lives(pair) {
            pair.inside = inside(pair)
        }
    }
}

/// Whether the single run is within the other's range.
fn inside(pair: &NodePair) -> Option<bool> {
    let within = |one: f64, (low, high): (f64, f64)| low <= one && one <= high;
    match pair.ranges {
        [None, Some(range)] => Some(within(pair.counts[0], range)),
        [Some(range), None] => Some(within(pair.counts[1], range)),
        _ => None,
    }
}

/// Node indices with equal names; names that several nodes share are left out.
fn joined([first, second]: &[Side; 2]) -> Vec<(usize, usize)> {
    let by = |name: Name| {
        let (ours, theirs) = (unique(&first.trace, name), unique(&second.trace, name));
        let both = ours.iter().filter_map(|(name, a)| Some((*a, *theirs.get(name)?)));
        let mut places: Vec<(usize, usize)> = both.collect();
        places.sort_unstable();
        places
    };
    let by_address = by(|node| node.address.as_deref().unwrap_or_default());
    if by_address.is_empty() { by(|node| &node.name) } else { by_address }
}

fn unique(trace: &Trace, name: Name) -> BTreeMap<&str, usize> {
    let mut places = BTreeMap::new();
    for (place, node) in trace.nodes.iter().enumerate().filter(|(_, n)| !name(n).is_empty()) {
        places.entry(name(node)).and_modify(|at| *at = usize::MAX).or_insert(place);
    }
    places.retain(|_, place| *place != usize::MAX);
    places
}

/// Work of one kind, in one run or over its seeds.
#[derive(Clone, Copy)]
enum Work<'a> {
    None,
    One(&'a Load),
    Many(&'a LoadBand),
}

impl Work<'_> {
    /// (count, 95 % range of another run, amount) of a node.
    fn at(self, node: usize) -> (f64, Option<(f64, f64)>, f64) {
        match self {
            Work::None => (0.0, None, 0.0),
            Work::One(load) => (load.times[node], None, load.amount[node]),
            Work::Many(load) => {
                let of = load.times[node];
                let range = ((of.mean - of.further).max(0.0), of.mean + of.further);
                (of.mean, Some(range), load.amount[node])
            }
        }
    }
}

/// Name of the kind, and the role of the node.
type Key<'a> = (&'a str, End);

/// Kinds of work in either run.
fn works(sides: &[Side; 2]) -> Vec<[Work<'_>; 2]> {
    let mut keys: Vec<Key<'_>> = Vec::new();
    for load in sides.iter().flat_map(|side| &side.reading.loads) {
        let key = (load.work.as_str(), load.end);
        if !keys.contains(&key) {
            keys.push(key)
        }
    }
    keys.into_iter().map(|key| sides.each_ref().map(|side| of(side, key))).collect()
}

fn of<'a>(side: &'a Side, (work, end): Key<'_>) -> Work<'a> {
    let found = match &side.band {
        Some(band) => {
            let own = band.loads.iter().find(|load| load.work == work && load.end == end);
            own.map(Work::Many)
        }
        None => {
            let own = side.reading.loads.iter().find(|load| load.work == work && load.end == end);
            own.map(Work::One)
        }
    };
    found.unwrap_or(Work::None)
}

fn pair(
    sides: &[Side; 2],
    (a, first): (usize, Work<'_>),
    (b, second): (usize, Work<'_>),
) -> Option<NodePair> {
    let (work, end) = match (first, second) {
        (Work::One(load), _) | (_, Work::One(load)) => (load.work.clone(), load.end),
        (Work::Many(load), _) | (_, Work::Many(load)) => (load.work.clone(), load.end),
        (Work::None, Work::None) => return None,
    };
    let (did, other) = (first.at(a), second.at(b));
    let nodes = [&sides[0].trace.nodes[a], &sides[1].trace.nodes[b]];
    Some(NodePair {
        name: nodes[0].name.clone(),
        alive: nodes.map(|node| node.alive),
        work,
        end,
        counts: [did.0, other.0],
        ranges: [did.1, other.1],
        amounts: [did.2, other.2],
        inside: None,
    })
}

/// Resources in both runs, matched by name, with their utilisation; largest change first.
pub(super) fn resources(sides: &[Side; 2]) -> Vec<ResourceUse> {
    let uses = sides.each_ref().map(|side| Uses::of(&side.trace, side.reading.window, 1));
    let used = |side: usize, place: usize| {
        let id = trace::ResourceId::of(place);
        uses[side].bins.get(&id).map_or(0.0, |bins| bins[0])
    };
    let second = &sides[1].trace;
    let theirs: BTreeMap<(&str, &str), usize> =
        (0..second.resources.len()).map(|place| (named(second, place), place)).collect();
    let first = &sides[0].trace;
    let pair = |place: usize| {
        let other = *theirs.get(&named(first, place))?;
        let KindRole::Resource(role) = first.kinds[first.resources[place].kind.at()].role else {
            return None;
        };
        let used = [used(0, place), used(1, other)];
        let name = first.resources[place].name.clone();
        (used != [0.0; 2]).then_some(ResourceUse { name, role: role.into(), used })
    };
    let mut all: Vec<ResourceUse> = (0..first.resources.len()).filter_map(pair).collect();
    let change = |one: &ResourceUse| (one.used[1] - one.used[0]).abs();
    all.sort_by(|a, b| change(b).total_cmp(&change(a)));
    all
}

/// (kind, name).
fn named(trace: &Trace, place: usize) -> (&str, &str) {
    let resource = &trace.resources[place];
    (trace.kinds[resource.kind.at()].name.as_str(), resource.name.as_str())
}
