//! The model under all schedulers, and what it must obey.
use engine::Scheduler;
use ozone::Ozone;
use std::ops::ControlFlow;
use std::path::Path;
use system::lab::Lab;
use system::{How, Simulated};

const SCENARIO: &str = include_str!("../../../scenarios/ozone-small-files.toml");

fn run(sets: &[(&str, &str)], seed: u64, scheduler: Scheduler) -> Simulated {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let lab = Lab::of(&Ozone).unwrap();
    let sheet = lab.read_text(SCENARIO, Path::new("ozone.toml"), &sets).unwrap();
    let how = How { execution: scheduler.into(), keep_trace: true, check: true, witness: None };
    lab.one(&sheet, seed, how, &mut |_| ControlFlow::Continue(())).unwrap().unwrap()
}

fn metric(sets: &[(&str, &str)], name: &str) -> f64 {
    run(sets, 1, Scheduler::Sequential).reading.metrics[name]
}

#[test]
fn all_schedulers_give_one_hash() {
    let small = [("workload.objects", "300"), ("workload.clients", "16")];
    for more in [
        &[][..],
        &[("policy.commit_notice", "metadata-entry"), ("policy.choice", "least-queued")],
        &[("workload.rate", "50"), ("workload.burst", "5"), ("policy.pipeline", "even")],
        &[("fault.kind", "crash"), ("fault.at", "1s"), ("workload.limit", "15min")],
    ] {
        let sets: Vec<(&str, &str)> = small.iter().chain(more).copied().collect();
        let first = run(&sets, 1, Scheduler::Sequential);
        assert!(first.reading.metrics["finished"] == 1.0, "{more:?}");
        for scheduler in [
            Scheduler::Conservative { threads: 2 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::RollbackCheck { depth: 4 },
        ] {
            let other = run(&sets, 1, scheduler);
            assert_eq!(first.trace_hash, other.trace_hash, "{scheduler:?} {more:?}");
            assert_eq!(first.reading.metrics, other.reading.metrics, "{scheduler:?} {more:?}");
        }
    }
}

#[test]
fn one_writer_on_an_idle_cluster_takes_what_its_steps_take() {
    // Two services of OM, four hops to it and back; the chunk through two NICs; two flushes, for
    // the end of the block comes while the chunk's entry is being flushed; hops.
    let sets = [
        ("workload.clients", "1"),
        ("workload.objects", "50"),
        ("hardware.flush_shape", "fixed"),
        ("hardware.flush_time", "10ms"),
    ];
    let mean = metric(&sets, "latency_ms_p50");
    assert!((21.0..23.5).contains(&mean), "{mean} ms");
}
