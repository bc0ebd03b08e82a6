//! What a run would take without its disks, its network, or with cores for all, replayed from its
//! trace, against the truth: the same run with disks, NICs or cores that hold nothing up.
//!
//! Chance decides which disk a copy is read from, and one run ends a tenth or more sooner or later
//! than its neighbour: means over seeds are compared. In both sets, that of scenarios as people
//! have them and that of drawn ones, nine of ten are within 5 % of the whole run.
use super::{Sets, run, run_how};
use engine::Draw;
use system::RunOptions;

/// Typical clusters and jobs.
const SCENARIOS: [&[(&str, &str)]; 24] = [
    &[],
    &[("cluster.disks", "1")],
    &[("cluster.disks", "2"), ("cluster.cores", "2")],
    &[("cluster.cores", "1")],
    &[("cluster.cores", "2"), ("workload.kind", "wordcount")],
    &[("workload.kind", "wordcount")],
    &[("workload.kind", "grep"), ("workload.reduces", "1")],
    &[("workload.kind", "terasort")],
    &[("workload.kind", "terasort"), ("cluster.disks", "1")],
    &[("hardware.nic", "100Mbit/s")],
    &[("hardware.nic", "200Mbit/s"), ("workload.replication", "3")],
    &[("hardware.nic", "10Gbit/s"), ("workload.replication", "2")],
    &[("cluster.nodes", "8"), ("workload.maps", "32"), ("workload.input_bytes", "4GB")],
    &[("cluster.nodes", "8"), ("cluster.map_slots", "2"), ("workload.replication", "3")],
    &[("cluster.nodes", "16"), ("workload.maps", "64"), ("workload.input_bytes", "8GB")],
    &[("cluster.racks", "2"), ("hardware.inter_rack", "500Mbit/s")],
    &[("cluster.racks", "2"), ("hardware.inter_rack", "10Gbit/s"), ("cluster.nodes", "8")],
    &[("workload.jobs", "5"), ("workload.arrival_interval", "5s")],
    &[("workload.jobs", "4"), ("workload.arrival_interval", "30s")],
    &[("policy.heartbeat", "1s"), ("cluster.disks", "1")],
    &[("policy.heartbeat", "0.5s"), ("workload.jobs", "4")],
    &[("hardware.disk", "60MB/s"), ("hardware.disk_curve", "0")],
    &[("hardware.disk", "500MB/s"), ("hardware.disk_seek", "0ms")],
    &[("workload.reduces", "0"), ("workload.maps", "32")],
];

/// What is predicted, and what makes it true.
const GONE: [(&str, Sets); 3] = [
    ("disks", &[("hardware.disk", "1000GB/s"), ("hardware.disk_seek", "0ms")]),
    ("network", &[("hardware.nic", "10000Gbit/s"), ("hardware.inter_rack", "10000Gbit/s")]),
    ("core_limit", &[("cluster.cores", "64")]),
];

/// Of each; the mean of them is predicted, and true.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=16;

/// Jobs that last for minutes.
const LONGER: Sets = &[
    ("task.speculation", "false"),
    ("workload.input_bytes", "6GB"),
    ("workload.maps", "48"),
    ("workload.reduces", "8"),
];

const DRAWN: u64 = 24;

type Metrics = std::collections::BTreeMap<String, f64>;

fn any<'a>(draw: &mut Draw, values: &[&'a str]) -> &'a str {
    draw.pick(values).expect("there is one")
}

fn drawn(number: u64) -> Vec<(&'static str, String)> {
    let draw = &mut Draw::keyed(number, "what is gone", 0, 0);
    let nodes = 4 + draw.below(21);
    let maps = nodes * (1 + draw.below(6)) + draw.below(nodes);
    let size = [64, 128, 256][units::usize_of(draw.below(3))];
    let mut number = |from: u64, to: u64| (from + draw.below(to + 1 - from)).to_string();
    let all = vec![
        ("cluster.nodes", nodes.to_string()),
        ("workload.maps", maps.to_string()),
        ("workload.input_bytes", format!("{}MB", maps * size)),
        ("workload.reduces", number(1, 16)),
        ("workload.jobs", number(1, 5)),
        ("workload.replication", number(1, 3)),
        ("cluster.disks", number(1, 4)),
        ("cluster.cores", number(1, 8)),
        ("cluster.map_slots", number(1, 4)),
        ("cluster.reduce_slots", number(1, 4)),
        ("cluster.racks", number(1, 2)),
    ];
    let kinds = ["sort", "sort", "terasort", "wordcount", "grep"];
    let others: [(&str, &[&str]); 8] = [
        ("workload.kind", &kinds),
        ("workload.output_replication", &["1", "1", "2", "3"]),
        ("workload.arrival_interval", &["0s", "5s", "30s"]),
        ("hardware.nic", &["100Mbit/s", "300Mbit/s", "1Gbit/s", "3Gbit/s", "10Gbit/s"]),
        ("hardware.inter_rack", &["1Gbit/s", "10Gbit/s"]),
        ("hardware.disk_curve", &["0", "0.5", "1"]),
        ("policy.heartbeat", &["0.5s", "1s", "3s", "5s"]),
        ("policy.scheduling", &["fair", "fifo"]),
    ];
    let others = others.map(|(key, values)| (key, any(draw, values).to_string()));
    all.into_iter().chain(others).collect()
}

/// One of this number of scenarios is tried; all of them where MATRIX=whole (`make soak`).
fn share() -> usize {
    if std::env::var("MATRIX").is_ok_and(|share| share == "whole") { 1 } else { 3 }
}

/// Errors of the predictions, as fractions of the whole run, with a line to print for each.
fn compared(plain: Sets<'_>) -> Vec<(f64, String)> {
    let mean = |all: &[Metrics], name: &str| {
        all.iter().map(|metrics| metrics[name]).sum::<f64>() / all.len() as f64
    };
    let now: Vec<_> = SEEDS.map(|seed| run(plain, seed).reading.metrics).collect();
    let whole = mean(&now, "makespan_s");
    let against = |(name, gone): (&str, Sets<'_>)| {
        let without = [plain, gone].concat();
        let truth: Vec<_> = SEEDS.map(|seed| untraced(&without, seed)).collect();
        let truth = mean(&truth, "makespan_s");
        let predicted = mean(&now, &format!("without_{name}_s"));
        let off = (predicted - truth) / whole;
        let line = format!(
            "{:+6.1} %  {whole:7.1} s now, {predicted:7.1} s predicted, {truth:7.1} s without \
             {name}: {}\n",
            100.0 * off,
            said(plain)
        );
        (off, line)
    };
    GONE.map(against).to_vec()
}

/// "nodes=4 disks=1"
fn said(sets: Sets<'_>) -> String {
    let said = sets.iter().map(|(key, value)| {
        let (_, name) = key.split_once('.').expect("of a section");
        format!("{name}={value}")
    });
    said.collect::<Vec<_>>().join(" ")
}

fn untraced(sets: Sets<'_>, seed: u64) -> Metrics {
    run_how(sets, seed, RunOptions::by(engine::Scheduler::Sequential)).reading.metrics
}

/// Nine of ten are within 5 % of the whole; all are printed, the worst first.
fn nine_of_ten(mut all: Vec<(f64, String)>) {
    all.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let near = all.iter().filter(|(off, _)| off.abs() <= 0.05).count();
    let table: String = all.iter().map(|(_, line)| line.as_str()).collect();
    println!("{near} of {}\n{table}", all.len());
    assert!(near as f64 >= 0.9 * all.len() as f64, "{near} of {}\n{table}", all.len())
}

#[test]
fn what_is_gone_is_worth_what_the_trace_says() {
    let some = SCENARIOS.iter().step_by(share());
    nine_of_ten(some.flat_map(|sets| compared(&[LONGER, sets].concat())).collect())
}

#[test]
fn what_is_gone_is_worth_as_much_in_scenarios_that_are_drawn() {
    let all = (0..DRAWN).step_by(share()).flat_map(|number| {
        let sets = drawn(number);
        let sets: Vec<_> = sets.iter().map(|(key, value)| (*key, value.as_str())).collect();
        compared(&[&sets[..], &[("task.speculation", "false")]].concat())
    });
    nine_of_ten(all.collect())
}

/// Where nothing is taken away, the slots end when the run did.
#[test]
fn what_held_nothing_up_is_worth_nothing() {
    for sets in SCENARIOS {
        let done = run(&[LONGER, sets, &[("cluster.cores", "64")]].concat(), 1).reading.metrics;
        let (now, at_best) = (done["makespan_s"], done["without_core_limit_s"]);
        assert!((at_best / now - 1.0).abs() < 0.001, "{sets:?}: {now} s, {at_best} s at best");
    }
}
