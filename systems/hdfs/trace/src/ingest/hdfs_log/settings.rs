//! Settings of the real cluster: from its start-up lines, its site file, else HDFS's defaults.
use super::story::Story;
use hdfs_scenario::keys::{self, Absent, Typed};

/// What the figures need, times \[ms\].
pub(super) struct Settings {
    pub(super) replication: u8,
    pub(super) interval: i64,
    pub(super) multiplier: u64,
    pub(super) heartbeat: i64,
    pub(super) recheck: i64,
    /// Real keys and values that an input tells.
    pub(super) told: Vec<(String, String)>,
    /// Real keys and HDFS's defaults, taken since no input tells them, which the figures rest on.
    pub(super) assumed: Vec<(String, String)>,
}

/// Settings that waits and the time of the loss are put down to, and what else a simulation of the
/// same loss hangs on.
const TAKEN: [&str; 6] = [
    "dfs.namenode.heartbeat.recheck-interval",
    "dfs.namenode.redundancy.interval.seconds",
    "dfs.namenode.replication.work.multiplier.per.iteration",
    "dfs.namenode.replication.max-streams",
    "dfs.namenode.replication.max-streams-hard-limit",
    "dfs.heartbeat.interval",
];

impl Settings {
    /// Lines of the log go over the site file: they say what was in force.
    pub(super) fn of(story: &Story, site: &[(String, String)]) -> Settings {
        let mut told: Vec<(String, String)> = site.to_vec();
        let line = |name: &str| story.settings.get(name).copied();
        for key in ["dfs.replication", "dfs.namenode.replication.max-streams"] {
            if let Some(value) = line(key) {
                tell(&mut told, key, value.to_string())
            }
        }
        if let Some(ms) = line("redundancy interval, ms") {
            tell(&mut told, "dfs.namenode.redundancy.interval.seconds", seconds(ms))
        }
        if let Some(ms) = line("heartbeat, ms") {
            tell(&mut told, "dfs.heartbeat.interval", seconds(ms))
        }
        let heartbeat = time(&told, "dfs.heartbeat.interval");
        if let Some(expire) = line("expire, ms") {
            // `DatanodeManager`: a node expires after two rechecks and ten heartbeats.
            let recheck = (expire as i64 - 10 * heartbeat).max(2) / 2;
            let key = "dfs.namenode.heartbeat.recheck-interval";
            tell(&mut told, key, recheck.to_string())
        }
        let multiplier = "dfs.namenode.replication.work.multiplier.per.iteration";
        Settings {
            replication: count(&told, "dfs.replication").min(255) as u8,
            interval: time(&told, "dfs.namenode.redundancy.interval.seconds"),
            multiplier: count(&told, multiplier),
            heartbeat,
            recheck: time(&told, "dfs.namenode.heartbeat.recheck-interval"),
            assumed: assumed(story, &told),
            told,
        }
    }

    /// Whether no log and no file says it.
    pub(super) fn assumes(&self, key: &str) -> bool {
        self.assumed.iter().any(|(name, _)| name == key)
    }
}

fn assumed(story: &Story, told: &[(String, String)]) -> Vec<(String, String)> {
    // Where each block says what it wants, the default of all is of no consequence.
    let silent = story.blocks.values().any(|block| block.wanted(0) == 0);
    let replication = silent.then_some("dfs.replication");
    let untold = TAKEN.into_iter().chain(replication).filter(|name| !tells(told, name));
    let default = |name: &str| Some((name.to_string(), default(name)?.to_string()));
    untold.filter_map(default).collect()
}

fn tells(told: &[(String, String)], name: &str) -> bool {
    told.iter().any(|(key, _)| key == name)
}

fn default(name: &str) -> Option<&'static str> {
    match keys::find(&format!("hdfs-site.{name}"))?.absent {
        Absent::Default(text) => Some(text),
        _ => None,
    }
}

/// What the log says goes over what was there.
fn tell(told: &mut Vec<(String, String)>, key: &str, value: String) {
    told.retain(|(k, _)| k != key);
    told.push((key.into(), value))
}

/// As Hadoop would write it.
fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") }
}

/// The value as the scenario's table of keys reads it, or its default.
fn value(told: &[(String, String)], name: &str) -> Option<Typed> {
    let key = keys::find(&format!("hdfs-site.{name}"))?;
    let given = told.iter().find(|(k, _)| k == name).map(|(_, value)| value.as_str());
    let default = || key.kind.read(default(name)?).ok();
    given.and_then(|text| key.kind.read(text).ok()).or_else(default)
}

fn count(told: &[(String, String)], name: &str) -> u64 {
    match value(told, name) {
        Some(Typed::Count(n)) => n,
        _ => 0,
    }
}

fn time(told: &[(String, String)], name: &str) -> i64 {
    match value(told, name) {
        Some(Typed::Time(t)) => (t.0 / 1_000_000) as i64,
        _ => 0,
    }
}
