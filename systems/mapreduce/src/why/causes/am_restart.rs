//! The application master (AM) ended early and was started again.
//!
//! # What it looks at
//! Starts of AMs after the first, and the last event of an attempt before each.
//!
//! # The bound
//! From that event to the AM's start. Attempts that ran in between were lost, too.
//!
//! # What to do
//! See why in the log of the AM that ended. Give it more memory
//! (`yarn.app.mapreduce.am.resource.mb`) if it ran out.
//!
//! # What would confirm it
//! The log of the AM that ended (`yarn logs`), and the ResourceManager's log of that attempt. If it
//! ran out of memory, the log says so (`yarn.app.mapreduce.am.resource.mb`).
use super::rule::{Finding, Rule, TimePart, interval};
use super::view::View;
use crate::plain::{count, duration};

pub(super) const RULE: Rule = Rule {
    name: "AM restart",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the log of the master that broke off",
    remedy: (
        "Give the master more memory, if its log reports a lack of it; else repair what that log \
         names",
        "yarn.app.mapreduce.am.resource.mb",
    ),
    source: include_str!("am_restart.rs"),
};

/// Times from the job's last event before each AM restart to that restart \[s\].
pub(super) fn gaps(view: &View<'_>) -> Vec<(f64, f64)> {
    let job = view.job;
    let of = |again: &f64| {
        let times = job.attempts().filter_map(|a| a.run).flat_map(|(from, to)| [from, to]);
        let before = times.filter(|at| at <= again).fold(job.begun, f64::max);
        (before, *again)
    };
    job.restarts.iter().map(of).collect()
}

fn find(view: &View<'_>) -> Option<Finding> {
    let gaps = gaps(view);
    let (before, again) = gaps.first()?;
    let gain: f64 = gaps.iter().map(|(from, to)| to - from).sum();
    let times = if gaps.len() == 1 { "once".into() } else { count(gaps.len(), "time") };
    let says = format!(
        "the last event of the previous attempt was at {}, the next master started at {}",
        duration(before - view.job.begun),
        duration(again - view.job.begun)
    );
    let found = Finding::new(
        format!("its application master, which broke off and restarted {times}"),
        format!("the application master restarted {times}, after {}", duration(gain)),
    );
    Some(found.logged(gain).with([interval("AM startTime", says)]))
}
