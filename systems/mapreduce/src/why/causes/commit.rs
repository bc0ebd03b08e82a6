//! The commit of the job's output took long.
//!
//! # What it looks at
//! From the end of the last task to the end of the job.
//!
//! # The bound
//! That time. The estimate subtracts 1 s, which every job needs.
//!
//! # What to do
//! With `mapreduce.fileoutputcommitter.algorithm.version = 1` the AM moves the files one after the
//! other. With 2 tasks move their own files, but a failed job leaves part of its output visible. On
//! an object store a move is a copy: use the store's own committer
//! (`mapreduce.outputcommitter.factory.scheme.s3a`). Fewer and larger output files always help.
//!
//! # What would confirm it
//! The AM's log after the last task, and the NameNode's audit log of that time.
use super::rule::{Finding, Rule, TimePart, steps};
use super::view::View;
use crate::why::StepKind;

pub(super) const RULE: Rule = Rule {
    name: "job commit",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the application master's log, from the last task on",
    remedy: (
        "Let tasks move their own outputs (2), or use the object store's own committer; write \
         fewer files. With 2, a failed job leaves part of its output visible",
        "mapreduce.fileoutputcommitter.algorithm.version",
    ),
    source: include_str!("commit.rs"),
};

/// Every job needs this \[s\].
const USUAL: f64 = 1.0;

fn find(view: &View<'_>) -> Option<Finding> {
    let (bound, evidence) = steps(view, StepKind::Commit);
    let found = Finding::new("the commit of its output", "the output committer");
    Some(found.logged((bound - USUAL).max(0.0)).at_most(bound).with(evidence))
}
