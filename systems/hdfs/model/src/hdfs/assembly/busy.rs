//! Queue sharing: how long each resource has been at work.
//!
//! A copy that came to its end tells where its chunks spent their time. Of one that broke off, or
//! that the end of the run cut, nothing is told: what was at work longest of all that it has to
//! pass held it up.
use engine::Nanos;

/// From the start of the run.
#[derive(Default)]
pub(super) struct Busy {
    /// By resource.
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Default)]
struct Row {
    /// Without the present stretch.
    sum: Nanos,
    since: Option<Nanos>,
}

impl Row {
    fn until(self, at: Nanos) -> Nanos {
        self.sum + self.since.map_or(Nanos::ZERO, |since| at - since)
    }
}

impl Busy {
    /// From now on it is at work, or is not.
    pub(super) fn set(&mut self, resource: u32, at: Nanos, works: bool) {
        let place = resource as usize;
        if place >= self.rows.len() {
            self.rows.resize(place + 1, Row::default())
        }
        let sum = self.rows[place].until(at);
        self.rows[place] = Row { sum, since: works.then_some(at) }
    }

    /// So long until now.
    pub(super) fn until(&self, resource: u32, at: Nanos) -> Nanos {
        self.rows.get(resource as usize).map_or(Nanos::ZERO, |row| row.until(at))
    }

    /// Of some resources, each with what was known of it before: what has been at work longest
    /// since; `None` if nothing has.
    pub(super) fn busiest(&self, before: &[(u32, Nanos)], at: Nanos) -> Option<u32> {
        let since = |&(resource, then): &(u32, Nanos)| (self.until(resource, at) - then, resource);
        let worked = before.iter().map(since).filter(|(time, _)| *time > Nanos::ZERO);
        worked.max_by_key(|&(time, resource)| (time, std::cmp::Reverse(resource))).map(|(_, r)| r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_worked_since_counts() {
        let (mut busy, s) = (Busy::default(), Nanos::secs);
        busy.set(1, s(0), true);
        busy.set(4, s(6), true);
        let before = [1, 4, 9].map(|resource| (resource, busy.until(resource, s(7))));
        busy.set(1, s(8), false);
        assert_eq!(before.map(|(_, time)| time), [s(7), s(1), s(0)]);
        assert_eq!(busy.busiest(&before, s(10)), Some(4), "3 s, where 1 worked 1 s");
        assert_eq!(busy.busiest(&before[2..], s(10)), None, "it has not worked at all");
    }
}
