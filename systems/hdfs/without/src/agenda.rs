//! Future events by time; events of one time come in the order they were put.
use std::collections::BTreeMap;
use units::Nanos;

pub struct Agenda<T> {
    all: BTreeMap<(Nanos, u64), T>,
    number: u64,
}

impl<T> Agenda<T> {
    pub fn new() -> Agenda<T> {
        Agenda { all: BTreeMap::new(), number: 0 }
    }

    pub fn put(&mut self, at: Nanos, what: T) {
        self.number += 1;
        self.all.insert((at, self.number), what);
    }

    pub fn next(&self) -> Option<Nanos> {
        self.all.first_key_value().map(|((at, _), _)| *at)
    }

    pub fn take(&mut self, now: Nanos) -> Option<T> {
        let entry = self.all.first_entry().filter(|entry| entry.key().0 <= now)?;
        Some(entry.remove())
    }
}

/// The first time after `now` that is a whole number of periods from `some`.
pub fn after(now: Nanos, some: Nanos, period: Nanos) -> Nanos {
    let (next, period) = (now.0 + 1, period.0.max(1));
    Nanos(next + (some.0 % period + period - next % period) % period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_moment_lies_whole_periods_from_another() {
        for (now, some, period, next) in
            [(0, 7, 3, 1), (1, 7, 3, 4), (5, 1, 3, 7), (9, 9, 1, 10), (4, 100, 10, 10)]
        {
            assert_eq!(after(Nanos(now), Nanos(some), Nanos(period)), Nanos(next), "{now} {some}")
        }
    }
}
