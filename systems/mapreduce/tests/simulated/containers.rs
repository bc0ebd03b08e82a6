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

/// The second job has one of its two reduces: until the first job has ended, it asks for the other,
/// and gets no map.
#[test]
fn a_jobs_maps_wait_behind_its_reduces() {
    let room_for_all = took("4", "1s");
    let room_for_three = took("3", "1s");
    let (before, after) = (took("4", "0s"), took("3", "0s"));
    assert!(room_for_three > 1.1 * room_for_all, "{room_for_three} {room_for_all}");
    assert!(after < 1.1 * before, "slots of Hadoop 1 do not: {after} {before}");
}

/// A reduce that waits for maps which wait for the other reduce: its master takes that request
/// back after 300 s.
#[test]
fn a_job_whose_maps_hang_goes_on() {
    let (stuck, free) = (took("1", "1s"), took("4", "1s"));
    assert!(stuck > free + 300.0, "{stuck} {free}");
    assert!(stuck < free + 20.0 * 300.0, "{stuck} {free}");
}
