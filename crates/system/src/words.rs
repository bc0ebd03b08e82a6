//! What a result means, in words and pictures. A system says what only it knows; the rest of the
//! page is the same for all.
use crate::advice::{Advice, Price, Relief};
use crate::assumed::Assumptions;
use crate::figures::Figures;
use crate::lab::{RowRuns, SeedRun};
use crate::measured::Measured;
pub use crate::report::page;
pub use crate::spoken::{direction, figure, hue, spoken, stall, word};
pub(crate) use crate::spoken::{interval, measured};
use crate::vary::Set;
use cluster::Sheet;
use page::words::one_of;
use page::{Page, Section, Sentence, say};
use serde_json::{Map, Value};
use trace::Trace;
use trace::reading::{Hot, Reading};

/// Rows that have been run, with all that a page may need of them.
pub struct Case<'a> {
    /// The scenario as it stands: the first row.
    pub sheet: &'a Sheet,
    pub sets: &'a [Set],
    pub rows: &'a [RowRuns],
    pub figures: &'a [Figures],
    /// The trace of the first row's first run.
    pub trace: &'a Trace,
    pub trace_hash: u128,
    /// What no input says, at half and double.
    pub assumed: Assumptions,
    /// Which change is worth following, of all that were simulated.
    pub advice: Advice,
    /// Where the time of the first run's threads went, where it was shared out to several.
    pub parallel: Option<page::Threads>,
}

impl Case<'_> {
    /// The first row's first run.
    pub fn now(&self) -> &Reading {
        &self.rows[0].runs[0].reading
    }

    /// "now, seed 1": which run pictures show. What was logged has no seed.
    pub fn first_run(&self) -> String {
        let RowRuns { name, runs, .. } = &self.rows[0];
        match self.is_logged() {
            true => name.clone(),
            false => format!("{name}, seed {}", runs[0].seed),
        }
    }

    pub(crate) fn is_logged(&self) -> bool {
        self.trace.about("origin") == Some("logged")
    }

    /// A metric of the first row, mean over seeds; 0 where a run has none.
    pub fn metric(&self, name: &str) -> f64 {
        self.figures[0].metrics.get(name).map_or(0.0, |stat| stat.mean)
    }

    /// The objective's value as sentences write it.
    pub fn value(&self, value: f64) -> String {
        page::Unit::from(self.now().objective.unit.as_str()).write(value)
    }

    /// The same with what it counts: "326 writes/s", "41.3 s makespan".
    pub fn spoken(&self, value: f64) -> String {
        spoken(&self.now().objective, value)
    }
}

/// What a system says of its results.
pub trait Words: Sync {
    /// One sentence with one number, of the scenario as it stands.
    fn verdict(&self, case: &Case<'_>) -> Sentence;

    /// Who, how many: a few words each; by default the keys whose rows have names.
    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let keys = case.sheet.vocabulary().all().filter(|key| !key.row.is_empty());
        let keys = keys.filter(|key| case.sheet.find(key.name).is_some());
        keys.map(|key| say(fact(key.row, case.sheet.text(key.name)))).collect()
    }

    /// Below the verdict: what it does not contain.
    fn sub(&self, _case: &Case<'_>) -> Sentence {
        Sentence::default()
    }

    /// The first finding below the verdict: who is idle next to busy nodes, and what would use
    /// them ([`crate::idle`]).
    fn idle(&self, _case: &Case<'_>) -> Sentence {
        Sentence::default()
    }

    /// After the verdict: a time in which nothing ended. A system whose verdict begins with it says
    /// nothing here.
    fn stall(&self, case: &Case<'_>) -> Sentence {
        stall(case.now())
    }

    /// Measures besides the objective that a change may make worse: its price.
    fn prices(&self) -> &'static [Price] {
        &[]
    }

    /// Holders (a setting by its key), and the part of the time (0–1) that a replay of the trace
    /// saves without each.
    fn gains(&self, _case: &Case<'_>) -> Vec<(String, f64)> {
        Vec::new()
    }

    /// What relieves the one disk, link or node that carries far more than its like, besides a
    /// setting.
    fn relief(&self, _case: &Case<'_>, _hot: &Hot) -> Option<Relief> {
        None
    }

    /// What the scenario's input measured, beside what the runs give; `None`: it measured nothing.
    fn measured(&self, _sheet: &Sheet, _runs: &[SeedRun]) -> Option<Measured> {
        None
    }

    /// Pictures that only this system has, below the curves and shares.
    fn sections(&self, _case: &Case<'_>) -> Vec<Section> {
        Vec::new()
    }

    /// The page with those below it, of racks, nodes and tasks, and with what has to be said of
    /// its input.
    fn pages(&self, _case: &Case<'_>, page: Page) -> Page {
        page
    }

    /// What `--json` says besides; it stands in place of what all systems say under its names.
    fn more(&self, _of: More<'_>) -> Map<String, Value> {
        Map::new()
    }
}

/// What more is to be said of.
#[derive(Clone, Copy)]
pub enum More<'a> {
    Scenario(&'a Sheet),
    /// A row of a comparison.
    Row(&'a RowRuns),
    /// The figures of one run.
    Run(&'a SeedRun),
}

/// An object with what a system says besides.
pub(crate) fn more(mut object: Value, words: &dyn Words, of: More<'_>) -> Value {
    if let Value::Object(all) = &mut object {
        all.extend(words.more(of))
    }
    object
}

/// "8 clients", "1 client": a row's words with the key's value.
fn fact(row: &str, value: &str) -> String {
    match row.strip_prefix("{} ") {
        Some(many) if value == "1" => format!("1 {}", one_of(many)),
        _ => row.replace("{}", value),
    }
}
