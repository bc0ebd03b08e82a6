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
pub(super) use skew::explained as explained_by_input;
pub(super) use straggler::NAME as STRAGGLER;
pub use unexplained::NAME as UNEXPLAINED;
pub use view::View;

use super::verdicts::{STANDS_OUT, Verdict};
use std::collections::BTreeSet;

/// And from so many seconds on: of a short job less is what Hadoop takes to start tasks \[s\].
const NOTICED: f64 = 5.0;

/// In the order in which verdicts of equal gain stand.
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

/// All verdicts: what ended the job before its time, causes by what the job would gain without
/// them, that nothing stands out where none does, what is not explained.
pub(super) fn of(view: &View<'_>) -> Vec<Verdict> {
    if view.whole <= 0.0 {
        return Vec::new();
    }
    if view.job.clocks_unknown {
        return clocks::RULE.verdicts(view).collect();
    }
    let mut all: Vec<Verdict> = ALL.iter().flat_map(|rule| rule.verdicts(view)).collect();
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
