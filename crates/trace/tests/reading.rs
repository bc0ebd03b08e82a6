use crate::drawn::Drawn;
use std::path::Path;
use trace::reading::{HolderShare, Reading, Role, Uses};
use trace::*;
use units::Nanos;

fn example(name: &str, scale: u64) -> Drawn {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walks").join(name);
    let text = std::fs::read_to_string(file).unwrap();
    let mut drawn = Drawn::of(text.split("---\n").next().unwrap());
    for row in &mut drawn.trace.intervals {
        (row.start, row.end) = (row.start * scale, row.end * scale);
        row.queued = row.queued * scale
    }
    drawn
}

fn objective(how: Aggregation, subject: Option<EntityId>, from: Nanos, to: Nanos) -> ObjectiveRow {
    ObjectiveRow {
        metric: "time".into(),
        unit: "s".into(),
        better: Better::Less,
        how,
        of: None,
        subject,
        from,
        to: Some(to),
        value: Some((to - from).as_secs()),
        outcome: Outcome::Ok,
    }
}

fn find<'a>(reading: &'a Reading, holder: &str) -> &'a HolderShare {
    let found = reading.held.iter().find(|held| held.holder == holder);
    found.unwrap_or_else(|| panic!("no {holder} in {:?}", reading.held))
}

#[test]
fn a_path_in_shares_and_steps() {
    let mut drawn = example("log.txt", 1_000_000);
    let end = Nanos::millis(58_099);
    let job = drawn.entities["job"];
    drawn.trace.objectives = vec![objective(Aggregation::Last, Some(job), Nanos::ZERO, end)];
    // Both runs have the times of a clock with an error of 100 ms.
    drawn.trace.intervals[2].doubt = Nanos::millis(100);
    drawn.trace.intervals[6].doubt = Nanos::millis(100);
    let reading = Reading::of(&drawn.trace);
    assert_eq!(reading.value, Some(58.099));
    let told: Vec<(&str, f64)> =
        reading.held.iter().map(|held| (held.holder.as_str(), held.waited_s)).collect();
    let expected = [
        ("another run", 10.911 + 27.684),
        ("am-start", 11.757),
        ("container", 1.262 + 6.420),
        ("unexplained", 0.044 + 0.021),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((holder, waited), (wanted, time)) in told.iter().zip(expected) {
        assert_eq!(*holder, wanted);
        assert!((waited - time).abs() < 1e-9, "{holder}: {waited} s, not {time}")
    }
    let sum: f64 = reading.held.iter().map(|held| held.share).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let run = find(&reading, "another run");
    assert!((run.high - run.share - 0.4 / 58.099).abs() < 1e-9, "2 doubts a piece, each way");
    assert!((run.share - run.low - 0.4 / 58.099).abs() < 1e-9);
    assert_eq!(run.behind[0].label, "m_000007_0: run");
    let steps: Vec<&str> = reading.path.iter().map(|step| step.label.as_str()).collect();
    let expected = [
        "job: am-start",
        "no interval",
        "m_000007: container",
        "m_000007_0: run",
        "r_000000: container",
        "r_000000_0: run",
        "job: tasks",
    ];
    assert_eq!(steps, expected)
}

#[test]
fn what_a_larger_setting_could_save() {
    let mut drawn = example("credit.txt", 1_000);
    let credits = SettingId::of(drawn.trace.settings.len());
    drawn.trace.settings.push(Setting { key: "pipe.credits".into(), value: "1".into() });
    let slots = drawn.trace.resources.iter_mut().find(|r| r.name == "credits").unwrap();
    slots.setting = Some(credits);
    let (from, to) = (Nanos::micros(2_311), Nanos::micros(4_097));
    drawn.trace.objectives =
        vec![objective(Aggregation::Last, Some(drawn.entities["put"]), from, to)];
    let reading = Reading::of(&drawn.trace);
    let credits = find(&reading, "pipe.credits = 1");
    let most = credits.at_most.unwrap();
    assert!((most - 738.0 / 1_786.0).abs() < 1e-9, "{most}");
    assert_eq!((credits.share, credits.role), (0.0, Role::Setting));
    let disks = find(&reading, "R");
    assert_eq!(disks.hottest.as_deref(), Some("nic-1"));
    assert_eq!(disks.role, Role::Disk)
}

#[test]
fn operations_by_weight_or_by_sums() {
    let mut drawn = example("rename.txt", 1_000);
    let end = Nanos::micros(3_883);
    drawn.trace.objectives = vec![objective(Aggregation::Rate, None, Nanos::ZERO, end)];
    drawn.trace.intervals[0].weight = 10.0;
    let reading = Reading::of(&drawn.trace);
    let backoff = find(&reading, "contention = 1");
    assert!((backoff.waited_s - 10.0 * 134e-6).abs() < 1e-12, "{}", backoff.waited_s);
    assert_eq!(reading.latencies.len(), 1);
    assert_eq!(reading.latencies[0].times, 10);
    assert!((reading.latencies[0].p50_s / 3.883e-3 - 1.0).abs() < 0.016);
    assert!(reading.path.is_empty());
    let kind = drawn.trace.intervals[0].kind;
    let sum =
        |charged, total| Sum { at: Nanos(0), operation: kind, kind, charged, times: 1, total };
    drawn.trace.sums = vec![
        sum(ChargeTarget::Resource(ResourceId::of(0)), 300),
        sum(ChargeTarget::Unexplained, 100),
    ];
    let reading = Reading::of(&drawn.trace);
    let shares: Vec<(&str, f64)> =
        reading.held.iter().map(|held| (held.holder.as_str(), held.share)).collect();
    assert_eq!(shares, [("R", 0.75), ("unexplained", 0.25)], "sums are exact, so they are read");
    let json = serde_json::to_value(&reading).unwrap();
    assert_eq!(json["held"][0]["role"], "disk");
    assert_eq!(json["objective"]["better"], "less")
}

#[test]
fn use_over_time() {
    let mut drawn = example("queue.txt", 1);
    let disk = drawn.trace.resources.iter().position(|r| r.name == "disk").unwrap();
    let uses = Uses::of(&drawn.trace, (Nanos(0), Nanos(40)), 4);
    // Works: 5–22 the first, 22–30 the second after its queue, 31–40 the third.
    let permille = |bins: &[f64]| bins.iter().map(|b| (b * 1e3).round()).collect::<Vec<_>>();
    assert_eq!(permille(&uses.bins[&ResourceId::of(disk)]), [500.0, 1_000.0, 1_000.0, 900.0]);
    let resource = ResourceId::of(disk);
    drawn.trace.resources[disk].capacity = Some(10);
    let sample = |at, used: Option<f64>| {
        let (used, busy) = (used.into(), OptionalNumber::NONE);
        Sample { resource, at: Nanos(at), used, busy, queue: OptionalNumber::NONE }
    };
    drawn.trace.series = vec![sample(5, Some(10.0)), sample(10, Some(5.0)), sample(20, None)];
    let capacity = CapacityChange { resource, at: Nanos(10), capacity: 5 };
    drawn.trace.capacities = vec![capacity];
    let uses = Uses::of(&drawn.trace, (Nanos(0), Nanos(40)), 4);
    // Full use for half a bin; then the reduced capacity, fully used.
    assert_eq!(permille(&uses.bins[&resource]), [500.0, 1_000.0, 0.0, 0.0])
}

#[test]
fn an_empty_trace_is_read() {
    let reading = Reading::of(&Trace::default());
    assert_eq!((reading.window, reading.held.len()), ((Nanos(0), Nanos(0)), 0))
}

/// One write a millisecond for 10 s, except in bins of `idle`; bins of 10 ms.
fn writes(idle: std::ops::Range<u64>) -> Trace {
    let mut builder = TraceBuilder::new();
    let write = builder.interval_kind(IntervalRole::Operation, "write", "write").id();
    let bins = (0..1_000).filter(|bin| !idle.contains(bin));
    builder.histograms(bins.map(|bin| Histogram {
        at: Nanos::millis(10 * bin),
        operation: write,
        node: None,
        bucket: 3,
        times: 10,
    }));
    let end = Nanos::millis(10_000);
    builder.objective(objective(Aggregation::Rate, None, Nanos::ZERO, end));
    builder.finish(end)
}

#[test]
fn a_time_without_an_ended_operation_is_told() {
    assert_eq!(Reading::of(&writes(0..0)).stall, None);
    assert_eq!(Reading::of(&writes(500..520)).stall, None, "2 % of the run are no stall");
    let stall = Reading::of(&writes(300..700)).stall.expect("4 s");
    assert_eq!((stall.operation.as_str(), stall.from_s, stall.to_s), ("write", 2.99, 7.0));
    let to_its_end = Reading::of(&writes(600..1_000)).stall.expect("4 s");
    assert_eq!((to_its_end.from_s, to_its_end.to_s), (5.99, 10.0));
    assert_eq!(Reading::of(&writes(0..400)).stall, None, "nothing had ended before");
}
