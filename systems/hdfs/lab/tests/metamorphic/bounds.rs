//! No run is faster than its busiest disk, NIC or round allows, computed by hand.
use super::{drawn, run};
use ::hdfs::job;
use hdfs_scenario::{Pacing, Scenario};
use hdfs_trace::{NodeId, Trace, disk, kind};
use std::collections::BTreeMap;
use std::path::Path;

/// Bytes that each resource has carried: disks (read and written), NICs out, NICs in.
fn carried(trace: &Trace) -> BTreeMap<(&'static str, NodeId, u16), f64> {
    let mut all = BTreeMap::new();
    for copy in trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER) {
        let (from, to) = (copy.node.expect("a source"), copy.peer.expect("a target"));
        let mut add = |at| *all.entry(at).or_insert(0.0) += hdfs_trace::bytes(copy) as f64;
        add(("out", from, 0));
        add(("in", to, 0));
        disk(trace, copy.resource).into_iter().for_each(|disk| add(("disk", from, disk)));
        disk(trace, copy.peer_resource).into_iter().for_each(|disk| add(("disk", to, disk)));
    }
    all
}

#[test]
fn no_disk_or_nic_carries_more_than_it_can() {
    for (name, text) in drawn() {
        let scenario = job::read_text(&text, Path::new("drawn.toml"), &[]).expect("a scenario");
        for seed in 1..=3 {
            let done = run(&text, &[], seed);
            let took = done.read.recovery_s().expect("it ends");
            for (at, bytes) in carried(&done.trace) {
                let rate = match at.0 {
                    "disk" => scenario.hardware.disk.rate.0,
                    _ => scenario.hardware.nic.0,
                };
                let least = bytes / rate as f64;
                assert!(took >= least, "{name}, {seed}: {took} s, {at:?} needs {least} s\n{text}");
            }
        }
    }
}

/// The first round comes at a random time, each further one an interval later.
#[test]
fn no_round_gives_out_more_than_it_may() {
    let mut bound = 0;
    for (name, text) in drawn() {
        let scenario: Scenario =
            job::read_text(&text, Path::new("drawn.toml"), &[]).expect("a scenario");
        if scenario.policy.pacing != Pacing::Hdfs3 {
            continue;
        }
        for seed in 1..=3 {
            let done = run(&text, &[], seed);
            let took = done.read.recovery_s().expect("it ends");
            let live = scenario.cluster.nodes.len() as u64 - 1;
            let blocks = done.read.blocks_affected();
            let rounds = blocks.div_ceil(live * u64::from(scenario.hdfs.work_multiplier));
            let least = (rounds - 1) as f64 * scenario.hdfs.redundancy_interval.as_secs();
            assert!(took >= least, "{name}, {seed}: {took} s for {rounds} rounds\n{text}");
            bound += u32::from(rounds > 1);
        }
    }
    assert!(bound > 3, "some need several rounds: {bound}");
}
