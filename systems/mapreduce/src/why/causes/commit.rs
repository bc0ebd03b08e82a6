//! The job committed its output for long.
//!
//! # What it looks at
//! The end of the last task to the end of the job.
//!
//! # The bound
//! That time. `mapreduce.fileoutputcommitter.algorithm.version` 1 moves each file in the master.
use super::super::path::Is;
use super::super::verdicts::Verdict;
use super::Found;
use super::view::View;

/// The name of the cause.
const NAME: &str = "job commit";

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (gain, evidence) = view.steps(&[Is::Commit]);
    let found = Found {
        cause: NAME,
        by: "the commit of its output".into(),
        holder: "the output committer".into(),
        gain,
        bound: gain,
        logged: true,
        certainty: "high",
        evidence,
        ..Found::default()
    };
    if gain > 0.0 { vec![found.verdict(view)] } else { Vec::new() }
}
