//! A million small writes to 100 nodes of 12 disks: `cargo bench -p ozone --bench writes --
//! [OBJECTS]`. Bound: 60 s each, with the trace that `tenbin run` keeps.
use engine::Scheduler;
use ozone::OZONE;
use std::path::Path;
use system::RunOptions;
use system::lab::Lab;

/// \[s\]
const BOUND: f64 = 60.0;

fn main() {
    let objects = std::env::args().find_map(|a| a.parse().ok()).unwrap_or(1_000_000u64);
    let lab = Lab::of(&OZONE).expect("it is simulated");
    println!(
        "{:>6}  {:<12} {:>8} {:>10} {:>12}",
        "limit", "how", "wall s", "M events/s", "writes/s"
    );
    let mut slowest: f64 = 0.0;
    for limit in [1, 3, 10] {
        let text = format!(
            "[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 100\n[hardware]\ndisks_per_node = \
             12\nlog_disks = 12\n[workload]\nclients = 1024\ngateways = 16\nobjects = {objects}\n\
             object_bytes = \"10kB\"\n[om]\ntime = \"0.05ms\"\n[ozone-site]\n\
             \"ozone.scm.datanode.pipeline.limit\" = {limit}\n"
        );
        let sheet = lab.read_text(&text, Path::new("bench.toml"), &[]).expect("it is right");
        let mut hashes = Vec::new();
        for (scheduler, name) in
            [(Scheduler::Sequential, "sequential"), (Scheduler::Auto { threads: 2 }, "auto, 2")]
        {
            let started = system::clock::now();
            let how = RunOptions { keep_trace: true, ..RunOptions::by(scheduler) };
            let done = lab.run_once(&sheet, 1, how);
            let done = done.expect("it runs").expect("not interrupted");
            let wall = started.elapsed().as_secs_f64();
            println!(
                "{limit:>6}  {name:<12} {wall:>8.1} {:>10.2} {:>12.0}",
                done.events as f64 / wall / 1e6,
                done.reading.metrics["writes_per_s"]
            );
            slowest = slowest.max(wall);
            hashes.push(done.trace_hash)
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "one hash everywhere")
    }
    assert!(slowest < BOUND || objects != 1_000_000, "{slowest:.0} s, {BOUND} at most")
}
