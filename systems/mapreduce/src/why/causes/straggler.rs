//! A task took much longer than its like, and no counter says why.
//!
//! # What it looks at
//! Tasks that took three times the median of their kind with an input like the others'.
//!
//! # The bound
//! The job with those tasks as fast as the median.
//!
//! # What would confirm it
//! Curves of its node at that time; the attempt's own log.
use super::super::job::Attempt;
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, count, interval, middle, s, word};
use page::words::num;

/// The name of the cause.
pub(super) const NAME: &str = "straggler";

/// So many times the median is marked.
const MARKED: f64 = 3.0;

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    ["MAP", "REDUCE"].into_iter().filter_map(|kind| of_kind(view, kind)).collect()
}

fn of_kind(view: &View<'_>, kind: &'static str) -> Option<Verdict> {
    let all = view.good(kind);
    let usual = middle(&all, |a| view.work(a));
    let slow = |a: &&&Attempt| view.work(a) > MARKED * usual && view.work(a) > usual + 1.0;
    let marked: Vec<&Attempt> = all.iter().filter(slow).copied().collect();
    let worst = marked.iter().max_by(|a, b| view.work(a).total_cmp(&view.work(b)))?;
    let quick = |a: &Attempt, work: f64| {
        Some(if marked.iter().any(|b| b.name == a.name) { usual } else { work })
    };
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
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("a straggler: {what}{others}"),
        holder: format!("{what}{others}"),
        gain: view.gain(&quick),
        bound: view.on_path(&quick),
        certainty: "medium",
        surer: "node curves of that node (sadf -j, or tenbin monitor)",
        tasks: marked.iter().map(|a| a.task).collect(),
        evidence: vec![interval("starts and ends of attempts", what.clone())],
    };
    Some(found.verdict(view))
}
