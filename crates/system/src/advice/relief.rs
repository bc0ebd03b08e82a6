//! A disk, link or node far busier than others of its kind: more of them do not relieve it.
use crate::rows::{RowRuns, SeedRun};
use cluster::keys::Change;
use trace::reading::Hotspot;

/// Smallest share of the waiting time for advice about a hot resource.
const WORTH: f64 = 0.2;

/// The hottest resource, if it holds at least `WORTH`.
pub(super) fn hot(runs: &RowRuns) -> Option<&Hotspot> {
    runs.runs.first()?.reading.hotspots.first().filter(|hot| hot.held >= WORTH)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relief {
    pub words: String,
    /// Argument of `compare --vary` that shows it: "workload.start=cold,warm".
    pub vary: Option<String>,
}

/// Name of the hot resource if the variant buys hardware and its kind stays hot in every run.
pub(super) fn stays(now: &RowRuns, then: &RowRuns, changes: &[Change]) -> Option<String> {
    let hot = hot(now)?;
    let still = |run: &SeedRun| run.reading.hotspots.iter().any(|one| one.kind == hot.kind);
    let stays = changes.contains(&Change::Bought) && then.runs.iter().all(still);
    stays.then(|| hot.name.clone())
}
