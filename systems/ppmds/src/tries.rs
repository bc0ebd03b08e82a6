//! Which changes are worth a try besides the settings that hold a run up.
use cluster::Sheet;
use system::lab::SeedRun;
use system::vary::Set;

/// From here on a part is at its limit.
pub const FULL: f64 = 0.9;
/// What holds up so much of all waiting is worth a try.
const WORTH: f64 = 0.1;

/// Of runs of a scenario.
pub fn tries(base: &Sheet, runs: &[SeedRun]) -> Vec<Set> {
    let text = |key: &str| base.text(key);
    let full = |what: &str| runs.iter().any(|run| run.reading.metrics[what] > FULL);
    let mut all: Vec<(&str, String)> = Vec::new();
    let (nic, store) = (full("utilisation_max_server_nic"), full("utilisation_max_store"));
    // Perhaps entries lie on few servers, one of which is at its limit.
    if nic {
        all.push(("policy.metadata", "hash".into()))
    }
    if store && text("store.durability") == "sync" {
        all.push(("store.durability", "group".into()))
    }
    // More servers share what waits for one of them, also where each still has time left.
    let waits = held(runs, "Server's switch port") + held(runs, "Server NIC") > WORTH;
    if nic || store || waits {
        all.push(("cluster.servers", (2 * base.count("cluster.servers")).to_string()))
    }
    // What lies on fewer servers takes fewer of them.
    if held(runs, "Other servers") > WORTH {
        all.push(("policy.metadata", "directory".into()));
        all.push(("transactions.run_by", "server".into()))
    }
    if held(runs, "transactions.contention") > WORTH {
        all.push(("transactions.reads", "shared".into()))
    }
    let another = |(key, value): &(&str, String)| text(key) != value;
    let set = |(key, value): (&str, String)| (key.to_string(), value);
    all.into_iter().filter(another).map(set).collect()
}

/// The part of all waiting that somebody holds up.
fn held(runs: &[SeedRun], holder: &str) -> f64 {
    let all = runs.iter().flat_map(|run| &run.reading.held);
    let of = all.filter(|held| held.holder.starts_with(holder)).map(|held| held.share);
    of.sum::<f64>() / runs.len().max(1) as f64
}
