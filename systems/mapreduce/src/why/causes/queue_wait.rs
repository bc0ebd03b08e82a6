//! The job waited in its queue until its application master got a container.
//!
//! # What it looks at
//! The time from submission to the AM's start. Some seconds are normal. Above half a minute the
//! queue had no container free.
//!
//! # The bound
//! That time.
//!
//! # What to do
//! A larger share of the queue for AMs (`yarn.scheduler.capacity.maximum-am-resource-percent`),
//! fewer jobs at once, or another queue.
//!
//! # What would confirm it
//! The scheduler's page of that time: the queue's capacity, the user's limit, and the AMs' share of
//! the queue (`yarn.scheduler.capacity.maximum-am-resource-percent`).
use super::rule::{Finding, Rule, TimePart, interval};
use super::view::View;
use crate::log::kinds::interval::AM_CONTAINER;
use crate::plain::duration;

pub(super) const RULE: Rule = Rule {
    name: "queue wait",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the scheduler's page of that time: the queue's capacity and its masters",
    remedy: (
        "Let masters take more of the queue, or start the job when fewer run",
        "yarn.scheduler.capacity.maximum-am-resource-percent",
    ),
    source: include_str!("queue_wait.rs"),
};

/// Shorter starts of an AM are normal \[s\].
const LONG: f64 = 30.0;

/// Time \[s\]; 0 if the start was normal.
pub(super) fn queue_time(view: &View<'_>) -> f64 {
    let waits = view.job.waits.iter().filter(|wait| wait.kind == AM_CONTAINER);
    let all: f64 = waits.map(|wait| wait.length()).sum();
    if all >= LONG { all } else { 0.0 }
}

fn find(view: &View<'_>) -> Option<Finding> {
    let (gain, waited) = (queue_time(view), duration(queue_time(view)));
    let queue = match view.job.queue.as_str() {
        "" => "its queue".to_string(),
        queue => format!("queue {queue}"),
    };
    let found = Finding::new(
        format!("{queue}, in which it waited {waited} for its application master"),
        format!("{queue} had no capacity for the application master for {waited}"),
    );
    Some(found.logged(gain).with([interval("submitTime, AM startTime", waited)]))
}
