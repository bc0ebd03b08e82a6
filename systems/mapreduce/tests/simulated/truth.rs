//! What a run would take at best without its disks, its network, or with cores for all, worked out
//! from its trace, against the truth: the same run with disks, NICs or cores that hold nothing up.
//! The trace does not tell who sends to whom then, and which maps stay local: eight of ten cases
//! are within 5 % of the run, and hardly any is sooner than it says.
use super::{Sets, run};

/// Clusters and jobs as people have them.
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
const SEEDS: std::ops::RangeInclusive<u64> = 1..=4;

/// Jobs that last for minutes.
const LONGER: Sets = &[
    ("task.speculation", "false"),
    ("workload.input_bytes", "6GB"),
    ("workload.maps", "48"),
    ("workload.reduces", "8"),
];

type Metrics = std::collections::BTreeMap<String, f64>;

#[test]
fn what_is_gone_is_worth_what_the_trace_says() {
    let (mut table, mut near, mut bound, mut all) = (String::new(), 0, 0, 0);
    for sets in SCENARIOS {
        let plain = [LONGER, sets].concat();
        let now: Vec<_> = SEEDS.map(|seed| run(&plain, seed).reading.metrics).collect();
        let mean = |all: &[Metrics], name: &str| {
            all.iter().map(|metrics| metrics[name]).sum::<f64>() / all.len() as f64
        };
        let whole = mean(&now, "makespan_s");
        for (name, gone) in GONE {
            let predicted = mean(&now, &format!("at_best_without_{name}_s"));
            let without = [&plain, gone].concat();
            let truth: Vec<_> = SEEDS.map(|seed| run(&without, seed).reading.metrics).collect();
            let truth = mean(&truth, "makespan_s");
            let off = (predicted - truth) / whole;
            all += 1;
            near += u32::from(off.abs() <= 0.05);
            bound += u32::from(off <= 0.05);
            table += &format!(
                "{:+6.1} %  {whole:7.1} s now, {predicted:7.1} s predicted, {truth:7.1} s without \
                 {name}: {sets:?}\n",
                100.0 * off
            );
        }
    }
    assert!(f64::from(bound) >= 0.9 * f64::from(all), "{bound} of {all}\n{table}");
    assert!(f64::from(near) >= 0.78 * f64::from(all), "{near} of {all}\n{table}");
}

/// Where nothing is taken away, the slots end when the run did.
#[test]
fn what_held_nothing_up_is_worth_nothing() {
    for sets in SCENARIOS {
        let done = run(&[LONGER, sets, &[("cluster.cores", "64")]].concat(), 1).reading.metrics;
        let (now, at_best) = (done["makespan_s"], done["at_best_without_core_limit_s"]);
        assert!((at_best / now - 1.0).abs() < 0.001, "{sets:?}: {now} s, {at_best} s at best");
    }
}
