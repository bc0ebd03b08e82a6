//! Slow-start delayed reduces until enough maps were done.
//!
//! # What it looks at
//! `mapreduce.job.reduce.slowstart.completedmaps`, and the part of the critical path during which a
//! reduce waited for it.
//!
//! # The bound
//! That wait. Copies that start earlier may take longer.
//!
//! # What to do
//! A smaller `mapreduce.job.reduce.slowstart.completedmaps`, if containers are free while maps run.
//!
//! # What would confirm it
//! A run with a smaller `mapreduce.job.reduce.slowstart.completedmaps`.
use super::rule::{Finding, Rule, TimePart, steps};
use super::view::View;
use crate::import::conf::SLOW_START;
use crate::why::StepKind;

pub(super) const RULE: Rule = Rule {
    name: "slow-start",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "a run with an earlier start of the reduces",
    remedy: ("Let reduces start earlier, if containers are free while maps run", SLOW_START),
    source: include_str!("slow_start.rs"),
};

fn find(view: &View<'_>) -> Option<Finding> {
    let (gain, evidence) = steps(view, StepKind::SlowStart);
    Some(Finding::new("slow-start", SLOW_START).logged(gain).with(evidence))
}
