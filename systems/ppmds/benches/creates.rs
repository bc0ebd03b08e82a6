//! Operations per second of wall time, of creates or of a mix with 5 % on several servers:
//! `cargo bench -p ppmds --bench creates -- [SERVERS CLIENTS CREATES] [creates|mix]
//! [sequential]`.
//!
//! ROSS, the engine of Kirii et al. 2015, does 0.86–0.98 million creates on a machine like ours,
//! on one core, without a trace. The goal for the mix is 0.3 million, and 1.3 times that on two
//! threads.
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
        "{:>8} {:>8} {:>8}  {:<8} {:<22} {:>7} {:>9} {:>9}",
        "servers", "clients", "each", "what", "how", "wall s", "M/s", "M events/s"
    );
    let only = |name: &str| std::env::args().any(|arg| arg == name);
    for (servers, clients, creates) in cases {
        for (kind, part) in [("", 1), (MIX, 3)] {
            if !only(if kind.is_empty() { "mix" } else { "creates" }) {
                measure((servers, clients, creates.div_ceil(part)), kind, only("sequential"))
            }
        }
    }
}

/// Shares of `scenarios/ppmds-mix.toml`.
const MIX: &str = "kind = \"mix\"\ndirectories = 16\ncreate = 0.25\nstat = 0.45\nlookup = 0.15\n\
                   unlink = 0.05\nsetattr = 0.03\nreaddir = 0.02\nmkdir = 0.01\nrmdir = 0.01\n\
                   rename = 0.02\nlink = 0.01\n[policy]\nmetadata = \"hash-k\"\n";

fn measure((servers, clients, each): (u64, u64, u64), kind: &str, sequential: bool) {
    let text = format!(
        "[model]\nsystem = \"ppmds\"\n[cluster]\nservers = {servers}\nclients = {clients}\n\
         [workload]\ncreates_per_client = {each}\n{kind}"
    );
    let lab = Lab::of(&PPMDS).expect("it is simulated");
    let sheet = lab.read_text(&text, Path::new("bench.toml"), &[]).expect("it is right");
    let what = if kind.is_empty() { "creates" } else { "mix" };
    let mut hashes = Vec::new();
    for (scheduler, trace, name) in [
        (Scheduler::Sequential, false, "sequential"),
        (Scheduler::Sequential, true, "sequential with trace"),
        (Scheduler::Auto { threads: 2 }, false, "auto, 2 threads"),
        (Scheduler::Conservative { threads: 2 }, false, "conservative, 2"),
    ]
    .into_iter()
    .take(if sequential { 1 } else { 4 })
    {
        let started = system::clock::now();
        let how = RunOptions { keep_trace: trace, ..RunOptions::by(scheduler) };
        let done = lab.run_once(&sheet, 1, how).expect("it runs").expect("not interrupted");
        let wall = started.elapsed().as_secs_f64();
        let (all, rate) = ((clients * each) as f64, done.reading.value.unwrap_or(0.0));
        println!(
            "{servers:>8} {clients:>8} {each:>8}  {what:<8} {name:<22} {wall:>7.2} {:>9.3} \
             {:>9.3}  simulated {rate:.0}/s",
            all / wall / 1e6,
            done.events as f64 / wall / 1e6
        );
        hashes.push(done.trace_hash)
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "one hash everywhere")
}
