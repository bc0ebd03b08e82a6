//! Few tasks got most of the input.
//!
//! # What it looks at
//! Records and bytes of each task, compared with the median of the others of its kind. Its time,
//! compared with the prediction for its input from the others (time = start + slope × input). A
//! task is skewed if it has at least twice the input and takes half as long again, but not much
//! longer than the input explains. For reduces, groups (`REDUCE_INPUT_GROUPS`) distinguish a hot
//! key (much input, few groups) from a bad partition (many groups). A job with few keys leaves
//! containers idle with any number of reduces.
//!
//! # The bound
//! A replay of the job with each task's time changed as if all had the same input; the start of a
//! task stays. The bound shortens hot tasks in proportion to their input.
//!
//! # What to do
//! A hot key: a combiner (`mapreduce.job.combine.class`), or salted keys and a second aggregation;
//! a larger `mapreduce.job.reduces` does not help. A bad partition: a partitioner that distributes
//! the keys evenly (`mapreduce.job.partitioner.class`), or another number of reduces. A map: files
//! that can be split (gzip cannot), or smaller files;
//! `mapreduce.input.fileinputformat.split.maxsize`.
//!
//! # What would confirm it
//! Reduces: the number of records by key (or by partition) in the input. Maps: the name and the
//! size of the file, in the first lines of the map's log.
use super::few_reduces::{describe_reduces, each, estimate_split, leave_idle};
use super::keys::{self, COMBINE, GROUPS, SkewKind, groups};
use super::line::{self, LinearFit};
use super::rule::{Finding, Rule, TimePart, counter};
use super::view::{View, word};
use crate::plain::{count, duration, num, percent};
use crate::why::stats::{longest, middle, sum};
use crate::why::{Attempt, Evidence, Remedy};
use std::collections::BTreeSet;

pub(super) const RULE: Rule = Rule {
    name: "skew",
    takes: TimePart::Runs,
    looks: &[|view| of_kind(view, "REDUCE"), |view| of_kind(view, "MAP"), few_keys],
    certainty: "high",
    confirm: "the first lines of that map's log: the name and the length of its split",
    remedy: (
        "Let more maps read that input: a file format with splits (not gzip), smaller files, or \
         smaller splits",
        "mapreduce.input.fileinputformat.split.maxsize",
    ),
    source: include_str!("skew.rs"),
};

/// Input above this many times the others' median is much.
const INPUT: f64 = 2.0;

/// A time of at least this many times the others' is slow.
const TIME: f64 = 1.5;

/// Another counter replaces the first if its gain is higher by this fraction of the job.
const MORE: f64 = 0.05;

fn of_kind(view: &View<'_>, kind: &'static str) -> Option<Finding> {
    let counted = line::common_counters(kind, view.successful(kind)).into_iter();
    let found = counted.filter_map(|counter| counted_in(view, kind, counter));
    // The first counter, unless another one explains more.
    let more = MORE * view.duration;
    found.reduce(|first, other| if other.gain > first.gain + more { other } else { first })
}

fn counted_in(
    view: &View<'_>,
    kind: &'static str,
    (name, unit): (&'static str, &str),
) -> Option<Finding> {
    let (all, input) = (view.successful(kind), |a: &Attempt| a.number(name));
    let hot = hot(view, all, name);
    let first = *hot.first()?;
    let names: BTreeSet<&str> = hot.iter().map(|a| a.name.as_str()).collect();
    let is_hot = |a: &Attempt| names.contains(a.name.as_str());
    let whole = sum(all, input);
    let mean = whole / all.len() as f64;
    let line = LinearFit::of(&line::points(view, all, name));
    // Tasks with little input get more; none gets longer than the longest.
    let longest = longest(all, |a| view.work(a));
    let even = |a: &Attempt, work: f64| {
        let same = a.is_ok(kind) && line.at(input(a)) > 0.0;
        let times = if same { line.at(mean) / line.at(input(a)) } else { 1.0 };
        Some(if times > 1.0 { (work * times).min(longest) } else { work * times })
    };
    let less = |a: &Attempt, work: f64| Some(if is_hot(a) { work * mean / input(a) } else { work });
    let others: Vec<&Attempt> = all.iter().filter(|a| !is_hot(a)).copied().collect();
    let named = match hot.len() {
        1 => view.task(first).to_string(),
        n => format!("{} ({} first)", count(n, word(kind)), view.task(first)),
    };
    let shape =
        if kind == "REDUCE" { keys::classify_skew(all, first, name) } else { SkewKind::Unknown };
    let got = percent(sum(&hot, input) / whole);
    let what = format!("{named} got {got} of the {unit}{}", shape.describe());
    let found = Finding::new(format!("skew: {what}"), what)
        .replayed(view.gain(&even))
        .at_most(view.gain(&less).max(view.on_path(&less)))
        .tasks(hot.iter().map(|a| a.task))
        .with(evidence(view, kind, &others, first, (name, unit)));
    Some(match kind {
        "REDUCE" => found
            .confirm("a count of the records by key (or by partition) in the input")
            .remedy(shape.remedy(view)),
        _ => found,
    })
}

fn evidence(
    view: &View<'_>,
    kind: &str,
    others: &[&Attempt],
    first: &Attempt,
    (name, unit): (&'static str, &str),
) -> Vec<Evidence> {
    let (all, input) = (view.successful(kind), |a: &Attempt| a.number(name));
    let (own, usual) = (input(first), middle(others, input));
    let times = match usual > 0.0 {
        true => format!(", {}× the median of the other {}s", num(own / usual, 1), word(kind)),
        false => format!("; most other {}s got none", word(kind)),
    };
    let (own, whole) = (num(own, 0), num(sum(all, input), 0));
    let got = format!("{} got {own} of {whole} {unit}{times}", view.task(first));
    let took = format!(
        "it took {}{}, the others {} (median); CPU {}, the others {}",
        duration(view.work(first)),
        if kind == "REDUCE" { " after the last map" } else { "" },
        duration(middle(others, |a| view.work(a))),
        duration(first.cpu()),
        duration(middle(others, Attempt::cpu))
    );
    let keys = keys::evidence(view, all, first);
    [counter(name, got)].into_iter().chain(keys).chain([counter("start and end", took)]).collect()
}

/// Tasks with much input that took long, but not longer than the input explains; most input first.
fn hot<'a>(view: &View<'_>, all: &[&'a Attempt], name: &str) -> Vec<&'a Attempt> {
    let input = |a: &Attempt| a.number(name);
    let mut order = all.to_vec();
    order.sort_by(|a, b| input(b).total_cmp(&input(a)).then(a.name.cmp(&b.name)));
    // At most half of all tasks can have more than usual.
    let (top, usual) = order.split_at(order.len() / 2);
    let (typical, took) = (middle(usual, input), middle(usual, |a| view.work(a)));
    let much = |a: &&Attempt| {
        input(a) >= INPUT * typical
            && input(a) > 0.0
            && view.work(a) >= TIME * took
            && view.work(a) > took + 1.0
    };
    let (much_more, less): (Vec<&Attempt>, Vec<&Attempt>) = top.iter().copied().partition(much);
    let others: Vec<&Attempt> = usual.iter().copied().chain(less).collect();
    let predicts = line::TimePredictor::of(&line::points(view, &others, name));
    let explained = |a: &&Attempt| predicts.covers_time(view.work(a), input(a));
    much_more.into_iter().filter(explained).collect()
}

/// Indexes of tasks of a kind whose much larger input explains their time.
pub(in crate::why) fn tasks_with_more_input(view: &View<'_>, kind: &str) -> BTreeSet<usize> {
    let all = view.successful(kind);
    let hot = |(name, _): (&str, &str)| hot(view, all, name).into_iter().map(|a| a.task);
    line::common_counters(kind, all).into_iter().flat_map(hot).collect()
}

/// Finds too few keys to share the work over more reduces, though no single key has more input than
/// the others.
fn few_keys(view: &View<'_>) -> Option<Finding> {
    let all = view.successful("REDUCE");
    let busy: Vec<&Attempt> = all.iter().filter(|a| groups(a) > 0.0).copied().collect();
    let (n, containers, keys) = (busy.len(), view.shape.at_once, sum(&busy, groups));
    let few = leave_idle(n, containers) && keys < 2.0 * n as f64;
    if !few || ["REDUCE", "MAP"].iter().any(|kind| of_kind(view, kind).is_some()) {
        return None;
    }
    let took = duration(middle(&busy, |a| view.work(a)));
    let keys = count(units::usize_of(units::rounded_u64(keys)), "key");
    let who = describe_reduces(view, &busy);
    let what = format!("{keys} in total: {who} for {took} after the last map");
    let text = "Combine records in the maps, if the function allows this; else salt the keys and \
                aggregate a second time. More reduces do not share a key";
    let found = Finding::new(format!("few keys: {what}"), what)
        .certainty("medium")
        .confirm("a run with a combiner, or with salted keys")
        .remedy(Remedy::new(text, COMBINE))
        .tasks(busy.iter().map(|a| a.task))
        .with([counter(GROUPS, format!("{keys} for {}", count(all.len(), "reduce")))])
        .with([each(view, &busy)])
        .with(keys::no_combiner(view));
    Some(estimate_split(view, found, n, (containers / 2).max(2 * n) as f64))
}
