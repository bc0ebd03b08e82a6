//! Tasks that took over three times the median of their kind: maps from start to end, reduces after
//! the last map.
use super::causes::{View, explained_by_input};
use super::job::Attempt;
use super::stats::{median, middle};
use super::verdicts::{MARKED, Verdict};

#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// "map", "reduce".
    pub name: &'static str,
    /// \[s\]
    pub median: f64,
    /// Each task's time over the median, in the job's order.
    pub times: Vec<f64>,
    /// Name of the slowest task, and its time over the median.
    pub slowest: (String, f64),
    /// Slowest first, at most 100.
    pub marked: Vec<Straggler>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Straggler {
    /// "m_000007".
    pub name: String,
    /// \[s\]
    pub took: f64,
    pub times: f64,
    /// "not explained" if unknown.
    pub cause: String,
}

pub(super) fn of(view: &View<'_>, verdicts: &[Verdict]) -> Vec<Kind> {
    let kinds = [("map", "MAP"), ("reduce", "REDUCE")].into_iter();
    kinds.filter_map(|kind| of_kind(view, kind, verdicts)).collect()
}

fn of_kind(
    view: &View<'_>,
    (name, kind): (&'static str, &str),
    verdicts: &[Verdict],
) -> Option<Kind> {
    let (job, all) = (view.job, view.successful(kind));
    let took = |a: &Attempt| view.work(a);
    let median = median(all.iter().map(|a| took(a)).collect())?;
    let over = |a: &Attempt| if median > 0.0 { took(a) / median } else { 1.0 };
    let slowest = all.iter().max_by(|a, b| took(a).total_cmp(&took(b)))?;
    let mut marked: Vec<&&Attempt> = all.iter().filter(|a| over(a) > MARKED).collect();
    marked.sort_by(|a, b| took(b).total_cmp(&took(a)).then(a.name.cmp(&b.name)));
    let explained = explained_by_input(view, kind);
    let straggler = |a: &&&Attempt| Straggler {
        name: job.tasks[a.task].name.clone(),
        took: took(a),
        times: over(a),
        cause: known(a, verdicts).unwrap_or_else(|| cause(a, all, explained.contains(&a.task))),
    };
    Some(Kind {
        name,
        median,
        times: all.iter().map(|a| over(a)).collect(),
        slowest: (job.tasks[slowest.task].name.clone(), over(slowest)),
        marked: marked.iter().take(100).map(straggler).collect(),
    })
}

/// The cause of a verdict on this task. `None` for stragglers and skew.
fn known(one: &Attempt, verdicts: &[Verdict]) -> Option<String> {
    let of = |verdict: &&Verdict| {
        verdict.cause != super::causes::STRAGGLER
            && verdict.tasks.len() < 1000
            && verdict.tasks.contains(&one.task)
    };
    let verdict = verdicts.iter().find(of)?;
    (verdict.cause != "skew").then(|| verdict.cause.clone())
}

/// How the task's counters differ from those of its kind.
fn cause(one: &Attempt, all: &[&Attempt], by_input: bool) -> String {
    let times = |of: &dyn Fn(&Attempt) -> f64| {
        let median = middle(all, of);
        if median > 0.0 { of(one) / median } else { 0.0 }
    };
    let input = times(&|a| {
        a.number("HDFS_BYTES_READ")
            .max(a.number("REDUCE_SHUFFLE_BYTES"))
            .max(a.number("MAP_INPUT_RECORDS").max(a.number("REDUCE_INPUT_RECORDS")))
    });
    let spilled = times(&|a| a.number("SPILLED_RECORDS"));
    if by_input {
        return format!("skew: {}× the median of input", round(input));
    }
    if spilled >= 2.0 {
        return format!("spills: {}× the median of spilled records", round(spilled));
    }
    if one.gc() >= 0.2 * one.duration_s() {
        return format!("GC: {} % of its time", round(100.0 * one.gc() / one.duration_s()));
    }
    if one.cpu() >= 0.5 * one.duration_s() {
        return format!("CPU: {} % of its time", round(100.0 * one.cpu() / one.duration_s()));
    }
    let local = all.iter().filter(|a| a.locality == "NODE_LOCAL").count();
    if !one.locality.is_empty() && one.locality != "NODE_LOCAL" && 2 * local > all.len() {
        return format!("not explained; its data was not on its node ({})", one.locality);
    }
    "not explained".into()
}

fn round(value: f64) -> String {
    page::words::num(value, if value < 10.0 { 1 } else { 0 })
}
