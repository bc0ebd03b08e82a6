//! What a run would take without its disks, its network, or with cores for all, worked out from its
//! trace, against the truth: the same run with disks, NICs or cores that hold nothing up.
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

#[test]
fn what_is_gone_is_worth_what_the_trace_says() {
    let (mut table, mut near, mut all) = (String::new(), 0, 0);
    for sets in SCENARIOS {
        let plain = [
            &[
                ("task.speculation", "false"),
                ("workload.input_bytes", "6GB"),
                ("workload.maps", "48"),
                ("workload.reduces", "8"),
            ],
            sets,
        ]
        .concat();
        let now = run(&plain, 1).reading.metrics;
        let whole = now["makespan_s"];
        for (name, gone) in GONE {
            let predicted = now[&format!("makespan_without_{name}_s")];
            let truth = run(&[&plain, gone].concat(), 1).reading.metrics["makespan_s"];
            let off = (predicted - truth) / whole;
            all += 1;
            near += u32::from(off.abs() <= 0.05);
            table += &format!(
                "{:+6.1} %  {whole:7.1} s now, {predicted:7.1} s predicted, {truth:7.1} s without \
                 {name}: {sets:?}\n",
                100.0 * off
            );
        }
    }
    assert!(f64::from(near) >= 0.9 * f64::from(all), "{near} of {all}\n{table}");
}
