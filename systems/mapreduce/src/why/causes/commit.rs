//! The job committed its output for long.
//!
//! # What it looks at
//! The end of the last task to the end of the job.
//!
//! # The bound
//! That time; the estimate leaves 1 s of it, which every job takes.
//!
//! # What to do
//! `mapreduce.fileoutputcommitter.algorithm.version = 1` moves each file in the master, one after
//! the other; with 2 tasks move their own, and a job that fails leaves part of its output visible.
//! On an object store a move is a copy: its own committer
//! (`mapreduce.outputcommitter.factory.scheme.s3a`). Fewer and larger output files help in any
//! case.
//!
//! # What would confirm it
//! The application master's log, from the last task on; the NameNode's audit log of that time.
use super::rule::{Found, Rule, Takes, steps};
use super::view::View;
use crate::why::Is;

pub(super) const RULE: Rule = Rule {
    name: "job commit",
    takes: Takes::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the application master's log, from the last task on",
    cure: (
        "Let tasks move their own outputs (2), or use the object store's own committer; write \
         fewer files. With 2 a job that fails leaves part of its output visible",
        "mapreduce.fileoutputcommitter.algorithm.version",
    ),
    source: include_str!("commit.rs"),
};

/// What every job takes \[s\].
const USUAL: f64 = 1.0;

fn find(view: &View<'_>) -> Option<Found> {
    let (bound, evidence) = steps(view, Is::Commit);
    let found = Found::new("the commit of its output", "the output committer");
    Some(found.logged((bound - USUAL).max(0.0)).at_most(bound).with(evidence))
}
