//! What rules see.
use super::super::curves::{Curves, Split};
use super::super::job::{Attempt, Job};
use super::super::path::{Is, Step};
use super::super::replay::{Change, Replay};
use super::super::shape::Shape;
use super::super::stragglers::median;
use super::super::{Evidence, Floor};
use trace::Outcome;

/// A job, and what is computed once for all rules.
pub struct View<'j> {
    pub job: &'j Job,
    pub path: &'j [Step],
    /// Least times that its bytes need.
    pub floor: &'j Floor,
    pub curves: &'j Curves,
    /// How much ran at once.
    pub shape: Shape,
    /// The job, to be gone through once more.
    pub replay: Replay<'j>,
    /// Its time \[s\].
    pub whole: f64,
}

impl<'j> View<'j> {
    pub fn of(job: &'j Job, path: &'j [Step], floor: &'j Floor, curves: &'j Curves) -> View<'j> {
        let (shape, replay) = (Shape::of(job), Replay::of(job));
        View { job, path, floor, curves, shape, replay, whole: job.took() }
    }

    /// Attempts of a kind that succeeded.
    pub fn good(&self, kind: &'static str) -> Vec<&'j Attempt> {
        let good = |a: &&Attempt| a.outcome == Outcome::Ok && a.kind == kind && a.run.is_some();
        self.job.attempts().filter(good).collect()
    }

    /// Work of an attempt \[s\]: of a reduce what it took after the last map.
    pub fn work(&self, a: &Attempt) -> f64 {
        let Some((from, to)) = a.run else { return 0.0 };
        let since = if a.kind == "REDUCE" { from.max(self.shape.last_map) } else { from };
        (to - since).max(0.0)
    }

    /// What the job gains if attempts work no more than this \[s\].
    pub fn gain(&self, work: &dyn Fn(&Attempt, f64) -> Option<f64>) -> f64 {
        self.replay.gain(&Change { work, containers: None })
    }

    /// By how much runs on the path shrink if attempts work no more than this \[s\]: what the job
    /// gains at most, as long as nothing else moves.
    pub fn on_path(&self, work: &dyn Fn(&Attempt, f64) -> Option<f64>) -> f64 {
        let less = |(step, a): (&Step, &Attempt)| {
            let now = self.work(a);
            (now - work(a, now).unwrap_or(0.0)).clamp(0.0, step.seconds)
        };
        self.runs().map(less).sum()
    }

    /// Attempts of runs on the path.
    pub fn runs(&self) -> impl Iterator<Item = (&'j Step, &'j Attempt)> {
        let job = self.job;
        let runs = self.path.iter().filter(|step| matches!(step.is, Is::Run | Is::Lost));
        runs.filter_map(move |step| {
            let (task, at) = step.of?;
            Some((step, &job.tasks[task].attempts[at?]))
        })
    }

    /// Seconds of the path of this kind, and a line each.
    pub fn steps(&self, of: &[Is]) -> (f64, Vec<Evidence>) {
        let steps = self.path.iter().filter(|step| of.contains(&step.is));
        let says = |step: &Step| {
            let took = super::super::verdicts::plain(page::words::duration(step.seconds));
            interval("critical path", format!("{}: {took}", step.what))
        };
        (steps.clone().map(|step| step.seconds).sum(), steps.take(20).map(says).collect())
    }

    /// What curves say of runs on the path.
    pub fn split(&self) -> Split {
        let splits = self.runs().map(|(_, a)| self.curves.split(a));
        splits.fold(Split::default(), |a, b| Split {
            seen: a.seen + b.seen,
            disk: a.disk + b.disk,
            network: a.network + b.network,
            cpu: a.cpu + b.cpu,
        })
    }

    /// "m_000007".
    pub fn task(&self, a: &Attempt) -> &'j str {
        &self.job.tasks[a.task].name
    }
}

/// The median of something; 0 of nothing.
pub(super) fn middle<'a>(
    all: impl IntoIterator<Item = &'a &'a Attempt>,
    of: impl Fn(&Attempt) -> f64,
) -> f64 {
    median(all.into_iter().map(|a| of(a)).collect()).unwrap_or(0.0)
}

/// The value below which this part of all lies; 0 of nothing.
pub(in crate::why) fn quantile(mut all: Vec<f64>, part: f64) -> f64 {
    all.sort_by(f64::total_cmp);
    let last = all.len().saturating_sub(1);
    let at = units::usize_of(units::rounded_u64(part * last as f64));
    all.get(at).copied().unwrap_or(0.0)
}

pub(super) fn interval(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "interval", source, says }
}

pub(super) fn counter(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "counter", source, says }
}

/// What a log's own words say.
pub(super) fn words(source: &'static str, says: String) -> Evidence {
    Evidence { kind: "text", source, says }
}

/// Seconds, for a terminal.
pub(super) fn s(seconds: f64) -> String {
    super::super::verdicts::plain(page::words::duration(seconds))
}

/// A part, for a terminal.
pub(super) fn part(share: f64) -> String {
    super::super::verdicts::plain(page::words::percent(share))
}

/// "1 map", "6 maps".
pub(super) fn count(n: usize, what: &str) -> String {
    super::super::verdicts::plain(page::words::count(n as u64, what))
}

/// "map", "reduce".
pub(super) fn word(kind: &str) -> &'static str {
    if kind == "REDUCE" { "reduce" } else { "map" }
}
