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
use super::super::path::Is;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::View;

/// The name of the cause.
const NAME: &str = "job commit";

/// What every job takes \[s\].
const USUAL: f64 = 1.0;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (bound, evidence) = view.steps(&[Is::Commit]);
    let found = Found {
        cause: NAME,
        by: "the commit of its output".into(),
        holder: "the output committer".into(),
        gain: (bound - USUAL).max(0.0),
        bound,
        logged: true,
        certainty: "high",
        surer: "the application master's log, from the last task on",
        cure: Cure::new(
            "Let tasks move their own outputs (2), or use the object store's own committer; write \
             fewer files. With 2 a job that fails leaves part of its output visible",
            "mapreduce.fileoutputcommitter.algorithm.version",
        ),
        evidence,
        ..Found::default()
    };
    if bound > 0.0 { vec![found.verdict(view)] } else { Vec::new() }
}
