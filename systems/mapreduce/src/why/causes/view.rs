//! What rules see.
use crate::why::curves::{Curves, Split};
use crate::why::replay::{Change, Replay, Work};
use crate::why::shape::Shape;
use crate::why::stats::middle;
use crate::why::{Attempt, Floor, Is, Job, Step};

/// A job, and what is computed once for all rules.
pub struct View<'j> {
    pub job: &'j Job,
    pub path: &'j [Step],
    /// Least times that its bytes need.
    pub floor: &'j Floor,
    pub curves: &'j Curves,
    /// What curves say of runs on the path.
    pub split: Split,
    /// How much ran at once.
    pub shape: Shape,
    /// The job, to be gone through once more.
    pub replay: Replay<'j>,
    /// Its time \[s\].
    pub whole: f64,
    maps: Vec<&'j Attempt>,
    reduces: Vec<&'j Attempt>,
    /// Median work of maps and of reduces \[s\].
    usual: [f64; 2],
}

impl<'j> View<'j> {
    pub fn of(job: &'j Job, path: &'j [Step], floor: &'j Floor, curves: &'j Curves) -> View<'j> {
        let good = |kind| job.good(kind).filter(|a| a.run.is_some()).collect();
        let mut view = View {
            job,
            path,
            floor,
            curves,
            split: Split::default(),
            shape: Shape::of(job),
            replay: Replay::of(job),
            whole: job.took(),
            maps: good("MAP"),
            reduces: good("REDUCE"),
            usual: [0.0; 2],
        };
        view.split = view.runs().map(|(_, a)| curves.split(a)).sum();
        view.usual = ["MAP", "REDUCE"].map(|kind| middle(view.good(kind), |a| view.work(a)));
        view
    }

    /// Maps or reduces that succeeded.
    pub fn good(&self, kind: &str) -> &[&'j Attempt] {
        if kind == "REDUCE" { &self.reduces } else { &self.maps }
    }

    /// Work of an attempt \[s\]: of a reduce what it took after the last map.
    pub fn work(&self, a: &Attempt) -> f64 {
        let Some((from, to)) = a.run else { return 0.0 };
        let since = if a.kind == "REDUCE" { from.max(self.shape.last_map) } else { from };
        (to - since).max(0.0)
    }

    /// The median of it \[s\].
    pub fn usual(&self, kind: &str) -> f64 {
        self.usual[usize::from(kind == "REDUCE")]
    }

    /// What the job gains if attempts work no more than this \[s\].
    pub fn gain(&self, work: &Work<'_>) -> f64 {
        self.replay.gain(&Change { work, containers: None })
    }

    /// By how much runs on the path shrink if attempts work no more than this \[s\]: what the job
    /// gains at most, as long as nothing else moves.
    pub fn on_path(&self, work: &Work<'_>) -> f64 {
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

    /// "m_000007".
    pub fn task(&self, a: &Attempt) -> &'j str {
        &self.job.tasks[a.task].name
    }

    /// The value of a property, where the job's configuration was given.
    pub fn set(&self, key: &str) -> Option<&'j str> {
        self.job.conf.get(key).map(String::as_str)
    }
}

/// "map", "reduce".
pub(super) fn word(kind: &str) -> &'static str {
    if kind == "REDUCE" { "reduce" } else { "map" }
}
