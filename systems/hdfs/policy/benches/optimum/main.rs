//! Time to find even sources, by an exact 0–1 program, by the flow of `optimised` and by the
//! ring, and what the default costs. `cargo bench -p hdfs-policy --bench optimum`, or `make bench`.
#[path = "../../../../../benches/cpu.rs"]
mod cpu;
mod program;
#[path = "../../tests/seeded/mod.rs"]
mod seeded;
#[path = "../../../../../benches/verdicts.rs"]
mod verdicts;
use cluster::NodeId;
use hdfs_policy::placement::place_new_block;
use hdfs_policy::rereplication::{LostBlock, Memory, Rereplication, registry};
use hdfs_scenario::Pacing;
use seeded::{Block, Nodes, Seeded};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use units::Bytes;
use verdicts::Verdicts;

/// Limit for one solution of the program.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut verdicts = Verdicts::default();
    print_optimum(&mut verdicts);
    print_decisions(&mut verdicts);
    verdicts.exit()
}

/// CPU time of `work` \[s\], and its result. Repeats short work, since some kernels count in ticks
/// of 4 ms.
fn timed<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let began = Instant::now();
    let (before, mut times) = (cpu::seconds(began), 0);
    loop {
        let result = work();
        times += 1;
        let took = cpu::seconds(began) - before;
        if took > 0.2 {
            return (took / f64::from(times), result);
        }
    }
}

fn policy(name: &str) -> Box<dyn Rereplication> {
    registry::find(name, Pacing::EventDriven).expect("a known policy")
}

/// Sources of all blocks, one after the other, after the policy's plan.
fn sources(name: &str, lost: &[LostBlock<'_>], nodes: &Nodes) -> Vec<NodeId> {
    let (policy, view, mut draw) = (policy(name), nodes.view(), Seeded(3));
    let mut memory = Memory::new(nodes.nodes.len(), nodes.racks.len());
    policy.plan(lost, view, &mut memory);
    let mut one = |lost| policy.repair(lost, view, &mut memory, &mut draw);
    lost.iter().map(|lost| one(lost).expect("a healthy cluster").source).collect()
}

/// The most copies that a node sends, less the fewest.
fn spread(sources: &[NodeId], nodes: &Nodes) -> u32 {
    let mut sent = vec![0; nodes.nodes.len()];
    sources.iter().for_each(|id| sent[id.at()] += 1);
    let alive = || sent.iter().zip(&nodes.nodes).filter(|(_, node)| node.alive).map(|(n, _)| *n);
    alive().max().unwrap_or(0) - alive().min().unwrap_or(0)
}

/// One rack of N nodes has lost one of them, as in Higai et al. 2014.
fn print_optimum(verdicts: &mut Verdicts) {
    println!(
        "Spread: the most copies that a node sends, less the fewest. One rack of N nodes, one \
         lost; the program stops after {} s\n{:>9} {:>4} {:>7} {:>13} {:>7} {:>13} {:>7} {:>5}",
        LIMIT.as_secs(),
        "per node",
        "N",
        "blocks",
        "0-1 program s",
        "spread",
        "optimised ms",
        "spread",
        "ring"
    );
    for per_node in [5, 20, 80] {
        for n in [6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256] {
            if !print_one(n, per_node, verdicts) {
                break;
            }
        }
    }
}

/// Returns whether the program was solved in its time.
fn print_one(n: u32, per_node: u32, verdicts: &mut Verdicts) -> bool {
    let mut nodes = Nodes::healthy(1, n);
    let blocks = nodes.lose(NodeId(n / 2), per_node * (n - 1), &mut Seeded(1));
    let lost: Vec<LostBlock<'_>> = blocks.iter().map(Block::lost).collect();
    let (exact_s, exact) = timed(|| program::least_spread(&lost, nodes.view(), LIMIT));
    let (flow_s, flow) = timed(|| sources("optimised", &lost, &nodes));
    let (flow, ring) = (spread(&flow, &nodes), spread(&sources("ring", &lost, &nodes), &nodes));
    let (spread, verdict) = match exact {
        Some(exact) => (exact.to_string(), verdicts.of(exact == flow)),
        None => ("-".into(), "not solved"),
    };
    let (blocks, flow_ms) = (lost.len(), flow_s * 1e3);
    println!(
        "{per_node:9} {n:4} {blocks:7} {exact_s:13.3} {spread:>7} {flow_ms:13.3} {flow:7} \
         {ring:5}  {verdict}"
    );
    exact.is_some()
}

/// The ring over the default, at most: the paper has the same complexity for both.
const RATIO: f64 = 5.0;

fn print_decisions(verdicts: &mut Verdicts) {
    println!(
        "\nTime per block of a NameNode's decision [ns], 20 000 blocks, one rack, medians of 3\n\
         {:>6} {:>8} {:>8} {:>10} {:>14}",
        "N", "default", "ring", "optimised", "ring / default"
    );
    for n in [6, 32, 100, 1_000, 10_000] {
        let nodes = Nodes::healthy(1, n);
        let mut draw = Seeded(9);
        let holders = |_| place_new_block(None, 3, Bytes::mib(64), nodes.view(), &mut draw);
        let held: Vec<Vec<NodeId>> = (0..20_000).map(holders).collect();
        let blocks: Vec<Block> =
            (0..).zip(&held).map(|(number, held)| Block::of(number, &held[..2])).collect();
        let lost: Vec<LostBlock<'_>> = blocks.iter().map(Block::lost).collect();
        let [default, ring, optimised] = ["default", "ring", "optimised"].map(|name| {
            let mut runs: Vec<f64> =
                (0..3).map(|_| timed(|| sources(name, &lost, &nodes)).0).collect();
            runs.sort_by(f64::total_cmp);
            runs[1] * 1e9 / lost.len() as f64
        });
        let ratio = ring / default;
        let verdict = verdicts.of(ratio <= RATIO);
        println!(
            "{n:6} {default:8.0} {ring:8.0} {optimised:10.0} {ratio:14.2}  at most {RATIO}: \
             {verdict}"
        );
    }
}
