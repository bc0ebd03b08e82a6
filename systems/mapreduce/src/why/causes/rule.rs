//! A rule, and what it finds: a cause with its evidence.
use super::view::View;
use crate::plain::duration;
use crate::why::replay::Work;
use crate::why::{Attempt, Cure, Evidence, Is, Step, Verdict};

/// A cause that can hold a job up, and how it is found.
pub struct Rule {
    /// As `cause` names it.
    pub name: &'static str,
    pub(super) takes: Takes,
    /// Each finds one cause at most.
    pub(super) looks: &'static [fn(&View<'_>) -> Option<Found>],
    pub(super) certainty: &'static str,
    /// What would confirm it; "" where nothing would.
    pub(super) confirm: &'static str,
    /// What to do, and the property that does it; "" where each look has its own, or none helps.
    pub(super) cure: (&'static str, &'static str),
    /// Its file: the comment at its head is its page.
    pub(super) source: &'static str,
}

/// What of a job's time causes of a rule take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Runs,
    /// They are waits between runs, or take whole runs.
    Between,
}

impl Rule {
    /// What `tenbin explain` prints of it.
    pub fn page(&self) -> String {
        let lines = self.source.lines().take_while(|line| line.starts_with("//!"));
        let lines = lines.map(|line| line.trim_start_matches("//!").trim_start());
        lines.collect::<Vec<_>>().join("\n")
    }

    pub(super) fn verdicts(&self, view: &View<'_>) -> impl Iterator<Item = Verdict> {
        self.looks.iter().filter_map(|look| look(view)).map(|found| self.verdict(view, found))
    }

    pub(super) fn verdict(&self, view: &View<'_>, found: Found) -> Verdict {
        let or = |own: &'static str, rule| if own.is_empty() { rule } else { own };
        let share = (found.gain / view.whole).clamp(0.0, 1.0);
        let cure = match found.cure.is_none() {
            true => Cure::new(self.cure.0, self.cure.1),
            false => found.cure,
        };
        Verdict {
            cause: or(found.cause, self.name).into(),
            by: found.by,
            holder: found.holder,
            share,
            share_low: 0.0,
            share_high: (found.bound / view.whole).clamp(share, 1.0),
            evidence: found.evidence,
            certainty: or(found.certainty, self.certainty),
            surer: or(found.confirm, self.confirm),
            cure,
            within_runs: self.takes == Takes::Runs,
            tasks: found.tasks,
            ended_it: found.ended_it,
        }
    }
}

/// What a look at a job found. What is empty is as its rule has it.
#[derive(Default)]
pub(super) struct Found {
    /// After "was held up by".
    by: String,
    holder: String,
    /// What the job would gain \[s\].
    pub(super) gain: f64,
    /// What it would gain at most \[s\]; not less than `gain`.
    bound: f64,
    tasks: Vec<usize>,
    evidence: Vec<Evidence>,
    ended_it: bool,
    cause: &'static str,
    certainty: &'static str,
    confirm: &'static str,
    cure: Cure,
}

impl Found {
    /// What held the job up, after "was held up by", and alone.
    pub(super) fn new(by: impl Into<String>, holder: impl Into<String>) -> Found {
        Found { by: by.into(), holder: holder.into(), ..Found::default() }
    }

    /// The job would gain logged seconds.
    pub(super) fn logged(self, gain: f64) -> Found {
        Found { gain, bound: self.bound.max(gain), ..self }
    }

    /// The job would gain these seconds by a replay, give or take a tenth.
    pub(super) fn replayed(self, gain: f64) -> Found {
        Found { gain, bound: self.bound.max(1.1 * gain), ..self }
    }

    /// What a replay gains if attempts work no more than this; at most, runs on the path shrink so.
    pub(super) fn without(self, view: &View<'_>, work: &Work<'_>) -> Found {
        self.replayed(view.gain(work)).at_most(view.on_path(work))
    }

    /// It would gain no more than these seconds, or a tenth more than a replay says.
    pub(super) fn at_most(self, bound: f64) -> Found {
        Found { bound: self.bound.max(bound), ..self }
    }

    /// Tasks that it makes slow, by their places in the job.
    pub(super) fn tasks(self, tasks: impl IntoIterator<Item = usize>) -> Found {
        Found { tasks: tasks.into_iter().collect(), ..self }
    }

    pub(super) fn with(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Found {
        self.evidence.extend(evidence);
        self
    }

    /// The job ended by it, and before its time.
    pub(super) fn ended(self) -> Found {
        Found { ended_it: true, ..self }
    }

    pub(super) fn cause(self, cause: &'static str) -> Found {
        Found { cause, ..self }
    }

    pub(super) fn certainty(self, certainty: &'static str) -> Found {
        Found { certainty, ..self }
    }

    pub(super) fn confirm(self, confirm: &'static str) -> Found {
        Found { confirm, ..self }
    }

    pub(super) fn cure(self, cure: Cure) -> Found {
        Found { cure, ..self }
    }
}

pub(super) fn interval(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "interval", source, says }
}

/// From starts and ends of attempts.
pub(super) fn timed(says: String) -> Evidence {
    interval("starts and ends of attempts", says)
}

pub(super) fn counter(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "counter", source, says }
}

pub(super) fn curve(says: String) -> Evidence {
    Evidence { kind: "curve", source: "node curves", says }
}

/// What a log's own words say.
pub(super) fn text(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "text", source, says }
}

/// Seconds of the path of this kind, and a line each.
pub(super) fn steps(view: &View<'_>, is: Is) -> (f64, Vec<Evidence>) {
    let steps = view.path.iter().filter(|step| step.is == is);
    let says = |step: &Step| {
        interval("critical path", format!("{}: {}", step.what, duration(step.seconds)))
    };
    (steps.clone().map(|step| step.seconds).sum(), steps.take(20).map(says).collect())
}

/// "mapreduce.job.reduces = 4" of each property that is given.
pub(super) fn settings(view: &View<'_>, keys: &[&str]) -> impl Iterator<Item = Evidence> {
    let says = |key: &&str| Some(text("job conf", format!("{key} = {}", view.set(key)?)));
    keys.iter().filter_map(says)
}

/// The first messages of attempts that broke off.
pub(super) fn errors(all: &[&Attempt], most: usize) -> impl Iterator<Item = Evidence> {
    let says = |a: &&Attempt| text("error", format!("{}: {}", a.name, a.error));
    all.iter().take(most).map(says)
}
