//! Causes of slow jobs, one rule per file. A rule checks a job and returns evidence, the gain
//! without the cause, and what would confirm it.
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
mod job_failed;
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
mod rule;
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
pub use rule::Rule;
pub(super) use skew::tasks_with_more_input as explained_by_input;
pub(super) use straggler::NAME as STRAGGLER;
pub use unexplained::NAME as UNEXPLAINED;
pub use view::View;

use super::verdicts::{STANDS_OUT, Verdict};
use std::collections::BTreeSet;

/// Smallest cause that stands out \[s\]: Hadoop needs about this to start tasks of a short job.
const NOTICED: f64 = 5.0;

/// Rules, in the order of verdicts with equal gain.
pub static ALL: &[Rule] = &[
    clocks::RULE,
    job_killed::RULE,
    job_failed::RULE,
    skew::RULE,
    few_containers::RULE,
    few_reduces::RULE,
    one_map::RULE,
    small_splits::RULE,
    lost_node::RULE,
    lost_outputs::RULE,
    preempted::RULE,
    slow_source::RULE,
    slow_node::RULE,
    early_reduces::RULE,
    slow_start::RULE,
    shuffle::RULE,
    garbage::RULE,
    spills::RULE,
    failed::RULE,
    twin::RULE,
    straggler::RULE,
    queue_wait::RULE,
    am_restart::RULE,
    am_start::RULE,
    container_wait::RULE,
    commit::RULE,
    full_cpu::RULE,
    full::RULE,
    least_bytes::RULE,
    recorded::RULE,
];

/// All verdicts: what ended the job early, causes by gain, the unexplained rest. If no cause stands
/// out, a verdict that says so is first.
pub(super) fn of(view: &View<'_>) -> Vec<Verdict> {
    if view.duration <= 0.0 {
        return Vec::new();
    }
    if view.job.clocks_unknown {
        return clocks::RULE.verdicts(view).collect();
    }
    let mut all: Vec<Verdict> = ALL.iter().flat_map(|rule| rule.verdicts(view)).collect();
    keep_one_a_task(&mut all);
    all.retain(|verdict| verdict.share_high >= 0.005 || verdict.ended_it);
    let explained = all.iter().filter(|verdict| verdict.within_runs).map(|verdict| {
        // Curves are measured: count their bound. A replay estimates a gain, which is less than the
        // cause's time.
        if verdict.evidence[0].kind == "curve" { verdict.share_high } else { verdict.share }
    });
    let explained: f64 = explained.sum();
    let rest = unexplained::find(view, explained);
    let (clues, rest): (Vec<Verdict>, Vec<Verdict>) =
        rest.into_iter().partition(|verdict| verdict.share > 0.0);
    all.extend(clues);
    // By gain, then by bound.
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

/// The cause deserves the headline: a bound without a gain does not suffice.
fn stands_out(view: &View<'_>, verdict: &Verdict) -> bool {
    let weight = verdict.weight();
    weight >= STANDS_OUT && weight * view.duration >= NOTICED && verdict.share >= 0.01
}

/// Removes guesses (straggler, slow node) about tasks with a known cause, if that cause has at
/// least half of the guess's share.
fn keep_one_a_task(all: &mut Vec<Verdict>) {
    let guess = |verdict: &Verdict| [straggler::NAME, slow_node::NAME].contains(&&*verdict.cause);
    drop_known(all, &guess, &|verdict| !guess(verdict));
    // A slow node is more specific than a straggler.
    drop_known(all, &|verdict| verdict.cause == straggler::NAME, &|verdict| {
        verdict.cause == slow_node::NAME
    })
}

/// Removes guesses if known causes cover at least half of their tasks.
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
