//! An attempt was so slow that a speculative one was started, and finished first.
//!
//! # What it looks at
//! Speculative attempts that succeeded, and the slow ones that were killed for them.
//!
//! # The bound
//! The job with that task as fast as others of its kind from the start.
//!
//! # What to do
//! Nothing for this job: the second attempt solved it. Check the disks, cores and NIC of the node
//! that ran the slow one.
//!
//! # What would confirm it
//! Curves or logs of the node that ran the slow attempt.
use super::rule::{Finding, Rule, TimePart, timed};
use super::view::View;
use crate::plain::duration;
use crate::why::{Attempt, Remedy};
use trace::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "speculation",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "high",
    confirm: "node curves of that node (sadf -j, or tenbin monitor)",
    remedy: ("", ""),
    source: include_str!("twin.rs"),
};

fn find(view: &View<'_>) -> Option<Finding> {
    let won = |a: &&Attempt| a.speculative && a.outcome == Outcome::Ok;
    let pairs: Vec<(&Attempt, &Attempt)> = (view.job.attempts().filter(won))
        .filter_map(|twin| {
            let beside = view.job.tasks[twin.task].attempts.iter();
            let slow = beside.filter(|a| a.outcome == Outcome::Killed && a.run.is_some());
            slow.max_by(|a, b| a.duration_s().total_cmp(&b.duration_s())).map(|slow| (twin, slow))
        })
        .collect();
    let (twin, slow) = pairs.iter().max_by(|a, b| a.1.duration_s().total_cmp(&b.1.duration_s()))?;
    let quick = |a: &Attempt, work: f64| match pairs.iter().find(|(twin, _)| twin.task == a.task) {
        Some((twin, _)) if twin.name == a.name => None,
        Some(_) => Some(work.min(view.median_work(&a.kind))),
        None => Some(work),
    };
    let what = format!(
        "{} ran for {} on {} before a second attempt, {}, did the work in {}",
        view.task(slow),
        duration(slow.duration_s()),
        slow.host,
        twin.host,
        duration(twin.duration_s())
    );
    let found = Finding::new(format!("an attempt slower than its duplicate: {what}"), &what)
        .without(view, &quick)
        .remedy(Remedy::new(format!("Check the disks, cores and NIC of {}", slow.host), ""))
        .tasks(pairs.iter().map(|(twin, _)| twin.task))
        .with([timed(what)]);
    Some(found)
}
