//! Use of resources over time: exact integrals of step functions, in bins. Of a resource without a
//! known capacity, samples give the busy fraction.
use crate::ids::ResourceId;
use crate::schema::{CapacityChange, Sample, Trace};
use analysis::Bins;
use std::collections::BTreeMap;
use units::{Nanos, u32_of};

/// The samples of a trace by resource.
pub struct Series<'a> {
    trace: &'a Trace,
    /// Samples of resource r are `order[first[r]..first[r + 1]]`, by time.
    first: Vec<u32>,
    order: Vec<u32>,
    /// Changes by time, for resources that have any.
    changes: BTreeMap<ResourceId, Vec<CapacityChange>>,
}

/// Mean utilisation of each resource between two times, 0–1, as [`Series::utilisation`]. One pass
/// over the samples, which can be millions.
pub fn utilisations(trace: &Trace, from: Nanos, to: Nanos) -> Vec<Option<f64>> {
    let resources = trace.resources.len();
    let all = || (0..resources).map(ResourceId::of);
    let mut since: Vec<Option<(Nanos, f64)>> = vec![None; resources];
    let mut work = vec![0.0; resources];
    let done = |(start, used): (Nanos, f64), end: Nanos| {
        used * end.min(to).saturating_sub(start.max(from)).as_secs()
    };
    for sample in &trace.series {
        let r = sample.resource.at();
        let next = (sample.at, used(trace, sample));
        if let Some(last) = since[r].replace(next) {
            if sample.at < last.0 {
                let series = Series::of(trace);
                return all().map(|r| series.utilisation(r, from, to)).collect();
            }
            work[r] += done(last, sample.at)
        }
    }
    let ends = since.iter().map(|last| last.map_or(0.0, |last| done(last, to)));
    let sums = work.iter().zip(ends).map(|(work, end)| work + end);
    let capacities =
        Series { trace, first: Vec::new(), order: Vec::new(), changes: changes(trace) };
    let part = |(r, work)| {
        let could = capacities.capacity_work(r, from, to);
        (could > 0.0).then(|| work / could)
    };
    all().zip(sums).map(part).collect()
}

/// In the capacity's unit, bytes/s; the busy fraction without a known capacity.
fn used(trace: &Trace, sample: &Sample) -> f64 {
    let capacity = trace.resources[sample.resource.at()].capacity;
    let busy = || sample.busy.get().unwrap_or(0.0) * capacity.unwrap_or(1) as f64;
    sample.used.get().filter(|_| capacity.is_some()).unwrap_or_else(busy)
}

fn changes(trace: &Trace) -> BTreeMap<ResourceId, Vec<CapacityChange>> {
    let mut changes: BTreeMap<ResourceId, Vec<CapacityChange>> = BTreeMap::new();
    for change in &trace.capacities {
        changes.entry(change.resource).or_default().push(*change)
    }
    changes.values_mut().for_each(|of| of.sort_by_key(|change| change.at));
    changes
}

impl<'a> Series<'a> {
    /// Sorts the samples by resource and time.
    pub fn of(trace: &'a Trace) -> Series<'a> {
        let resources = trace.resources.len();
        let mut first = vec![0u32; resources + 1];
        let (mut last, mut by_time) = (vec![Nanos::ZERO; resources], true);
        for sample in &trace.series {
            let r = sample.resource.at();
            assert!(r < resources, "a sample of no resource: {sample:?}");
            first[r + 1] += 1;
            by_time &= last[r] <= sample.at;
            last[r] = sample.at
        }
        for r in 0..resources {
            first[r + 1] += first[r];
        }
        let mut next = first.clone();
        let mut order = vec![0u32; trace.series.len()];
        for (place, sample) in trace.series.iter().enumerate() {
            let slot = &mut next[sample.resource.at()];
            order[*slot as usize] = u32_of(place);
            *slot += 1;
        }
        let mut uses = Series { trace, first, order, changes: changes(trace) };
        if !by_time {
            uses.sort()
        }
        uses
    }

    /// Usually samples are in order of time; merged traces may not be.
    fn sort(&mut self) {
        let series = &self.trace.series;
        for r in 0..self.trace.resources.len() {
            let mine = &mut self.order[self.first[r] as usize..self.first[r + 1] as usize];
            mine.sort_by_key(|&place| series[place as usize].at);
        }
    }

    fn samples(&self, resource: ResourceId) -> &[u32] {
        let r = resource.at();
        &self.order[self.first[r] as usize..self.first[r + 1] as usize]
    }

    /// Whether the trace has samples of the resource.
    pub fn known(&self, resource: ResourceId) -> bool {
        !self.samples(resource).is_empty()
    }

    /// The steps between two times: (from, to, used \[bytes/s\]).
    fn pieces(
        &self,
        resource: ResourceId,
        from: Nanos,
        to: Nanos,
    ) -> impl Iterator<Item = (Nanos, Nanos, f64)> {
        let samples = self.samples(resource);
        let at = move |place: usize| self.trace.series[samples[place] as usize].at;
        let first = samples.partition_point(|&p| self.trace.series[p as usize].at <= from);
        (first.saturating_sub(1)..samples.len()).map_while(move |place| {
            let end = if place + 1 < samples.len() { at(place + 1).min(to) } else { to };
            let start = at(place).max(from);
            let used = used(self.trace, &self.trace.series[samples[place] as usize]);
            (at(place) < to).then_some((start, end.max(start), used))
        })
    }

    /// ∫ used dt between two times: bytes, including the cost of seeks.
    pub fn work(&self, resource: ResourceId, from: Nanos, to: Nanos) -> f64 {
        let pieces = self.pieces(resource, from, to);
        // Not `sum`: that of nothing is −0.0, which JSON shows.
        pieces.fold(0.0, |sum, (start, end, used)| sum + used * (end - start).as_secs())
    }

    /// ∫ capacity dt between two times.
    pub fn capacity_work(&self, resource: ResourceId, from: Nanos, to: Nanos) -> f64 {
        let capacities = self.capacities(resource, from, to);
        // Not `sum`, as above.
        capacities.iter().fold(0.0, |sum, (from, to, able)| sum + able * (*to - *from).as_secs())
    }

    /// Capacities between two times: (from, to, capacity \[bytes/s\]); 1 if unknown.
    pub fn capacities(
        &self,
        resource: ResourceId,
        from: Nanos,
        to: Nanos,
    ) -> Vec<(Nanos, Nanos, f64)> {
        let (mut pieces, mut since) = (vec![], from);
        let mut capacity = self.trace.resources[resource.at()].capacity.unwrap_or(1) as f64;
        let changes = self.changes.get(&resource).into_iter().flatten();
        for change in changes.take_while(|change| change.at < to) {
            let until = change.at.max(from);
            pieces.push((since, until, capacity));
            (since, capacity) = (until, change.capacity as f64)
        }
        pieces.push((since, to.max(since), capacity));
        pieces.retain(|(from, to, _)| to > from);
        pieces
    }

    /// Mean utilisation between two times, 0–1; `None` for no time or no capacity.
    pub fn utilisation(&self, resource: ResourceId, from: Nanos, to: Nanos) -> Option<f64> {
        let could = self.capacity_work(resource, from, to);
        (could > 0.0).then(|| self.work(resource, from, to) / could)
    }

    /// ∫ used dt of each of `bins.count` bins.
    pub fn work_in(&self, resource: ResourceId, bins: &Bins) -> Vec<f64> {
        let mut out = vec![0.0; bins.count];
        for (start, end, used) in self.pieces(resource, bins.from, bins.to()) {
            bins.spread(start, end, used, &mut out);
        }
        out
    }

    /// Utilisation in each bin, 0–1; 0 without capacity.
    pub fn utilisation_in(&self, resource: ResourceId, bins: &Bins) -> Vec<f64> {
        let mut cells = self.work_in(resource, bins);
        for (bin, cell) in cells.iter_mut().enumerate() {
            let from = bins.from + bins.width * bin as u64;
            let could = self.capacity_work(resource, from, from + bins.width);
            *cell = if could > 0.0 { *cell / could } else { 0.0 }
        }
        cells
    }
}
