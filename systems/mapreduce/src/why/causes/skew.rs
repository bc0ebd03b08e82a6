//! Few tasks got much of the input.
//!
//! # What it looks at
//! Records and bytes of each task against the median of the others of its kind, and its time
//! against what others' times predict for such an input (time = start + slope × input): a task with
//! twice the input that takes half as long again, and not much longer than the input explains. Of
//! reduces the groups (`REDUCE_INPUT_GROUPS`) tell a hot key (much input, few groups) from a bad
//! partition (many groups). A job of few keys leaves containers idle, however many reduces it has.
//!
//! # The bound
//! The job is gone through once more with each task's time changed as if all had the same input;
//! the start of a task stays. At most, hot tasks shrink in proportion to their input.
//!
//! # What to do
//! A hot key: a combiner (`mapreduce.job.combine.class`), or salted keys and a second aggregation;
//! a larger `mapreduce.job.reduces` does not help. A bad partition: a partitioner that deals the
//! keys evenly (`mapreduce.job.partitioner.class`), or another number of reduces. A map: files that
//! can be split (gzip cannot), or smaller ones; `mapreduce.input.fileinputformat.split.maxsize`.
//!
//! # What would confirm it
//! The keys: count records by key (or by partition) in the input. Of a map: the name and the size
//! of its file, in the first lines of its log.
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Evidence, Verdict};
use super::Found;
use super::keys::{self, Shape};
use super::line::{self, Line};
use super::view::{View, count, counter, middle, part, s, word};
use page::words::num;
use std::collections::BTreeSet;

/// The name of the cause.
pub(super) const NAME: &str = "skew";

/// So many times the others' median is much input.
const INPUT: f64 = 2.0;

/// And so many times their time is slow.
const TIME: f64 = 1.5;

/// A counter that gains so much more of the job than one before it tells more.
const MORE: f64 = 0.05;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let uneven: Vec<Verdict> =
        ["REDUCE", "MAP"].into_iter().filter_map(|kind| of_kind(view, kind)).collect();
    let few = keys::few(view).filter(|_| uneven.is_empty());
    uneven.into_iter().chain(few).collect()
}

fn of_kind(view: &View<'_>, kind: &'static str) -> Option<Verdict> {
    let all = view.good(kind);
    let counted = line::counted(kind, &all).into_iter();
    let found = counted.filter_map(|counter| counted_in(view, kind, &all, counter));
    // The first counter, unless another one tells of more.
    found.reduce(|first, other| if other.share > first.share + MORE { other } else { first })
}

fn counted_in(
    view: &View<'_>,
    kind: &'static str,
    all: &[&Attempt],
    (name, unit): (&'static str, &str),
) -> Option<Verdict> {
    let input = |a: &Attempt| a.number(name);
    let hot = hot(view, all, name);
    let first = *hot.first()?;
    let names: BTreeSet<&str> = hot.iter().map(|a| a.name.as_str()).collect();
    let is_hot = |a: &Attempt| names.contains(a.name.as_str());
    let sum: f64 = all.iter().map(|a| input(a)).sum();
    let mean = sum / all.len() as f64;
    let line = Line::of(&line::points(view, all, name));
    // Others get more, so those far below the mean are not stretched without end.
    let longest = all.iter().map(|a| view.work(a)).fold(0.0, f64::max);
    let even = |a: &Attempt, work: f64| {
        let same = a.kind == kind && a.outcome == trace::Outcome::Ok && line.at(input(a)) > 0.0;
        let times = if same { line.at(mean) / line.at(input(a)) } else { 1.0 };
        Some(if times > 1.0 { (work * times).min(longest) } else { work * times })
    };
    let less = |a: &Attempt, work: f64| Some(if is_hot(a) { work * mean / input(a) } else { work });
    let others: Vec<&Attempt> = all.iter().filter(|a| !is_hot(a)).copied().collect();
    let got: f64 = hot.iter().map(|a| input(a)).sum();
    let named = match hot.len() {
        1 => view.task(first).to_string(),
        n => format!("{} ({} first)", count(n, word(kind)), view.task(first)),
    };
    let shape = if kind == "REDUCE" { keys::shape(all, first, name) } else { Shape::Untold };
    let what = format!("{named} got {} of the {unit}{}", part(got / sum), shape.says());
    let gain = view.gain(&even);
    let found = Found {
        cause: NAME,
        logged: false,
        holder: what.clone(),
        by: format!("skew: {what}"),
        gain,
        bound: view.gain(&less).max(view.on_path(&less)).max(gain),
        certainty: "high",
        surer: surer(kind),
        cure: cure(view, kind, &shape),
        tasks: hot.iter().map(|a| a.task).collect(),
        evidence: evidence(view, kind, all, &others, first, (name, unit)),
    };
    Some(found.verdict(view))
}

fn surer(kind: &str) -> &'static str {
    match kind {
        "REDUCE" => "a count of the records by key (or by partition) in the input",
        _ => "the first lines of that map's log: the name and the length of its split",
    }
}

fn cure(view: &View<'_>, kind: &str, shape: &Shape) -> Cure {
    match kind {
        "REDUCE" => shape.cure(view),
        _ => Cure::new(
            "Let more maps read that input: a file that can be split (gzip cannot), smaller files, \
             or smaller splits",
            "mapreduce.input.fileinputformat.split.maxsize",
        ),
    }
}

/// The first of the hot tasks against the others.
fn evidence(
    view: &View<'_>,
    kind: &str,
    all: &[&Attempt],
    others: &[&Attempt],
    first: &Attempt,
    (name, unit): (&'static str, &str),
) -> Vec<Evidence> {
    let input = |a: &Attempt| a.number(name);
    let sum: f64 = all.iter().map(|a| input(a)).sum();
    let usual = middle(others, input);
    let times = match usual > 0.0 {
        true => {
            format!(", {}× the median of the other {}s", num(input(first) / usual, 1), word(kind))
        }
        false => format!("; most other {}s got none", word(kind)),
    };
    let got = format!("{} got {} of {} {unit}", view.task(first), whole(input(first)), whole(sum));
    let mut evidence = vec![counter(name, got + &times)];
    evidence.extend(keys::evidence(view, all, first));
    evidence.push(counter(
        "start and end",
        format!(
            "it took {}{}, the others {} in the median; CPU {}, the others {}",
            s(view.work(first)),
            if kind == "REDUCE" { " after the last map" } else { "" },
            s(middle(others, |a| view.work(a))),
            s(first.cpu()),
            s(middle(others, Attempt::cpu))
        ),
    ));
    evidence
}

/// Tasks with much input that took long, but no longer than it explains; the most input first.
fn hot<'a>(view: &View<'_>, all: &[&'a Attempt], name: &str) -> Vec<&'a Attempt> {
    let input = |a: &Attempt| a.number(name);
    let mut order = all.to_vec();
    order.sort_by(|a, b| input(b).total_cmp(&input(a)).then(a.name.cmp(&b.name)));
    // Half of all at most can be more than usual.
    let (top, usual) = order.split_at(order.len() / 2);
    let (typical, took) = (middle(usual, input), middle(usual, |a| view.work(a)));
    let much = |a: &&Attempt| {
        input(a) >= INPUT * typical
            && input(a) > 0.0
            && view.work(a) >= TIME * took
            && view.work(a) > took + 1.0
    };
    let much_more: Vec<&Attempt> = top.iter().copied().filter(much).collect();
    let less = top.iter().copied().filter(|a| !much(a));
    let others: Vec<&Attempt> = usual.iter().copied().chain(less).collect();
    let predicts = line::Predicts::of(&line::points(view, &others, name));
    let explained = |a: &&Attempt| predicts.explains(view.work(a), input(a));
    much_more.into_iter().filter(explained).collect()
}

/// Tasks of a kind that got so much input that this explains their time, by their places.
pub(in crate::why) fn explained(view: &View<'_>, kind: &str, all: &[&Attempt]) -> BTreeSet<usize> {
    let hot = |(name, _): (&str, &str)| hot(view, all, name).into_iter().map(|a| a.task);
    line::counted(kind, all).into_iter().flat_map(hot).collect()
}

fn whole(number: f64) -> String {
    super::super::verdicts::plain(num(number, 0))
}
