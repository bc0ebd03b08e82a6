//! Causes that can hold a job up, a rule a file. A rule sees a job; it says what it found with
//! its evidence, what the job would gain without it, and what would make it sure.
mod am_restart;
mod am_start;
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
mod least_bytes;
mod lost_node;
mod lost_outputs;
mod message;
pub mod nothing;
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
pub use straggler::NAME as STRAGGLER;
pub use unexplained::NAME as UNEXPLAINED;
pub use view::View;

use super::verdicts::Verdict;
use std::collections::BTreeSet;

/// From this part of a job's time on a cause stands out. What is less is listed below.
pub const STANDS_OUT: f64 = 0.1;

/// A rule.
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
    /// They make runs of tasks longer.
    Runs,
    /// They are waits between runs, or take whole runs.
    Between,
    /// They are waits that every job of the platform has, however little it does.
    Platform,
}

impl Rule {
    /// What it finds.
    fn found(&self, view: &View<'_>) -> Vec<Verdict> {
        let within_runs = self.takes == Takes::Runs;
        let fixed_cost = self.takes == Takes::Platform;
        let of_rule = |verdict| Verdict { within_runs, fixed_cost, ..verdict };
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
        /// All of them.
        pub static ALL: &[Rule] = &[$(Rule {
            name: $name,
            takes: Takes::$takes,
            source: include_str!(concat!(stringify!($file), ".rs")),
            find: $file::find,
        },)*];
    };
}

rules! {
    "job killed" job_killed Between,
    "job failed" job_failed Between,
    "skew" skew Runs,
    "few containers" few_containers Between,
    "few reduces" few_reduces Runs,
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
    "AM start" am_start Platform,
    "container wait" container_wait Between,
    "job commit" commit Platform,
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
    all.sort_by(|a, b| b.ended_it.cmp(&a.ended_it).then(b.weight().total_cmp(&a.weight())));
    put_fixed_costs_back(&mut all);
    if !all.first().is_some_and(|first| first.ended_it || first.weight() >= STANDS_OUT) {
        all.insert(0, nothing::stands_out(view))
    }
    all.extend(rest);
    all
}

/// From this part of a job's time on what every job has is the answer.
const MOST_OF_IT: f64 = 0.5;

/// Whoever asks why a short job took so long can do little about what all jobs have: the first
/// cause that is the job's own and stands out goes before it, unless it takes most of the time.
fn put_fixed_costs_back(all: &mut [Verdict]) {
    let is_own = |verdict: &Verdict| !verdict.fixed_cost && verdict.share >= STANDS_OUT;
    let Some(own) = all.iter().position(is_own) else { return };
    // A stable sort: all else keeps its place.
    all[..=own].sort_by_key(|verdict| verdict.fixed_cost && verdict.weight() < MOST_OF_IT)
}

/// Tasks that are slow for a known reason are no stragglers besides, and do not make a slow node
/// of the host whose blocks they read.
fn keep_one_a_task(all: &mut Vec<Verdict>) {
    let guess = |verdict: &Verdict| [straggler::NAME, slow_node::NAME].contains(&&*verdict.cause);
    let tasks = |of: &dyn Fn(&Verdict) -> bool| -> BTreeSet<usize> {
        let of = all.iter().filter(|verdict| of(verdict) && verdict.share > 0.0);
        of.flat_map(|verdict| verdict.tasks.clone()).collect()
    };
    let known = tasks(&|verdict| !guess(verdict));
    let unknown = |verdict: &Verdict, known: &BTreeSet<usize>| {
        let open = verdict.tasks.iter().filter(|task| !known.contains(task)).count();
        2 * open > verdict.tasks.len()
    };
    all.retain(|verdict| !guess(verdict) || unknown(verdict, &known));
    // A slow node says more of a task than that it was slow.
    let nodes = all.iter().filter(|verdict| verdict.cause == slow_node::NAME);
    let slow: BTreeSet<usize> = nodes.flat_map(|verdict| verdict.tasks.clone()).collect();
    all.retain(|verdict| verdict.cause != straggler::NAME || unknown(verdict, &slow))
}

/// What most rules find.
#[derive(Default)]
struct Found {
    cause: &'static str,
    /// Who or what exactly.
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
            within_runs: false,
            fixed_cost: false,
            tasks: self.tasks,
            ended_it: false,
        }
    }
}
