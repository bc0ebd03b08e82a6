//! Ctrl-C: 130, and nothing half-written.
#![cfg(unix)]
use crate::tenbin::{Done, Place, done};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::process::Stdio;
use std::time::Duration;

/// Starts, waits, sends the signal.
fn stopped(place: &Place, args: &[&str], after: Duration, signal: Signal) -> Done {
    let mut command = place.command(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(after);
    kill(Pid::from_raw(child.id() as i32), signal).expect("it still runs");
    done(child.wait_with_output().expect("it ends"))
}

/// A run of minutes in a debug build.
const LONG: [&str; 4] =
    ["--set", "cluster.nodes_per_rack=200", "--set", "workload.blocks_on_lost_node=100000"];

#[test]
fn a_stopped_run_leaves_nothing() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let place = Place::with_s0("stop-run");
        let args = [&["run", "s0.toml"][..], &LONG].concat();
        let done = stopped(&place, &args, Duration::from_millis(700), signal);
        assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
        assert!(done.err.contains("interrupted"), "{}", done.err);
        assert_eq!(place.names(), ["s0.toml"]);
    }
}

#[test]
fn a_stopped_comparison_keeps_its_whole_rows() {
    let place = Place::with_s0("stop-compare");
    // The first row takes a moment, the second minutes.
    let vary = "workload.blocks_on_lost_node=20,400000";
    let args = ["compare", "s0.toml", "--seeds", "1", "--vary", vary];
    let done = stopped(&place, &args, Duration::from_millis(2500), Signal::SIGINT);
    assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
    let kept =
        std::fs::read_to_string(place.dir.join("out/s0/partial.json")).expect("partial.json");
    let kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(kept["interrupted"], true);
    assert_eq!(kept["rows"].as_array().expect("rows").len(), 1);
    assert!(done.err.contains("partial.json"), "{}", done.err);
}
