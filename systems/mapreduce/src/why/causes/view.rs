//! The input of rules.
use crate::why::curves::{Curves, SaturatedTime};
use crate::why::replay::{Replay, WhatIf, Work};
use crate::why::shape::JobShape;
use crate::why::stats::middle;
use crate::why::{Attempt, Floor, Job, Step, StepKind};

pub struct View<'j> {
    pub job: &'j Job,
    pub path: &'j [Step],
    /// Minimum times that the job's bytes need.
    pub floor: &'j Floor,
    pub curves: &'j Curves,
    /// Use of nodes during runs on the path, from curves.
    pub split: SaturatedTime,
    pub shape: JobShape,
    pub replay: Replay<'j>,
    /// Job time \[s\].
    pub duration: f64,
    maps: Vec<&'j Attempt>,
    reduces: Vec<&'j Attempt>,
    /// Median work of maps, and of reduces \[s\].
    usual: [f64; 2],
}

impl<'j> View<'j> {
    pub fn of(job: &'j Job, path: &'j [Step], floor: &'j Floor, curves: &'j Curves) -> View<'j> {
        let good = |kind| job.successful(kind).filter(|a| a.run.is_some()).collect();
        let mut view = View {
            job,
            path,
            floor,
            curves,
            split: SaturatedTime::default(),
            shape: JobShape::of(job),
            replay: Replay::of(job),
            duration: job.duration_s(),
            maps: good("MAP"),
            reduces: good("REDUCE"),
            usual: [0.0; 2],
        };
        view.split = view.runs().map(|(_, a)| curves.split(a)).sum();
        view.usual = ["MAP", "REDUCE"].map(|kind| middle(view.successful(kind), |a| view.work(a)));
        view
    }

    /// Successful attempts at maps or reduces.
    pub fn successful(&self, kind: &str) -> &[&'j Attempt] {
        if kind == "REDUCE" { &self.reduces } else { &self.maps }
    }

    /// Work of an attempt \[s\]; for a reduce only the time after the last map.
    pub fn work(&self, a: &Attempt) -> f64 {
        let Some((from, to)) = a.run else { return 0.0 };
        let since = if a.kind == "REDUCE" { from.max(self.shape.last_map) } else { from };
        (to - since).max(0.0)
    }

    /// Median work of a kind \[s\].
    pub fn median_work(&self, kind: &str) -> f64 {
        self.usual[usize::from(kind == "REDUCE")]
    }

    /// Gain in job time \[s\] if attempts work only as long as `work` returns.
    pub fn gain(&self, work: &Work<'_>) -> f64 {
        self.replay.gain(&WhatIf { work, containers: None })
    }

    /// Reduction of runs on the path \[s\] if attempts work only as long as `work` returns. An
    /// upper bound of the gain if other tasks stay.
    pub fn on_path(&self, work: &Work<'_>) -> f64 {
        let less = |(step, a): (&Step, &Attempt)| {
            let now = self.work(a);
            (now - work(a, now).unwrap_or(0.0)).clamp(0.0, step.seconds)
        };
        self.runs().map(less).sum()
    }

    /// Steps of the path that are runs, with their attempts.
    pub fn runs(&self) -> impl Iterator<Item = (&'j Step, &'j Attempt)> {
        let job = self.job;
        let runs =
            self.path.iter().filter(|step| matches!(step.kind, StepKind::Run | StepKind::Lost));
        runs.filter_map(move |step| {
            let (task, at) = step.of?;
            Some((step, &job.tasks[task].attempts[at?]))
        })
    }

    pub fn task(&self, a: &Attempt) -> &'j str {
        &self.job.tasks[a.task].name
    }

    /// `None`: not in the configuration, or no configuration was given.
    pub fn set(&self, key: &str) -> Option<&'j str> {
        self.job.conf.get(key).map(String::as_str)
    }
}

pub(super) fn word(kind: &str) -> &'static str {
    if kind == "REDUCE" { "reduce" } else { "map" }
}
