//! Where one disk, link or node carries far more than its like: more of them leave it as it is.
use crate::rows::{RowRuns, SeedRun};
use cluster::keys::Change;
use trace::reading::Hot;

/// A kind that holds up so much of what is waited is what advice is about.
const WORTH: f64 = 0.2;

/// The one that a run waits for, if there is one.
pub(super) fn hot(runs: &RowRuns) -> Option<&Hot> {
    runs.runs.first()?.reading.hot.first().filter(|hot| hot.held >= WORTH)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relief {
    /// In a sentence or two.
    pub words: String,
    /// What a comparison varies to show it: "workload.start=cold,warm".
    pub vary: Option<String>,
}

/// Of a row that buys more of what there is: the name of the one that stays as it is then.
pub(super) fn stays(now: &RowRuns, then: &RowRuns, changes: &[Change]) -> Option<String> {
    let hot = hot(now)?;
    let still = |run: &SeedRun| run.reading.hot.iter().any(|one| one.kind == hot.kind);
    let stays = changes.contains(&Change::Bought) && then.runs.iter().all(still);
    stays.then(|| hot.name.clone())
}
