//! Creates a wall second: `cargo bench -p ppmds --bench creates -- [SERVERS CLIENTS CREATES]`.
//!
//! The document's own engine does 0.86–0.98 million on such a machine, on one core, without a
//! trace.
use engine::Scheduler;
use ppmds::PPMDS;
use std::path::Path;
use system::RunOptions;
use system::lab::Lab;

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let cases = match numbers[..] {
        [servers, clients, creates] => vec![(servers, clients, creates)],
        _ => vec![(8, 352, 2_000), (128, 4_096, 300)],
    };
    println!(
        "{:>8} {:>8} {:>8}  {:<22} {:>10} {:>9} {:>9}",
        "servers", "clients", "creates", "how", "wall s", "M creates/s", "M events/s"
    );
    for (servers, clients, creates) in cases {
        let text = format!(
            "[model]\nsystem = \"ppmds\"\n[cluster]\nservers = {servers}\nclients = {clients}\n\
             [workload]\ncreates_per_client = {creates}\n"
        );
        let lab = Lab::of(&PPMDS).expect("it is simulated");
        let sheet = lab.read_text(&text, Path::new("bench.toml"), &[]).expect("it is right");
        let mut hashes = Vec::new();
        for (scheduler, trace, name) in [
            (Scheduler::Sequential, false, "sequential"),
            (Scheduler::Sequential, true, "sequential with trace"),
            (Scheduler::Auto { threads: 2 }, false, "auto, 2 threads"),
            (Scheduler::Conservative { threads: 2 }, false, "conservative, 2"),
        ] {
            let started = system::clock::now();
            let how = RunOptions { keep_trace: trace, ..RunOptions::by(scheduler) };
            let done = lab.one(&sheet, 1, how);
            let done = done.expect("it runs").expect("nobody interrupts");
            let wall = started.elapsed().as_secs_f64();
            let (all, rate) = ((clients * creates) as f64, done.reading.value.unwrap_or(0.0));
            println!(
                "{servers:>8} {clients:>8} {creates:>8}  {name:<22} {wall:>10.2} {:>9.3} {:>9.3}  \
                 simulated {rate:.0}/s",
                all / wall / 1e6,
                done.events as f64 / wall / 1e6
            );
            hashes.push(done.trace_hash)
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "one hash everywhere")
    }
}
