//! Variants × seeds as data: input, runs and assumptions.
use crate::vary::Set;
use cluster::{Setting, Sheet, SystemData};
use page::{AssumedRow, Sentence};
use trace::reading::Reading;

/// A variant before its runs.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub set: Vec<Set>,
    /// The scenario with `set` applied.
    pub sheet: Sheet,
}

/// A variant with its runs.
#[derive(Clone, Debug)]
pub struct RowRuns {
    pub name: String,
    pub set: Vec<Set>,
    /// One per seed, in the same order for all variants.
    pub runs: Vec<SeedRun>,
}

#[derive(Clone, Debug)]
pub struct SeedRun {
    pub seed: u64,
    pub reading: Reading,
    /// Data of the system for its page.
    pub own: SystemData,
}

impl RowRuns {
    /// One value per seed; `None` if a run lacks it.
    pub fn values(&self) -> Option<Vec<f64>> {
        self.runs.iter().map(|run| run.reading.value).collect()
    }

    /// One value per seed; `None` if a run lacks it.
    pub fn metric(&self, name: &str) -> Option<Vec<f64>> {
        self.runs.iter().map(|run| run.reading.metrics.get(name).copied()).collect()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// Assumptions with an effect beyond chance, largest first.
    pub rows: Vec<AssumedRow>,
    /// How they were tested, which have no effect, and other defaults.
    pub note: Sentence,
    pub tried: Vec<AssumptionTrial>,
}

/// An assumed key with its runs at half and double; `None` if a value is invalid or runs are
/// missing.
#[derive(Clone, Debug)]
pub struct AssumptionTrial {
    pub setting: Setting,
    pub half: Option<RowRuns>,
    pub double: Option<RowRuns>,
}
