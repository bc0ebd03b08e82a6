//! An attempt was so slow that a speculative one was started beside it, and won.
//!
//! # What it looks at
//! Speculative attempts that succeeded, and the slow ones that were killed for them.
//!
//! # The bound
//! The job with that task as fast as its like from the start.
//!
//! # What to do
//! Nothing for this job: the second attempt was the cure. Look at the disks, cores and NIC of the
//! node that ran the slow one.
//!
//! # What would confirm it
//! Curves or logs of the node that ran the slow attempt.
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, interval, middle, s};
use trace::Outcome;

/// The name of the cause.
const NAME: &str = "speculation";

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let won = |a: &&Attempt| a.speculative && a.outcome == Outcome::Ok;
    let pairs: Vec<(&Attempt, &Attempt)> = (view.job.attempts().filter(won))
        .filter_map(|twin| {
            let beside = view.job.tasks[twin.task].attempts.iter();
            let slow = beside.filter(|a| a.outcome == Outcome::Killed && a.run.is_some());
            slow.max_by(|a, b| a.took().total_cmp(&b.took())).map(|slow| (twin, slow))
        })
        .collect();
    let longest = pairs.iter().max_by(|a, b| a.1.took().total_cmp(&b.1.took()));
    let Some((twin, slow)) = longest else { return Vec::new() };
    let usual = [view.good("MAP"), view.good("REDUCE")].map(|all| middle(&all, |a| view.work(a)));
    let quick = |a: &Attempt, work: f64| {
        let pair = pairs.iter().find(|(twin, _)| twin.task == a.task);
        match pair {
            Some((twin, _)) if twin.name == a.name => None,
            Some(_) => Some(work.min(usual[usize::from(a.kind == "REDUCE")])),
            None => Some(work),
        }
    };
    let task = view.task(slow);
    let what = format!(
        "{task} ran for {} on {} before a second attempt, {}, did it in {}",
        s(slow.took()),
        slow.host,
        twin.host,
        s(twin.took())
    );
    let gain = view.gain(&quick);
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("an attempt that lost to its twin: {what}"),
        holder: what.clone(),
        gain,
        bound: gain.max(view.on_path(&quick)),
        certainty: "high",
        surer: "node curves of that node (sadf -j, or tenbin monitor)",
        cure: Cure::new(format!("Look at the disks, cores and NIC of {}", slow.host), ""),
        tasks: pairs.iter().map(|(twin, _)| twin.task).collect(),
        evidence: vec![interval("starts and ends of attempts", what)],
    };
    vec![found.verdict(view)]
}
