//! Nodes without work for a whole run, while others were busy.
use std::collections::BTreeMap;
use trace::{Node, ResourceId, Trace};
use units::Nanos;

/// Least utilisation of the busiest resource for idle nodes to be reported.
const BUSY: f64 = 0.05;

#[derive(Clone, PartialEq, Debug)]
pub struct Idle {
    pub names: Vec<String>,
    pub of: usize,
    /// Utilisation of the busiest resource of the other nodes, 0–1.
    pub busiest: f64,
}

/// Checks live nodes that `counts` accepts: a system excludes nodes that are off on purpose
/// (decommissioned, in maintenance, spare). A resource without samples was idle. `None` if no node
/// is idle, all are, or the others are below `BUSY`.
pub fn idle(trace: &Trace, counts: impl Fn(&Node) -> bool) -> Option<Idle> {
    let load = load(trace);
    let looked = |(at, node): &(usize, &Node)| {
        node.alive && counts(node) && trace.resources.iter().any(|r| of(r.node) == Some(*at))
    };
    let nodes: Vec<(usize, &Node)> = trace.nodes.iter().enumerate().filter(looked).collect();
    let busiest = nodes.iter().map(|(at, _)| load[*at]).fold(0.0, f64::max);
    let idle = nodes.iter().filter(|(at, _)| load[*at] == 0.0);
    let names: Vec<String> = idle.map(|(_, node)| node.name.clone()).collect();
    (!names.is_empty() && busiest >= BUSY).then_some(Idle { names, of: nodes.len(), busiest })
}

fn of(node: Option<trace::NodeId>) -> Option<usize> {
    node.map(|node| node.at())
}

/// For each node, the utilisation of its busiest resource.
fn load(trace: &Trace) -> Vec<f64> {
    let end = trace.series.iter().map(|sample| sample.at).max().unwrap_or(Nanos::ZERO);
    let mut busy = vec![0.0; trace.resources.len()];
    let mut last: BTreeMap<ResourceId, (Nanos, f64)> = BTreeMap::new();
    let mut until = |resource: ResourceId, at: Nanos, (from, now): (Nanos, f64)| {
        busy[resource.at()] += now * at.saturating_sub(from).as_secs()
    };
    for sample in &trace.series {
        let now = (sample.at, sample.busy.get().unwrap_or(0.0));
        if let Some(before) = last.insert(sample.resource, now) {
            until(sample.resource, sample.at, before)
        }
    }
    // The last sample counts for at least 1 ns: a resource with one sample worked.
    let end = Nanos(end.0 + 1);
    last.into_iter().for_each(|(resource, before)| until(resource, end, before));
    let mut load = vec![0.0f64; trace.nodes.len()];
    for (resource, busy) in trace.resources.iter().zip(&busy) {
        if let Some(node) = of(resource.node) {
            load[node] = load[node].max(busy / end.as_secs())
        }
    }
    load
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::{OptionalNumber, ResourceRole, Sample, TraceBuilder};

    /// Nodes with one disk each; one sample of utilisation a second.
    fn trace(nodes: &[(&str, &[f64])]) -> Trace {
        let mut trace = TraceBuilder::new();
        let disk = trace.resource_kind(ResourceRole::Disk, "disk", "Disks").id();
        for (name, parts) in nodes {
            let node = trace.node(name).role("datanode").add();
            let resource = trace.resource(disk, &format!("{name} disk")).node(node).add();
            for (second, part) in (0..).zip(*parts) {
                let (at, busy) = (Nanos::secs(second), OptionalNumber::from(*part));
                trace.sample(Sample {
                    resource,
                    at,
                    used: OptionalNumber::NONE,
                    busy,
                    queue: OptionalNumber::NONE,
                })
            }
        }
        trace.finish(Nanos::secs(9))
    }

    #[test]
    fn who_did_nothing_beside_busy_ones() {
        let one =
            trace(&[("a", &[0.5, 0.5, 0.5]), ("b", &[]), ("c", &[0.0, 0.0]), ("d", &[0.0, 1e-3])]);
        let found = idle(&one, |_| true).unwrap();
        assert_eq!((found.names, found.of), (vec!["b".to_string(), "c".into()], 4));
        let but_b = idle(&one, |node| node.name != "b").unwrap();
        assert_eq!((but_b.names, but_b.of), (vec!["c".to_string()], 3));
    }

    #[test]
    fn of_a_cluster_that_rests_nobody_is_idle() {
        assert_eq!(idle(&trace(&[("a", &[0.01, 0.01]), ("b", &[])]), |_| true), None);
        assert_eq!(idle(&trace(&[("a", &[]), ("b", &[])]), |_| true), None);
        assert_eq!(idle(&trace(&[("a", &[0.9, 0.9]), ("b", &[0.2, 0.2])]), |_| true), None);
    }
}
