//! Classifies skew of reduces by their keys: a hot key, or a bad partition.
use super::rule::counter;
use super::view::View;
use crate::plain::{num, percent};
use crate::why::stats::{middle, sum};
use crate::why::{Attempt, Evidence, Remedy};

/// Why a reduce got more input than the others.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SkewKind {
    Unknown,
    /// Few keys with many records; the reduce's fraction of all groups.
    HotKey(f64),
    /// Many keys; the reduce's fraction of all groups.
    Partition(f64),
}

pub(super) const GROUPS: &str = "REDUCE_INPUT_GROUPS";

pub(super) const COMBINE: &str = "mapreduce.job.combine.class";

pub(super) fn groups(a: &Attempt) -> f64 {
    a.number(GROUPS)
}

/// Classifies the reduce with the most input, by counter `name`. Input = groups × input per group:
/// the factor that differs more from the other reduces decides.
pub(super) fn classify_skew(all: &[&Attempt], first: &Attempt, name: &str) -> SkewKind {
    if groups(first) <= 0.0 {
        return SkewKind::Unknown;
    }
    let share = groups(first) / sum(all, groups);
    let others = || all.iter().filter(|a| a.name != first.name && groups(a) > 0.0);
    let others_groups = sum(others(), groups);
    if others_groups <= 0.0 {
        return if groups(first) < 2.0 {
            SkewKind::HotKey(share)
        } else {
            SkewKind::Partition(share)
        };
    }
    let a_key = sum(others(), |a| a.number(name)) / others_groups;
    let by_key = first.number(name) / groups(first) / a_key.max(f64::MIN_POSITIVE);
    let by_groups = groups(first) / middle(others(), groups);
    match by_key >= by_groups {
        true => SkewKind::HotKey(share),
        false => SkewKind::Partition(share),
    }
}

impl SkewKind {
    pub(super) fn describe(&self) -> String {
        let with =
            |share: f64, what: &str| format!(", with {} of the keys: {what}", percent(share));
        match self {
            SkewKind::Unknown => String::new(),
            SkewKind::HotKey(share) => with(*share, "a hot key"),
            SkewKind::Partition(share) => with(*share, "a bad partition"),
        }
    }

    pub(super) fn remedy(&self, view: &View<'_>) -> Remedy {
        let (what, key) = match self {
            SkewKind::HotKey(_) if combines(view) == Some(false) => (
                "Combine the key's records in the maps, if the function allows this; else salt the \
                 key and aggregate a second time. More reduces do not share one key",
                COMBINE,
            ),
            SkewKind::HotKey(_) => (
                "Salt the hot key and aggregate a second time. More reduces do not share one key",
                "mapreduce.job.partitioner.class",
            ),
            SkewKind::Partition(_) => (
                "Distribute the keys evenly: a suitable partitioner (hash of the whole key, or \
                 sampled ranges), or another number of reduces",
                "mapreduce.job.partitioner.class",
            ),
            SkewKind::Unknown => (
                "Count the records by key. One hot key: a combiner, or salt; many keys: a \
                 partitioner that distributes them evenly",
                "mapreduce.job.partitioner.class",
            ),
        };
        Remedy::new(what, key)
    }
}

/// `None`: no map has the counter.
fn combines(view: &View<'_>) -> Option<bool> {
    let counted = |a: &&Attempt| a.kind == "MAP" && a.numbers.contains_key("COMBINE_INPUT_RECORDS");
    let mut counted = view.job.attempts().filter(counted).peekable();
    counted.peek()?;
    Some(counted.any(|a| a.number("COMBINE_INPUT_RECORDS") > 0.0))
}

pub(super) fn no_combiner(view: &View<'_>) -> Option<Evidence> {
    let none = combines(view) == Some(false);
    none.then(|| counter("COMBINE_INPUT_RECORDS", "0 in all maps: no combiner ran".into()))
}

pub(super) fn evidence(view: &View<'_>, all: &[&Attempt], first: &Attempt) -> Vec<Evidence> {
    let sum = sum(all, groups);
    if sum <= 0.0 {
        return Vec::new();
    }
    let says = format!("{} of {} groups", num(groups(first), 0), num(sum, 0));
    [counter(GROUPS, says)].into_iter().chain(no_combiner(view)).collect()
}
