//! Queue sharing: how long each resource has worked.
//!
//! Of a copy that broke off, or that the end of the run cut, nobody says what limited it: what
//! worked longest meanwhile, of all that it has to pass, held it up.
use engine::Nanos;

/// From the start of the run, as far as the transport has said.
#[derive(Default)]
pub(super) struct Busy {
    sums: Vec<Nanos>,
}

impl Busy {
    pub(super) fn add(&mut self, resource: u32, busy: Nanos) {
        let place = resource as usize;
        if place >= self.sums.len() {
            self.sums.resize(place + 1, Nanos::ZERO)
        }
        self.sums[place] += busy
    }

    pub(super) fn so_far(&self, resource: u32) -> Nanos {
        self.sums.get(resource as usize).copied().unwrap_or(Nanos::ZERO)
    }

    /// Of some resources, each with what was known of it before: what has worked longest since, of
    /// several the first; `None` of none.
    pub(super) fn busiest(&self, before: &[(u32, Nanos)]) -> Option<u32> {
        let since = |&(resource, then): &(u32, Nanos)| (self.so_far(resource) - then, resource);
        let worked = before.iter().map(since);
        worked.rev().max_by_key(|&(time, _)| time).map(|(_, resource)| resource)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_worked_since_counts() {
        let (mut busy, s) = (Busy::default(), Nanos::secs);
        busy.add(1, s(7));
        busy.add(4, s(1));
        let before = [9, 1, 4].map(|resource| (resource, busy.so_far(resource)));
        busy.add(1, s(1));
        busy.add(4, s(3));
        assert_eq!(before.map(|(_, time)| time), [s(0), s(7), s(1)]);
        assert_eq!(busy.busiest(&before), Some(4), "3 s, where 1 worked 1 s");
        assert_eq!(busy.busiest(&before[..1]), Some(9), "nothing is known of any");
        assert_eq!(busy.busiest(&[]), None);
    }
}
