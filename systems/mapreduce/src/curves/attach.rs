//! Curves into a run's trace: a resource a disk, a NIC, a node's cores, with its use over time.
use super::Line;
use std::collections::BTreeMap;
use trace::{
    Kind, KindRole, NodeId, Resource, ResourceId, ResourceKind, ResourceRole, Sample, Source, Trace,
};
use units::Nanos;

/// Assumed where no curve says it: 10 Gbit/s, in bytes/s.
const NIC: f64 = 1.25e9;

/// Adds lines of a file; returns how many of them fell on a node and into the time of the run.
pub fn attach(trace: &mut Trace, name: &str, lines: &[Line]) -> usize {
    let zero = trace.about("zero_unix_ns").and_then(|ns| ns.parse::<i128>().ok()).unwrap_or(0);
    let (zero, last) = (i64::try_from(zero / 1_000_000).unwrap_or(i64::MAX), trace.last());
    let mut adding = Adding { known: BTreeMap::new(), trace };
    let mut used = 0;
    for line in lines {
        let since = line.unix_ms.saturating_sub(line.interval_ms.max(0)).saturating_sub(zero);
        let at = Nanos::millis(since.max(0).unsigned_abs());
        let nodes = adding.nodes(&line.node);
        if nodes.is_empty() || at > last || line.unix_ms < zero {
            continue;
        }
        used += 1;
        for node in nodes {
            adding.line(node, at, line)
        }
    }
    if used > 0 {
        let (name, format) = (name.into(), "node curves".into());
        adding.trace.sources.push(Source { name, format, sha256: None });
        adding.trace.series.sort_by_key(|sample| sample.at)
    }
    used
}

struct Adding<'t> {
    trace: &'t mut Trace,
    known: BTreeMap<(NodeId, String), ResourceId>,
}

impl Adding<'_> {
    /// The nodes on this host: several, where a host has several NodeManagers.
    fn nodes(&self, host: &str) -> Vec<NodeId> {
        let short = |name: &str| name.split('.').next().unwrap_or(name).to_string();
        let of = |node: &trace::Node| {
            let own = node.address.as_deref().unwrap_or(&node.name);
            !host.is_empty() && (own == host || node.name == host || short(own) == short(host))
        };
        let nodes = self.trace.nodes.iter().enumerate();
        nodes.filter(|(_, node)| of(node)).map(|(at, _)| NodeId::of(at)).collect()
    }

    fn line(&mut self, node: NodeId, at: Nanos, line: &Line) {
        self.sample(node, at, ResourceRole::Cpu, "CPU", line.cpu_busy, line.runnable);
        for disk in line.disks.iter().take(256) {
            self.sample(node, at, ResourceRole::Disk, &disk.name, disk.busy, None)
        }
        for nic in line.nics.iter().filter(|nic| nic.name != "lo").take(64) {
            let busy = f64::max(nic.received, nic.sent) / nic.speed.unwrap_or(NIC);
            self.sample(node, at, ResourceRole::Network, &nic.name, super::part(busy), None)
        }
    }

    fn sample(
        &mut self,
        node: NodeId,
        at: Nanos,
        role: ResourceRole,
        name: &str,
        busy: Option<f64>,
        queue: Option<u32>,
    ) {
        let name: String = name.chars().take(64).collect();
        let key = (node, format!("{} {name}", role.name()));
        let resource = match self.known.get(&key) {
            Some(id) => *id,
            None => {
                let id = self.resource(node, role, &name);
                self.known.insert(key, id);
                id
            }
        };
        self.trace.series.push(Sample { resource, at, used: busy, busy, queue })
    }

    fn resource(&mut self, node: NodeId, role: ResourceRole, name: &str) -> ResourceId {
        let kind = self.kind(role);
        let same = |r: &Resource| r.kind == kind && r.node == Some(node) && r.name == name;
        if let Some(at) = self.trace.resources.iter().position(same) {
            return ResourceId::of(at);
        }
        self.trace.resources.push(Resource {
            kind,
            name: name.into(),
            node: Some(node),
            rack: None,
            place: None,
            capacity: Some(1),
            setting: None,
        });
        ResourceId::of(self.trace.resources.len() - 1)
    }

    fn kind(&mut self, role: ResourceRole) -> ResourceKind {
        let of = KindRole::Resource(role);
        let found = self.trace.kinds.iter().position(|kind| kind.role == of);
        let at = found.unwrap_or_else(|| {
            let label = match role {
                ResourceRole::Disk => "Disk",
                ResourceRole::Network => "NIC",
                _ => "CPU",
            };
            let (name, label) = (role.name().into(), label.into());
            self.trace.kinds.push(Kind { role: of, name, label, other: None, unit: None });
            self.trace.kinds.len() - 1
        });
        ResourceKind::of(at)
    }
}
