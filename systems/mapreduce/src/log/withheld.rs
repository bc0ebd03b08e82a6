//! Adds what rules withheld, from a ResourceManager's log, to a trace. Each time of a node above a
//! threshold is an interval with the rule as subject and the threshold as cause.
use super::kinds::{entity, interval};
use super::{DOUBT, Ports};
use crate::curves::{is_same, zero_ms};
use crate::import::rm_log::{PluginLine, RmLog};
use std::collections::{BTreeMap, BTreeSet};
use trace::{
    Cause, Entity, EntityId, EntityKind, EntityRole, Evidence, Interval, IntervalKind,
    IntervalRole, Kind, KindRole, Node, NodeId, Outcome, Setting, SettingId, Trace,
};
use units::{Bytes, BytesPerSec, Nanos, rounded_u64};

/// Key in a trace's run table of the plug-in's last settings.
pub const SETTINGS: &str = "tenbin_rules";

/// A rule withheld from a node from `from` to `to`: Unix times \[ms\].
#[derive(Clone, PartialEq, Debug)]
struct WithholdPeriod {
    rule: String,
    node: String,
    threshold: f64,
    from: i64,
    to: i64,
}

/// First and last time: Unix times \[ms\].
pub type Window = (i64, i64);

/// Adds log events within the time of the trace.
///
/// # Errors
/// The logs have no line of that time: the windows of logs and trace.
pub fn attach(trace: &mut Trace, ports: &Ports, logs: &[RmLog]) -> Result<(), (Window, Window)> {
    let zero = zero_ms(trace);
    let end = zero.saturating_add((trace.last().0 / 1_000_000).cast_signed());
    let low = logs.iter().map(|log| log.span.0).min().unwrap_or(i64::MAX);
    let high = logs.iter().map(|log| log.span.1).max().unwrap_or(i64::MIN);
    if low > end || high < zero {
        return Err(((low, high), (zero, end)));
    }
    let (spells, settings) = spells(logs, (low, high), end);
    let within = |spell: WithholdPeriod| {
        let (from, to) = (spell.from.max(zero), spell.to.min(end));
        (from < to).then_some(WithholdPeriod { from: from - zero, to: to - zero, ..spell })
    };
    let spells: Vec<WithholdPeriod> = spells.into_iter().filter_map(within).collect();
    if let Some(settings) = settings {
        trace.run.push((SETTINGS.into(), settings))
    }
    add(trace, ports, &spells);
    Ok(())
}

/// All times above a threshold, and the last settings before `end`.
fn spells(logs: &[RmLog], (low, high): Window, end: i64) -> (Vec<WithholdPeriod>, Option<String>) {
    let mut events: Vec<&(i64, PluginLine)> = logs.iter().flat_map(|log| &log.events).collect();
    events.sort_by_key(|event| event.0);
    let (mut open, mut all) = (BTreeMap::<(&str, &str), (i64, f64)>::new(), Vec::new());
    let (mut since, mut settings) = (low, None);
    let spell = |(rule, node): (&str, &str), (from, threshold), to| WithholdPeriod {
        rule: rule.into(),
        node: node.into(),
        threshold,
        from,
        to,
    };
    for (at, said) in events {
        match said {
            PluginLine::Crossed(one) => {
                let key = (one.rule.as_str(), one.node.as_str());
                match one.withholds {
                    true => drop(open.entry(key).or_insert((*at, one.threshold))),
                    // Without a start, the node was above the threshold when the log or the
                    // settings began.
                    false => {
                        let begun = open.remove(&key).unwrap_or((since, one.threshold));
                        all.push(spell(key, begun, *at))
                    }
                }
            }
            PluginLine::Settings(text) => {
                let ended = std::mem::take(&mut open).into_iter();
                all.extend(ended.map(|(key, begun)| spell(key, begun, *at)));
                since = *at;
                if *at <= end {
                    settings = Some(text.clone())
                }
            }
        }
    }
    all.extend(open.into_iter().map(|(key, begun)| spell(key, begun, high)));
    (all, settings)
}

fn add(trace: &mut Trace, ports: &Ports, spells: &[WithholdPeriod]) {
    if spells.is_empty() {
        return;
    }
    let (of, rule) = kinds(trace);
    let mut nodes = Nodes::of(trace, ports, spells);
    let mut rules: BTreeMap<&str, (EntityId, SettingId)> = BTreeMap::new();
    for spell in spells {
        let known = rules.get(spell.rule.as_str()).copied();
        let (subject, setting) = known.unwrap_or_else(|| entity_of(trace, rule, spells, spell));
        rules.insert(&spell.rule, (subject, setting));
        let node = nodes.node(trace, &spell.node);
        let at = |ms: i64| Nanos::millis(ms.unsigned_abs());
        trace.intervals.push(Interval {
            subject: Some(subject),
            node: Some(node),
            cause: Cause::Setting(setting),
            doubt: DOUBT,
            evidence: Some(Evidence::Log),
            ..Interval::new(of, at(spell.from), at(spell.to))
        })
    }
}

fn kinds(trace: &mut Trace) -> (IntervalKind, EntityKind) {
    let mut kind = |role, name: &str, label: &str| {
        let (name, label) = (name.into(), label.into());
        trace.kinds.push(Kind { role, name, label, other: None, unit: None });
        trace.kinds.len() - 1
    };
    let wait = KindRole::Interval(IntervalRole::Wait);
    let of = kind(wait, interval::WITHHELD, "withheld from by a rule");
    let rule = kind(KindRole::Entity(EntityRole::Item), entity::RULE, "rule {}");
    (IntervalKind::of(of), EntityKind::of(rule))
}

/// Adds the rule and its threshold; up to three values if it changed.
fn entity_of(
    trace: &mut Trace,
    kind: EntityKind,
    spells: &[WithholdPeriod],
    spell: &WithholdPeriod,
) -> (EntityId, SettingId) {
    let (parent, number, node, begun, end) = Default::default();
    let (name, outcome) = (Some(spell.rule.clone()), Outcome::Ok);
    trace.entities.push(Entity { kind, parent, number, name, node, begun, end, outcome });
    let own = spells.iter().filter(|other| other.rule == spell.rule);
    let values: BTreeSet<String> = own.map(|one| value(&one.rule, one.threshold)).collect();
    // An automatic threshold has about one value per spell.
    let mut value = values.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    if values.len() > 3 {
        value.push_str("; …")
    }
    trace.settings.push(Setting { key: key(&spell.rule), value });
    (EntityId::of(trace.entities.len() - 1), SettingId::of(trace.settings.len() - 1))
}

fn key(rule: &str) -> String {
    let rule = if rule.starts_with("per-disk") { "disk-rate" } else { rule };
    format!("tenbin.{}.threshold", rule.strip_suffix("-auto").unwrap_or(rule))
}

fn value(rule: &str, threshold: f64) -> String {
    let positive = rounded_u64(threshold.max(0.0));
    match rule {
        "receive-rate" => BytesPerSec(positive).to_string(),
        "potential-reception" => Bytes(positive).to_string(),
        // An automatic threshold varies with all nodes.
        auto if auto.ends_with("-auto") => "auto".into(),
        _ => crate::plain::percent(threshold),
    }
}

/// Finds nodes of the trace by the scheduler's name, "n7:45454". The trace has the HTTP port
/// instead.
struct Nodes<'p> {
    ports: &'p Ports,
    by_host: BTreeMap<String, Vec<NodeId>>,
    /// The log's NodeManagers by host.
    named: BTreeMap<String, BTreeSet<String>>,
    known: BTreeMap<String, NodeId>,
}

/// "n7:45454" → "n7".
fn host(node: &str) -> &str {
    let host = node.rsplit_once(':').map_or(node, |(host, _)| host);
    host.trim_start_matches('[').trim_end_matches(']')
}

/// Host without its domain, so that equal hosts have equal keys.
fn short(host: &str) -> String {
    let is_address = host.parse::<std::net::IpAddr>().is_ok();
    let bare = if is_address { host } else { host.split('.').next().unwrap_or(host) };
    bare.to_ascii_lowercase()
}

impl<'p> Nodes<'p> {
    fn of(trace: &Trace, ports: &'p Ports, spells: &[WithholdPeriod]) -> Nodes<'p> {
        let (mut by_host, mut named) = (BTreeMap::new(), BTreeMap::new());
        for (at, node) in trace.nodes.iter().enumerate() {
            let all: &mut Vec<NodeId> = by_host.entry(short(address(node))).or_default();
            all.push(NodeId::of(at))
        }
        for spell in spells {
            let all: &mut BTreeSet<String> = named.entry(short(host(&spell.node))).or_default();
            all.insert(spell.node.clone());
        }
        Nodes { ports, by_host, named, known: BTreeMap::new() }
    }

    /// The node on the same host and port. If the history has no port: the node on that host, if
    /// trace and log both have only one there. Else a new node.
    fn node(&mut self, trace: &mut Trace, name: &str) -> NodeId {
        if let Some(id) = self.known.get(name) {
            return *id;
        }
        let own = host(name);
        let port = name.rsplit_once(':').and_then(|(_, port)| port.parse::<i64>().ok());
        let other = |id: &&NodeId| {
            let known = self.ports.get(*id).copied();
            known.zip(port).is_some_and(|(known, port)| known != port)
        };
        let here = self.by_host.get(&short(own)).into_iter().flatten();
        let here = here.filter(|id| is_same(address(&trace.nodes[id.at()]), own) && !other(id));
        let here: Vec<NodeId> = here.copied().collect();
        let told = here.iter().find(|id| self.ports.get(*id).copied() == port && port.is_some());
        let alike = self.named[&short(own)].iter().filter(|other| is_same(host(other), own));
        let id = match (told, here.as_slice(), alike.count()) {
            (Some(one), ..) | (_, [one], 1) => *one,
            _ => {
                let (name, address) = (name.to_string(), Some(own.to_string()));
                let role = "nodemanager".into();
                trace.nodes.push(Node { name, address, rack: None, role, alive: true });
                NodeId::of(trace.nodes.len() - 1)
            }
        };
        self.known.insert(name.into(), id);
        id
    }
}

fn address(node: &Node) -> &str {
    node.address.as_deref().unwrap_or(&node.name)
}
