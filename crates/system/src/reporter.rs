//! The text and figures of a page. A system adds what only it knows; the rest is common.
use crate::advice::{Advice, Price, Relief};
use crate::assumed::Assumptions;
use crate::figures::Figures;
use crate::lab::{RowRuns, SeedRun};
use crate::measured::MeasuredRates;
pub use crate::report::page;
pub use crate::value_text::{direction, figure, hue, stall, with_noun, word};
pub(crate) use crate::value_text::{interval, measured};
use crate::vary::Set;
use cluster::Sheet;
use page::words::one_of;
use page::{Page, Section, Sentence, say};
use serde_json::{Map, Value};
use trace::Trace;
use trace::reading::{Hotspot, Reading};

/// Finished variants and further data for a page.
pub struct Case<'a> {
    /// The scenario of the first variant.
    pub sheet: &'a Sheet,
    pub sets: &'a [Set],
    pub rows: &'a [RowRuns],
    pub figures: &'a [Figures],
    /// Trace of the first variant's first run.
    pub trace: &'a Trace,
    pub trace_hash: u128,
    /// Effect of assumed values at half and double.
    pub assumed: Assumptions,
    pub advice: Advice,
    /// Time of the first run's threads; `None` if it used one.
    pub parallel: Option<page::Threads>,
}

impl Case<'_> {
    /// First run of the first variant.
    pub fn now(&self) -> &Reading {
        &self.rows[0].runs[0].reading
    }

    /// "now, seed 1": the run that charts show. A log has no seed.
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

    /// Mean over the seeds of the first variant; 0 if a run lacks it.
    pub fn metric(&self, name: &str) -> f64 {
        self.figures[0].metrics.get(name).map_or(0.0, |stat| stat.mean)
    }

    /// An objective's value with its unit.
    pub fn value(&self, value: f64) -> String {
        page::Unit::from(self.now().objective.unit.as_str()).write(value)
    }

    /// With its noun: "326 writes/s", "41.3 s makespan".
    pub fn with_noun(&self, value: f64) -> String {
        with_noun(&self.now().objective, value)
    }
}

/// A system's part of a page.
pub trait Reporter: Sync {
    /// One sentence with one number, about the present scenario.
    fn verdict(&self, case: &Case<'_>) -> Sentence;

    /// Size of the scenario in short phrases; by default the keys with row names.
    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let keys = case.sheet.vocabulary().all().filter(|key| !key.row.is_empty());
        let keys = keys.filter(|key| case.sheet.find(key.name).is_some());
        keys.map(|key| say(fact(key.row, case.sheet.text(key.name)))).collect()
    }

    /// Follows the verdict and does not repeat it.
    fn subtitle(&self, _case: &Case<'_>) -> Sentence {
        Sentence::default()
    }

    /// First sentence below the verdict: idle nodes next to busy ones, and which change would use
    /// them ([`crate::idle`]).
    fn idle(&self, _case: &Case<'_>) -> Sentence {
        Sentence::default()
    }

    /// Follows the verdict: a time without completed operations. Empty if the verdict begins with
    /// it.
    fn stall(&self, case: &Case<'_>) -> Sentence {
        stall(case.now())
    }

    /// Metrics that a change may make worse, in addition to the objective.
    fn prices(&self) -> &'static [Price] {
        &[]
    }

    /// Bottlenecks (a setting by its key), with the fraction of time (0–1) that a replay of the
    /// trace saves without each.
    fn savings(&self, _case: &Case<'_>) -> Vec<(String, f64)> {
        Vec::new()
    }

    /// Relief for a disk, link or node far busier than others of its kind, other than a setting.
    fn relief(&self, _case: &Case<'_>, _hot: &Hotspot) -> Option<Relief> {
        None
    }

    /// Rates that the input measured, with the model's; `None`: it measured none.
    fn measured(&self, _sheet: &Sheet, _runs: &[SeedRun]) -> Option<MeasuredRates> {
        None
    }

    /// Sections of this system, below the curves and shares.
    fn sections(&self, _case: &Case<'_>) -> Vec<Section> {
        Vec::new()
    }

    /// Adds pages of tasks, own data to those of racks and nodes ([`crate::fleet`]), and remarks
    /// about the input.
    fn pages(&self, _case: &Case<'_>, page: Page) -> Page {
        page
    }

    /// Additional keys for `--json`; they override common keys of the same name.
    fn extra_json(&self, _of: JsonScope<'_>) -> Map<String, Value> {
        Map::new()
    }
}

/// Object of [`Reporter::extra_json`].
#[derive(Clone, Copy)]
pub enum JsonScope<'a> {
    Scenario(&'a Sheet),
    Row(&'a RowRuns),
    Run(&'a SeedRun),
}

/// The verdict as plain text, for `--json`.
pub(crate) fn headline(page: &Page) -> Value {
    page::words::spaces(page::plain(&page.head.verdict).trim_end()).into()
}

pub(crate) fn extra_json(mut object: Value, words: &dyn Reporter, of: JsonScope<'_>) -> Value {
    if let Value::Object(all) = &mut object {
        all.extend(words.extra_json(of))
    }
    object
}

/// "8 clients", "1 client": a key's row text with its value.
fn fact(row: &str, value: &str) -> String {
    match row.strip_prefix("{} ") {
        Some(many) if value == "1" => format!("1 {}", one_of(many)),
        _ => row.replace("{}", value),
    }
}
