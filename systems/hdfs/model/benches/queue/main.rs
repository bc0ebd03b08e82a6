//! Speed-up of two threads on a real model: HDFS, every chunk an event, one of 1 000 nodes lost.
//! Wall times compared with Tenbin's sequential scheduler, in alternating pairs.
//!
//! `cargo bench -p hdfs-model --bench queue [-- --pairs N --threads N --blocks N --noisy]`
//!
//! A pair during which other processes used more than a tenth of a core is repeated. If the machine
//! stays busy, the line prints "not measured". Below each scheduler are its threads' figures in the
//! last pair.
#[path = "../../../../../crates/engine/benches/parallel/quiet.rs"]
mod quiet;
#[path = "../../../../../benches/verdicts.rs"]
mod verdicts;
use engine::{Effort, Scheduler, Share};
use hdfs_model::hdfs::{Options, SimulationResult, load_blocks, simulate};
use hdfs_scenario::Scenario;
use quiet::{argument, quartiles};
use std::{ops::ControlFlow, path::Path, process::ExitCode, time::Instant};
use verdicts::Verdicts;

/// Schedulers, and the least ratio to sequential.
const CASES: [(&str, f64); 3] = [("conservative", 1.0), ("optimistic", 1.0), ("auto", 0.95)];

fn scenario(blocks: &str) -> Scenario {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/datacentre.toml");
    let sets = [
        ("model.sharing", "queue"),
        ("cluster.racks", "25"),
        ("event.target", "dn-r10-05"),
        ("workload.blocks_on_lost_node", blocks),
    ];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    Scenario::read(&file, &sets).unwrap_or_else(|e| panic!("{e}"))
}

fn run(scenario: &Scenario, scheduler: Scheduler) -> (SimulationResult, f64) {
    let blocks = load_blocks(scenario, 1).unwrap_or_else(|e| panic!("{e}"));
    let options = Options { execution: scheduler.into(), check: false, observer: None };
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let begun = Instant::now();
    let run = simulate(scenario, blocks, 1, options, &mut |_| ControlFlow::Continue(()));
    (run.unwrap_or_else(|e| panic!("{e}")), begun.elapsed().as_secs_f64())
}

struct Row {
    ratio: f64,
    seconds: f64,
    efficiency: f64,
    rounds: f64,
    threads: Vec<Share>,
}

fn main() -> ExitCode {
    let pairs: usize = argument("--pairs", "7").parse().expect("a number of pairs");
    let threads: usize = argument("--threads", "2").parse().expect("a number of threads");
    let only = argument("--only", "conservative,optimistic,auto");
    let noisy = std::env::args().any(|a| a == "--noisy");
    let scenario = scenario(&argument("--blocks", "4000"));
    println!(
        "HDFS queue, 1 000 nodes, on {threads} threads against one: wall times, medians \
         (quartiles) of {pairs} pairs\n{:13} {:>9} {:>18} {:>11} {:>9}  bound",
        "scheduler", "seconds", "to sequential", "efficiency", "rounds"
    );
    let cases: Vec<(&str, f64)> =
        CASES.into_iter().filter(|(name, _)| only.contains(name)).collect();
    let measured = quiet::pairs(
        pairs,
        &cases,
        |_| noisy,
        |(name, _)| {
            let scheduler = match *name {
                "conservative" => Scheduler::Conservative { threads },
                "optimistic" => Scheduler::Optimistic { threads },
                _ => Scheduler::Auto { threads },
            };
            let (one, one_s) = run(&scenario, Scheduler::Sequential);
            let (many, many_s) = run(&scenario, scheduler);
            assert_eq!(one.trace_hash, many.trace_hash, "another result");
            let Effort { rolled_back, rounds, threads, .. } = many.effort;
            let done = (many.events + rolled_back) as f64;
            Row {
                ratio: one_s / many_s,
                seconds: many_s,
                efficiency: many.events as f64 / done,
                rounds: rounds as f64,
                threads,
            }
        },
    );
    let mut verdicts = Verdicts::default();
    for ((name, least), measured) in cases.iter().zip(measured) {
        print!("{name:13} ");
        let Some(rows) = measured else {
            println!("not measured: the machine is not quiet");
            continue;
        };
        let column = |f: fn(&Row) -> f64| quartiles(rows.iter().map(f));
        let [low, middle, high] = column(|row| row.ratio);
        let ratio = format!("{middle:.2} ({low:.2}-{high:.2})");
        let verdict = verdicts.of(middle >= *least);
        let [seconds, efficiency, rounds] = [
            column(|row| row.seconds)[1],
            column(|row| row.efficiency)[1],
            column(|row| row.rounds)[1],
        ];
        println!(
            "{seconds:9.2} {ratio:>18} {efficiency:11.3} {rounds:9.0}  at least {least}: {verdict}"
        );
        for share in rows.last().into_iter().flat_map(|row| &row.threads) {
            let worked = share.seconds - share.waited_s;
            println!("  {:9} events, {worked:.2} s of work", share.committed)
        }
    }
    verdicts.exit()
}
