//! A large trace. A quadratic step of the analysis would take minutes.
use crate::fake::{self, Fake, SMALL};
use hdfs_reading::Run;
use hdfs_trace::{Sample, Trace};
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
fn a_large_trace_is_read() {
    let trace = large();
    let (intervals, samples) = (trace.intervals.len(), trace.series.len());
    assert!(intervals >= 100_000 && samples >= 1_000_000, "{intervals}, {samples}");
    assert_eq!(Run::of(1, &trace).carried.len(), 1_000)
}
