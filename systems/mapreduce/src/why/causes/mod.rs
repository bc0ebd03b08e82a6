//! Causes that can hold a job up, a rule a file. A rule sees a job; it says what it found with
//! its evidence, what the job would gain without it, and what would make it sure.
mod am_restart;
mod am_start;
pub mod clocks;
mod commit;
mod container_wait;
mod early_reduces;
mod failed;
mod few_containers;
mod few_reduces;
mod full;
mod full_cpu;
mod garbage;
pub mod job_failed;
pub mod job_killed;
mod keys;
mod least_bytes;
mod line;
mod lost_node;
mod lost_outputs;
mod message;
pub mod nothing;
mod one_map;
mod preempted;
mod queue_wait;
mod recorded;
mod shuffle;
mod skew;
mod slow_node;
mod slow_source;
mod slow_start;
mod small_splits;
mod spills;
mod straggler;
mod twin;
mod unexplained;
mod view;
pub(super) use skew::explained as explained_by_input;
pub use straggler::NAME as STRAGGLER;
pub use unexplained::NAME as UNEXPLAINED;
pub use view::View;
pub(super) use view::quantile;

use super::verdicts::{Cure, Verdict};
use std::collections::BTreeSet;

/// From this part of a job's time on a cause stands out. What is less is listed below.
pub const STANDS_OUT: f64 = 0.1;

/// And from so many seconds on: of a short job less is what Hadoop takes to start tasks \[s\].
pub const NOTICED: f64 = 5.0;

pub struct Rule {
    /// As `cause` names it.
    pub name: &'static str,
    /// What of a job's time it takes.
    takes: Takes,
    source: &'static str,
    find: fn(&View<'_>) -> Vec<Verdict>,
}

/// What of a job's time causes of a rule take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Runs,
    /// They are waits between runs, or take whole runs.
    Between,
}

impl Rule {
    fn found(&self, view: &View<'_>) -> Vec<Verdict> {
        let within_runs = self.takes == Takes::Runs;
        let of_rule = |verdict| Verdict { within_runs, ..verdict };
        (self.find)(view).into_iter().map(of_rule).collect()
    }

    /// Its page: the comment above its code.
    pub fn page(&self) -> String {
        let lines = self.source.lines().take_while(|line| line.starts_with("//!"));
        let lines = lines.map(|line| line.trim_start_matches("//!").trim_start());
        lines.collect::<Vec<_>>().join("\n")
    }
}

macro_rules! rules {
    ($($name:literal $file:ident $takes:ident,)*) => {
        pub static ALL: &[Rule] = &[$(Rule {
            name: $name,
            takes: Takes::$takes,
            source: include_str!(concat!(stringify!($file), ".rs")),
            find: $file::find,
        },)*];
    };
}

rules! {
    "clocks" clocks Between,
    "job killed" job_killed Between,
    "job failed" job_failed Between,
    "skew" skew Runs,
    "few containers" few_containers Between,
    "few reduces" few_reduces Runs,
    "one map" one_map Runs,
    "small splits" small_splits Runs,
    "lost node" lost_node Runs,
    "lost map outputs" lost_outputs Between,
    "preemption" preempted Between,
    "slow source" slow_source Runs,
    "slow node" slow_node Runs,
    "early reduces" early_reduces Between,
    "slow-start" slow_start Between,
    "shuffle" shuffle Runs,
    "GC" garbage Runs,
    "spills" spills Runs,
    "failed attempts" failed Between,
    "speculation" twin Runs,
    "straggler" straggler Runs,
    "queue wait" queue_wait Between,
    "AM restart" am_restart Between,
    "AM start" am_start Between,
    "container wait" container_wait Between,
    "job commit" commit Between,
    "CPU" full_cpu Runs,
    "disk" full Runs,
    "network" least_bytes Runs,
    "recorded" recorded Runs,
}

/// All verdicts: what ended the job before its time, causes by what the job would gain without
/// them, that nothing stands out where none does, what is not explained.
pub(super) fn of(view: &View<'_>) -> Vec<Verdict> {
    if view.whole <= 0.0 {
        return Vec::new();
    }
    if view.job.clocks_unknown {
        return clocks::find(view);
    }
    let mut all: Vec<Verdict> = ALL.iter().flat_map(|rule| rule.found(view)).collect();
    keep_one_a_task(&mut all);
    all.retain(|verdict| verdict.share_high >= 0.005 || verdict.ended_it);
    let explained = all.iter().filter(|verdict| verdict.within_runs).map(|verdict| {
        // What curves saw is seen; what a replay gains is not all that a cause takes.
        if verdict.evidence[0].kind == "curve" { verdict.share_high } else { verdict.share }
    });
    let explained: f64 = explained.sum();
    let rest = unexplained::find(view, explained);
    let (clues, rest): (Vec<Verdict>, Vec<Verdict>) =
        rest.into_iter().partition(|verdict| verdict.share > 0.0);
    all.extend(clues);
    // The largest gain first; of equal ones that which may be more.
    all.sort_by(|a, b| {
        (b.ended_it.cmp(&a.ended_it))
            .then(b.share.total_cmp(&a.share))
            .then(b.share_high.total_cmp(&a.share_high))
    });
    if !all.first().is_some_and(|first| first.ended_it || stands_out(view, first)) {
        all.insert(0, nothing::stands_out(view))
    }
    all.extend(rest);
    all
}

/// Whether a cause is worth a headline: of one whose removal gains nothing the bound alone is none.
fn stands_out(view: &View<'_>, verdict: &Verdict) -> bool {
    let weight = verdict.weight();
    weight >= STANDS_OUT && weight * view.whole >= NOTICED && verdict.share >= 0.01
}

/// Tasks that are slow for a known reason are no stragglers besides, and do not make a slow node
/// of the host whose blocks they read; as long as the reason takes half as much of the job's time.
fn keep_one_a_task(all: &mut Vec<Verdict>) {
    let guess = |verdict: &Verdict| [straggler::NAME, slow_node::NAME].contains(&&*verdict.cause);
    drop_known(all, &guess, &|verdict| !guess(verdict));
    // A slow node says more of a task than that it was slow.
    drop_known(all, &|verdict| verdict.cause == straggler::NAME, &|verdict| {
        verdict.cause == slow_node::NAME
    })
}

/// Drops guesses at tasks of which others that are known cover the most.
fn drop_known(
    all: &mut Vec<Verdict>,
    guess: &dyn Fn(&Verdict) -> bool,
    known: &dyn Fn(&Verdict) -> bool,
) {
    let known: Vec<(f64, BTreeSet<usize>)> = (all.iter())
        .filter(|verdict| known(verdict) && verdict.share > 0.0)
        .map(|verdict| (verdict.share, verdict.tasks.iter().copied().collect()))
        .collect();
    let is_open = |verdict: &Verdict| {
        let enough = || known.iter().filter(|(share, _)| 2.0 * share >= verdict.share);
        let covered = |task: &&usize| enough().any(|(_, tasks)| tasks.contains(*task));
        let open = verdict.tasks.iter().filter(|task| !covered(task)).count();
        2 * open > verdict.tasks.len()
    };
    all.retain(|verdict| !guess(verdict) || is_open(verdict))
}

/// What most rules find.
#[derive(Default)]
struct Found {
    cause: &'static str,
    holder: String,
    /// After "was held up by".
    by: String,
    /// What the job would gain \[s\].
    gain: f64,
    /// What it would gain at most \[s\]; not less than `gain`.
    bound: f64,
    /// The gain is a logged duration; else a replay estimates it, give or take a tenth.
    logged: bool,
    certainty: &'static str,
    surer: &'static str,
    cure: Cure,
    tasks: Vec<usize>,
    evidence: Vec<super::Evidence>,
}

impl Found {
    fn verdict(self, view: &View<'_>) -> Verdict {
        let share = (self.gain / view.whole).clamp(0.0, 1.0);
        let margin = if self.logged { 1.0 } else { 1.1 };
        Verdict {
            cause: self.cause.into(),
            by: self.by,
            holder: self.holder,
            share,
            share_low: 0.0,
            share_high: (self.bound.max(margin * self.gain) / view.whole).clamp(share, 1.0),
            evidence: self.evidence,
            certainty: self.certainty,
            surer: self.surer,
            cure: self.cure,
            within_runs: false,
            tasks: self.tasks,
            ended_it: false,
        }
    }
}
