//! One order of all operations that keeps what has to come before what: by rows, and in real time.
use crate::chains::Graph;
use crate::history::Event;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The order of those that took effect and that rows say something of.
///
/// # Errors
/// There is none: operations of which each has to come before the next.
pub fn order(history: &[Event], graph: &Graph) -> Result<Vec<usize>, Vec<usize>> {
    let ops = history.len();
    let times = times(history);
    // Nodes: operations, then a moment for each completion; moment n is after the n-th.
    let nodes = ops + times.len();
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    let mut left = vec![0u32; nodes];
    let mut edge = |from: usize, to: usize| {
        next[from].push(u32::try_from(to).expect("fewer than 2^32 operations"));
        left[to] += 1
    };
    for (from, to) in &graph.edges {
        edge(*from, *to)
    }
    for at in 1..times.len() {
        edge(ops + at - 1, ops + at)
    }
    for &at in &graph.took_effect {
        let event = &history[at];
        if let Some(completed) = event.completed_ns {
            edge(at, ops + times.partition_point(|time| *time < completed))
        }
        let before = times.partition_point(|time| *time < event.invoked_ns);
        if before > 0 {
            edge(ops + before - 1, at)
        }
    }
    let wanted = |node: usize| match node < ops {
        true => graph.took_effect.contains(&node),
        false => true,
    };
    // What is possible goes by when it was wanted, so that the order reads as it happened.
    let key = |node: usize| match node < ops {
        true => (history[node].completed_ns.unwrap_or(u64::MAX), node),
        false => (times[node - ops], node),
    };
    let mut ready: BinaryHeap<Reverse<((u64, usize), usize)>> = (0..nodes)
        .filter(|node| left[*node] == 0 && wanted(*node))
        .map(|node| Reverse((key(node), node)))
        .collect();
    let mut order = Vec::with_capacity(graph.took_effect.len());
    while let Some(Reverse((_, node))) = ready.pop() {
        if node < ops {
            order.push(node)
        }
        for &to in &next[node] {
            let to = to as usize;
            left[to] -= 1;
            if left[to] == 0 {
                ready.push(Reverse((key(to), to)))
            }
        }
    }
    match order.len() == graph.took_effect.len() {
        true => Ok(order),
        false => Err(cycle(&next, &left, ops)),
    }
}

/// All completions, in order.
fn times(history: &[Event]) -> Vec<u64> {
    let mut times: Vec<u64> = history.iter().filter_map(|event| event.completed_ns).collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// The operations of a cycle among the nodes that are left: from each go back to one that is left.
fn cycle(next: &[Vec<u32>], left: &[u32], ops: usize) -> Vec<usize> {
    let mut before: Vec<Option<usize>> = vec![None; next.len()];
    for (from, to) in next.iter().enumerate() {
        for to in to {
            if left[from] > 0 && left[*to as usize] > 0 {
                before[*to as usize] = Some(from)
            }
        }
    }
    let Some(mut at) = (0..next.len()).find(|node| left[*node] > 0 && before[*node].is_some())
    else {
        return Vec::new();
    };
    for _ in 0..next.len() {
        at = before[at].unwrap_or(at)
    }
    let (start, mut all) = (at, Vec::new());
    loop {
        if at < ops {
            all.push(at)
        }
        at = before[at].unwrap_or(start);
        if at == start {
            all.reverse();
            return all;
        }
    }
}
