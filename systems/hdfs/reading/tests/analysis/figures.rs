//! Balance, series and metrics against definitions worked out by hand or by force.
use crate::draw::{self, CAPACITY, RATE, count, empty, sample};
use crate::random::Dice;
use analysis::Bins;
use hdfs_reading::metrics;
use hdfs_trace::{Trace, counter_name};
use trace::series::Series;
use units::Nanos;

#[test]
fn bins_hold_all_bytes_and_each_its_own() {
    let mut dice = Dice(5);
    for _ in 0..300 {
        let mut trace = empty();
        let mut at = 0;
        for _ in 0..dice.below(40) {
            at += dice.below(3_000);
            let (resource, used) = (dice.below(4) as usize, dice.below(100) as f64);
            trace.series.push(sample(resource, Nanos::millis(at), used, 0));
        }
        let uses = Series::of(&trace);
        let from = Nanos::millis(dice.below(5_000));
        let bins = Bins { from, width: Nanos::millis(1 + dice.below(900)), count: 30 };
        for resource in (0..4).map(hdfs_trace::ResourceId::of) {
            let cells = uses.work_in(resource, &bins);
            let whole = uses.work(resource, from, bins.to());
            assert!((cells.iter().sum::<f64>() - whole).abs() <= 1e-9 * whole.max(1.0));
            let used = |ms: u64| {
                let mut mine = trace.series.iter().filter(|s| s.resource == resource);
                mine.rfind(|s| s.at <= Nanos::millis(ms)).and_then(|s| s.used.get()).unwrap_or(0.0)
            };
            let (start, width) = (from.0 / 1_000_000, bins.width.0 / 1_000_000);
            for (bin, found) in cells.iter().enumerate() {
                let first = start + bin as u64 * width;
                let wanted: f64 = (first..first + width).map(|ms| used(ms) / 1e3).sum();
                assert!((found - wanted).abs() < 1e-6, "bin {bin}: {found}, by force {wanted}");
            }
        }
    }
}

fn with_counters(mut trace: Trace, counters: &[(&str, &[(u64, f64)])]) -> Trace {
    for (name, points) in counters {
        let place = trace.counter_names.len();
        trace.counter_names.push(counter_name(name));
        let points = points.iter();
        trace.counters.extend(points.map(|&(at, value)| count(place, Nanos::secs(at), value)));
    }
    trace.counters.sort_by_key(|c| c.at);
    trace
}

#[test]
fn metrics_of_a_drawn_run() {
    let trace = draw::trace(
        3,
        Some(12),
        "1 |   qqtttt r |
           |   mmdddd b |
         2 |   qqqqtttrr|
           |   ssssnnnbb|",
    );
    let mut trace = with_counters(
        trace,
        &[
            ("at_risk", &[(0, 2.0), (10, 1.0), (12, 0.0)]),
            ("at_one_replica", &[(0, 2.0), (9, 1.0), (10, 0.0)]),
            ("at_zero_replicas", &[(0, 0.0)]),
            ("one_rack_only", &[(0, 0.0), (4, 1.0), (11, 0.0)]),
        ],
    );
    trace.series =
        vec![sample(0, Nanos::secs(5), RATE as f64, 1), sample(0, Nanos::secs(9), 0.0, 0)];
    let found = metrics(&trace);
    let bytes = 7.0 * RATE as f64;
    let wanted = [
        ("at_one_replica_block_s", 2.0 * 9.0 + 1.0),
        ("at_one_replica_max", 2.0),
        ("at_one_replica_s", 10.0),
        ("blocks_copied", 2.0),
        ("blocks_lost", 0.0),
        ("blocks_lost_before", 0.0),
        ("busiest_disk", 4.0 * RATE as f64 / (9.0 * CAPACITY as f64)),
        ("bytes_copied", bytes),
        ("detection_s", 3.0),
        ("disk_cv", 0.0),
        ("disk_gini", 0.0),
        ("disk_max_over_mean", 1.0),
        ("exposed_s", 12.0),
        ("last_copy_s", 7.0),
        ("one_rack_only_s", 7.0),
        ("receive_cv", 1.0),
        ("receive_gini", 0.5),
        ("receive_max_over_mean", 2.0),
        ("recovery_s", 9.0),
        ("send_cv", 1.0),
        ("send_gini", 0.5),
        ("send_max_over_mean", 2.0),
        ("throughput_mb_s", bytes / 1e6 / 9.0),
    ];
    let wanted = wanted.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    assert_eq!(found, wanted);
}

#[test]
fn what_does_not_exist_is_absent() {
    let never = draw::trace(3, None, "1 |   qqq|\n|   mmm|");
    let never =
        with_counters(never, &[("at_risk", &[(0, 2.0)]), ("at_zero_replicas", &[(0, 2.0)])]);
    let found = metrics(&never);
    assert!(!found.contains_key("recovery_s") && !found.contains_key("exposed_s"));
    assert!(!found.contains_key("send_max_over_mean"));
    assert_eq!((found["detection_s"], found["blocks_lost"]), (3.0, 2.0));
    // A time at one replica without an end is undefined, not the length of the run.
    for name in ["at_one_replica_s", "at_one_replica_block_s", "one_rack_only_s"] {
        let counter = if name == "one_rack_only_s" { name } else { "at_one_replica_s" };
        let counter = counter.strip_suffix("_s").unwrap();
        let trace = draw::trace(3, None, "1 |   qqq|\n|   mmm|");
        let stays = with_counters(trace.clone(), &[(counter, &[(0, 2.0), (5, 1.0)])]);
        assert!(!metrics(&stays).contains_key(name), "{name}");
        let ends = with_counters(trace, &[(counter, &[(0, 2.0), (5, 0.0)])]);
        assert!(metrics(&ends)[name] > 0.0, "{name}");
    }
    let unharmed = with_counters(draw::trace(3, None, ""), &[("at_risk", &[(0, 0.0)])]);
    assert_eq!(metrics(&unharmed)["recovery_s"], 0.0);
    assert!(metrics(&empty()).values().all(|value| value.is_finite()));
    let unused = draw::trace(3, Some(9), "1 |   qqqqqq|\n|   mmmmmm|");
    assert!(metrics(&unused)["busiest_disk"].is_sign_positive());
}

#[test]
fn dead_nodes_are_not_in_the_balance() {
    let mut trace = draw::trace(0, Some(4), "1 |tttt|\n|dddd|");
    trace.nodes[1].alive = false;
    let found = metrics(&trace);
    assert_eq!(found["send_max_over_mean"], 1.0);
    assert!(!found.contains_key("receive_max_over_mean"));
}

/// A trace with another run table.
fn about(mut trace: Trace, pairs: &[(&str, &str)]) -> Trace {
    trace.run = pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    trace
}

#[test]
fn nothing_is_known_of_a_loss_that_the_run_does_not_reach() {
    let counters: [(&str, &[(u64, f64)]); 4] = [
        ("at_risk", &[(0, 0.0)]),
        ("at_one_replica", &[(0, 0.0)]),
        ("at_zero_replicas", &[(0, 0.0)]),
        ("one_rack_only", &[(0, 0.0)]),
    ];
    let trace = with_counters(about(empty(), &[("end_s", "5"), ("cut_s", "5")]), &counters);
    let found = metrics(&trace);
    let known: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(known, ["blocks_copied", "blocks_lost", "blocks_lost_before", "bytes_copied"]);
}

#[test]
fn blocks_lost_before_are_not_the_loss_s() {
    let counters: [(&str, &[(u64, f64)]); 2] = [
        ("at_risk", &[(0, 3.0), (10, 9.0), (14, 5.0), (19, 3.0)]),
        ("at_zero_replicas", &[(0, 3.0)]),
    ];
    let run = [("fault_s", "10"), ("declared_s", "12"), ("end_s", "20")];
    let found = metrics(&with_counters(about(empty(), &run), &counters));
    assert_eq!((found["blocks_lost"], found["blocks_lost_before"]), (3.0, 3.0));
    assert_eq!((found["recovery_s"], found["exposed_s"]), (7.0, 9.0));
    // Two more with the node: what is safe again is all the others, and not all.
    let counters: [(&str, &[(u64, f64)]); 2] = [
        ("at_risk", &[(0, 3.0), (10, 9.0), (14, 5.0)]),
        ("at_zero_replicas", &[(0, 3.0), (10, 5.0)]),
    ];
    let trace = with_counters(about(empty(), &run), &counters);
    let found = metrics(&trace);
    assert_eq!((found["blocks_lost"], found["blocks_lost_before"]), (5.0, 3.0));
    assert!(!found.contains_key("recovery_s"));
    let moments = hdfs_reading::moments::Moments::of(&trace);
    assert_eq!((moments.redundant, moments.mended), (None, Some(Nanos::secs(14))));
}
