//! Rows × seeds as data: what is run, what came of it, and what was assumed.
use crate::vary::Set;
use cluster::{Own, Setting, Sheet};
use page::{AssumedRow, Sentence};
use trace::reading::Reading;

/// A row to be run.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub set: Vec<Set>,
    /// The scenario with that set.
    pub sheet: Sheet,
}

/// A row that has been run.
#[derive(Clone, Debug)]
pub struct RowRuns {
    pub name: String,
    pub set: Vec<Set>,
    /// One a seed, in the same order for all rows.
    pub runs: Vec<SeedRun>,
}

/// One run of a row.
#[derive(Clone, Debug)]
pub struct SeedRun {
    pub seed: u64,
    pub reading: Reading,
    /// What its system keeps of it for its page.
    pub own: Own,
}

impl RowRuns {
    /// The objective seed by seed, if every run has one.
    pub fn values(&self) -> Option<Vec<f64>> {
        self.runs.iter().map(|run| run.reading.value).collect()
    }

    /// A metric seed by seed, if every run has it.
    pub fn metric(&self, name: &str) -> Option<Vec<f64>> {
        self.runs.iter().map(|run| run.reading.metrics.get(name).copied()).collect()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// What matters beyond chance, the most first.
    pub rows: Vec<AssumedRow>,
    /// How it was found out, what does no more than chance, and what else no file says.
    pub note: Sentence,
    pub tried: Vec<Tried>,
}

/// An assumed key, and the runs at other values; `None` where there are none, or not all.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The key with its value.
    pub setting: Setting,
    pub half: Option<RowRuns>,
    pub double: Option<RowRuns>,
}
