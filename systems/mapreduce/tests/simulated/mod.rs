//! Simulated jobs: no rule stalls them, bytes are conserved, times are those of closed forms.
use engine::Scheduler;
use mapreduce::MAPREDUCE;
use std::path::Path;
use system::lab::Lab;
use system::{RunOptions, SimulatedRun};

mod containers;
mod own;
mod rules;
mod truth;

const PLAIN: &str = "[model]\nsystem = \"mapreduce\"\n[cluster]\nnodes = 4\n[workload]\njobs = 2\n\
    input_bytes = \"1GB\"\nmaps = 8\nreduces = 4\n";

type Sets<'a> = &'a [(&'a str, &'a str)];

fn read(sets: Sets<'_>) -> Result<cluster::Sheet, String> {
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let lab = Lab::of(&MAPREDUCE).expect("it is simulated");
    lab.read_text(PLAIN, Path::new("plain.toml"), &sets).map_err(|e| format!("{e:?}"))
}

fn run_on(sets: Sets<'_>, seed: u64, scheduler: Scheduler) -> SimulatedRun {
    run_how(sets, seed, RunOptions { keep_trace: true, ..RunOptions::by(scheduler) })
}

fn run_how(sets: Sets<'_>, seed: u64, how: RunOptions<'_>) -> SimulatedRun {
    let sheet = read(sets).unwrap_or_else(|e| panic!("{sets:?}: {e}"));
    let lab = Lab::of(&MAPREDUCE).expect("it is simulated");
    let done = lab.run_once(&sheet, seed, how);
    let done = done.unwrap_or_else(|e| panic!("{sets:?}: {e:?}")).expect("not interrupted");
    conserved(&sheet, &done);
    done
}

fn run(sets: Sets<'_>, seed: u64) -> SimulatedRun {
    run_on(sets, seed, Scheduler::Sequential)
}

/// In every run: all that was read, shuffled and written is that of the tasks, once for each
/// attempt that came so far.
fn conserved(sheet: &cluster::Sheet, done: &SimulatedRun) {
    let metric = |name: &str| done.reading.metrics[name];
    let count = |key: &str| sheet.count(key) as f64;
    let (jobs, maps, reduces) =
        (count("workload.jobs"), count("workload.maps"), count("workload.reduces"));
    let input = (sheet.bytes("workload.input_bytes").0 / sheet.count("workload.maps")) as f64;
    let partition = (input / reduces.max(1.0)).floor();
    let [read, shuffled, written] = ["read_bytes", "shuffle_bytes", "written_bytes"].map(metric);
    let least = [jobs * maps * input, jobs * maps * reduces * partition];
    let again = metric("speculative") + metric("attempts_failed") > 0.0;
    if metric("jobs_failed") + metric("jobs_unfinished") > 0.0
        || sheet.text("workload.kind") != "sort"
    {
        return;
    }
    match again {
        true => assert!(read >= least[0] && shuffled >= least[1], "{read} {shuffled} {least:?}"),
        false => {
            assert_eq!([read, shuffled], least);
            let out = if reduces > 0.0 { least[1] } else { least[0] };
            assert_eq!(written, out)
        }
    }
}

#[track_caller]
fn near(ours: f64, expected: f64, part: f64) {
    assert!((ours / expected - 1.0).abs() <= part, "{ours}, expected {expected} ± {part}");
}

/// One map at a time on one disk: each phase has the disk or a core to itself.
#[test]
fn a_lone_map_takes_what_its_bytes_take() {
    let alone = [
        ("cluster.nodes", "1"),
        ("cluster.disks", "1"),
        ("cluster.map_slots", "1"),
        ("workload.jobs", "1"),
        ("workload.maps", "1"),
        ("workload.reduces", "0"),
        ("workload.input_bytes", "600MB"),
        ("hardware.disk", "100MB/s"),
    ];
    // Start, read, compute at 15 ns a byte, write.
    near(run(&alone, 1).reading.metrics["map_s_mean"], 1.0 + 6.0 + 9.0 + 6.0, 0.001);
    let mut spilling = alone.to_vec();
    spilling.extend([("workload.reduces", "1"), ("hardware.cached", "0")]);
    // Spilled, then read and written once more to merge 8 spills of 80 MiB.
    near(run(&spilling, 1).reading.metrics["map_s_mean"], 1.0 + 6.0 + 9.0 + 6.0 + 12.0, 0.001)
}

/// All map outputs are in memory, and one reduce gets them over its NIC.
#[test]
fn a_lone_reduce_copies_at_the_rate_of_its_nic() {
    let sets = [
        ("cluster.nodes", "8"),
        ("workload.jobs", "1"),
        ("workload.maps", "8"),
        ("workload.reduces", "1"),
        ("workload.input_bytes", "2GB"),
        ("workload.replication", "8"),
        ("workload.output_replication", "1"),
        ("hardware.cached", "1"),
        ("hardware.nic", "100Mbit/s"),
        ("task.reduce_buffer", "4GB"),
        ("task.slow_start", "1"),
        ("task.speculation", "false"),
        ("cluster.map_slots", "1"),
        ("hardware.disk", "1000MB/s"),
        ("hardware.disk_seek", "0ms"),
    ];
    // 1/8 of the outputs is on its own node; then 2 GB to the disk, 15 ns a byte, 2 GB to the disk.
    let expected = 1.0 + 1.75e9 * 8.0 / 100e6 + 2.0 + 2e9 * 15e-9 + 2.0;
    near(run(&sets, 1).reading.metrics["reduce_s_mean"], expected, 0.01);
    let kept = [&sets[..], &[("task.reduce_input_buffer", "0.5")]].concat();
    near(run(&kept, 1).reading.metrics["reduce_s_mean"], expected - 2.0, 0.01);
    // Of eight outputs of 250 MB 1.2 GB hold four: the others go.
    let less = [&sets[..], &[("task.reduce_input_buffer", "0.3")]].concat();
    near(run(&less, 1).reading.metrics["reduce_s_mean"], expected - 1.0, 0.01);
    // No job ends within the limit: the mean job time must not be 0.
    let cut = [&sets[..], &[("workload.limit", "20s")]].concat();
    let metrics = run(&cut, 1).reading.metrics;
    assert_eq!((metrics["job_s_mean"], metrics["jobs_unfinished"]), (20.0, 1.0))
}

/// An output crosses a NIC to its second replica, once, however often a disk's first write counts.
#[test]
fn an_output_crosses_the_network_once_a_replica() {
    let two = [
        ("cluster.nodes", "2"),
        ("cluster.disks", "1"),
        ("workload.jobs", "1"),
        ("workload.maps", "1"),
        ("workload.reduces", "0"),
        ("workload.input_bytes", "600MB"),
        ("workload.replication", "2"),
        ("hardware.disk", "100MB/s"),
        ("hardware.nic", "400Mbit/s"),
    ];
    // Start, read, compute at 15 ns a byte, write at the NIC's rate: outputs have as many replicas.
    near(run(&two, 1).reading.metrics["map_s_mean"], 1.0 + 6.0 + 9.0 + 12.0, 0.001);
    let first = [&two[..], &[("hardware.first_write", "2")]].concat();
    near(run(&first, 1).reading.metrics["map_s_mean"], 1.0 + 6.0 + 9.0 + 12.0 + 6.0, 0.001);
    let one = [&two[..], &[("workload.output_replication", "1")]].concat();
    near(run(&one, 1).reading.metrics["map_s_mean"], 1.0 + 6.0 + 9.0 + 6.0, 0.001)
}

#[test]
fn all_schedulers_come_to_one_hash() {
    let variants: [Sets; 4] = [
        &[("policy.scheduling", "fair+disk-rate+receive-rate")],
        &[("workload.failures", "0.1"), ("workload.replication", "2")],
        &[
            ("cluster.racks", "2"),
            ("workload.output_replication", "3"),
            ("policy.scheduling", "fifo"),
        ],
        &[
            ("policy.scheduling", "fair+delay+reduces-by-need"),
            ("policy.even_load", "true"),
            ("cluster.memory_gb", "2"),
            ("hardware.write_batch", "9MB"),
            ("workload.writers", "3"),
            ("workload.output_replication", "2"),
        ],
    ];
    for sets in variants {
        let first = run(sets, 3);
        for scheduler in [
            Scheduler::RollbackCheck { depth: 4 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::Auto { threads: 2 },
        ] {
            let other = run_on(sets, 3, scheduler);
            assert_eq!(other.trace_hash, first.trace_hash, "{scheduler}: {sets:?}");
            assert_eq!(other.trace, first.trace, "{scheduler}: {sets:?}")
        }
    }
}

/// The first four jobs are those submitted first, in whichever order they end.
#[test]
fn the_first_jobs_are_those_submitted_first() {
    let mut overtaken = false;
    for seed in 1..=10 {
        let done = run(&[("workload.jobs", "6"), ("workload.arrival_interval", "1s")], seed);
        let job = |number: u32| {
            let name = format!("job {number}");
            let mut all = done.trace.entities.iter();
            let job = all.find(|one| one.name.as_deref() == Some(&name)).expect("it has ended");
            job.end.expect("it has ended")
        };
        let ends: Vec<_> = (0..6).map(job).collect();
        overtaken |= ends[..4].iter().any(|one| ends[4..].iter().any(|other| other < one));
        // They come a second apart.
        let took = |(number, end): (u32, &units::Nanos)| end.as_secs() - f64::from(number);
        let first: f64 = (0..).zip(&ends[..4]).map(took).sum();
        near(done.reading.metrics["job_s_first_four"], first / 4.0, 1e-6)
    }
    assert!(overtaken, "no later job ends before one of the first: the test tests nothing")
}

/// An attempt that fails is made again; a task that always fails ends its job.
#[test]
fn failed_tasks_run_again() {
    let done = run(&[("workload.failures", "0.2")], 1).reading.metrics;
    assert!(done["attempts_failed"] > 0.0 && done["jobs_failed"] == 0.0, "{done:?}");
    let done = run(&[("workload.failures", "1")], 1).reading.metrics;
    assert_eq!(done["jobs_failed"], 2.0)
}

#[test]
fn extremes_are_stated_outcomes() {
    let beyond = [("policy.heartbeat", "600s"), ("workload.jobs", "1")];
    let slow = run(&beyond, 1).reading.metrics["makespan_s"];
    assert!((600.0..10_000.0).contains(&slow), "a heartbeat longer than the job: {slow}");
    for threshold in ["0%", "100%"] {
        let sets =
            [("policy.scheduling", "fair+disk-rate"), ("policy.disk_rate_threshold", threshold)];
        assert!(run(&sets, 1).reading.metrics["jobs_failed"] == 0.0)
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_its_key() {
    let cases: [(Sets, &str, &str); 7] = [
        (&[("workload.maps", "0")], "workload.maps", "1"),
        (&[("workload.replication", "5")], "workload.replication", "at most cluster.nodes = 4"),
        (&[("policy.scheduling", "fair+disc-rate")], "policy.scheduling", "disk-rate"),
        (&[("cluster.disks", "4 3 x")], "cluster.disks", "one a node"),
        (&[("cluster.reduce_slots", "0")], "cluster.reduce_slots", "workload.reduces = 0"),
        (&[("policy.heartbeat", "0s")], "policy.heartbeat", "above 0"),
        (
            &[
                ("policy.scheduling", "fair+per-disk"),
                ("policy.withhold_limit", "0s"),
                ("hardware.foreign_disks", "1"),
            ],
            "policy.withhold_limit",
            "hardware.foreign_disks",
        ),
    ];
    for (sets, key, word) in cases {
        let error = read(sets).map(|_| ()).expect_err(key);
        assert!(error.contains(key) && error.contains(word), "{sets:?}: {error}");
    }
}
