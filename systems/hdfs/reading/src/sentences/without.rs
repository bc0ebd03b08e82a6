//! *Would help*: what the repair would take without each thing that could hold it up, in words.
use super::gains::Gains;
use crate::run::{Run, VariantRuns};
use crate::spans::Sentence;
use crate::words::{decimals, duration_with, list, percent};
use page::Section;

pub struct Away {
    /// The metric of the end without it.
    metric: &'static str,
    words: &'static str,
    /// Parts of its holders' names, of Hadoop 3 and 1.
    pub holders: &'static [&'static str],
}

const fn away(metric: &'static str, words: &'static str, holders: &'static [&'static str]) -> Away {
    Away { metric, words, holders }
}

const AWAY: [Away; 8] = [
    away(
        "without_multiplier_s",
        "an unlimited work multiplier",
        &["work.multiplier", "WORK_MULTIPLIER"],
    ),
    away("without_max_streams_s", "unlimited max-streams", &["max-streams", "max-repl-streams"]),
    away("without_streams_per_source_s", "unlimited streams_per_source", &["streams_per_source"]),
    away("without_heartbeat_s", "heartbeats at once", &["dfs.heartbeat.interval"]),
    away(
        "without_redundancy_interval_s",
        "rounds at once",
        &["redundancy.interval", "dfs.replication.interval"],
    ),
    away("without_disks_s", "disks that take no time", &["Disk"]),
    away("without_nics_s", "NICs that take no time", &["NIC"]),
    away("without_uplinks_s", "uplinks that take no time", &["Rack uplink", "Inter-rack link"]),
];

/// The part of the time (0–1) that is saved without each, in the first seed, whose trace is
/// replayed; nothing where the run has no such metrics.
pub fn saved(now: &VariantRuns) -> Vec<(&'static Away, f64)> {
    let Some((first, recovery)) = first(now) else { return Vec::new() };
    let of = |away: &'static Away| Some((away, 1.0 - first.metrics.get(away.metric)? / recovery));
    AWAY.iter().filter_map(of).collect()
}

fn first(now: &VariantRuns) -> Option<(&Run, f64)> {
    let first = now.runs.first()?;
    Some((first, first.recovery_s().filter(|now| *now > 0.0)?))
}

/// "Replayed from the trace: unlimited max-streams 31 s (24 % less). No gain: disks that take no
/// time."; `None` where the run has no such metrics.
pub fn would_help(runs: &VariantRuns) -> Option<Section> {
    let now = first(runs).map_or(0.0, |(_, recovery)| recovery);
    let all = saved(runs).into_iter().map(|(away, saved)| (saved, away.words));
    let (mut helps, same): (Vec<_>, Vec<_>) = all.partition(|(saved, _)| Gains::is_any(*saved));
    helps.sort_by(|a, b| b.0.total_cmp(&a.0));
    if helps.is_empty() && same.is_empty() {
        return None;
    }
    let mut sentence = Sentence::new();
    if !helps.is_empty() {
        sentence = sentence.say("Replayed from the trace: ")
    }
    for (place, (saved, words)) in helps.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        let end = duration_with(now * (1.0 - saved), decimals(now));
        sentence = sentence
            .say(format!("{comma}{words} "))
            .strong(end)
            .say(format!(" ({} less)", percent(*saved)))
    }
    if !helps.is_empty() {
        sentence = sentence.say(". ")
    }
    if !same.is_empty() {
        let same: Vec<String> = same.iter().map(|(_, words)| (*words).to_string()).collect();
        sentence = sentence.say(format!("No gain: {}.", list(&same)))
    }
    Some(Section::words("without", "What would help", sentence))
}
