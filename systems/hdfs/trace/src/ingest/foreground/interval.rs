//! Counts of each DataNode between two snapshots.
use super::activity::Activity;
use super::names;
use super::snapshot::{SeenPage, Snapshot};
use import::{ImportError, issue};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Interval {
    pub(super) node: String,
    /// By the DataNode's clock \[s\]; above 0.
    pub(super) seconds: f64,
    pub(super) activity: Activity,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum SkipReason {
    OnlyBefore,
    OnlyAfter,
    Restarted,
    Backwards,
    NoTime,
    Fallen,
}

impl SkipReason {
    fn said(self) -> &'static str {
        match self {
            SkipReason::OnlyBefore => "only in --before",
            SkipReason::OnlyAfter => "only in --after",
            SkipReason::Restarted => "restarted between the snapshots",
            SkipReason::Backwards => "its --after page is older than its --before page",
            SkipReason::NoTime => "its pages have the same time",
            SkipReason::Fallen => "a counter decreased",
        }
    }
}

pub(super) struct SnapshotPairs {
    pub(super) intervals: Vec<Interval>,
    pub(super) left_out: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Pairs the snapshots; errors name the input `first`.
pub(super) fn pair(
    before: &Snapshot,
    after: &Snapshot,
    first: &str,
) -> Result<SnapshotPairs, ImportError> {
    let mut left_out: BTreeMap<SkipReason, Vec<&str>> = BTreeMap::new();
    let mut intervals = Vec::new();
    let only_after = after.keys().filter(|node| !before.contains_key(*node));
    only_after.for_each(|node| left_out.entry(SkipReason::OnlyAfter).or_default().push(node));
    for (node, then) in before {
        let found =
            after.get(node).ok_or(SkipReason::OnlyBefore).and_then(|now| between(then, now));
        match found {
            Ok((seconds, activity)) => {
                intervals.push(Interval { node: node.clone(), seconds, activity })
            }
            Err(why) => left_out.entry(why).or_default().push(node),
        }
    }
    let note = |(why, nodes): (&SkipReason, &Vec<&str>)| {
        format!("left out, {}: {}", why.said(), names::some(nodes))
    };
    let notes: Vec<String> = left_out.iter().map(note).collect();
    if intervals.is_empty() {
        let advice = match left_out.contains_key(&SkipReason::Backwards) {
            true => "Are --before and --after swapped?",
            false => "Fetch the pages of the same DataNodes twice, some minutes apart.",
        };
        let found = format!("no DataNode can be used ({})", notes.join("; "));
        let none = issue(found, "two pages of a DataNode, and time between");
        return Err(none.advice(advice).at(first, None));
    }
    let left_out = left_out.into_values().flatten().map(str::to_string).collect();
    Ok(SnapshotPairs { intervals, left_out, notes })
}

fn between(then: &SeenPage, now: &SeenPage) -> Result<(f64, Activity), SkipReason> {
    // Pages without a start time both have 0.
    if then.clock.start != now.clock.start {
        return Err(SkipReason::Restarted);
    }
    if now.clock.uptime < then.clock.uptime {
        return Err(if now.clock.start == 0 {
            SkipReason::Restarted
        } else {
            SkipReason::Backwards
        });
    }
    if now.clock.uptime == then.clock.uptime {
        return Err(SkipReason::NoTime);
    }
    let seconds = (now.clock.uptime - then.clock.uptime) as f64 / 1e3;
    let activity = now.activity.since(&then.activity).ok_or(SkipReason::Fallen)?;
    Ok((seconds, activity))
}
