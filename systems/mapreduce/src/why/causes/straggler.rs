//! A task took much longer than its like, and its input does not say why.
//!
//! # What it looks at
//! Tasks that took three times the median of their kind, and over twice what others' times predict
//! for an input like theirs (time = start + slope × input). Where it computed most of that time,
//! its records are costly; else it waited.
//!
//! # The bound
//! The job with those tasks as fast as the median.
//!
//! # What to do
//! One that computes: a profile of it (`mapreduce.task.profile`, with `mapreduce.task.profile.maps`
//! or `mapreduce.task.profile.reduces`). One that waits: its node and its log say what it waited
//! for; speculation (`mapreduce.map.speculative`, `mapreduce.reduce.speculative`) starts a second
//! attempt elsewhere.
//!
//! # What would confirm it
//! Curves of its node at that time; the attempt's own log.
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Verdict};
use super::view::{View, count, counter, interval, middle, s, word};
use super::{Found, skew};
use page::words::num;
use std::collections::BTreeSet;

/// The name of the cause.
pub const NAME: &str = "straggler";

/// So many times the median is marked.
const MARKED: f64 = 3.0;

/// A task that computes for this part of its time does not wait.
const COMPUTES: f64 = 0.7;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    ["MAP", "REDUCE"].into_iter().filter_map(|kind| of_kind(view, kind)).collect()
}

fn of_kind(view: &View<'_>, kind: &'static str) -> Option<Verdict> {
    let all = view.good(kind);
    let usual = middle(&all, |a| view.work(a));
    let slow = |a: &&&Attempt| view.work(a) > MARKED * usual && view.work(a) > usual + 1.0;
    let explained = skew::explained(view, kind, &all);
    let unexplained = |a: &&&Attempt| !explained.contains(&a.task);
    let marked: Vec<&Attempt> = all.iter().filter(slow).filter(unexplained).copied().collect();
    let worst = marked.iter().max_by(|a, b| view.work(a).total_cmp(&view.work(b)))?;
    let names: BTreeSet<&str> = marked.iter().map(|a| a.name.as_str()).collect();
    let quick =
        |a: &Attempt, work: f64| Some(if names.contains(a.name.as_str()) { usual } else { work });
    let what = format!(
        "{} took {} on {}, {}× the median of {}s",
        view.task(worst),
        s(view.work(worst)),
        worst.host,
        num(view.work(worst) / usual.max(1e-9), 1),
        word(kind)
    );
    let others = match marked.len() {
        1 => String::new(),
        n => format!("; {} like it", count(n - 1, "other")),
    };
    let mut evidence = vec![interval("starts and ends of attempts", what.clone())];
    let cpu = (worst.cpu(), middle(&all, Attempt::cpu));
    let computes = cpu.0 >= COMPUTES * view.work(worst) && cpu.0 > MARKED * cpu.1;
    let why = match computes {
        true => format!("; it computed for {}, the others for {}", s(cpu.0), s(cpu.1)),
        false => String::new(),
    };
    if computes {
        let says = format!("CPU {}, of its like {} in the median", s(cpu.0), s(cpu.1));
        evidence.push(counter("CPU_MILLISECONDS", says))
    }
    let others = format!("{others}{why}");
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("a straggler: {what}{others}"),
        holder: format!("{what}{others}"),
        gain: view.gain(&quick),
        bound: view.on_path(&quick),
        certainty: "medium",
        surer: match computes {
            true => "a profile of that task: which of its records take so much CPU",
            false => "node curves of that node (sadf -j, or tenbin monitor)",
        },
        cure: if computes { profile(kind) } else { speculate(view, kind, &worst.host) },
        tasks: marked.iter().map(|a| a.task).collect(),
        evidence,
    };
    Some(found.verdict(view))
}

fn profile(kind: &str) -> Cure {
    let what = "Profile that task, and shorten what its costly records need, or split them";
    match kind {
        "REDUCE" => Cure::new(what, "mapreduce.task.profile.reduces"),
        _ => Cure::new(what, "mapreduce.task.profile.maps"),
    }
}

/// A second attempt on another host: Hadoop's default, unless the configuration says no.
pub(super) fn speculate(view: &View<'_>, kind: &str, host: &str) -> Cure {
    let key = match kind {
        "REDUCE" => "mapreduce.reduce.speculative",
        _ => "mapreduce.map.speculative",
    };
    let host = if host.is_empty() { "its node" } else { host };
    match view.job.conf.get(key).map(|set| set.trim()) {
        Some("false") => {
            let what = "Let speculation start slow tasks a second time on another node: it is off";
            Cure::new(format!("{what}. Look at the disks, cores and NIC of {host}"), key)
        }
        _ => Cure::new(
            format!("Look at the disks, cores and NIC of {host}; leave it out until then"),
            "",
        ),
    }
}
