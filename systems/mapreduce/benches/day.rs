//! A day of many jobs on a large cluster: `cargo bench -p mapreduce --bench day -- [NODES JOBS]`.
//!
//! Bound: 1 000 nodes and 10 000 jobs in less than ten minutes and 8 GiB.
use engine::Scheduler;
use mapreduce::MAPREDUCE;
use std::path::Path;
use system::RunOptions;
use system::lab::Lab;

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let (nodes, jobs) = match numbers[..] {
        [nodes, jobs] => (nodes, jobs),
        _ => (1_000, 10_000),
    };
    let text = format!(
        "[model]\nsystem = \"mapreduce\"\n[cluster]\nnodes = {nodes}\nracks = 20\n[workload]\n\
         jobs = {jobs}\ninput_bytes = \"5GB\"\nmaps = 20\nreduces = 10\nreplication = 3\n\
         arrival_interval = \"{}ms\"\n",
        86_400_000 / jobs
    );
    let lab = Lab::of(&MAPREDUCE).expect("it is simulated");
    let sheet = lab.read_text(&text, Path::new("bench.toml"), &[]).expect("it is right");
    let started = system::clock::now();
    let done = lab.run_once(&sheet, 1, RunOptions::by(Scheduler::Sequential));
    let done = done.expect("it runs").expect("not interrupted");
    let wall = started.elapsed().as_secs_f64();
    println!(
        "{nodes} nodes, {jobs} jobs: {wall:.0} s, {:.1} M events, {:.2} GiB, a job takes {:.0} s",
        done.events as f64 / 1e6,
        system::memory::peak_rss_bytes() as f64 / f64::from(1 << 30),
        done.reading.value.unwrap_or(0.0)
    )
}
