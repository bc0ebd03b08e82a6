//! Where one disk, link or node carries far more than its like: more of them leave it as it is.
use super::tell::{command, gain};
use super::weigh::{Advice, Candidate};
use crate::lab::RowRuns;
use crate::words::{Case, Words};
use analysis::advice::Fate;
use cluster::keys::Change;
use page::words::list;
use page::{Do, say};
use trace::reading::Hot;

/// A kind that holds up so much of what is waited is what advice is about.
const WORTH: f64 = 0.2;

/// The one that a run waits for, if there is one.
pub fn hot(runs: &RowRuns) -> Option<&Hot> {
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
    let still = |run: &crate::lab::SeedRun| run.reading.hot.iter().any(|one| one.kind == hot.kind);
    let stays = changes.contains(&Change::Bought) && then.runs.iter().all(still);
    stays.then(|| hot.name.clone())
}

/// What to do about it, where no setting gains anything.
pub(super) fn doing(words: &dyn Words, case: &Case<'_>) -> Option<Do> {
    let hot = hot(&case.rows[0])?;
    let Relief { words, vary } = words.relief(case, hot).unwrap_or_else(|| Relief {
        words: "What lies on it has to be spread over the others, or it has to be faster.".into(),
        vary: None,
    });
    let more = format!("{}{words}", more_of_them(case));
    let command = vary.map(|vary| format!("{} --vary {vary}", command(case, "compare", &[])));
    let point = say("Relieve ").strong(hot.name.clone()).say(": no setting that was tried does.");
    Some(Do { point: point.done(), more: say(more).done(), command })
}

/// "More of its kind leave it as it is: 256 servers (261 685 more). "
fn more_of_them(case: &Case<'_>) -> String {
    let advice: &Advice = &case.advice;
    let gains = |one: &&Candidate| one.stays.is_some() && one.fate == Fate::Gains;
    let one = |one: &Candidate| {
        let by = one.against().map_or(String::new(), |by| gain(&case.now().objective, &by));
        format!("{} ({by})", one.figures.name)
    };
    let all: Vec<String> = advice.candidates.iter().filter(gains).map(one).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("More of its kind leave it as it is: {}. ", list(&all)),
    }
}
