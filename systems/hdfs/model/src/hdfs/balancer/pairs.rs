//! Pairs sources and targets of an iteration (`Balancer.chooseStorageGroups`).
use super::classify::{Classes, MoveBudget};
use cluster::NodeId;

/// Bytes to move from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    pub source: NodeId,
    pub target: NodeId,
    /// \[bytes\]
    pub bytes: u64,
}

/// Pairs inside a rack first, then any. In each pass: over-utilised with under-utilised nodes, then
/// with those below the mean, then under-utilised nodes with those above it.
pub fn pair(mut classes: Classes, same_rack: impl Fn(NodeId, NodeId) -> bool) -> Vec<Task> {
    let mut tasks = vec![];
    let matchers: [&dyn Fn(NodeId, NodeId) -> bool; 2] = [&same_rack, &|_, _| true];
    for matches in matchers {
        let Classes { over, above, below, under, .. } = &mut classes;
        let mut give = |source, target, bytes| tasks.push(Task { source, target, bytes });
        choose(over, under, matches, &mut give);
        choose(over, below, matches, &mut give);
        choose(under, above, matches, &mut |target, source, bytes| give(source, target, bytes));
    }
    tasks
}

/// Each node takes the candidates in their order, while both have bytes left.
fn choose(
    ones: &mut Vec<MoveBudget>,
    candidates: &mut Vec<MoveBudget>,
    matches: &dyn Fn(NodeId, NodeId) -> bool,
    give: &mut dyn FnMut(NodeId, NodeId, u64),
) {
    for one in ones.iter_mut() {
        for candidate in candidates.iter_mut() {
            let bytes = one.bytes.min(candidate.bytes);
            if bytes > 0 && matches(one.node, candidate.node) {
                give(one.node, candidate.node, bytes);
                (one.bytes, candidate.bytes) = (one.bytes - bytes, candidate.bytes - bytes)
            }
        }
    }
    ones.retain(|room| room.bytes > 0);
    candidates.retain(|room| room.bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooms(all: &[(u32, u64)]) -> Vec<MoveBudget> {
        all.iter().map(|&(node, bytes)| MoveBudget { node: NodeId(node), bytes }).collect()
    }

    /// Nodes 0 to 9 are rack 0, 10 to 19 rack 1. Drawn: source > target, bytes.
    #[test]
    fn racks_come_first_then_who_is_furthest_off() {
        let classes = Classes {
            over: rooms(&[(0, 30), (10, 10)]),
            above: rooms(&[(11, 8)]),
            below: rooms(&[(1, 5)]),
            under: rooms(&[(12, 20), (2, 12), (13, 9)]),
            left: 1,
        };
        let tasks = pair(classes, |a, b| a.0 / 10 == b.0 / 10);
        let drawn: Vec<String> =
            tasks.iter().map(|t| format!("{}>{} {}", t.source.0, t.target.0, t.bytes)).collect();
        let rack = ["0>2 12", "10>12 10", "0>1 5", "11>12 8"];
        let any = ["0>12 2", "0>13 9"];
        assert_eq!(drawn, rack.into_iter().chain(any).collect::<Vec<_>>());
    }
}
