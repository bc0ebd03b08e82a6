//! Tasks waited for containers while the job had few of its own running.
//!
//! # What it looks at
//! Waits for containers on the critical path, and how many attempts of the job ran meanwhile.
//! Where as many ran as ever, the wait is a wave of the job's own and is not counted; where fewer
//! than 70 % of that ran, others had the containers, or there were none.
//!
//! # The bound
//! Those seconds.
//!
//! # What would confirm it
//! What else ran: import the histories of all jobs of that time (`tenbin import mapreduce DIR`).
use super::super::path::Is;
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, interval, s};

/// The name of the cause.
const NAME: &str = "container wait";

/// Below this part of the most that ever ran, the containers are not the job's own.
const OWN: f64 = 0.7;

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let most = view.shape.at_once as f64;
    let waits = view.path.iter().filter(|step| matches!(step.is, Is::Container | Is::Gap));
    let mut evidence = Vec::new();
    let mut gain = 0.0;
    for step in waits {
        let to = step.from + step.seconds;
        let seconds = view.shape.seconds_below(step.from, to, OWN * most);
        if seconds <= 0.0 {
            continue;
        }
        gain += seconds;
        let says = format!(
            "{}: {}, in {} of them the job ran fewer than {} of its {most} at once",
            step.what,
            s(step.seconds),
            s(seconds),
            super::view::part(OWN)
        );
        evidence.push(interval("critical path", says))
    }
    let found = Found {
        cause: NAME,
        by: "waiting for containers that it did not have itself".into(),
        holder: "YARN's scheduler, or a cluster that others fill".into(),
        gain,
        bound: gain,
        logged: true,
        certainty: "high",
        evidence,
        ..Found::default()
    };
    if gain > 0.0 { vec![found.verdict(view)] } else { Vec::new() }
}
