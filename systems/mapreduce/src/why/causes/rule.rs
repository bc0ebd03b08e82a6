//! A rule for a cause of slow jobs, and its findings.
use super::view::View;
use crate::plain::duration;
use crate::why::replay::Work;
use crate::why::{Attempt, Evidence, Remedy, Step, StepKind, Verdict};

pub struct Rule {
    /// The `cause` of its verdicts.
    pub name: &'static str,
    pub(super) takes: TimePart,
    /// Each returns at most one cause.
    pub(super) looks: &'static [fn(&View<'_>) -> Option<Finding>],
    pub(super) certainty: &'static str,
    /// "": nothing would confirm it.
    pub(super) confirm: &'static str,
    /// Advice, and the property to set. "": each look has its own, or nothing helps.
    pub(super) remedy: (&'static str, &'static str),
    /// The rule's file: its leading comment is the page of `tenbin explain`.
    pub(super) source: &'static str,
}

/// The part of a job's time that a rule's causes account for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TimePart {
    Runs,
    /// Waits between runs, or whole runs.
    Between,
}

impl Rule {
    /// The text of `tenbin explain`.
    pub fn page(&self) -> String {
        let lines = self.source.lines().take_while(|line| line.starts_with("//!"));
        let lines = lines.map(|line| line.trim_start_matches("//!").trim_start());
        lines.collect::<Vec<_>>().join("\n")
    }

    pub(super) fn verdicts(&self, view: &View<'_>) -> impl Iterator<Item = Verdict> {
        self.looks.iter().filter_map(|look| look(view)).map(|found| self.verdict(view, found))
    }

    pub(super) fn verdict(&self, view: &View<'_>, found: Finding) -> Verdict {
        let or = |own: &'static str, rule| if own.is_empty() { rule } else { own };
        let share = (found.gain / view.duration).clamp(0.0, 1.0);
        let remedy = match found.remedy.is_none() {
            true => Remedy::new(self.remedy.0, self.remedy.1),
            false => found.remedy,
        };
        Verdict {
            cause: or(found.cause, self.name).into(),
            by: found.by,
            holder: found.holder,
            share,
            share_low: 0.0,
            share_high: (found.bound / view.duration).clamp(share, 1.0),
            evidence: found.evidence,
            certainty: or(found.certainty, self.certainty),
            confirmation: or(found.confirm, self.confirm),
            remedy,
            within_runs: self.takes == TimePart::Runs,
            tasks: found.tasks,
            ended_it: found.ended_it,
        }
    }
}

/// A finding; empty fields default to the rule's.
#[derive(Default)]
pub(super) struct Finding {
    /// Completes "was held up by".
    by: String,
    holder: String,
    /// Estimated gain \[s\].
    pub(super) gain: f64,
    /// Upper bound of `gain` \[s\]; never below it.
    bound: f64,
    tasks: Vec<usize>,
    evidence: Vec<Evidence>,
    ended_it: bool,
    cause: &'static str,
    certainty: &'static str,
    confirm: &'static str,
    remedy: Remedy,
}

impl Finding {
    /// `by` completes "was held up by"; `holder` stands alone.
    pub(super) fn new(by: impl Into<String>, holder: impl Into<String>) -> Finding {
        Finding { by: by.into(), holder: holder.into(), ..Finding::default() }
    }

    /// Sets the gain from logged durations \[s\].
    pub(super) fn logged(self, gain: f64) -> Finding {
        Finding { gain, bound: self.bound.max(gain), ..self }
    }

    /// Sets the gain from a replay \[s\]; the bound is a tenth more.
    pub(super) fn replayed(self, gain: f64) -> Finding {
        Finding { gain, bound: self.bound.max(1.1 * gain), ..self }
    }

    /// Gain if attempts work only as long as `work` returns. Bound: the same reduction of runs on
    /// the path.
    pub(super) fn without(self, view: &View<'_>, work: &Work<'_>) -> Finding {
        self.replayed(view.gain(work)).at_most(view.on_path(work))
    }

    /// Raises the bound \[s\].
    pub(super) fn at_most(self, bound: f64) -> Finding {
        Finding { bound: self.bound.max(bound), ..self }
    }

    /// Sets the slowed tasks, as indexes in the job.
    pub(super) fn tasks(self, tasks: impl IntoIterator<Item = usize>) -> Finding {
        Finding { tasks: tasks.into_iter().collect(), ..self }
    }

    pub(super) fn with(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Finding {
        self.evidence.extend(evidence);
        self
    }

    /// The cause ended the job early.
    pub(super) fn ended(self) -> Finding {
        Finding { ended_it: true, ..self }
    }

    pub(super) fn cause(self, cause: &'static str) -> Finding {
        Finding { cause, ..self }
    }

    pub(super) fn certainty(self, certainty: &'static str) -> Finding {
        Finding { certainty, ..self }
    }

    pub(super) fn confirm(self, confirm: &'static str) -> Finding {
        Finding { confirm, ..self }
    }

    pub(super) fn remedy(self, remedy: Remedy) -> Finding {
        Finding { remedy, ..self }
    }
}

pub(super) fn interval(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "interval", source, says }
}

pub(super) fn timed(says: String) -> Evidence {
    interval("starts and ends of attempts", says)
}

pub(super) fn counter(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "counter", source, says }
}

pub(super) fn curve(says: String) -> Evidence {
    Evidence { kind: "curve", source: "node curves", says }
}

pub(super) fn text(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "text", source, says }
}

/// Total seconds of the path's steps of this kind, with one line of evidence each.
pub(super) fn steps(view: &View<'_>, is: StepKind) -> (f64, Vec<Evidence>) {
    let steps = view.path.iter().filter(|step| step.kind == is);
    let says = |step: &Step| {
        interval("critical path", format!("{}: {}", step.what, duration(step.seconds)))
    };
    (steps.clone().map(|step| step.seconds).sum(), steps.take(20).map(says).collect())
}

/// "mapreduce.job.reduces = 4" for each property in the configuration.
pub(super) fn settings(view: &View<'_>, keys: &[&str]) -> impl Iterator<Item = Evidence> {
    let says = |key: &&str| Some(text("job conf", format!("{key} = {}", view.set(key)?)));
    keys.iter().filter_map(says)
}

pub(super) fn errors(all: &[&Attempt], most: usize) -> impl Iterator<Item = Evidence> {
    let says = |a: &&Attempt| text("error", format!("{}: {}", a.name, a.error));
    all.iter().take(most).map(says)
}
