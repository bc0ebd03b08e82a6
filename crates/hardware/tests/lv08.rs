//! LV08 by hand: rates in proportion to the weights, and what acknowledgements take.
use crate::resources::{hardware, small};
use cluster::{Channels, DiskId, Hardware, InterRack, NodeId};
use hardware::*;
use units::{Bytes, BytesPerSec, Nanos};

/// NICs of 100 MB/s, 1 ms; disks and the link between two racks of 1 GB/s, the link 9 ms.
fn resources(disk_mb: u64) -> Resources {
    let mut all: Hardware = hardware(Channels::Shared, InterRack::OneLink);
    (all.disk.rate, all.disk.seek) = (BytesPerSec::mb(disk_mb), Nanos(0));
    (all.nic, all.nic_latency) = (BytesPerSec::mb(100), Nanos::millis(1));
    (all.inter_rack, all.inter_rack_latency) = (BytesPerSec::mb(1000), Nanos::millis(9));
    // Nodes 0 and 2 are in one rack, 1 and 3 in the other.
    Resources::build(&small(2, &[1; 4]), &lv08::effective(&all))
}

/// Rates of copies from node to node \[MB/s\].
fn rates(resources: &Resources, copies: &[(u32, u32)]) -> Vec<f64> {
    let mut fluid = Fluid::new(resources.capacities());
    let start = |&(from, to): &(u32, u32)| {
        let path = resources.path(NodeId(from), DiskId(0), NodeId(to), DiskId(0));
        let mut spec = FlowSpec::new(path, Bytes::mb(67));
        (spec.weight, spec.back) = (resources.lv08_weight(&path), Some(resources.reverse(&path)));
        fluid.start(Nanos(0), spec)
    };
    let flows: Vec<FlowId> = copies.iter().map(start).collect();
    fluid.settle();
    flows.into_iter().map(|flow| fluid.rate(flow) / 1e6).collect()
}

fn assert_near(rates: &[f64], expected: &[f64]) {
    let near = |(rate, expected): (&f64, &f64)| (rate - expected).abs() < 1e-5 * expected;
    assert!(rates.iter().zip(expected).all(near), "{rates:?}, expected {expected:?}")
}

/// Inside the rack: 1 ms + 20 537 B · 2 · (1/(1 GB/s) + 1/(100 MB/s)) = 1.451 814 ms. Between
/// racks: 9 ms and 20 537 B / (1 GB/s) more = 10.472 351 ms. They share 97 MB/s inversely.
#[test]
fn two_copies_share_a_nic_by_their_weights() {
    let both = 1.451_814 + 10.472_351;
    let expected = [97.0 * 10.472_351 / both, 97.0 * 1.451_814 / both];
    assert_near(&rates(&resources(1000), &[(0, 2), (0, 3)]), &expected)
}

/// Each NIC has one copy and 0.05 of the other: 97 / 1.05.
#[test]
fn acknowledgements_share_a_nic_with_the_other_direction() {
    assert_near(&rates(&resources(1000), &[(0, 2), (2, 0)]), &[97.0 / 1.05; 2])
}

/// Data and acknowledgements of a copy use the same disk: 0.97 · 65 / 1.05.
#[test]
fn a_copy_alone_is_limited_by_its_disk() {
    assert_near(&rates(&resources(65), &[(0, 2)]), &[0.97 * 65.0 / 1.05])
}

#[test]
fn latencies_are_thirteen_times_as_long() {
    let resources = resources(65);
    let latency = |to| resources.latency(NodeId(0), NodeId(to)).as_secs() * 1e3;
    assert_near(&[latency(2), latency(3)], &[13.01, 130.1])
}
