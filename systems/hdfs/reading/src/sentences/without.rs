//! *Would help*: what the repair would take without each thing that could hold it up, in words.
use crate::metrics::Metrics;
use crate::report::Span;
use crate::spans::Sentence;
use crate::words::{decimals, duration_with, list, percent};

/// Metrics of the end without each, and what that means.
const AWAY: [(&str, &str); 8] = [
    ("without_multiplier_s", "an unlimited work multiplier"),
    ("without_max_streams_s", "unlimited max-streams"),
    ("without_streams_per_source_s", "unlimited streams_per_source"),
    ("without_heartbeat_s", "heartbeats at once"),
    ("without_redundancy_interval_s", "rounds at once"),
    ("without_disks_s", "disks that take no time"),
    ("without_nics_s", "NICs that take no time"),
    ("without_uplinks_s", "uplinks that take no time"),
];

/// What saves less is no difference, as in a comparison.
const LEAST: f64 = 0.05;

/// "Replayed from the trace: unlimited max-streams 31 s (24 % less). No gain: disks that take no
/// time."; nothing where the run has no such metrics.
pub fn would_help(metrics: &Metrics) -> Vec<Span> {
    let Some(now) = metrics.get("recovery_s").copied().filter(|now| *now > 0.0) else {
        return Vec::new();
    };
    let all =
        AWAY.iter().filter_map(|(name, words)| Some((1.0 - metrics.get(*name)? / now, *words)));
    let (mut helps, same): (Vec<_>, Vec<_>) = all.partition(|(saved, _)| *saved >= LEAST);
    helps.sort_by(|a, b| b.0.total_cmp(&a.0));
    if helps.is_empty() && same.is_empty() {
        return Vec::new();
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
    sentence.done()
}
