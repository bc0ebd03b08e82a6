//! One sentence: which bottleneck changed between two runs.
use super::data::{Diff, HolderPair, RunSummary};
use crate::figures::Difference;
use crate::reporter::hue;
use page::words::{duration, percent};
use page::{Kind, Sentence, say};
use trace::reading::Role;

/// Most causes that are named for a longer run.
const NAMED: usize = 2;

/// A cause after the first is named from this fraction of the difference on.
const MUCH: f64 = 0.2;

/// Smaller shares count as unchanged.
const LEAST: f64 = 0.005;

/// Names what the longer run spends more time on; else what changed most; else that nothing did.
pub(super) fn sentence(diff: &Diff) -> Sentence {
    let Diff { runs, held, against, .. } = diff;
    if held.is_empty() {
        return Sentence::new();
    }
    let mut seen: Vec<&HolderPair> = held.iter().filter(|pair| is_seen(pair)).collect();
    if seen.is_empty() {
        return say("Both have the same bottlenecks.");
    }
    let differ = against.is_some_and(|against| against.verdict != Difference::None);
    match longer(runs, &seen).filter(|_| differ) {
        Some(said) => said,
        None => {
            seen.sort_by(|a, b| by(b).abs().total_cmp(&by(a).abs()));
            named(say("Bottleneck that changed most: "), seen[0])
                .say(format!(", {}.", both_of(seen[0])))
        }
    }
}

/// "What makes b longer: runs of reduces, 37.2 s instead of 16.4 s."
fn longer(runs: &[RunSummary; 2], seen: &[&HolderPair]) -> Option<Sentence> {
    let [Some(first), Some(second)] = runs.each_ref().map(|run| run.value.map(|v| v.mean)) else {
        return None;
    };
    let longer = usize::from(second > first);
    let more = |pair: &HolderPair| if longer == 1 { by(pair) } else { -by(pair) };
    let is_time = |pair: &&&HolderPair| pair.seconds.is_some() && more(pair) > 0.0;
    let mut grown: Vec<&HolderPair> = seen.iter().filter(is_time).copied().collect();
    let last = |pair: &HolderPair| pair.role == Role::Unexplained;
    grown.sort_by(|a, b| last(a).cmp(&last(b)).then(more(b).total_cmp(&more(a))));
    let least = MUCH * (second - first).abs();
    let first = *grown.first()?;
    let rest = grown.iter().copied().skip(1).filter(|pair| more(pair) >= least);
    let said = say(format!("What makes {} longer: ", runs[longer].name));
    let all = std::iter::once(first).chain(rest).take(NAMED).enumerate();
    let said = all.fold(said, |said, (place, pair)| {
        let [a, b] = pair.seconds.unwrap_or_default().map(duration);
        let (then, now) = if longer == 1 { (b, a) } else { (a, b) };
        let said = if place == 0 { said } else { said.say("; ") };
        named(said, pair).say(format!(", {then} instead of {now}"))
    });
    Some(said.say("."))
}

/// Whether the change is visible after rounding.
fn is_seen(pair: &HolderPair) -> bool {
    let [a, b] = pair.shares;
    let written = match pair.seconds {
        Some(both) => both.map(duration),
        None => pair.shares.map(percent),
    };
    a.max(b) >= LEAST && written[0] != written[1]
}

fn by(pair: &HolderPair) -> f64 {
    let [a, b] = pair.seconds.unwrap_or(pair.shares);
    b - a
}

/// "from 12.9 s to 4.0 s", "from 62 % to 31 %".
pub(super) fn both_of(pair: &HolderPair) -> String {
    let [a, b] = match pair.seconds {
        Some(both) => both.map(duration),
        None => pair.shares.map(percent),
    };
    format!("from {a} to {b}")
}

pub(super) fn named(sentence: Sentence, pair: &HolderPair) -> Sentence {
    match hue(pair.role) {
        Kind::Setting => sentence.key(pair.name.clone()),
        Kind::Unexplained => sentence.say("unexplained time"),
        _ => sentence.say(pair.name.clone()),
    }
}
