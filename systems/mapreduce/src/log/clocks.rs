//! Offsets of nodes' clocks. Starts and ends of attempts are logged with the AM's clock, ends of
//! phases with the node's. A phase ends within its attempt, which bounds the offset. Hadoop 1
//! differs: see `trackers`.
use super::trackers::ClockOffset;
use crate::import::history::{Job, Node};
use crate::plain::duration;
use std::borrow::Cow;
use std::collections::BTreeMap;
use trace::{Clock, NodeId};

/// Lower and upper bound of how far a node's clock is ahead \[ms\].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Clocks {
    bounds: BTreeMap<Node, (i64, i64)>,
    /// TaskTrackers whose times are already corrected.
    shifted: BTreeMap<Node, ClockOffset>,
}

impl Clocks {
    /// Narrows the bounds by a job's attempts.
    pub fn narrow_bounds(&mut self, job: &Job) {
        for attempt in job.attempts.values() {
            let (Some(node), Some(start), Some(end)) =
                (&attempt.node, attempt.start, attempt.finish)
            else {
                continue;
            };
            let phases = [attempt.map_finish, attempt.shuffle_finish, attempt.sort_finish];
            for phase in phases.into_iter().flatten() {
                let bounds = self.bounds.entry(node.clone()).or_insert((i64::MIN, i64::MAX));
                *bounds = (bounds.0.max(phase - end), bounds.1.min(phase - start))
            }
        }
    }

    /// How far a node's clock is ahead \[ms\]: the value within the bounds nearest to 0. `None`: no
    /// bounds, or they contradict each other because the clock was set.
    pub fn offset(&self, node: &Node) -> Option<i64> {
        let (low, high) = *self.bounds.get(node)?;
        (low <= high).then(|| 0.clamp(low, high))
    }

    /// Records offsets that were already subtracted from the times of these nodes.
    pub(super) fn add_shifts(&mut self, ahead: BTreeMap<Node, ClockOffset>) {
        self.shifted.extend(ahead)
    }

    /// All estimates by node, each as a function that makes its trace row.
    pub fn estimates(&self) -> Vec<(Node, impl Fn(NodeId) -> Clock + use<>)> {
        let phases = self.bounds.iter().filter_map(|(node, (low, high))| {
            let offset = self.offset(node).filter(|_| !self.shifted.contains_key(node))?;
            Some((node, ClockOffset { offset, low: *low, high: *high }))
        });
        let shifted = self.shifted.iter().map(|(node, ahead)| (node, *ahead));
        let of = |(node, ahead): (&Node, ClockOffset)| {
            let ns = |ms: i64| ms.saturating_mul(1_000_000);
            let (offset, low, high) = (ns(ahead.offset), ns(ahead.low), ns(ahead.high));
            (node.clone(), move |node| Clock { node, offset, low, high })
        };
        let mut all: Vec<(Node, _)> = phases.chain(shifted).map(of).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }
}

/// Corrects the submission, which has the ResourceManager's clock; other times have the AM's. If
/// the AM starts before the submission, the submission moves to that start.
pub(super) fn by_master(job: &Job) -> (Cow<'_, Job>, Option<String>) {
    let behind = job.submit.zip(job.am_start).map(|(submit, start)| submit - start);
    let Some(behind) = behind.filter(|behind| *behind > 0) else {
        return (Cow::Borrowed(job), None);
    };
    let by = duration(behind as f64 / 1e3);
    let note = format!(
        "the clock of the application master's node is at least {by} behind the ResourceManager's: \
         the master's start counts as the job's submission"
    );
    let mut job = job.clone();
    job.submit = job.am_start;
    (Cow::Owned(job), Some(note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::history::Attempt;

    fn job(node: &str, phases: &[(i64, i64, i64)]) -> Job {
        let mut job = Job::default();
        for (place, (start, phase, end)) in phases.iter().enumerate() {
            let attempt = Attempt {
                start: Some(*start),
                finish: Some(*end),
                map_finish: Some(*phase),
                node: Some((node.into(), 1)),
                ..Attempt::default()
            };
            job.attempts.insert(place.to_string(), attempt);
        }
        job
    }

    #[test]
    fn an_injected_skew_is_found_within_its_bounds() {
        // True ends of phases at 900 and 1 950; the node's clock is 5 000 ms ahead.
        let mut clocks = Clocks::default();
        clocks.narrow_bounds(&job("n", &[(0, 5_900, 1_000), (1_000, 6_950, 2_000)]));
        let node = ("n".to_string(), 1);
        assert_eq!(clocks.offset(&node), Some(4_950), "low: 5 900 − 1 000 and 6 950 − 2 000");
        let (_, clock) = clocks.estimates().remove(0);
        let clock = clock(NodeId::of(0));
        assert!(clock.low <= 5_000_000_000 && 5_000_000_000 <= clock.high, "{clock:?}");
    }

    #[test]
    fn no_phase_and_contradictions_are_not_estimable() {
        let mut clocks = Clocks::default();
        clocks.narrow_bounds(&job("set", &[(0, 5_000, 1_000), (0, 500, 1_000)]));
        assert_eq!(clocks.offset(&("set".into(), 1)), None);
        assert_eq!(clocks.offset(&("unseen".into(), 1)), None);
        clocks.narrow_bounds(&job("right", &[(0, 500, 1_000)]));
        assert_eq!(clocks.offset(&("right".into(), 1)), Some(0), "0 where that is possible");
    }
}
