//! Resources that are used far more than others of their kind: a server's link, a disk, a node.
use super::holder_shares::{HolderShare, Role};
use super::uses::Uses;
use crate::ids::{ResourceId, ResourceKind};
use crate::kinds::KindRole;
use crate::schema::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Factor over the mean of the kind.
const FAR: f64 = 2.0;
/// Use from which a busy resource may be a bottleneck, 0–1.
const BUSY: f64 = 0.5;
/// Share of the wait below which a kind is not worth relieving.
const WORTH: f64 = 0.2;

/// A resource with over twice the mean use or waiting time of its kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hotspot {
    /// The resource's name.
    pub name: String,
    /// Its row in the trace.
    pub resource: ResourceId,
    /// The label of its kind: "Server's switch port".
    pub kind: String,
    /// Its category.
    pub role: Role,
    /// Size of the comparison group: the busiest resource of this kind on each node, or all on a
    /// single node.
    pub many: usize,
    /// Fraction of the run in which it was used, 0–1.
    pub used: f64,
    /// Mean of `used` over the comparison group.
    pub used_mean: f64,
    /// Its share of the waiting time for its kind, 0–1; 0: unknown.
    pub waited: f64,
    /// The kind's share of all waiting time, 0–1.
    pub held: f64,
}

/// At most one resource of each kind, with the most use or waiting time. The kind with the largest
/// share of the wait comes first.
pub(super) fn hotspots(trace: &Trace, uses: &Uses, held: &[HolderShare]) -> Vec<Hotspot> {
    let mut kinds: BTreeMap<ResourceKind, Vec<ResourceId>> = BTreeMap::new();
    for at in 0..trace.resources.len() {
        kinds.entry(trace.resources[at].kind).or_default().push(ResourceId::of(at))
    }
    let one = |(kind, ids): (ResourceKind, Vec<ResourceId>)| of_kind(trace, uses, held, kind, &ids);
    let mut all: Vec<Hotspot> = kinds.into_iter().filter_map(one).collect();
    all.sort_by(|a, b| b.held.total_cmp(&a.held).then(b.used.total_cmp(&a.used)));
    all
}

fn of_kind(
    trace: &Trace,
    uses: &Uses,
    held: &[HolderShare],
    kind: ResourceKind,
    ids: &[ResourceId],
) -> Option<Hotspot> {
    let KindRole::Resource(role) = trace.kinds[kind.at()].role else { return None };
    let label = &trace.kinds[kind.at()].label;
    let name = |id: ResourceId| trace.resources[id.at()].name.as_str();
    let used = |id: &ResourceId| {
        uses.bins.get(id).map_or(0.0, |bins| bins.iter().sum::<f64>() / bins.len().max(1) as f64)
    };
    let like = of_nodes(trace, ids, &used);
    let many = like.len();
    let used_mean = like.iter().sum::<f64>() / many as f64;
    let busiest = ids.iter().rev().max_by(|a, b| used(a).total_cmp(&used(b)))?;
    let busy = Some(*busiest).filter(|id| used(id) >= BUSY && used(id) > FAR * used_mean);
    let bar = held.iter().find(|held| held.holder == *label);
    let holds = bar.map_or(0.0, |bar| bar.share);
    let most = bar
        .and_then(|bar| bar.most.as_ref())
        .filter(|(_, part)| holds >= WORTH && part * many as f64 > FAR);
    let queued = most.and_then(|(one, _)| ids.iter().copied().find(|id| name(*id) == one));
    let id = busy.or(queued)?;
    Some(Hotspot {
        name: name(id).to_string(),
        resource: id,
        kind: label.clone(),
        role: role.into(),
        many,
        used: used(&id),
        used_mean,
        waited: most.filter(|_| queued == Some(id)).map_or(0.0, |(_, part)| *part),
        held: holds,
    })
}

/// Use of the busiest resource on each node: a log disk is compared with the log disks of other
/// nodes. On a single node, use of all resources.
fn of_nodes(trace: &Trace, ids: &[ResourceId], used: &dyn Fn(&ResourceId) -> f64) -> Vec<f64> {
    let mut most: BTreeMap<Option<usize>, f64> = BTreeMap::new();
    for id in ids {
        let node = trace.resources[id.at()].node.map(|node| node.at());
        let most = most.entry(node).or_default();
        *most = most.max(used(id))
    }
    match most.len() {
        1 => ids.iter().map(used).collect(),
        _ => most.into_values().collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::reading::Reading;
    use crate::{IntervalRole, ObjectiveRow, ResourceRole, TraceBuilder};
    use units::Nanos;

    /// Busy seconds out of ten, by disk.
    fn disks(busy: &[u64]) -> Vec<(String, f64, f64)> {
        on_nodes(&[busy])
    }

    fn on_nodes(nodes: &[&[u64]]) -> Vec<(String, f64, f64)> {
        let mut new = TraceBuilder::new();
        let kind = new.resource_kind(ResourceRole::Disk, "disk", "Disks").id();
        let work = new.interval_kind(IntervalRole::Work, "write", "write").id();
        let mut at = 0;
        for (number, busy) in nodes.iter().enumerate() {
            let node = new.node(&format!("n{number}")).add();
            for &seconds in *busy {
                let disk = new.resource(kind, &format!("disk {at}")).node(node).add();
                new.interval(work).uses(disk).to(Nanos::secs(seconds)).push();
                at += 1
            }
        }
        new.objective(ObjectiveRow::rate("writes_per_s", None, Nanos::secs(10), 1.0));
        let hot = Reading::of(&new.finish(Nanos::secs(10))).hotspots;
        hot.into_iter().map(|hot| (hot.name, hot.used, hot.used_mean)).collect()
    }

    #[test]
    fn one_that_carries_more_than_twice_the_mean_is_named() {
        let named = disks(&[2, 2, 10, 2]);
        assert_eq!(named.len(), 1);
        assert_eq!(named[0].0, "disk 2");
        assert!((named[0].1 - 1.0).abs() < 1e-9 && (named[0].2 - 0.4).abs() < 1e-9, "{named:?}");
        assert_eq!(disks(&[6, 6, 10, 6]), [], "all are busy");
        assert_eq!(disks(&[0, 0, 4, 0]), [], "it is idle for most of the time");
        assert_eq!(disks(&[10]), [], "it has no like");
    }

    #[test]
    fn a_log_disk_is_as_busy_as_those_of_the_other_nodes() {
        let log: &[u64] = &[10, 0, 0, 0, 0];
        assert_eq!(on_nodes(&[log, log, &[9, 0, 0, 0, 0]]), []);
        let slow = on_nodes(&[log, &[2, 1, 1, 1, 1], &[2, 1, 1, 1, 1]]);
        assert_eq!(slow.len(), 1);
        assert_eq!(slow[0].0, "disk 0");
    }
}
