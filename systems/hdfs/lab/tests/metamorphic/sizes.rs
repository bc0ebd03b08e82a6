//! Clusters around powers of two with the same load per node: they show numbers stored in too few
//! bits.
use super::run;
use std::fmt::Write;

/// One rack of `nodes`, event by event: the work of a node does not depend on their number.
fn text(nodes: u32, pacing: &str) -> String {
    let mut text = format!("cluster.racks = 1\ncluster.nodes_per_rack = {nodes}\n");
    let _ = write!(
        text,
        "hardware.disk = \"100MB/s\"\nhardware.disks_per_node = 1\nhardware.nic = \"125MB/s\"\n\
         hardware.nic_latency = \"0.1ms\"\nhardware.inter_rack = \"125MB/s\"\n\
         hardware.inter_rack_latency = \"0.1ms\"\nworkload.blocks_on_lost_node = 60\n\
         workload.block_bytes = \"64MB\"\nworkload.blocks = \"concerned\"\n\
         policy.pacing = \"{pacing}\"\n[[event]]\nat = \"0s\"\nkind = \"node-lost\"\n\
         target = \"dn-r1-02\"\n"
    );
    text
}

fn all_alike(sizes: &[u32], pacing: &str, seeds: u64) {
    let took = |nodes: u32| {
        let of = |seed| {
            let done = run(&text(nodes, pacing), &[], seed);
            assert_eq!(done.read.blocks_unsafe(), 0, "{nodes} nodes, seed {seed}");
            assert_eq!(done.read.blocks_affected(), 60, "{nodes} nodes, seed {seed}");
            let copied = done.read.metrics["blocks_copied"];
            assert_eq!(copied, 60.0, "{nodes} nodes, seed {seed}");
            done.read.recovery_s().expect("it ends")
        };
        (1..=seeds).map(of).sum::<f64>() / seeds as f64
    };
    let all: Vec<(u32, f64)> = sizes.iter().map(|nodes| (*nodes, took(*nodes))).collect();
    let least = all.iter().map(|(_, s)| *s).fold(f64::INFINITY, f64::min);
    let most = all.iter().map(|(_, s)| *s).fold(0.0, f64::max);
    assert!(most < 1.5 * least + 3.0, "{all:?}");
}

#[test]
fn round_a_byte_nothing_changes() {
    all_alike(&[127, 128, 129, 254, 255, 256, 257, 511, 512], "hdfs3", 3);
}

#[test]
fn round_two_bytes_nothing_changes() {
    all_alike(&[32_767, 32_768, 32_769, 65_535, 65_536, 65_537], "event-driven", 1);
}
