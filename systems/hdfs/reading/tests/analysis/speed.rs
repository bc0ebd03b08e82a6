//! How long a large trace takes: `cargo test --release -p hdfs-reading speed -- --nocapture` prints
//! it.
use crate::fake::{self, Fake, SMALL};
use hdfs_reading::{Run, attribution, blocked_time, metrics};
use hdfs_trace::{Sample, Trace};
use std::hint::black_box;
use std::time::Instant;
use units::Nanos;

/// 1 000 nodes, 20 000 copies: 100 000 intervals and more, a million samples.
fn large() -> Trace {
    let large = Fake { racks: 20, nodes_per_rack: 50, disks: 12, blocks: 20_000, ..SMALL };
    let mut trace = fake::trace(large);
    let again = |sample: &Sample| {
        let sample = sample.clone();
        (0..7).map(move |i| Sample { at: sample.at + Nanos(i), ..sample.clone() })
    };
    trace.series = trace.series.iter().flat_map(again).collect();
    trace.series.sort_by_key(|sample| sample.at);
    trace
}

#[test]
fn a_large_trace_is_read_in_seconds() {
    let trace = large();
    let (intervals, samples) = (trace.intervals.len(), trace.series.len());
    assert!(intervals >= 100_000 && samples >= 1_000_000, "{intervals}, {samples}");
    let time = |name: &str, work: &dyn Fn()| {
        #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
        let start = Instant::now();
        work();
        println!("{name:12} {:7.3} s", start.elapsed().as_secs_f64());
    };
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let start = Instant::now();
    println!("{intervals} intervals, {samples} samples");
    time("metrics", &|| drop(black_box(metrics(&trace))));
    time("attribution", &|| drop(black_box(attribution(&trace))));
    time("blocked time", &|| drop(black_box(blocked_time(&trace))));
    time("run", &|| drop(black_box(Run::of(1, &trace))));
    // Ten times what a slow machine needs without optimisation: a quadratic step would show.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
