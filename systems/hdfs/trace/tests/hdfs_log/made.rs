//! Lines of Hadoop 2, of INFO alone, and losses that samples do not have.
use super::support::{about, logs};

/// Three nodes, a block of two replicas, and the loss of one of them.
const HADOOP_2: &str = include_str!("hadoop_2.txt");

#[test]
fn hadoop_2() {
    let logged = logs(&[HADOOP_2]).unwrap();
    assert_eq!(about(&logged, "redundant_s") - about(&logged, "declared_s"), 5.0);
    assert_eq!(about(&logged, "unrepaired"), 0.0);
    assert_eq!(logged.trace.racks, ["/r1", "/r2"]);
    // Heartbeats of 3 s and rechecks of 5 minutes: silent for 10.5 to 15.5 minutes.
    let detection = about(&logged, "declared_s");
    assert_eq!(detection, 930.0, "it may have been silent for that long");
    assert!(logged.cluster.notes.iter().any(|n| n.contains("silence is unknown")));
}

/// INFO logs have no requests: sources are unknown, the blocks at risk are the same.
#[test]
fn info_alone() {
    let quiet: String =
        HADOOP_2.lines().filter(|l| !l.contains("BLOCK* ask")).map(|l| format!("{l}\n")).collect();
    let logged = logs(&[&quiet]).unwrap();
    assert_eq!(about(&logged, "redundant_s") - about(&logged, "declared_s"), 5.0);
    assert!(
        logged
            .cluster
            .notes
            .iter()
            .any(|n| n.starts_with("1 of 1 copies: no line has their senders"))
    );
}

/// A second loss before the first is repaired.
#[test]
fn two_losses() {
    let more = HADOOP_2.replace(
        "26/11/20 10:20:03",
        "26/11/20 10:20:02 INFO hdfs.StateChange: BLOCK* removeDeadDatanode: lost heartbeat from \
         10.0.0.1:50010\n26/11/20 10:20:03",
    );
    let logged = logs(&[&more]).unwrap();
    assert_eq!(logged.losses.len(), 2);
    assert_eq!(about(&logged, "unrepaired"), 1.0, "one replica of two");
    let scenario = logged.scenario("cluster.toml");
    assert_eq!(scenario.matches("kind = \"node-lost\"").count(), 2);
}
