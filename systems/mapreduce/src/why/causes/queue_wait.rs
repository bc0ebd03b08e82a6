//! The job waited in its queue until its application master got a container.
//!
//! # What it looks at
//! Submission to the master's start. A master that starts at once takes some seconds; beyond half
//! a minute the queue had no room.
//!
//! # The bound
//! That time.
//!
//! # What to do
//! More of the queue for masters (`yarn.scheduler.capacity.maximum-am-resource-percent`), fewer
//! jobs at once, or another queue.
//!
//! # What would confirm it
//! The scheduler's page of that time: the queue's capacity, the user's limit, and what masters may
//! take of it (`yarn.scheduler.capacity.maximum-am-resource-percent`).
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, interval, s};
use crate::log::kinds;

/// The name of the cause.
const NAME: &str = "queue wait";

/// A master's container that takes longer was waited for \[s\].
const LONG: f64 = 30.0;

/// How long \[s\]; 0 where a master started as masters do.
pub(super) fn waited(view: &View<'_>) -> f64 {
    let part = |w: &&super::super::Phase| w.kind == kinds::interval::AM_CONTAINER;
    let all: f64 = view.job.waits.iter().filter(part).map(|w| w.length()).sum();
    if all >= LONG { all } else { 0.0 }
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let gain = waited(view);
    let queue = match view.job.queue.as_str() {
        "" => "its queue".to_string(),
        queue => format!("queue {queue}"),
    };
    let found = Found {
        cause: NAME,
        by: format!("{queue}, in which it waited {} for its application master", s(gain)),
        holder: format!("{queue} had no room for the application master for {}", s(gain)),
        gain,
        bound: gain,
        logged: true,
        certainty: "high",
        surer: "the scheduler's page of that time: the queue's capacity and its masters",
        cure: Cure::new(
            "Let masters take more of the queue, or start it when fewer jobs run",
            "yarn.scheduler.capacity.maximum-am-resource-percent",
        ),
        evidence: vec![interval("submitTime, AM startTime", s(gain))],
        ..Found::default()
    };
    if gain > 0.0 { vec![found.verdict(view)] } else { Vec::new() }
}
