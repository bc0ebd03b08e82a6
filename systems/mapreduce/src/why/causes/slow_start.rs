//! Reduces were held back until enough maps were done.
//!
//! # What it looks at
//! `mapreduce.job.reduce.slowstart.completedmaps`, and the part of the critical path on which a
//! reduce waited for it.
//!
//! # The bound
//! That wait; copies that begin earlier may take longer.
//!
//! # What to do
//! A smaller `mapreduce.job.reduce.slowstart.completedmaps`, where containers are left while maps
//! run.
//!
//! # What would confirm it
//! A run with a smaller `mapreduce.job.reduce.slowstart.completedmaps`.
use super::super::path::Is;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::View;

/// The name of the cause.
const NAME: &str = "slow-start";

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (gain, evidence) = view.steps(&[Is::SlowStart]);
    let key = crate::import::conf::SLOW_START;
    let found = Found {
        cause: NAME,
        by: "slow-start".into(),
        holder: key.into(),
        gain,
        bound: gain,
        logged: true,
        certainty: "high",
        surer: "a run with an earlier start of the reduces",
        cure: Cure::new("Let reduces start earlier, where containers are left while maps run", key),
        evidence,
        ..Found::default()
    };
    if gain > 0.0 { vec![found.verdict(view)] } else { Vec::new() }
}
