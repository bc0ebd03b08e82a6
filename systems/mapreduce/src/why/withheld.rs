//! What rules withheld from nodes during a job, from a ResourceManager's log.
use crate::log::kinds::{entity, interval};
use serde::Serialize;
use std::collections::BTreeMap;
use trace::{NodeId, Trace};

/// From, to \[s\].
type Span = (f64, f64);

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules {
    /// By rule and node; those with the longest waits of tasks first.
    pub all: Vec<WithheldTime>,
    /// Nodes in the histories and in the log.
    pub nodes: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WithheldTime {
    /// "disk-rate".
    pub rule: String,
    /// "n7:8042".
    pub node: String,
    /// How often the node's figure was above the threshold.
    pub times: u64,
    /// Time above the threshold within the job \[s\].
    pub seconds: f64,
    /// Part of `seconds` during which tasks of the rule's kinds waited for containers \[s\].
    pub waiting_s: f64,
    #[serde(skip)]
    pub at: NodeId,
    /// The threshold's property and value.
    #[serde(skip)]
    pub setting: (String, String),
    /// In order of time.
    #[serde(skip)]
    pub spans: Vec<Span>,
}

type Key = (String, NodeId, Option<trace::SettingId>);

/// All times of nodes above a threshold in a trace.
pub(super) struct WithholdPeriods {
    all: BTreeMap<Key, Vec<Span>>,
    nodes: usize,
}

impl WithholdPeriods {
    pub(super) fn of(trace: &Trace) -> WithholdPeriods {
        let mut all: BTreeMap<Key, Vec<Span>> = BTreeMap::new();
        let is = |row: &&trace::Interval| trace.interval_kind(row.kind).name == interval::WITHHELD;
        for row in trace.intervals.iter().filter(is) {
            let (Some(rule), Some(node)) = (row.subject, row.node) else { continue };
            let kind = trace.entities[rule.at()].kind;
            if trace.kinds[kind.at()].name != entity::RULE {
                continue;
            }
            let setting = match row.cause {
                trace::Cause::Setting(setting) => Some(setting),
                _ => None,
            };
            let spans = all.entry((trace.entity_name(rule), node, setting)).or_default();
            spans.push((row.start.as_secs(), row.end.as_secs()))
        }
        all.values_mut().for_each(|spans| spans.sort_by(|a, b| a.0.total_cmp(&b.0)));
        let nodes = trace.nodes.iter().filter(|node| node.role == "nodemanager").count();
        WithholdPeriods { all, nodes }
    }

    /// What rules withheld during `job`; `waits` returns waits for containers by kind of task.
    pub(super) fn within_job(
        &self,
        trace: &Trace,
        job: Span,
        waits: impl Fn(&str) -> Vec<Span>,
    ) -> Rules {
        let waits = ["MAP", "REDUCE"].map(|kind| (kind, union(waits(kind))));
        let of = |((rule, node, setting), spans): (&Key, &Vec<Span>)| {
            let spans = within(spans, &[job]);
            let about = waits.iter().filter(|(kind, _)| covers(rule, kind));
            let about = union(about.flat_map(|(_, waits)| waits.clone()).collect());
            let setting = setting.map(|id| &trace.settings[id.at()]);
            (!spans.is_empty()).then(|| WithheldTime {
                rule: rule.clone(),
                node: trace.nodes[node.at()].name.clone(),
                times: spans.len() as u64,
                seconds: length(&spans),
                waiting_s: length(&within(&spans, &about)),
                at: *node,
                setting: setting.map(|s| (s.key.clone(), s.value.clone())).unwrap_or_default(),
                spans,
            })
        };
        let mut all: Vec<WithheldTime> = self.all.iter().filter_map(of).collect();
        let longest = |a: &WithheldTime, b: &WithheldTime| {
            b.waiting_s.total_cmp(&a.waiting_s).then(b.seconds.total_cmp(&a.seconds))
        };
        all.sort_by(longest);
        Rules { all, nodes: self.nodes }
    }
}

/// A time during which a rule withheld from at least half of the nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct WidePeriod {
    /// \[s\]
    pub(super) from: f64,
    /// \[s\]
    pub(super) to: f64,
    pub(super) low: usize,
    /// Minimum (`low`) and maximum number of nodes.
    pub(super) high: usize,
}

pub(super) type WideWithholds<'r> = BTreeMap<&'r str, Vec<WidePeriod>>;

impl Rules {
    /// When each rule withheld tasks of this kind from at least half of the nodes.
    pub(super) fn wide_withholds(&self, kind: &str) -> WideWithholds<'_> {
        let mut changes: BTreeMap<&str, Vec<(f64, i64)>> = BTreeMap::new();
        for one in self.all.iter().filter(|one| covers(&one.rule, kind)) {
            let of = changes.entry(&one.rule).or_default();
            of.extend(one.spans.iter().flat_map(|span| [(span.0, 1), (span.1, -1)]))
        }
        let most = |mut all: Vec<(f64, i64)>| {
            // At equal times, a node that ends comes before one that starts.
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let (mut now, mut found) = (0i64, Vec::<WidePeriod>::new());
            for (place, (at, change)) in all.iter().enumerate() {
                now += change;
                let n = usize::try_from(now).unwrap_or(0);
                let to = all.get(place + 1).map_or(*at, |next| next.0);
                if n == 0 || 2 * n < self.nodes || to <= *at {
                    continue;
                }
                match found.last_mut().filter(|last| last.to >= *at) {
                    Some(last) => {
                        (last.to, last.low, last.high) = (to, last.low.min(n), last.high.max(n))
                    }
                    None => found.push(WidePeriod { from: *at, to, low: n, high: n }),
                }
            }
            found
        };
        changes.into_iter().map(|(rule, all)| (rule, most(all))).collect()
    }
}

/// The rule withholds tasks of this kind: disk rules withhold no reduces. Other rules withhold only
/// maps that would read remotely, but these are not logged: all maps count.
fn covers(rule: &str, kind: &str) -> bool {
    let of_disks = rule.starts_with("disk-rate") || rule.starts_with("per-disk");
    kind == "MAP" || kind == "REDUCE" && !of_disks
}

/// The same time as ordered spans without overlap.
fn union(mut all: Vec<Span>) -> Vec<Span> {
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut one: Vec<Span> = Vec::new();
    for (from, to) in all {
        match one.last_mut().filter(|last| from <= last.1) {
            Some(last) => last.1 = last.1.max(to),
            None => one.push((from, to)),
        }
    }
    one
}

/// Intersection of two ordered lists of spans without overlap.
fn within(spans: &[Span], others: &[Span]) -> Vec<Span> {
    let (mut found, mut first) = (Vec::new(), 0);
    for (from, to) in spans {
        first += others[first..].iter().take_while(|other| other.1 <= *from).count();
        let here = others[first..].iter().take_while(|other| other.0 < *to);
        let both = here.map(|other| (from.max(other.0), to.min(other.1)));
        found.extend(both.filter(|(from, to)| from < to))
    }
    found
}

fn length(spans: &[Span]) -> f64 {
    spans.iter().map(|(from, to)| to - from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn withheld(rule: &str, at: usize, spans: &[Span]) -> WithheldTime {
        WithheldTime {
            rule: rule.into(),
            node: format!("n{at}"),
            times: 0,
            seconds: 0.0,
            waiting_s: 0.0,
            at: NodeId::of(at),
            setting: Default::default(),
            spans: spans.to_vec(),
        }
    }

    #[test]
    fn half_of_the_nodes_are_enough() {
        let all = vec![
            withheld("disk-rate", 0, &[(0.0, 10.0), (20.0, 30.0)]),
            withheld("disk-rate", 1, &[(4.0, 12.0)]),
            withheld("disk-rate", 2, &[(6.0, 8.0)]),
            withheld("receive-rate", 2, &[(0.0, 30.0)]),
        ];
        let rules = Rules { all, nodes: 3 };
        let most = rules.wide_withholds("MAP");
        assert_eq!(most["disk-rate"], [WidePeriod { from: 4.0, to: 10.0, low: 2, high: 3 }]);
        assert!(most["receive-rate"].is_empty());
        assert!(!rules.wide_withholds("REDUCE").contains_key("disk-rate"));
    }

    #[test]
    fn spans_are_cut_to_others() {
        let spans = [(0.0, 4.0), (5.0, 9.0), (20.0, 21.0)];
        assert_eq!(within(&spans, &[(1.0, 2.0), (3.0, 6.0)]), [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]);
        assert_eq!(union(vec![(3.0, 6.0), (1.0, 2.0), (4.0, 5.0)]), [(1.0, 2.0), (3.0, 6.0)]);
    }
}
