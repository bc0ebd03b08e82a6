//! Replays of runs that can be computed by hand.
use super::*;
use crate::MAPREDUCE;
use std::path::Path;
use system::lab::Lab;

const ALONE: [(&str, &str); 8] = [
    ("workload.maps", "1"),
    ("workload.reduces", "1"),
    ("workload.input_bytes", "600MB"),
    ("hardware.disk", "100MB/s"),
    ("hardware.nic", "400Mbit/s"),
    ("hardware.cached", "0"),
    ("task.reduce_buffer", "10GB"),
    ("task.sort_mb", "10GB"),
];

fn settings(nodes: u32, more: &[(&str, &str)]) -> Settings {
    let text = format!(
        "[model]\nsystem = \"mapreduce\"\n[cluster]\nnodes = {nodes}\ndisks = \"1\"\n\
         [workload]\njobs = 1\n[policy]\nheartbeat = \"1s\"\n"
    );
    let sets = ALONE.iter().chain(more).map(|(key, value)| (key.to_string(), value.to_string()));
    let lab = Lab::of(&MAPREDUCE).expect("it is simulated");
    let sheet = lab.read_text(&text, Path::new("alone.toml"), &sets.collect::<Vec<_>>());
    Settings::of(&sheet.expect("right"))
}

fn did(map: bool, node: u32, bytes: [u64; 4]) -> DoneTask {
    let begun = Nanos::millis(500 * u64::from(node));
    DoneTask { job: 0, task: 0, map, node, started_at: begun, local: true, bytes }
}

/// Reads, computes at 15 ns/byte, writes.
#[test]
fn a_lone_map_takes_what_its_bytes_take() {
    let settings = settings(1, &[("workload.reduces", "0")]);
    let all = [did(true, 0, [600_000_000, 0, 0, 600_000_000])];
    let end = |gone: &[Holder]| Replay::new(&settings, &all, gone, Dice(0)).run();
    assert_eq!(end(&[]), Nanos::secs(1 + 6 + 9 + 6));
    assert_eq!(end(&[Holder::Network]), end(&[]));
    assert_eq!(end(&[Holder::Core]), end(&[]), "one core is all that it can use");
    // Start, nine seconds on a core, and the next heartbeat.
    assert_eq!(end(&[Holder::Disk]), Nanos::secs(1 + 9 + 1));
    // The real run is given as twice as long: so is the prediction.
    let foretold = without(&settings, &all, Nanos::secs(44), &[&[Holder::Disk], &[Holder::Core]]);
    assert_eq!(foretold, [22, 44].map(Nanos::secs))
}

/// The reduce's node has the only reduce slot, so it copies over the network.
#[test]
fn a_reduce_copies_what_is_left_to_copy_over() {
    let slots = [("cluster.map_slots", "1"), ("cluster.reduce_slots", "0 1")];
    let settings = settings(2, &slots);
    let mb = |number: u64| number * 1_000_000;
    let all = [did(true, 0, [mb(600), mb(600), 0, 0]), did(false, 1, [0, 0, mb(600), mb(600)])];
    let end = |gone: &[Holder]| Replay::new(&settings, &all, gone, Dice(0)).run().as_secs();
    // The map takes 1 + 6 + 9 + 6 s. Half a second later the other node gets the reduce. It starts,
    // copies at 50 MB/s, writes its buffer to disk, reads it, computes and writes. Then the next
    // heartbeat.
    assert_eq!(end(&[]), 22.5 + 1.0 + 12.0 + 12.0 + 9.0 + 6.0);
    assert_eq!(end(&[Holder::Network]), 22.5 + 1.0 + 6.0 + 12.0 + 9.0 + 6.0, "from the disk");
    assert_eq!(end(&[Holder::Disk]), 11.5 + 1.0 + 12.0 + 9.0 + 1.0)
}

/// Four maps share one core.
#[test]
fn cores_are_shared() {
    let more = [("cluster.cores", "1"), ("workload.reduces", "0"), ("workload.maps", "4")];
    let settings = settings(1, &more);
    let bytes = [150_000_000, 0, 0, 0];
    let all: Vec<DoneTask> = (0..4).map(|task| DoneTask { task, ..did(true, 0, bytes) }).collect();
    let end = |gone: &[Holder]| Replay::new(&settings, &all, gone, Dice(0)).run().as_secs();
    let alone = end(&[Holder::Disk, Holder::Core]);
    assert_eq!(alone, 4.0, "start, 2.25 s of a core, the next heartbeat");
    assert_eq!(end(&[Holder::Disk]), 10.0 + 1.0, "9 s of a core")
}
