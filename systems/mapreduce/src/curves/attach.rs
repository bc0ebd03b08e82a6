//! Adds node curves to a run's trace: one resource per disk, NIC and node's cores, with its use
//! over time.
use super::NodeSample;
use super::calendar::zero_ms;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use trace::{
    Kind, KindRole, NodeId, Resource, ResourceId, ResourceKind, ResourceRole, Sample, Source, Trace,
};
use units::Nanos;

/// NIC rate if a curve has no speed: 10 Gbit/s \[bytes/s\].
const NIC: f64 = 1.25e9;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttachResult {
    /// Lines of a known node within the time of the run.
    pub used: usize,
    /// Used lines by host, and whether the host is one of the run's.
    pub hosts: BTreeMap<String, (usize, bool)>,
    /// Former samples replaced by new ones of the same resource and time.
    pub replaced: usize,
    /// First and last time of all lines: Unix time \[ms\].
    pub span: Option<(i64, i64)>,
}

/// A sample replaces an earlier one of the same resource and time, so a file imported twice counts
/// once.
pub fn attach(trace: &mut Trace, name: &str, lines: &[NodeSample]) -> AttachResult {
    let (zero, last) = (zero_ms(trace), trace.last());
    let clocks: BTreeMap<NodeId, i64> =
        trace.clocks.iter().map(|clock| (clock.node, clock.offset / 1_000_000)).collect();
    let before = trace.series.len();
    let mut adding = CurveWriter { known: BTreeMap::new(), trace };
    let mut fit = AttachResult::default();
    for line in lines {
        let nodes = adding.nodes(&line.node);
        // A node's curves use the same clock as its tasks: the same correction applies.
        let ahead = nodes.first().and_then(|node| clocks.get(node)).copied().unwrap_or(0);
        let unix_ms = line.unix_ms.saturating_sub(ahead);
        let since = unix_ms.saturating_sub(line.interval_ms.max(0)).saturating_sub(zero);
        let at = Nanos::millis(since.max(0).unsigned_abs());
        let (low, high) = fit.span.unwrap_or((line.unix_ms, line.unix_ms));
        fit.span = Some((low.min(line.unix_ms), high.max(line.unix_ms)));
        let host = fit.hosts.entry(line.node.clone()).or_insert((0, !nodes.is_empty()));
        if nodes.is_empty() || at > last || unix_ms < zero {
            continue;
        }
        (fit.used, host.0) = (fit.used + 1, host.0 + 1);
        for node in nodes {
            adding.line(node, at, line)
        }
    }
    if fit.used > 0 {
        fit.replaced = replace(&mut trace.series, before);
        let source = Source { name: name.into(), format: "node curves".into(), sha256: None };
        if fit.replaced == 0 || !trace.sources.contains(&source) {
            trace.sources.push(source)
        }
        trace.series.sort_by_key(|sample| sample.at)
    }
    fit
}

/// Removes those of the `first` samples that a later one of the same resource and time replaces.
/// Returns how many.
fn replace(series: &mut Vec<Sample>, first: usize) -> usize {
    let key = |sample: &Sample| (sample.resource, sample.at);
    let new: BTreeSet<(ResourceId, Nanos)> = series[first..].iter().map(key).collect();
    let (all, mut place) = (series.len(), 0);
    series.retain(|sample| {
        place += 1;
        place > first || !new.contains(&key(sample))
    });
    all - series.len()
}

/// Compares host names with or without domain, ignoring case. Addresses must be equal: 10.0.0.1 is
/// not 10.0.0.2.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let name = |text: &str| text.trim_end_matches('.').to_ascii_lowercase();
    let (one, other) = (name(one), name(other));
    let address = |text: &str| text.parse::<IpAddr>().ok();
    match (address(&one), address(&other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => {
            let bare = |short: &str, long: &str| {
                long.strip_prefix(short).is_some_and(|domain| domain.starts_with('.'))
            };
            !one.is_empty()
                && !other.is_empty()
                && (one == other || bare(&one, &other) || bare(&other, &one))
        }
        _ => false,
    }
}

struct CurveWriter<'t> {
    trace: &'t mut Trace,
    known: BTreeMap<(NodeId, String), ResourceId>,
}

impl CurveWriter<'_> {
    /// Several if the host runs several NodeManagers.
    fn nodes(&self, host: &str) -> Vec<NodeId> {
        let of = |node: &trace::Node| {
            let own = node.address.as_deref().unwrap_or(&node.name);
            is_same(own, host) || node.name == host
        };
        let nodes = self.trace.nodes.iter().enumerate();
        nodes.filter(|(_, node)| of(node)).map(|(at, _)| NodeId::of(at)).collect()
    }

    fn line(&mut self, node: NodeId, at: Nanos, line: &NodeSample) {
        self.sample(node, at, ResourceRole::Cpu, "CPU", line.cpu_busy, line.runnable);
        if line.memory_used.is_some() {
            self.sample(node, at, ResourceRole::Memory, "memory", line.memory_used, None)
        }
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
        let (busy, queue) = (busy.into(), queue.into());
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
                ResourceRole::Disk => "Disks",
                ResourceRole::Network => "NICs",
                ResourceRole::Memory => "Memory",
                _ => "CPU",
            };
            let (name, label) = (role.name().into(), label.into());
            self.trace.kinds.push(Kind { role: of, name, label, other: None, unit: None });
            self.trace.kinds.len() - 1
        });
        ResourceKind::of(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_one_by_their_whole_name_or_without_their_domain() {
        for (one, other) in [
            ("n1", "n1"),
            ("n1", "N1.example.com"),
            ("n1.example.com.", "n1.example.com"),
            ("n1.lab", "n1.lab.example.com"),
            ("::1", "0:0:0:0:0:0:0:1"),
        ] {
            assert!(is_same(one, other) && is_same(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("10.0.0.1", "10.0.0.2"),
            ("10.0.0.1", "10"),
            ("n1", "n10.example.com"),
            ("n1.a.com", "n1.b.com"),
            ("", ""),
            ("", ".com"),
        ] {
            assert!(!is_same(one, other) && !is_same(other, one), "{one} {other}");
        }
    }
}
