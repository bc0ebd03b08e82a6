//! The model compared with closed forms, under every scheduler.
use engine::Scheduler;
use std::path::Path;
use system::lab::Lab;
use system::{RunOptions, SimulatedRun};
use xor::XOR;

const PLAIN: &str = "[model]\nsystem = \"xor\"\n[cluster]\nnodes = 5\n\
    [network]\nrate = \"200Mbit/s\"\n[workload]\nbytes = \"30MB\"\nblock = \"16KiB\"\n";

type Sets<'a> = &'a [(&'a str, &'a str)];

fn read(sets: Sets<'_>) -> Result<cluster::Sheet, String> {
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let lab = Lab::of(&XOR).expect("it is simulated");
    lab.read_text(PLAIN, Path::new("plain.toml"), &sets).map_err(|e| format!("{e:?}"))
}

fn run_on(sets: Sets<'_>, seed: u64, scheduler: Scheduler) -> SimulatedRun {
    let sheet = read(sets).unwrap_or_else(|e| panic!("{sets:?}: {e}"));
    let how = RunOptions { keep_trace: true, ..RunOptions::by(scheduler) };
    let lab = Lab::of(&XOR).expect("it is simulated");
    let done = lab.run_once(&sheet, seed, how);
    done.unwrap_or_else(|e| panic!("{sets:?}: {e:?}")).expect("not interrupted")
}

fn metric(sets: Sets<'_>, name: &str) -> f64 {
    run_on(sets, 1, Scheduler::Sequential).reading.metrics[name]
}

#[track_caller]
fn near(ours: f64, expected: f64, part: f64) {
    assert!((ours / expected - 1.0).abs() <= part, "{ours}, expected {expected} ± {part}");
}

/// If only links limit, each schedule reaches the throughput of its cost, and never more.
#[test]
fn full_links_carry_what_the_price_of_the_schedule_says() {
    for nodes in ["3", "5", "6", "8"] {
        for clients in ["1", "2", "3", "8"] {
            for schedule in ["naive", "chain", "pivot", "auto", "copies-3"] {
                let sets = [
                    ("cluster.nodes", nodes),
                    ("cluster.clients", clients),
                    ("policy.schedule", schedule),
                ];
                let ratio = metric(&sets, "ratio");
                // Links are empty at the start and the end; chains are long.
                assert!((0.93..=1.0001).contains(&ratio), "{sets:?}: {ratio}")
            }
        }
    }
}

/// Measured on shaped links (systems/xor/docs/measurements.md): Mbit/s of data.
#[test]
fn as_measured_on_shaped_links() {
    let table = [
        ("3", "1", "naive", 128.0),
        ("3", "2", "auto", 317.0),
        ("5", "1", "chain", 191.0),
        ("5", "2", "pivot", 382.0),
        ("5", "3", "auto", 457.0),
        ("5", "5", "naive", 573.0),
    ];
    for (nodes, clients, schedule, measured) in table {
        let sets =
            [("cluster.nodes", nodes), ("cluster.clients", clients), ("policy.schedule", schedule)];
        near(metric(&sets, "goodput_mbit"), measured, 0.05)
    }
}

#[test]
fn a_slow_disk_or_core_is_the_limit_by_its_closed_form() {
    let fast = ("network.rate", "40Gbit/s");
    // Naive: 20 cells of 12 data blocks on five disks of 10 MB/s.
    let disks = [fast, ("policy.schedule", "naive"), ("node.disk", "10MB/s")];
    near(metric(&disks, "goodput_mbit"), 5.0 * 80.0 * 12.0 / 20.0, 0.04);
    // The client makes 8 parities of 12 data blocks: 12 rows' and 12 diagonals' sources.
    let core = [fast, ("policy.schedule", "naive"), ("node.xor_rate", "100MB/s")];
    let sums = 24.0 / 100e6 + 20.0 * 3e-6 / 16_384.0;
    near(metric(&core, "goodput_mbit"), 12.0 / sums * 8.0 / 1e6, 0.04)
}

/// Files on disjoint nodes do not affect each other.
#[test]
fn as_many_groups_carry_as_many_times_the_data() {
    let one = [("cluster.nodes", "5"), ("layout.nodes", "5"), ("cluster.clients", "2")];
    let ten = [("cluster.nodes", "50"), ("layout.nodes", "5"), ("cluster.clients", "20")];
    let goodput = |sets| metric(sets, "goodput_mbit");
    near(goodput(&ten), 10.0 * goodput(&one), 0.01)
}

#[test]
fn all_schedulers_come_to_one_hash() {
    let variants: [Sets; 4] = [
        &[("cluster.clients", "3")],
        &[("policy.schedule", "chain"), ("cluster.clients", "2")],
        &[("policy.schedule", "copies-3"), ("node.disk", "30MB/s")],
        &[("cluster.nodes", "12"), ("layout.nodes", "4"), ("cluster.clients", "7")],
    ];
    for variant in variants {
        let mut sets = vec![("workload.bytes", "3MB")];
        sets.extend(variant);
        let first = run_on(&sets, 3, Scheduler::Sequential);
        for scheduler in [
            Scheduler::Conservative { threads: 2 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::RollbackCheck { depth: 4 },
            Scheduler::Auto { threads: 2 },
        ] {
            let other = run_on(&sets, 3, scheduler);
            assert_eq!(other.trace_hash, first.trace_hash, "{scheduler}: {sets:?}");
            assert_eq!(other.trace, first.trace, "{scheduler}: {sets:?}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_its_key() {
    let cases: [(Sets, &str, &str); 6] = [
        (&[("cluster.nodes", "2")], "cluster.nodes", "3"),
        (&[("layout.nodes", "9")], "layout.nodes", "at most cluster.nodes = 5"),
        (&[("policy.schedule", "pivto")], "policy.schedule", "pivot"),
        (&[("workload.block", "64MiB")], "workload.block", "16MiB"),
        (&[("network.mtu", "60B")], "network.mtu", "576B"),
        (&[("network.latency", "0us")], "network.latency", "above 0"),
    ];
    for (sets, key, word) in cases {
        let error = read(sets).map(|_| ()).expect_err(key);
        assert!(error.contains(key) && error.contains(word), "{sets:?}: {error}");
    }
}
