//! Queue sharing: a resource is busy or idle, chunk by chunk. The trace gets the mean over short
//! bins instead, or a run of an hour would leave millions of samples that no screen can show.
use engine::Nanos;
use hdfs_trace::Sample;

/// Width of a bin: a tenth of what screens show as the finest cell.
const BIN: Nanos = Nanos::millis(100);

/// What is known of one resource.
#[derive(Clone, Copy, Default)]
struct Row {
    since: Nanos,
    rate: f64,
    /// Bytes so far in the bin of `since`.
    bytes: f64,
    /// The last sample written.
    told: f64,
}

/// Means of all resources.
#[derive(Default)]
pub struct Bins {
    /// By resource.
    rows: Vec<Row>,
}

impl Bins {
    /// From `at` on the resource works at `rate`.
    pub fn set(&mut self, resource: u32, at: Nanos, rate: f64, out: &mut Vec<Sample>) {
        let place = resource as usize;
        if place >= self.rows.len() {
            self.rows.resize(place + 1, Row::default())
        }
        let row = &mut self.rows[place];
        row.advance(resource, at, out);
        row.rate = rate
    }

    /// The end of the run.
    pub fn finish(&mut self, at: Nanos, out: &mut Vec<Sample>) {
        for (resource, row) in (0..).zip(&mut self.rows) {
            let next = Nanos((at.0 / BIN.0 + 1) * BIN.0);
            row.advance(resource, next, out);
            row.tell(resource, next, 0.0, out)
        }
        sort(out)
    }
}

/// By time, then resource. Where samples come in the order of their times, each time's own are
/// sorted: all at once would need half as much memory again, of millions.
fn sort(samples: &mut [Sample]) {
    if !samples.is_sorted_by_key(|s| s.at) {
        return samples.sort_by_key(|s| (s.at, s.resource));
    }
    for at_once in samples.chunk_by_mut(|a, b| a.at == b.at) {
        at_once.sort_by_key(|s| s.resource)
    }
}

impl Row {
    fn advance(&mut self, resource: u32, at: Nanos, out: &mut Vec<Sample>) {
        let bin = |t: Nanos| t.0 / BIN.0;
        let start = |bin: u64| Nanos(bin * BIN.0);
        if bin(at) > bin(self.since) {
            let end = start(bin(self.since) + 1);
            self.bytes += self.rate * (end - self.since).as_secs();
            let mean = self.bytes / BIN.as_secs();
            self.tell(resource, start(bin(self.since)), mean, out);
            if bin(at) > bin(end) {
                self.tell(resource, end, self.rate, out)
            }
            (self.bytes, self.since) = (0.0, start(bin(at)))
        }
        self.bytes += self.rate * (at - self.since).as_secs();
        self.since = at
    }

    fn tell(&mut self, resource: u32, at: Nanos, used: f64, out: &mut Vec<Sample>) {
        if self.told != used {
            self.told = used;
            out.push(Sample { resource, at, used, queue: (used > 0.0) as u32 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_the_bytes() {
        let (mut bins, mut out) = (Bins::default(), vec![]);
        let on_off = [(10, 8.0), (30, 0.0), (90, 4.0), (350, 0.0), (360, 2.0), (365, 0.0)];
        for (ms, rate) in on_off {
            bins.set(7, Nanos::millis(ms), rate, &mut out)
        }
        bins.finish(Nanos::millis(370), &mut out);
        let drawn: Vec<(u64, f64)> =
            out.iter().map(|s| (s.at.0 / 1_000_000, (s.used * 1000.0).round() / 1000.0)).collect();
        assert_eq!(drawn, [(0, 2.0), (100, 4.0), (300, 2.1), (400, 0.0)]);
    }
}
