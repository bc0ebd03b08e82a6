//! Containers as YARN's FairScheduler gives them, where jobs have masters.
use super::run;

/// One node for two jobs of two reduces.
fn took(reduce_slots: &str, master: &str) -> f64 {
    let sets = [
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
    let (stuck, free) = (took("1", "1s"), took("4", "1s"));
    assert!(stuck > free + 300.0, "{stuck} {free}");
    assert!(stuck < free + 20.0 * 300.0, "{stuck} {free}");
    assert!(took("1", "0s") < free + 300.0);
}
