//! Rejected peers as log lines for the operator, limited in number.
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// After this time a repeated reason is logged again.
const WINDOW: Duration = Duration::from_secs(60);
const LINES: usize = 20;
/// Distinct refusals kept until the next look; others are only counted.
const MOST_KEPT: usize = 64;

/// (address, reason).
type Refusal = (String, String);

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RefusedPeers {
    times: BTreeMap<Refusal, u64>,
    others: u64,
}

impl RefusedPeers {
    pub(crate) fn note(&mut self, who: &str, why: &str) {
        self.add((who.into(), why.into()), 1)
    }

    fn add(&mut self, refusal: Refusal, times: u64) {
        match self.times.len() < MOST_KEPT || self.times.contains_key(&refusal) {
            true => *self.times.entry(refusal).or_default() += times,
            false => self.others += times,
        }
    }

    pub(crate) fn join(&mut self, other: RefusedPeers) {
        self.others += other.others;
        other.times.into_iter().for_each(|(refusal, times)| self.add(refusal, times))
    }

    pub fn count(&self) -> u64 {
        self.others + self.times.values().sum::<u64>()
    }
}

#[derive(Default)]
pub(crate) struct Refusals {
    since: Duration,
    said: BTreeSet<Refusal>,
    withheld: RefusedPeers,
}

impl Refusals {
    /// Lines to log now, for the rejections since the last call.
    pub(crate) fn lines(&mut self, now: Duration, refused: RefusedPeers) -> Vec<String> {
        let mut lines = Vec::new();
        if now >= self.since + WINDOW {
            for ((who, why), times) in &self.withheld.times {
                lines.push(format!("refused {who}: {why} ({times} more within a minute)"))
            }
            if self.withheld.others > 0 {
                lines.push(format!("refused {} others within a minute", self.withheld.others))
            }
            *self = Refusals { since: now, ..Refusals::default() }
        }
        self.withheld.others += refused.others;
        for ((who, why), mut times) in refused.times {
            let refusal = (who.clone(), why.clone());
            let is_known = self.said.contains(&refusal);
            if !is_known && self.said.len() >= LINES {
                self.withheld.others += times;
                continue;
            }
            if self.said.insert(refusal.clone()) {
                lines.push(format!("refused {who}: {why}"));
                times -= 1
            }
            if times > 0 {
                self.withheld.add(refusal, times)
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_said_once_a_minute_and_never_much() {
        let mut refusals = Refusals::default();
        let of = |times: u64, why: &str| {
            let mut refused = RefusedPeers::default();
            (0..times).for_each(|_| refused.note("10.0.0.9", why));
            refused
        };
        let at = Duration::from_secs;
        assert_eq!(refusals.lines(at(0), of(1, "no key")), ["refused 10.0.0.9: no key"]);
        assert!(refusals.lines(at(59), of(2872, "no key")).is_empty());
        let again = refusals.lines(at(60), of(1, "no key"));
        let more = "refused 10.0.0.9: no key (2872 more within a minute)";
        assert_eq!(again, [more, "refused 10.0.0.9: no key"]);
        let mut many = RefusedPeers::default();
        (0..1000).for_each(|nth| many.note("h", &nth.to_string()));
        assert_eq!((many.count(), many.times.len()), (1000, MOST_KEPT));
        assert_eq!(refusals.lines(at(61), many).len(), LINES - 1);
        let rest = refusals.lines(at(200), RefusedPeers::default());
        assert_eq!(rest, ["refused 981 others within a minute"]);
    }
}
