//! Compares queue sharing with fluid sharing.
use super::{Job, now, site::*};
use cluster::{DiskId, InterRack, NodeId, Sharing};
use engine::{Nanos, Scheduler};
use hardware::{
    Path, ResourceId, Resources,
    transport::{FlowName, Record, flow::Reply},
};

fn both(resources: &Resources, plan: &Plan) -> [Seen; 2] {
    [Sharing::Fluid, Sharing::Queue]
        .map(|sharing| run(resources, sharing, plan, Scheduler::Sequential))
}

/// All flows end, at times that agree within 2 %.
fn agree(what: &str, resources: &Resources, plan: &Plan) -> [Seen; 2] {
    let [fluid, queue] = both(resources, plan);
    let times = |seen: &Seen| -> Vec<Nanos> {
        let done = |(tag, ends): (usize, &Vec<(Nanos, Reply)>)| {
            assert_eq!(ends.len(), 1, "{what}: job {tag} has ended once: {ends:?}");
            assert_eq!(ends[0].1, Reply::Done { tag: tag as u32 }, "{what}");
            ends[0].0
        };
        seen.ends.iter().enumerate().map(done).chain(seen.reads.iter().copied()).collect()
    };
    let reads = plan.reads.map_or(0, |(_, times)| times as usize);
    assert_eq!((fluid.reads.len(), queue.reads.len()), (reads, reads), "{what}");
    for (f, q) in times(&fluid).into_iter().zip(times(&queue)) {
        let off = q.as_secs() / f.as_secs() - 1.0;
        assert!(off.abs() < 0.02, "{what}: fluid {f}, queue {q}: {:+.2} %", 100.0 * off)
    }
    [fluid, queue]
}

/// What limited a flow: under fluid sharing its last bottleneck, under queue sharing the resource
/// at which its chunks waited longest.
fn limited_by(seen: &Seen, tag: u32) -> Option<ResourceId> {
    let is = |flow: &FlowName| flow.tag == tag;
    let mut longest = (Nanos(0), None);
    for (_, record) in &seen.transport {
        match record {
            Record::Limited { flow, resource } if is(flow) => longest.1 = Some(*resource),
            Record::Spent { flow, resource, queued, .. } if is(flow) && *queued >= longest.0 => {
                longest = (*queued, Some(*resource))
            }
            _ => {}
        }
    }
    longest.1
}

#[test]
fn two_systems_share_a_nic() {
    let r = resources(2, 6, InterRack::Uplinks);
    // Node 0 sends within its rack and to the other rack, and is read from: each gets a third of
    // its NIC.
    let jobs = vec![now(copy(&r, (0, 0), (2, 0)), 400), now(copy(&r, (0, 1), (1, 0)), 300)];
    let read = now(r.read_path(NodeId(0), DiskId(2), NodeId(4)), 50);
    let plan = Plan { jobs, reads: Some((read, 5)), ..Plan::default() };
    let [fluid, queue] = agree("two systems", &r, &plan);
    // 250 MB are read at 125/3 MB/s: 6 s. The two copies of 400 and 300 MB continue.
    assert!((queue.reads[4].as_secs() - 6.0).abs() < 0.12, "{:?}", queue.reads);
    let nic = Some(r.nic_out(NodeId(0)));
    assert_eq!([&fluid, &queue].map(|seen| limited_by(seen, 1)), [nic, nic]);
    // The service time is the bytes at the resource's rate, to the nanosecond.
    let spent = queue.transport.iter().find_map(|(_, record)| match record {
        Record::Spent { flow, resource, served, chunks, .. }
            if flow.tag == 1 && Some(*resource) == nic =>
        {
            Some((served.as_secs(), *chunks))
        }
        _ => None,
    });
    let (served, chunks) = spent.expect("the NIC has told of the copy");
    assert!((served - 300.0 / 125.0).abs() < 1e-6 && chunks == 1145, "{served} {chunks}");
    for sharing in [Sharing::Fluid, Sharing::Queue] {
        run_everywhere(&r, sharing, &plan);
    }
}

#[test]
fn a_ring_of_flows() {
    let r = resources(1, 5, InterRack::Uplinks);
    let jobs = (0..5).map(|n| now(copy(&r, (n, 0), ((n + 1) % 5, 1)), 250)).collect();
    let plan = Plan { jobs, ..Plan::default() };
    let [fluid, _] = agree("a ring", &r, &plan);
    // The NIC each way, 2 s, and the latencies of a start and of a reply.
    assert!((fluid.ends[0][0].0.as_secs() - 2.0).abs() < 0.001);
    run_everywhere(&r, Sharing::Queue, &plan);
}

/// Flows whose disks all seek: the disk's capacity for two and for three.
#[test]
fn flows_that_share_a_disk() {
    let r = resources(1, 4, InterRack::Uplinks);
    let jobs = (1..4).map(|to| now(copy(&r, (0, 0), (to, 0)), 100)).collect();
    agree("one disk", &r, &Plan { jobs, ..Plan::default() });
}

#[test]
fn a_bottleneck_elsewhere_leaves_the_rest_to_others() {
    let r = resources(2, 6, InterRack::Uplinks);
    // Three flows enter node 4 (125 / 3 each); a fourth shares a sender with one of them.
    let mut jobs: Vec<Job> = (0..3).map(|n| now(copy(&r, (n, 0), (4, n as u16)), 125)).collect();
    jobs.push(now(copy(&r, (0, 1), (2, 1)), 250));
    agree("max-min", &r, &Plan { jobs, ..Plan::default() });
}

#[test]
fn uplinks_and_the_one_link_of_two_racks() {
    for kind in [InterRack::Uplinks, InterRack::OneLink] {
        let r = resources(2, 8, kind);
        let jobs = (0..4).map(|n| now(copy(&r, (2 * n, 0), (2 * n + 1, 0)), 150)).collect();
        let plan = Plan { jobs, ..Plan::default() };
        let [fluid, queue] = agree("racks", &r, &plan);
        let link = r.uplinks(r.rack_of(NodeId(0)))[0];
        let expected = Some(ResourceId(link));
        assert_eq!([limited_by(&fluid, 0), limited_by(&queue, 0)], [expected; 2], "{kind:?}");
        run_everywhere(&r, Sharing::Queue, &plan);
    }
}

/// A pipeline of three targets that leaves a rack and comes back: one switch twice.
#[test]
fn a_pipeline_meets_a_switch_twice() {
    let r = resources(2, 6, InterRack::Uplinks);
    let mut path = Path::new(Nanos(0)).via(r.disk_read(NodeId(0), DiskId(0)));
    for (from, to) in [(0, 1), (1, 2), (2, 4)] {
        r.extend(&mut path, NodeId(from), NodeId(to));
        path.push(r.disk_write(NodeId(to), DiskId(1)))
    }
    let plan = Plan { jobs: vec![now(path, 250)], ..Plan::default() };
    agree("a pipeline", &r, &plan);
    run_everywhere(&r, Sharing::Queue, &plan);
}

#[test]
fn little_and_nothing_are_moved_too() {
    let r = resources(2, 4, InterRack::Uplinks);
    let mut jobs = vec![now(copy(&r, (0, 0), (1, 0)), 0), now(copy(&r, (0, 0), (0, 1)), 0)];
    jobs[1].bytes.0 = 1;
    let plan = Plan { jobs, ..Plan::default() };
    for seen in both(&r, &plan) {
        let ends: Vec<_> = seen.ends.iter().map(|ends| ends[0].1.clone()).collect();
        assert_eq!(ends, [Reply::Done { tag: 0 }, Reply::Done { tag: 1 }]);
        assert!(seen.ends.iter().all(|ends| ends[0].0 < Nanos::millis(5)));
    }
}

#[test]
fn a_slow_resource_slows_what_passes_it() {
    let r = resources(1, 3, InterRack::Uplinks);
    let slow = Fault::Slow(r.nic_out(NodeId(0)), units::BytesPerSec::mb(25));
    let plan = Plan {
        jobs: vec![now(copy(&r, (0, 0), (1, 0)), 300), now(copy(&r, (2, 0), (1, 1)), 400)],
        faults: vec![(Nanos::secs(1), slow)],
        ..Plan::default()
    };
    let [fluid, _] = agree("a slow NIC", &r, &plan);
    // 62.5 MB in the first second, 237.5 MB at 25 MB/s. Under queue sharing the window of 4 MB has
    // passed the NIC before it slows down.
    assert!((fluid.ends[0][0].0.as_secs() - 10.5).abs() < 0.01);
}
