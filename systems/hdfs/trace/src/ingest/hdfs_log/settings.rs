//! Settings of the real cluster: from its start-up lines, else its site file, else HDFS's defaults.
use super::log_history::LogHistory;
use hdfs_scenario::keys::{self, KeyDefault, TypedValue};

/// Times \[ms\].
pub(super) struct Settings {
    pub(super) replication: u8,
    pub(super) interval: i64,
    pub(super) multiplier: u64,
    pub(super) heartbeat: i64,
    pub(super) recheck: i64,
    /// (real key, value) from the inputs.
    pub(super) reported: Vec<(String, String)>,
    /// (real key, HDFS default) of settings that the results depend on and no input has.
    pub(super) assumed: Vec<(String, String)>,
}

/// Settings that explain waits or the time of the loss, or affect a simulation of the same loss.
const TAKEN: [&str; 6] = [
    "dfs.namenode.heartbeat.recheck-interval",
    "dfs.namenode.redundancy.interval.seconds",
    "dfs.namenode.replication.work.multiplier.per.iteration",
    "dfs.namenode.replication.max-streams",
    "dfs.namenode.replication.max-streams-hard-limit",
    "dfs.heartbeat.interval",
];

impl Settings {
    /// Log lines override the site file: they show the active values.
    pub(super) fn of(story: &LogHistory, site: &[(String, String)]) -> Settings {
        let mut stated: Vec<(String, String)> = site.to_vec();
        let line = |name: &str| story.settings.get(name).copied();
        for key in ["dfs.replication", "dfs.namenode.replication.max-streams"] {
            if let Some(value) = line(key) {
                set(&mut stated, key, value.to_string())
            }
        }
        if let Some(ms) = line("redundancy interval, ms") {
            set(&mut stated, "dfs.namenode.redundancy.interval.seconds", seconds(ms))
        }
        if let Some(ms) = line("heartbeat, ms") {
            set(&mut stated, "dfs.heartbeat.interval", seconds(ms))
        }
        let heartbeat = time(&stated, "dfs.heartbeat.interval");
        if let Some(expire) = line("expire, ms") {
            // A node expires after two rechecks and ten heartbeats (`DatanodeManager`).
            let recheck = (expire as i64 - 10 * heartbeat).max(2) / 2;
            let key = "dfs.namenode.heartbeat.recheck-interval";
            set(&mut stated, key, recheck.to_string())
        }
        let multiplier = "dfs.namenode.replication.work.multiplier.per.iteration";
        Settings {
            replication: count(&stated, "dfs.replication").min(255) as u8,
            interval: time(&stated, "dfs.namenode.redundancy.interval.seconds"),
            multiplier: count(&stated, multiplier),
            heartbeat,
            recheck: time(&stated, "dfs.namenode.heartbeat.recheck-interval"),
            assumed: assumed(story, &stated),
            reported: stated,
        }
    }

    /// True if the default is used.
    pub(super) fn assumes(&self, key: &str) -> bool {
        self.assumed.iter().any(|(name, _)| name == key)
    }
}

fn assumed(story: &LogHistory, stated: &[(String, String)]) -> Vec<(String, String)> {
    // If each block has its own target, the default does not matter.
    let silent = story.blocks.values().any(|block| block.wanted(0) == 0);
    let replication = silent.then_some("dfs.replication");
    let missing = TAKEN.into_iter().chain(replication).filter(|name| !has(stated, name));
    let default = |name: &str| Some((name.to_string(), default(name)?.to_string()));
    missing.filter_map(default).collect()
}

fn has(stated: &[(String, String)], name: &str) -> bool {
    stated.iter().any(|(key, _)| key == name)
}

fn default(name: &str) -> Option<&'static str> {
    match keys::find(&format!("hdfs-site.{name}"))?.absent {
        KeyDefault::Default(text) => Some(text),
        _ => None,
    }
}

fn set(stated: &mut Vec<(String, String)>, key: &str, value: String) {
    stated.retain(|(k, _)| k != key);
    stated.push((key.into(), value))
}

fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") }
}

/// Parsed by the scenario's key; its default if absent.
fn value(stated: &[(String, String)], name: &str) -> Option<TypedValue> {
    let key = keys::find(&format!("hdfs-site.{name}"))?;
    let given = stated.iter().find(|(k, _)| k == name).map(|(_, value)| value.as_str());
    let default = || key.kind.read(default(name)?).ok();
    given.and_then(|text| key.kind.read(text).ok()).or_else(default)
}

fn count(stated: &[(String, String)], name: &str) -> u64 {
    match value(stated, name) {
        Some(TypedValue::Count(n)) => n,
        _ => 0,
    }
}

fn time(stated: &[(String, String)], name: &str) -> i64 {
    match value(stated, name) {
        Some(TypedValue::Time(t)) => (t.0 / 1_000_000) as i64,
        _ => 0,
    }
}
