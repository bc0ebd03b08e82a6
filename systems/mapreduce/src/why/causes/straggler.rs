//! A task took much longer than others of its kind, and its input does not explain it.
//!
//! # What it looks at
//! Tasks that took three times the median of their kind, and over twice the prediction for their
//! input from the others' times (time = start + slope × input). If it computed most of that time,
//! its records are costly. Else it waited.
//!
//! # The bound
//! The job with those tasks as fast as the median.
//!
//! # What to do
//! A task that computes: profile it (`mapreduce.task.profile`, with `mapreduce.task.profile.maps`
//! or `mapreduce.task.profile.reduces`). A task that waits: its node and its log show what it
//! waited for. Speculation (`mapreduce.map.speculative`, `mapreduce.reduce.speculative`) starts a
//! second attempt elsewhere.
//!
//! # What would confirm it
//! Curves of its node at that time, and the attempt's log.
use super::rule::{Finding, Rule, TimePart, counter, timed};
use super::skew;
use super::view::{View, word};
use crate::plain::{count, duration, num, when};
use crate::why::stats::middle;
use crate::why::verdicts::MARKED;
use crate::why::{Attempt, Remedy};
use std::collections::BTreeSet;

pub const NAME: &str = "straggler";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    takes: TimePart::Runs,
    looks: &[|view| of_kind(view, "MAP"), |view| of_kind(view, "REDUCE")],
    certainty: "medium",
    confirm: "node curves of that node (sadf -j, or tenbin monitor)",
    remedy: ("", ""),
    source: include_str!("straggler.rs"),
};

/// A task that computes for this fraction of its time does not wait.
const COMPUTES: f64 = 0.7;

fn of_kind(view: &View<'_>, kind: &str) -> Option<Finding> {
    let all = view.successful(kind);
    let usual = view.median_work(kind);
    let slow = |a: &&&Attempt| view.work(a) > MARKED * usual && view.work(a) > usual + 1.0;
    let explained = skew::tasks_with_more_input(view, kind);
    let unexplained = |a: &&&Attempt| !explained.contains(&a.task);
    let marked: Vec<&Attempt> = all.iter().filter(slow).filter(unexplained).copied().collect();
    let worst = marked.iter().max_by(|a, b| view.work(a).total_cmp(&view.work(b)))?;
    let names: BTreeSet<&str> = marked.iter().map(|a| a.name.as_str()).collect();
    let quick =
        |a: &Attempt, work: f64| Some(if names.contains(a.name.as_str()) { usual } else { work });
    let what = format!(
        "{} took {} on {}, {}× the median of {}s",
        view.task(worst),
        duration(view.work(worst)),
        worst.host,
        num(view.work(worst) / usual.max(1e-9), 1),
        word(kind)
    );
    let n = marked.len();
    let others = when(n > 1, || format!("; {} like it", count(n - 1, "other")));
    let cpu = (worst.cpu(), middle(all, Attempt::cpu));
    let computes = cpu.0 >= COMPUTES * view.work(worst) && cpu.0 > MARKED * cpu.1;
    let (own, rest) = (duration(cpu.0), duration(cpu.1));
    let why = when(computes, || format!("; it computed for {own}, the others for {rest}"));
    let found =
        Finding::new(format!("a straggler: {what}{others}{why}"), format!("{what}{others}{why}"))
            .without(view, &quick)
            .tasks(marked.iter().map(|a| a.task))
            .with([timed(what)]);
    let says = format!("CPU {own}, similar tasks {rest} (median)");
    Some(match computes {
        true => found
            .confirm("a profile of that task: which of its records take so much CPU")
            .remedy(profile(kind))
            .with([counter("CPU_MILLISECONDS", says)]),
        false => found.remedy(speculate(view, kind, &worst.host)),
    })
}

fn profile(kind: &str) -> Remedy {
    let what = "Profile that task, and shorten the work of its costly records, or split them";
    match kind {
        "REDUCE" => Remedy::new(what, "mapreduce.task.profile.reduces"),
        _ => Remedy::new(what, "mapreduce.task.profile.maps"),
    }
}

/// Suggests speculation if the configuration disables it (the default enables it), and to check the
/// host.
pub(super) fn speculate(view: &View<'_>, kind: &str, host: &str) -> Remedy {
    let key = match kind {
        "REDUCE" => "mapreduce.reduce.speculative",
        _ => "mapreduce.map.speculative",
    };
    let host = if host.is_empty() { "its node" } else { host };
    let look = format!("Check the disks, cores and NIC of {host}");
    let what = "Let speculation start slow tasks a second time on another node: speculation is off";
    match view.set(key).map(str::trim) {
        Some("false") => Remedy::new(format!("{what}. {look}"), key),
        _ => Remedy::new(format!("{look}; exclude the host until then"), ""),
    }
}
