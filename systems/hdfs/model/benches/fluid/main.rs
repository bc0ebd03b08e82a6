//! CPU time of a copy under fluid sharing: `simulate` alone, sequential, without reading the
//! scenario, drawing its blocks, or writing and analysing the trace.
//!
//! `cargo bench -p hdfs-model --bench fluid [-- --runs N --only streams,rounds,all --noisy]`
//!
//! A run during which other processes used more than a tenth of a core is repeated, since they
//! occupy the caches. If the machine stays busy, the line prints "not measured".
#[path = "../../../../../benches/cpu.rs"]
mod cpu;
#[path = "../../../../../crates/engine/benches/parallel/quiet.rs"]
mod quiet;
#[path = "../../../../../benches/verdicts.rs"]
mod verdicts;
use engine::Scheduler;
use hdfs_model::hdfs::{Options, load_blocks, simulate};
use hdfs_scenario::{BlockMap, Scenario};
use hdfs_trace::{Interval, kind};
use quiet::{argument, quartiles};
use std::{ops::ControlFlow, path::Path, process::ExitCode, sync::Arc, time::Instant};
use verdicts::Verdicts;

/// A line of the table: the loss of one of `nodes` nodes with this number of blocks.
struct Case {
    name: &'static str,
    file: &'static str,
    racks: u32,
    nodes_per_rack: u32,
    lost: u32,
    /// `workload.blocks`: all blocks, or those that the loss concerns.
    blocks: &'static str,
    /// Largest CPU time of a copy \[µs\].
    most: f64,
}

/// Copies event by event, as many as `s0.toml` has with 512 nodes.
const STREAMS: Case = Case {
    name: "streams",
    file: "s0.toml",
    racks: 1,
    nodes_per_rack: 512,
    lost: 80 * 511,
    blocks: "concerned",
    most: 35.0,
};

/// Rounds and heartbeats, about forty for each copy.
const ROUNDS: Case = Case {
    name: "rounds",
    file: "datacentre.toml",
    racks: 16,
    nodes_per_rack: 32,
    lost: 3_000,
    ..STREAMS
};

const CASES: [Case; 5] = [
    STREAMS,
    Case { nodes_per_rack: 8192, most: 45.0, ..STREAMS },
    ROUNDS,
    Case { racks: 256, lost: 40_000, most: 45.0, ..ROUNDS },
    // The model visits 170 blocks for each copied one before the loss.
    Case { name: "all", blocks: "all", most: 35.0, ..STREAMS },
];

impl Case {
    fn scenario(&self) -> Scenario {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios");
        let sets = [
            ("model.sharing", "fluid".into()),
            ("cluster.racks", self.racks.to_string()),
            ("cluster.nodes_per_rack", self.nodes_per_rack.to_string()),
            ("workload.blocks", self.blocks.into()),
            ("workload.blocks_on_lost_node", self.lost.to_string()),
            ("event.target", "dn-r1-01".into()),
        ];
        let sets = sets.map(|(key, value): (&str, String)| (key.to_string(), value));
        Scenario::read(root.join(self.file), &sets).unwrap_or_else(|e| panic!("{e}"))
    }
}

/// CPU time of a copy \[µs\], copies, and events.
fn run(scenario: &Scenario, blocks: &Arc<BlockMap>) -> (f64, usize, u64) {
    let scheduler = Scheduler::Sequential;
    let options = Options { execution: scheduler.into(), check: false, observer: None };
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let (blocks, began) = (Arc::clone(blocks), Instant::now());
    let before = cpu::seconds(began);
    let run = simulate(scenario, blocks, 1, options, &mut |_| ControlFlow::Continue(()));
    let micros = 1e6 * (cpu::seconds(began) - before);
    let run = run.unwrap_or_else(|e| panic!("{e}"));
    let is_copy = |row: &&Interval| row.kind == kind::TRANSFER;
    let copies = run.trace.intervals.iter().filter(is_copy).count();
    (micros / copies as f64, copies, run.events)
}

fn main() -> ExitCode {
    let runs: usize = argument("--runs", "7").parse().expect("a number of runs");
    let only = argument("--only", "streams,rounds,all");
    let noisy = std::env::args().any(|a| a == "--noisy");
    println!(
        "HDFS fluid, one node lost: CPU time of `simulate` by copy, medians (quartiles) of {runs} \
         runs\n{:8} {:>6} {:>7} {:>13} {:>18}  bound",
        "", "nodes", "copies", "events/copy", "µs/copy"
    );
    let cases = CASES.iter().filter(|case| only.split(',').any(|name| name == case.name));
    let load = |case: &'static Case| {
        let scenario = case.scenario();
        let blocks = load_blocks(&scenario, 1).unwrap_or_else(|e| panic!("{e}"));
        (case, scenario, blocks)
    };
    let cases: Vec<_> = cases.map(load).collect();
    let measured =
        quiet::pairs(runs, &cases, |_| noisy, |(_, scenario, blocks)| run(scenario, blocks));
    let mut verdicts = Verdicts::default();
    for ((case, ..), rows) in cases.iter().zip(measured) {
        print!("{:8} {:6} ", case.name, case.racks * case.nodes_per_rack);
        let Some(rows) = rows else {
            println!("not measured: the machine is not quiet");
            continue;
        };
        let [low, middle, high] = quartiles(rows.iter().map(|row| row.0));
        let ((_, copies, events), most) = (rows[0], case.most);
        let (each, micros) =
            (events as f64 / copies as f64, format!("{middle:.1} ({low:.1}-{high:.1})"));
        let verdict = verdicts.of(middle <= most);
        println!("{copies:7} {each:13.1} {micros:>18}  at most {most}: {verdict}")
    }
    verdicts.exit()
}
