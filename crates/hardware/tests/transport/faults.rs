//! Failures of nodes, and flows that are cut.
use super::{Job, now, site::*};
use crate::common::Dice;
use cluster::{DiskId, InterRack, NodeId, Sharing};
use engine::{Nanos, Scheduler};
use hardware::transport::{Record, flow::Reply};
use std::collections::BTreeMap;
use units::{Bytes, BytesPerSec};

const BOTH: [Sharing; 2] = [Sharing::Fluid, Sharing::Queue];

#[test]
fn a_lost_node_breaks_its_flows_off_and_leaves_room_to_others() {
    let r = resources(2, 6, InterRack::Uplinks);
    for lost in [0, 2] {
        // Both flows leave node 0; node 2 is the first one's target.
        let mut plan = Plan {
            jobs: vec![now(copy(&r, (0, 0), (2, 0)), 250), now(copy(&r, (0, 1), (1, 0)), 250)],
            faults: vec![(Nanos::secs(2), Fault::Lost(NodeId(lost)))],
            ..Plan::default()
        };
        plan.jobs.push(Job { at: Nanos::secs(3), ..plan.jobs[0] });
        plan.jobs.push(Job { at: Nanos::secs(5), ..plan.jobs[0] });
        plan.faults.push((Nanos::secs(4), Fault::Back(NodeId(lost))));
        for sharing in BOTH {
            let seen = run_everywhere(&r, sharing, &plan);
            let Reply::Broken { tag: 0, through, lost: by } = seen.ends[0][0].1 else {
                panic!("{:?}", seen.ends)
            };
            // 62.5 MB/s for 2 s, plus the bandwidth before the second flow started, minus chunks in
            // transit.
            let (head_start, under_way) = (0.1e6, 20.0 * 262_144.0);
            assert_eq!(by, Some(NodeId(lost)));
            assert!(
                (125e6 - under_way..=125e6 + head_start).contains(&(through.0 as f64)),
                "{through:?}"
            );
            let second = Reply::Broken { tag: 2, through: Bytes(0), lost: Some(NodeId(lost)) };
            assert_eq!(seen.ends[2][0].1, second, "not there yet");
            assert_eq!(seen.ends[3][0].1, Reply::Done { tag: 3 }, "there again");
            if lost == 2 {
                // 125 MB before the failure, and the whole NIC after it.
                assert!((seen.ends[1][0].0.as_secs() - 3.0).abs() < 0.05, "{:?}", seen.ends[1]);
            }
        }
    }
}

#[test]
fn what_is_given_up_leaves_room() {
    let r = resources(1, 3, InterRack::Uplinks);
    let plan = Plan {
        jobs: vec![now(copy(&r, (0, 0), (1, 0)), 250), now(copy(&r, (0, 1), (2, 0)), 250)],
        // A second cut, and one after the end, have no effect.
        stops: [(2, 0), (2, 0), (9, 1)].map(|(s, tag)| (Nanos::secs(s), tag)).to_vec(),
        ..Plan::default()
    };
    for sharing in BOTH {
        let seen = run_everywhere(&r, sharing, &plan);
        assert!(matches!(seen.ends[0][..], [(_, Reply::Broken { lost: None, .. })]));
        assert!(matches!(seen.ends[1][..], [(_, Reply::Done { tag: 1 })]));
        assert!((seen.ends[1][0].0.as_secs() - 3.0).abs() < 0.05, "{:?}", seen.ends[1]);
    }
}

/// Two flows of one disk over a slow NIC: the disk's total rate stays the same, but with two it
/// seeks.
#[test]
fn a_disk_tells_of_more_flows_at_the_same_rate() {
    let r = resources(1, 2, InterRack::Uplinks);
    let slow = Fault::Slow(r.nic_out(NodeId(0)), BytesPerSec::mb(40));
    let of = |at, to, mb| Job { at: Nanos::secs(at), ..now(copy(&r, (0, 0), (1, to)), mb) };
    let plan = Plan {
        jobs: vec![of(1, 0, 120), of(2, 1, 40)],
        faults: vec![(Nanos::ZERO, slow)],
        ..Plan::default()
    };
    let seen = run_everywhere(&r, Sharing::Fluid, &plan);
    let disk = r.disk_read(NodeId(0), DiskId(0));
    let told: Vec<(f64, u32)> = (seen.transport.iter())
        .filter_map(|(_, record)| match *record {
            Record::Use { resource, rate, streams } if resource == disk => Some((rate, streams)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [(40e6, 1), (40e6, 2), (40e6, 1), (0.0, 0)]);
}

/// A random plan: each job is answered exactly once, and at the end all resources are idle.
fn drawn(seed: u64) -> (hardware::Resources, Plan) {
    let mut dice = Dice(seed);
    let kind = [InterRack::Uplinks, InterRack::OneLink][dice.below(2) as usize];
    let r = resources(2, 7, kind);
    let mut plan = Plan::default();
    for tag in 0..14 {
        let (from, to) = (dice.below(7) as u32, dice.below(7) as u32);
        let disk = dice.below(3) as u16;
        let to_disk = if from == to { (disk + 1) % 3 } else { dice.below(3) as u16 };
        let path = copy(&r, (from, disk), (to, to_disk));
        let at = Nanos::millis(dice.below(2_000));
        plan.jobs.push(Job { at, path, bytes: Bytes(dice.below(60_000_000)) });
        if dice.below(4) == 0 {
            plan.stops.push((at + Nanos::millis(dice.below(900)), tag))
        }
    }
    for _ in 0..dice.below(4) {
        let (at, node) = (Nanos::millis(dice.below(2_500)), NodeId(dice.below(7) as u32));
        plan.faults.push((at, Fault::Lost(node)));
        plan.faults.push((at + Nanos::millis(1 + dice.below(900)), Fault::Back(node)));
    }
    (r, plan)
}

fn check(seed: u64, seen: &Seen) {
    for (tag, ends) in seen.ends.iter().enumerate() {
        assert_eq!(ends.len(), 1, "seed {seed}: job {tag}: {ends:?}")
    }
    // By resource: its use, or its busy time without that of flows that were not cut.
    let (mut carries, mut busy) = (BTreeMap::new(), BTreeMap::new());
    for (_, record) in &seen.transport {
        match record {
            Record::Use { resource, rate, .. } => drop(carries.insert(*resource, *rate)),
            Record::Busy { resource, busy: time, .. } => {
                *busy.entry(*resource).or_insert(0) += time.0 as i64
            }
            Record::Spent { resource, served, .. } => {
                *busy.entry(*resource).or_insert(0) -= served.0 as i64
            }
            _ => {}
        }
    }
    assert!(carries.values().all(|rate| *rate == 0.0), "seed {seed}: {carries:?}");
    let whole = seen.ends.iter().all(|ends| matches!(ends[0].1, Reply::Done { .. }));
    let right = |left: &i64| if whole { *left == 0 } else { *left >= 0 };
    assert!(busy.values().all(right), "seed {seed}: {busy:?}");
}

#[test]
fn every_flow_is_answered_once_whatever_happens() {
    for seed in 0..60 {
        let (r, plan) = drawn(seed);
        for sharing in BOTH {
            check(seed, &run(&r, sharing, &plan, Scheduler::Sequential))
        }
    }
    for seed in 200..220 {
        let (r, mut plan) = drawn(seed);
        (plan.stops, plan.faults) = (vec![], vec![]);
        for sharing in BOTH {
            check(seed, &run(&r, sharing, &plan, Scheduler::Sequential))
        }
    }
    for seed in 100..104 {
        let (r, plan) = drawn(seed);
        for sharing in BOTH {
            check(seed, &run_everywhere(&r, sharing, &plan))
        }
    }
}
