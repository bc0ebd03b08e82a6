//! Use of resources over time, in bins, and counters.
use super::holder_shares::Role;
use crate::ids::{ResourceId, ResourceKind};
use crate::kinds::{IntervalRole, KindRole};
use crate::schema::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::Nanos;

pub(super) const POINTS: usize = 240;

/// A step function of time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// "Disk", the name of the most used resource, or a counter's name.
    pub name: String,
    /// "busy" is a fraction of the capacity, 0–1.
    pub unit: String,
    /// The category; `None`: a counter.
    pub role: Option<Role>,
    /// The maximum value, if known.
    pub capacity: Option<f64>,
    /// Time \[s\] and value.
    pub points: Vec<(f64, f64)>,
}

/// Used fraction of each resource's capacity, 0–1, in bins of equal width.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Uses {
    /// Start of the first bin.
    pub from: Nanos,
    /// End of the last bin.
    pub to: Nanos,
    /// By resource; unused ones are absent.
    pub bins: BTreeMap<ResourceId, Vec<f64>>,
}

impl Uses {
    /// From `series` if there is any, else from works on their resources.
    pub fn of(trace: &Trace, (from, to): (Nanos, Nanos), bins: usize) -> Uses {
        let mut uses = Uses { from, to, bins: BTreeMap::new() };
        if from < to && bins > 0 {
            if trace.series.is_empty() {
                uses.add_works(trace, bins)
            } else {
                uses.add_series(trace, bins)
            }
        }
        uses
    }

    fn add_series(&mut self, trace: &Trace, bins: usize) {
        // The current use, and its start.
        let mut now: BTreeMap<ResourceId, (Nanos, f64)> = BTreeMap::new();
        let mut capacity: BTreeMap<ResourceId, u64> = BTreeMap::new();
        let mut changes = trace.capacities.iter().peekable();
        for sample in &trace.series {
            while let Some(change) = changes.next_if(|change| change.at <= sample.at) {
                capacity.insert(change.resource, change.capacity);
            }
            let built = trace.resources[sample.resource.at()].capacity;
            let can = capacity.get(&sample.resource).copied().or(built).unwrap_or(0);
            let part = match (sample.used.get(), sample.busy.get()) {
                (Some(used), _) if can > 0 => used / can as f64,
                (_, busy) => busy.unwrap_or(0.0),
            };
            if let Some((since, before)) = now.insert(sample.resource, (sample.at, part)) {
                self.add(sample.resource, since, sample.at, before, bins)
            }
        }
        let to = self.to;
        now.into_iter()
            .for_each(|(resource, (since, part))| self.add(resource, since, to, part, bins))
    }

    /// A work uses one unit of a countable resource, or all of a rate.
    fn add_works(&mut self, trace: &Trace, bins: usize) {
        for row in &trace.intervals {
            let kind = trace.kinds.get(row.kind.at()).map(|kind| kind.role);
            let Some(resource) = row.resource.filter(|r| r.at() < trace.resources.len()) else {
                continue;
            };
            if kind == Some(KindRole::Interval(IntervalRole::Work)) {
                let rate = trace.resource_kind(resource).unit.as_deref();
                let rate = rate.is_some_and(|unit| unit.ends_with("/s"));
                let can = trace.resources[resource.at()].capacity.filter(|_| !rate);
                let part = row.weight / can.unwrap_or(1).max(1) as f64;
                let begun = Nanos(row.start.0.saturating_add(row.queued.0));
                self.add(resource, begun, row.end, part, bins)
            }
        }
    }

    /// Adds a use of `part` from `start` to `end`.
    fn add(&mut self, resource: ResourceId, start: Nanos, end: Nanos, part: f64, bins: usize) {
        let (start, end) = (start.max(self.from), end.min(self.to));
        if start >= end || part <= 0.0 {
            return;
        }
        let width = (self.to - self.from).0 as f64 / bins as f64;
        let place = |at: Nanos| (at - self.from).0 as f64 / width;
        let (start, end) = (place(start), place(end));
        let row = self.bins.entry(resource).or_insert_with(|| vec![0.0; bins]);
        let last = units::usize_of(units::floored_u64(end.ceil())).min(bins);
        for (bin, value) in
            row.iter_mut().enumerate().take(last).skip(units::usize_of(units::floored_u64(start)))
        {
            let lies = end.min(bin as f64 + 1.0) - start.max(bin as f64);
            *value += part * lies.max(0.0)
        }
    }
}

/// By kind of resource: the mean, and the most used one. Then counters of the whole run.
pub(super) fn curves(trace: &Trace, uses: &Uses) -> Vec<Curve> {
    let window = (uses.from, uses.to);
    let mut kinds: BTreeMap<ResourceKind, Vec<ResourceId>> = BTreeMap::new();
    for at in 0..trace.resources.len() {
        kinds.entry(trace.resources[at].kind).or_default().push(ResourceId::of(at))
    }
    let mut curves = Vec::new();
    for (kind, all) in kinds {
        let used: Vec<(ResourceId, &Vec<f64>)> =
            all.iter().filter_map(|id| Some((*id, uses.bins.get(id)?))).collect();
        let total = |bins: &Vec<f64>| bins.iter().sum::<f64>();
        // On a tie, the first.
        let hottest = used.iter().rev().max_by(|a, b| total(a.1).total_cmp(&total(b.1)));
        let Some(hottest) = hottest else { continue };
        let mean = |bin: usize| used.iter().map(|u| u.1[bin]).sum::<f64>() / all.len() as f64;
        let role = match trace.kinds[kind.at()].role {
            KindRole::Resource(role) => Some(role.into()),
            _ => None,
        };
        let mut curve = |name: &str, value: &dyn Fn(usize) -> f64| {
            let points = (0..POINTS).map(|bin| (time(window, bin), value(bin))).collect();
            let (name, unit) = (name.into(), "busy".into());
            curves.push(Curve { name, unit, role, capacity: Some(1.0), points })
        };
        curve(&trace.kinds[kind.at()].label, &mean);
        if all.len() > 1 {
            curve(&trace.resources[hottest.0.at()].name, &|bin| hottest.1[bin])
        }
    }
    curves.extend(counters(trace));
    curves
}

fn time((from, to): (Nanos, Nanos), bin: usize) -> f64 {
    let width = (to - from).0 as f64 / POINTS as f64;
    (from.0 as f64 + width * bin as f64) / 1e9
}

/// Counters of the whole run, not of a node or entity.
fn counters(trace: &Trace) -> Vec<Curve> {
    let of_all = |at: &usize| {
        let name = &trace.counter_names[*at];
        name.entity.is_none() && name.node.is_none()
    };
    let curve = |at: usize| {
        let name = &trace.counter_names[at];
        let values = trace.counters.iter().filter(|count| count.counter.at() == at);
        let points = values.filter_map(|count| Some((count.at.as_secs(), count.value?)));
        Curve {
            name: name.name.clone(),
            unit: name.unit.clone(),
            role: None,
            capacity: None,
            points: points.collect(),
        }
    };
    (0..trace.counter_names.len()).filter(of_all).map(curve).collect()
}
