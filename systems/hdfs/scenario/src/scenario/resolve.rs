//! Resolves the targets of events: looks up names, expands racks, rejects impossible sequences.
use crate::keys::TypedValue;
use crate::scenario::{Event, EventKind};
use crate::targets::{self, NoTarget};
use cluster::document::Place;
use cluster::sheet::EventParts;
use cluster::{Admin, Cluster, DiskId, NodeId, Problem};
use std::collections::{BTreeMap, BTreeSet};
use units::Nanos;

/// Events in file order; a rack event becomes one event per node. `disks` applies to nodes whose
/// number of disks is unknown.
pub(super) fn resolve(
    parts: &[EventParts],
    cluster: &Cluster,
    disks: u16,
    problems: &mut Vec<Problem>,
) -> Vec<Event> {
    let mut found: Vec<SourcedEvent> = Vec::new();
    for part in parts {
        match one(part, cluster, disks) {
            Ok(events) => {
                found.extend(events.into_iter().map(|event| SourcedEvent { event, part }))
            }
            Err(Some(problem)) => problems.push(*problem),
            // Already reported.
            Err(None) => {}
        }
    }
    let dead_before = refuse_senseless(&found, cluster, problems);
    let happens = |(at, _): &(usize, SourcedEvent)| !dead_before.contains(at);
    found.into_iter().enumerate().filter(happens).map(|(_, found)| found.event).collect()
}

/// An event of one node, with its source table.
struct SourcedEvent<'a> {
    event: Event,
    part: &'a EventParts,
}

impl SourcedEvent<'_> {
    fn place(&self) -> Place {
        self.part.place_of("target")
    }

    /// The rack's name as written, if the event is for an entire rack.
    fn rack(&self) -> Option<&str> {
        let text = |part: &str| self.part.values.get(part).map(|slot| slot.text.as_str());
        text("target").filter(|_| text("kind") == Some("rack-lost"))
    }
}

/// Events of one table. `Err(None)`: invalid parts that are already reported.
fn one(
    part: &EventParts,
    cluster: &Cluster,
    disks: u16,
) -> Result<Vec<Event>, Option<Box<Problem>>> {
    let (Some(at), Some(kind), Some(target)) =
        (part.values.get("at"), part.values.get("kind"), part.values.get("target"))
    else {
        return Err(None);
    };
    let TypedValue::Time(at) = at.typed else { panic!("event.at is no time") };
    let (kind, target) = (kind.text.as_str(), target.text.as_str());
    let unfound = |no: NoTarget| {
        let place = part.place_of("target");
        let mut problem = place.problem("event.target", no.problem, no.expected);
        problem.hint = no.hint;
        Some(Box::new(problem))
    };
    if part.values.contains_key("rate") && !kind.starts_with("slow-") {
        return Err(part.problem("rate", "is given", "a rate for slow-disk and slow-link only"));
    }
    let node = || targets::node(cluster, target).map_err(unfound);
    let rack = || targets::rack(cluster, target).map_err(unfound);
    let disk = || targets::disk(cluster, disks, target).map_err(unfound);
    let kinds = match kind {
        "node-lost" => vec![EventKind::NodeLost(node()?)],
        "node-back" => vec![EventKind::NodeBack(node()?)],
        "decommission" => vec![EventKind::Decommission(node()?)],
        "maintenance" => vec![EventKind::Maintenance(node()?)],
        "rack-lost" => {
            let nodes = &cluster.racks[rack()?.at()].nodes;
            let alive = nodes.iter().filter(|n| cluster.nodes[n.at()].alive);
            alive.map(|&n| EventKind::NodeLost(n)).collect()
        }
        "disk-lost" => disk().map(|(node, disk)| vec![EventKind::DiskLost(node, disk)])?,
        "slow-disk" => {
            let (node, disk) = disk()?;
            vec![EventKind::SlowDisk(node, disk, part.rate(kind)?)]
        }
        "slow-link" if target.starts_with('/') => {
            vec![EventKind::SlowUplink(rack()?, part.rate(kind)?)]
        }
        "slow-link" => vec![EventKind::SlowNic(node()?, part.rate(kind)?)],
        other => panic!("event.kind takes {other}"),
    };
    Ok(kinds.into_iter().map(|kind| Event { at, kind }).collect())
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct NodeState {
    alive: bool,
    in_service: bool,
}

/// Rejects impossible events in time order, such as the loss of a dead node. Returns the indices of
/// rack events for nodes that are already dead.
fn refuse_senseless(
    found: &[SourcedEvent<'_>],
    cluster: &Cluster,
    problems: &mut Vec<Problem>,
) -> BTreeSet<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|at| found[*at].event.at);
    let mut dead_before = BTreeSet::new();
    let mut nodes: BTreeMap<NodeId, NodeState> = BTreeMap::new();
    let mut lost_disks: BTreeMap<(NodeId, DiskId), Nanos> = BTreeMap::new();
    for at in order {
        let event = &found[at].event;
        let mut complain = |node: NodeId, is: &str, expected: &str| {
            let problem = format!("\"{}\" {is}", cluster.nodes[node.at()].host);
            let place = found[at].place();
            problems.push(place.problem("event.target", problem, expected.to_string()))
        };
        let Some(id) = event.kind.node() else { continue };
        let row = &cluster.nodes[id.at()];
        let standing = nodes
            .entry(id)
            .or_insert(NodeState { alive: row.alive, in_service: row.admin == Admin::InService });
        match event.kind {
            EventKind::NodeLost(_) if !standing.alive && found[at].rack().is_some() => {
                dead_before.insert(at);
            }
            EventKind::NodeLost(_) if !standing.alive && row.alive => {
                complain(id, "is lost twice", "each node once, unless it came back")
            }
            EventKind::NodeLost(_) if !standing.alive => {
                let expected = "a live node. Every run repairs its missing replicas from the \
                                start: `tenbin plan rebuild` of this cluster without --lose, or \
                                `tenbin run` of a scenario without [[event]]";
                complain(id, "is dead already", expected)
            }
            EventKind::NodeLost(_) => standing.alive = false,
            EventKind::NodeBack(_) if standing.alive || !row.alive => {
                complain(id, "is not lost by then", "a node that an earlier event has lost")
            }
            EventKind::NodeBack(_) => standing.alive = true,
            _ if !standing.alive => complain(id, "is dead by then", "a live node"),
            EventKind::DiskLost(_, disk) => {
                if lost_disks.insert((id, disk), event.at).is_some() {
                    complain(id, "loses the same disk twice", "each disk once")
                }
            }
            _ if !standing.in_service => {
                complain(id, "is on its way out already", "a node in service")
            }
            _ => standing.in_service = false,
        }
    }
    refuse_dead_racks(found, &dead_before, problems);
    dead_before
}

fn refuse_dead_racks(
    found: &[SourcedEvent<'_>],
    dead: &BTreeSet<usize>,
    problems: &mut Vec<Problem>,
) {
    let mut at = 0;
    for one in found.chunk_by(|a, b| std::ptr::eq(a.part, b.part)) {
        let all = at..at + one.len();
        at = all.end;
        if let Some(rack) = one[0].rack()
            && all.into_iter().all(|at| dead.contains(&at))
        {
            let problem = format!("\"{rack}\" has no live node by then");
            let expected = "a rack with a live node".to_string();
            problems.push(one[0].place().problem("event.target", problem, expected))
        }
    }
}
