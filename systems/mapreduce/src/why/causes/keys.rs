//! What the keys of reduces say of their input: one hot key, a bad partition, or few keys in all.
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Evidence, Verdict, plain};
use super::few_reduces::{COMBINE, dealt, dealt_whole, leave_idle};
use super::view::{View, count, counter, interval, middle, part, s};
use super::{Found, skew};
use page::words::num;

/// How a reduce came by more input than its like.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    /// The counters have no groups.
    Untold,
    /// Few of its keys have many records: of the groups it has this part.
    HotKey(f64),
    /// It has as much of the groups.
    Partition(f64),
}

const GROUPS: &str = "REDUCE_INPUT_GROUPS";

fn groups(a: &Attempt) -> f64 {
    a.number(GROUPS)
}

/// Of the reduce with the most input, by this counter: input = groups × input a group, and the
/// factor that is further from the others' names the shape.
pub(super) fn shape(all: &[&Attempt], first: &Attempt, name: &str) -> Shape {
    let sum: f64 = all.iter().map(|a| groups(a)).sum();
    if groups(first) <= 0.0 {
        return Shape::Untold;
    }
    let share = groups(first) / sum;
    let others = || all.iter().filter(|a| a.name != first.name && groups(a) > 0.0);
    let others_groups: f64 = others().map(|a| groups(a)).sum();
    if others_groups <= 0.0 {
        return if groups(first) < 2.0 { Shape::HotKey(share) } else { Shape::Partition(share) };
    }
    let a_key = others().map(|a| a.number(name)).sum::<f64>() / others_groups;
    let by_key = first.number(name) / groups(first) / a_key.max(f64::MIN_POSITIVE);
    let by_groups = groups(first) / middle(others(), groups);
    match by_key >= by_groups {
        true => Shape::HotKey(share),
        false => Shape::Partition(share),
    }
}

impl Shape {
    /// ", with 5 % of the keys: a hot key".
    pub(super) fn says(&self) -> String {
        match self {
            Shape::Untold => String::new(),
            Shape::HotKey(share) => format!(", with {} of the keys: a hot key", part(*share)),
            Shape::Partition(share) => {
                format!(", with {} of the keys: a bad partition", part(*share))
            }
        }
    }

    pub(super) fn cure(&self, view: &View<'_>) -> Cure {
        match self {
            Shape::HotKey(_) if combines(view) == Some(false) => Cure::new(
                "Combine the key's records in the maps, where the function allows it; else salt \
                 the key and aggregate a second time. More reduces do not share one key",
                COMBINE,
            ),
            Shape::HotKey(_) => Cure::new(
                "Salt the hot key and aggregate a second time. More reduces do not share one key",
                "mapreduce.job.partitioner.class",
            ),
            Shape::Partition(_) => Cure::new(
                "Deal the keys evenly: a partitioner that fits them (hash of the whole key, or \
                 sampled ranges), or another number of reduces",
                "mapreduce.job.partitioner.class",
            ),
            Shape::Untold => Cure::new(
                "Count the records by key. One hot key: a combiner, or salt; many keys: a \
                 partitioner that deals them evenly",
                "mapreduce.job.partitioner.class",
            ),
        }
    }
}

/// Whether a combiner ran in the maps; `None`: no counter states it.
fn combines(view: &View<'_>) -> Option<bool> {
    let told = |a: &&Attempt| a.kind == "MAP" && a.numbers.contains_key("COMBINE_INPUT_RECORDS");
    let mut told = view.job.attempts().filter(told).peekable();
    told.peek()?;
    Some(told.any(|a| a.number("COMBINE_INPUT_RECORDS") > 0.0))
}

/// That no combiner ran.
fn no_combiner(view: &View<'_>) -> Option<Evidence> {
    let none = combines(view) == Some(false);
    none.then(|| counter("COMBINE_INPUT_RECORDS", "0 in all maps: no combiner ran".into()))
}

/// The keys of a reduce, and whether a combiner ran.
pub(super) fn evidence(view: &View<'_>, all: &[&Attempt], first: &Attempt) -> Vec<Evidence> {
    let sum: f64 = all.iter().map(|a| groups(a)).sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    let whole = |number: f64| plain(num(number, 0));
    let says = format!("{} of {} groups", whole(groups(first)), whole(sum));
    [counter(GROUPS, says)].into_iter().chain(no_combiner(view)).collect()
}

/// So few keys that no number of reduces shares the work of those that have one.
pub(super) fn few(view: &View<'_>) -> Option<Verdict> {
    let all = view.good("REDUCE");
    let busy: Vec<&Attempt> = all.iter().filter(|a| groups(a) > 0.0).copied().collect();
    let (n, containers) = (busy.len(), view.shape.at_once);
    let keys: f64 = busy.iter().map(|a| groups(a)).sum();
    if !leave_idle(n, containers) || keys >= 2.0 * n as f64 {
        return None;
    }
    let each = s(middle(&busy, |a| view.work(a)));
    let keys = plain(page::words::count(units::rounded_u64(keys), "key"));
    let what = format!("{keys} in all: {} for {each} after the last map", works(view, &busy));
    let mut evidence = vec![
        counter(GROUPS, format!("{keys} for {}", count(all.len(), "reduce"))),
        interval(
            "starts and ends of attempts",
            format!("{each} each after the last map; the job had {containers} containers at once"),
        ),
    ];
    evidence.extend(no_combiner(view));
    let found = Found {
        cause: skew::NAME,
        holder: what.clone(),
        by: format!("few keys: {what}"),
        gain: view.gain(&dealt(view, n, (containers / 2).max(2 * n) as f64)),
        bound: view.gain(&dealt_whole(n, containers as f64)),
        certainty: "medium",
        surer: "a run with a combiner, or with salted keys",
        cure: Cure::new(
            "Combine records in the maps, where the function allows it; else salt the keys and \
             aggregate a second time. More reduces do not share a key",
            COMBINE,
        ),
        tasks: busy.iter().map(|a| a.task).collect(),
        evidence,
        ..Found::default()
    };
    Some(found.verdict(view))
}

/// "r_000000 does it all", "3 reduces do it all".
fn works(view: &View<'_>, busy: &[&Attempt]) -> String {
    match busy {
        [one] => format!("{} does it all", view.task(one)),
        all => format!("{} do it all", count(all.len(), "reduce")),
    }
}
