//! Few tasks got much of the input.
//!
//! # What it looks at
//! Records, groups and bytes of each task against the median of the others of its kind, and its
//! time against theirs: a task with twice the input that also takes half as long again.
//!
//! # The bound
//! The job is gone through once more with each task's time changed as if all had the same input.
//!
//! # What would confirm it
//! The keys: count records by key (or by partition) in the input; a custom partitioner, a
//! combiner, or salted keys take the skew away.
use super::super::job::Attempt;
use super::super::verdicts::{Evidence, Verdict};
use super::Found;
use super::view::{View, count, counter, middle, part, s, word};
use page::words::num;

/// The name of the cause.
const NAME: &str = "skew";

/// So many times the others' median is much input.
const INPUT: f64 = 2.0;

/// And so many times their time is slow.
const TIME: f64 = 1.5;

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    ["REDUCE", "MAP"].into_iter().filter_map(|kind| of_kind(view, kind)).collect()
}

/// What a task's input is counted in, the first that is told of all.
const COUNTED: [(&str, &str); 5] = [
    ("REDUCE_INPUT_RECORDS", "records"),
    ("REDUCE_SHUFFLE_BYTES", "bytes"),
    ("HDFS_BYTES_READ", "bytes"),
    ("MAP_INPUT_RECORDS", "records"),
    ("FILE_BYTES_READ", "bytes"),
];

fn of_kind(view: &View<'_>, kind: &'static str) -> Option<Verdict> {
    let all = view.good(kind);
    let told = |name: &str| all.iter().filter(|a| a.number(name) > 0.0).count();
    let counted = if kind == "REDUCE" { &COUNTED[..2] } else { &COUNTED[2..] };
    let tried = counted.iter().filter(|(name, _)| 2 * told(name) > all.len());
    tried
        .filter_map(|(name, unit)| counted_in(view, kind, &all, name, unit))
        .max_by(|a, b| a.share.total_cmp(&b.share))
}

fn counted_in(
    view: &View<'_>,
    kind: &'static str,
    all: &[&Attempt],
    name: &'static str,
    unit: &str,
) -> Option<Verdict> {
    let input = |a: &Attempt| a.number(name);
    let hot = hot(view, all, &input);
    let first = *hot.first()?;
    let sum: f64 = all.iter().map(|a| input(a)).sum();
    let mean = sum / all.len() as f64;
    let even = |a: &Attempt, work: f64| {
        let own = input(a);
        let same = a.kind == kind && a.outcome == trace::Outcome::Ok && own > 0.0;
        Some(if same { work * mean / own } else { work })
    };
    // Others get more, so those far below the mean are not stretched without end.
    let longest = all.iter().map(|a| view.work(a)).fold(0.0, f64::max);
    let even = |a: &Attempt, work: f64| even(a, work).map(|work| f64::min(work, longest));
    let less = |a: &Attempt, work: f64| {
        Some(if hot.iter().any(|b| b.name == a.name) { work * mean / input(a) } else { work })
    };
    let others: Vec<&Attempt> = all.iter().filter(|a| !hot.contains(a)).copied().collect();
    let got: f64 = hot.iter().map(|a| input(a)).sum();
    let named = match hot.len() {
        1 => view.task(first).to_string(),
        n => format!("{} ({} first)", count(n, word(kind)), view.task(first)),
    };
    let what = format!("{named} got {} of the {unit}", part(got / sum));
    let found = Found {
        cause: NAME,
        logged: false,
        holder: what.clone(),
        by: format!("skew: {what}"),
        gain: view.gain(&even),
        bound: view.gain(&less).max(view.on_path(&less)),
        certainty: "high",
        surer: "",
        tasks: hot.iter().map(|a| a.task).collect(),
        evidence: evidence(view, kind, all, &others, first, (name, unit)),
    };
    Some(found.verdict(view))
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
    let mut evidence = vec![counter(
        name,
        format!(
            "{} got {} of {} {unit}, {}× the median of the other {}s",
            view.task(first),
            whole(input(first)),
            whole(sum),
            num(input(first) / middle(others, input).max(1e-9), 1),
            word(kind)
        ),
    )];
    let groups = |a: &Attempt| a.number("REDUCE_INPUT_GROUPS");
    let all_groups: f64 = all.iter().map(|a| groups(a)).sum();
    if all_groups > 0.0 {
        let says = format!("{} of {} groups", whole(groups(first)), whole(all_groups));
        evidence.push(counter("REDUCE_INPUT_GROUPS", says))
    }
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

/// Tasks with much input that took long, the most input first.
fn hot<'a>(
    view: &View<'_>,
    all: &[&'a Attempt],
    input: &dyn Fn(&Attempt) -> f64,
) -> Vec<&'a Attempt> {
    let mut order = all.to_vec();
    order.sort_by(|a, b| input(b).total_cmp(&input(a)).then(a.name.cmp(&b.name)));
    // Half of all at most can be more than usual.
    let most = order.len() / 2;
    let usual = &order[most..];
    let (typical, took) = (middle(usual, input), middle(usual, |a| view.work(a)));
    let much = |a: &&&Attempt| {
        input(a) >= INPUT * typical && view.work(a) >= TIME * took && view.work(a) > took + 1.0
    };
    order[..most].iter().filter(much).copied().collect()
}

fn whole(number: f64) -> String {
    super::super::verdicts::plain(num(number, 0))
}
