//! Warnings about valid settings.
use crate::{Pacing, Scenario};

/// One sentence for each valid setting that disables repair or another limit. Empty for most
/// scenarios.
pub fn notes(scenario: &Scenario) -> Vec<String> {
    let h = &scenario.hdfs;
    let soft = ("dfs.namenode.replication.max-streams", h.max_streams);
    let hard = ("dfs.namenode.replication.max-streams-hard-limit", h.max_streams_hard_limit);
    let limits = match scenario.policy.pacing {
        Pacing::EventDriven => vec![],
        Pacing::Hdfs1 => vec![soft],
        Pacing::Hdfs3 => vec![soft, hard],
    };
    let zero = limits.iter().filter(|(_, limit)| *limit == 0);
    let none = |(key, _): &(_, _)| format!("{key} = 0: no copy is ever made, as in HDFS itself");
    let mut notes: Vec<String> = zero.map(none).collect();
    if let [(soft, most), (hard, least)] = limits[..]
        && (1..most).contains(&least)
    {
        notes.push(format!("{hard} = {least} is below {soft} = {most}: the lower one applies"))
    }
    notes
}
