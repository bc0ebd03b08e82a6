//! Price of a change: restarts, durability, metrics that get worse.
use crate::change::Change;
use crate::words::span;
use system::figures::Difference;
use system::lab::RowRuns;

pub const REOPEN: &str = "Pipelines are closed and opened again: writes through them stop for \
                          seconds, and their containers close before they are full.";

const GIVES_UP: &str =
    "Durability: after this time a client considers a write on two nodes complete.";
const CLIENTS: &str = "The clients (S3 gateways) restart.";
const SCM: &str = "SCM restarts.";
const DATANODES: &str = "The DataNodes restart one by one.";

/// Price of setting a key; `None`: not a setting but part of the question.
pub fn of(key: &str, value: &str) -> Option<Vec<&'static str>> {
    let name = key.strip_prefix("ozone-site.").unwrap_or(key);
    Some(match name {
        "hdds.ratis.client.request.watch.type" if value == "MAJORITY_COMMITTED" => vec![
            "Durability: a write is acknowledged on two nodes; if both are lost before the third \
             has caught up, the write is lost.",
            CLIENTS,
        ],
        "hdds.ratis.client.request.watch.type" => {
            vec!["A write waits for the slowest of its three nodes.", CLIENTS]
        }
        "hdds.ratis.client.request.watch.timeout" => vec![GIVES_UP, CLIENTS],
        "hdds.ratis.raft.server.watch.timeout" => vec![GIVES_UP, DATANODES],
        "hdds.container.chunk.write.sync" if value == "false" => vec![
            "Durability: an acknowledged chunk may be in page caches only; if its three nodes lose \
             power, the chunk is lost.",
            DATANODES,
        ],
        "hdds.ratis.leader.election.minimum.timeout.duration" => {
            vec!["A shorter one mistakes a leader's long pause for a failure.", DATANODES]
        }
        "hdds.ratis.raft.grpc.server.leader.outstanding.appends.max" => {
            vec!["A leader keeps more entries in memory.", DATANODES]
        }
        "hdds.container.chunk.write.sync" => vec![DATANODES],
        "ozone.scm.stale.node.interval" => {
            vec!["A shorter one closes the pipelines of a node that is only slow.", SCM]
        }
        "policy.pipeline" => vec![REOPEN],
        "policy.leader" => vec![SCM, REOPEN],
        "policy.choice" => vec!["SCM restarts with another policy."],
        "policy.volume" => vec!["The DataNodes restart one by one with another policy."],
        "policy.commit_notice" => vec!["Another version of Ratis on all nodes."],
        "hardware.log_disks" => vec![
            "The DataNodes restart one by one, with more directories in \
             hdds.container.ratis.datanode.storage.dir.",
        ],
        "hardware.log_apart" => vec!["The log disks hold no containers: less space.", DATANODES],
        "cluster.nodes" => vec!["Servers."],
        _ if name.starts_with("hdds.ratis.client.") => vec![CLIENTS],
        _ if name.starts_with("ozone.scm.") => vec![SCM],
        _ if name.starts_with("hardware.") => vec!["Other hardware."],
        "om.time" => vec!["A faster OM."],
        _ => return None,
    })
}

/// Prices without repetition; `None`: one key is part of the question.
pub fn of_all(sets: &[(String, String)]) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    for (key, value) in sets {
        for price in of(key, value)? {
            if !all.iter().any(|said| said == price) {
                all.push(price.to_string())
            }
        }
    }
    Some(all)
}

/// Metrics that get significantly worse.
pub fn worse(now: &RowRuns, then: &RowRuns) -> Vec<String> {
    let is_worse = |change: &Change| change.verdict == Difference::Worse;
    let tail = Change::of_tail(now, then).filter(is_worse).map(|change| {
        format!(
            "Worse: 99 of 100 writes end within {} instead of {}.",
            span(change.then / 1e3),
            span(change.now / 1e3)
        )
    });
    let stall = Change::of_stall(now, then).filter(is_worse).map(|change| {
        format!("Worse: no write ends for {} instead of {}.", span(change.then), span(change.now))
    });
    tail.into_iter().chain(stall).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_two_replicas_only_is_told_what_that_means() {
        let watch = "ozone-site.hdds.ratis.client.request.watch.type";
        let all = of(watch, "MAJORITY_COMMITTED").unwrap().join(" ");
        assert!(all.contains("Durability") && all.contains("acknowledged on two nodes"), "{all}");
        assert!(all.contains("restart"), "{all}");
    }

    #[test]
    fn another_question_is_no_advice() {
        let set = |key: &str| vec![(key.to_string(), "9".to_string())];
        assert_eq!(of_all(&set("workload.clients")), None);
        assert_eq!(of_all(&set("fault.node")), None);
        let limit = set("ozone-site.ozone.scm.datanode.pipeline.limit");
        let twice = [limit, set("policy.pipeline")].concat();
        let price = of_all(&twice).unwrap();
        assert_eq!(price.iter().filter(|said| *said == REOPEN).count(), 1, "said once");
    }
}
