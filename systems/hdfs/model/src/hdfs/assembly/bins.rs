//! Utilisation of resources over time, as a rate they could carry: a seeking disk is busy.
//!
//! Queue sharing: a resource is busy or idle, chunk by chunk. The transport reports busy times, and
//! the trace gets the mean since the last report. Fluid sharing: the utilisation follows from the
//! rate carried and the number of streams.
use engine::Nanos;
use hardware::{Capacity, ResourceId, Resources, transport::REPORTED_EVERY};
use hdfs_trace::{OptionalNumber, Sample};
use units::BytesPerSec;

pub struct Bins {
    /// By resource.
    rows: Vec<Row>,
}

#[derive(Clone, Copy)]
struct Row {
    capacity: Capacity,
    /// End of the last bin, and the rate in it.
    until: Nanos,
    used: f64,
}

impl Bins {
    pub fn new(resources: &Resources) -> Bins {
        let capacity = |resource| resources.capacity(ResourceId(resource));
        let row = |resource| Row { capacity: capacity(resource), until: Nanos::ZERO, used: 0.0 };
        Bins { rows: (0..resources.hardware()).map(row).collect() }
    }

    /// Changes the capacity to `rate` \[bytes/s\].
    pub fn set_capacity(&mut self, resource: u32, rate: u64) {
        if let Some(row) = self.rows.get_mut(resource as usize) {
            row.capacity.rate = BytesPerSec(rate)
        }
    }

    /// Fluid: rate in use by `streams` that carry `carried` in all \[bytes/s\].
    pub fn rate_in_use(&self, resource: u32, carried: f64, streams: u32) -> f64 {
        self.rows[resource as usize].capacity.at_work(carried, streams)
    }

    /// The resource was busy for `busy` between `since` and `at`. A chunk that began long after
    /// `since` would have been reported then, so the work is at the start.
    pub fn add(
        &mut self,
        resource: u32,
        (since, at): (Nanos, Nanos),
        busy: Nanos,
        out: &mut Vec<Sample>,
    ) {
        let until = at.min(since + busy.max(REPORTED_EVERY));
        if until <= since {
            return;
        }
        let row = &mut self.rows[resource as usize];
        row.stop_before(resource, since, out);
        let share = busy.min(until - since).as_secs() / (until - since).as_secs();
        row.report(resource, since, row.capacity.at(1) * share, out);
        row.until = until
    }

    pub fn finish(&mut self, out: &mut Vec<Sample>) {
        for (resource, row) in (0..).zip(&mut self.rows) {
            row.report(resource, row.until, 0.0, out)
        }
        sort(out)
    }
}

/// By time, then resource. Samples mostly come in the order of times; sorting each time's own then
/// saves the memory of sorting millions at once.
fn sort(samples: &mut [Sample]) {
    if !samples.is_sorted_by_key(|s| s.at) {
        return samples.sort_by_key(|s| (s.at, s.resource));
    }
    for at_once in samples.chunk_by_mut(|a, b| a.at == b.at) {
        at_once.sort_by_key(|s| s.resource)
    }
}

impl Row {
    fn stop_before(&mut self, resource: u32, at: Nanos, out: &mut Vec<Sample>) {
        if self.until < at {
            self.report(resource, self.until, 0.0, out)
        }
    }

    fn report(&mut self, resource: u32, at: Nanos, used: f64, out: &mut Vec<Sample>) {
        if self.used != used {
            self.used = used;
            out.push(sample(resource, at, used, (used > 0.0) as u32))
        }
    }
}

pub fn sample(resource: u32, at: Nanos, used: f64, queue: u32) -> Sample {
    let resource = hdfs_trace::ResourceId::of(resource as usize);
    Sample { resource, at, used: used.into(), busy: OptionalNumber::NONE, queue: queue.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_the_bytes() {
        let capacity = Capacity::fixed(BytesPerSec(8));
        let row = Row { capacity, until: Nanos::ZERO, used: 0.0 };
        let (mut bins, mut out) = (Bins { rows: vec![row; 8] }, vec![]);
        // Half of 100 ms; then all of 110 ms; later 20 ms, reported late; at the end 30 ms of a
        // longer turn.
        for (since, at, busy) in [(10, 110, 50), (110, 220, 110), (300, 900, 20), (900, 930, 70)] {
            let [since, at, busy] = [since, at, busy].map(Nanos::millis);
            bins.add(7, (since, at), busy, &mut out)
        }
        bins.finish(&mut out);
        let drawn: Vec<(u64, f64)> = out
            .iter()
            .map(|s| (s.at.0 / 1_000_000, (s.used.get().unwrap() * 1000.0).round() / 1000.0))
            .collect();
        let expected =
            [(10, 4.0), (110, 8.0), (220, 0.0), (300, 1.6), (400, 0.0), (900, 8.0), (930, 0.0)];
        assert_eq!(drawn, expected);
    }
}
