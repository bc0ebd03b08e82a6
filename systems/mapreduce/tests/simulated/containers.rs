//! Containers as YARN's FairScheduler gives them, where jobs have masters.
use super::run;

/// One node for two jobs of two reduces.
fn took(reduce_slots: &str, master: &str, scheduling: &str) -> f64 {
    let sets = [
        ("policy.scheduling", scheduling),
        ("policy.potential_reception", "outstanding"),
        ("policy.potential_reception_threshold", "1MB"),
        ("policy.withhold_limit", "0s"),
        ("cluster.nodes", "1"),
        ("cluster.map_slots", "2"),
        ("cluster.reduce_slots", reduce_slots),
        ("workload.replication", "1"),
        ("workload.reduces", "2"),
        ("policy.heartbeat", "1s"),
        ("policy.master_heartbeat", master),
        ("task.speculation", "false"),
    ];
    run(&sets, 1).reading.metrics["makespan_s"]
}

/// The one slot's reduce waits for its job's maps, and these wait behind its other reduce, until
/// the master takes that request back after 300 s. Slots of Hadoop 1 know no such order.
#[test]
fn a_jobs_maps_wait_behind_its_reduces_and_do_not_hang_for_ever() {
    let (stuck, free) = (took("1", "1s", "fair"), took("4", "1s", "fair"));
    assert!(stuck > free + 300.0, "{stuck} {free}");
    assert!(stuck < free + 20.0 * 300.0, "{stuck} {free}");
    assert!(took("1", "0s", "fair") < free + 300.0);
}

/// What a rule withholds from a node is not asked for there, room or not (`getPendingAsk` of the
/// plug-in): so maps go on that would wait behind it.
#[test]
fn maps_do_not_wait_behind_a_reduce_that_a_rule_withholds() {
    let (stuck, passed) = (took("1", "1s", "fair"), took("1", "1s", "fair+potential-reception"));
    assert!(passed < stuck - 200.0, "{passed} {stuck}");
}
