//! Queue sharing: busy time of each resource.
//!
//! The transport does not report what limited a copy that broke off or was cut at the end of the
//! run. The busiest resource on its path during the copy is taken as the limit.
use engine::Nanos;

/// Per resource, from the start of the run to the last report.
#[derive(Default)]
pub(super) struct BusyTimes {
    sums: Vec<Nanos>,
}

impl BusyTimes {
    pub(super) fn add(&mut self, resource: u32, busy: Nanos) {
        let place = resource as usize;
        if place >= self.sums.len() {
            self.sums.resize(place + 1, Nanos::ZERO)
        }
        self.sums[place] += busy
    }

    pub(super) fn busy_time(&self, resource: u32) -> Nanos {
        self.sums.get(resource as usize).copied().unwrap_or(Nanos::ZERO)
    }

    /// The resource busiest since an earlier moment, given the busy times then; on ties the
    /// first. `None` without resources.
    pub(super) fn busiest(&self, before: &[(u32, Nanos)]) -> Option<u32> {
        let since = |&(resource, then): &(u32, Nanos)| (self.busy_time(resource) - then, resource);
        let worked = before.iter().map(since);
        worked.rev().max_by_key(|&(time, _)| time).map(|(_, resource)| resource)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_worked_since_counts() {
        let (mut busy, s) = (BusyTimes::default(), Nanos::secs);
        busy.add(1, s(7));
        busy.add(4, s(1));
        let before = [9, 1, 4].map(|resource| (resource, busy.busy_time(resource)));
        busy.add(1, s(1));
        busy.add(4, s(3));
        assert_eq!(before.map(|(_, time)| time), [s(0), s(7), s(1)]);
        assert_eq!(busy.busiest(&before), Some(4), "3 s, where 1 worked 1 s");
        assert_eq!(busy.busiest(&before[..1]), Some(9), "nothing is known of any");
        assert_eq!(busy.busiest(&[]), None);
    }
}
