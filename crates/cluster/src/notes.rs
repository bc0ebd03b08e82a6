//! What a scenario may say, and its author should know.
use crate::{Pacing, Scenario};

/// A sentence for each setting that is allowed, as HDFS allows it, and with which nothing is ever
/// repaired. Empty for most scenarios.
pub fn notes(scenario: &Scenario) -> Vec<String> {
    let h = &scenario.hdfs;
    let soft = ("dfs.namenode.replication.max-streams", h.max_streams);
    let hard = ("dfs.namenode.replication.max-streams-hard-limit", h.max_streams_hard_limit);
    let limits = match scenario.policy.pacing {
        Pacing::EventDriven => vec![],
        Pacing::Hdfs1 => vec![soft],
        Pacing::Hdfs3 => vec![soft, hard],
    };
    let zero = limits.into_iter().filter(|(_, limit)| *limit == 0);
    zero.map(|(key, _)| format!("{key} = 0: no copy is ever made, as in HDFS itself")).collect()
}
