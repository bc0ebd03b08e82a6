//! One node's disk stops at every single operation of a put and of an overwrite.
use crate::faulty_disk::Crash;
use crate::world::{World, bytes, get, put};
use xor_relay::client::Strategy;

/// Operations of node 1's disk before and after the second put.
fn operations(seed: u64) -> (u64, u64) {
    let (world, before) = prepared(seed);
    put(&mut world.client(), "x", &bytes(2, 6000), 256, Strategy::Pivot).expect("no faults");
    (before, world.disks[1].done())
}

/// A cluster with an object, and the number of operations of node 1's disk.
fn prepared(seed: u64) -> (World, u64) {
    let world = World::new(4, seed);
    put(&mut world.client(), "x", &bytes(1, 5000), 256, Strategy::Pivot).expect("no faults");
    let done = world.disks[1].done();
    (world, done)
}

/// Through the page cache, and bypassing it.
const SEEDS: [u64; 2] = [2, 1];

#[test]
fn a_machine_that_stops_at_any_operation_loses_nothing() {
    SEEDS.into_iter().for_each(machine_stops)
}

fn machine_stops(seed: u64) {
    let (first, last) = operations(seed);
    assert!(last > first + 15, "an overwrite has many operations: {first} {last}");
    let mut outcomes = [0; 2];
    for at in first..=last {
        let (world, _) = prepared(seed);
        world.disks[1].set_crash(Crash { after: Some(at), capacity: None });
        let done = put(&mut world.client(), "x", &bytes(2, 6000), 256, Strategy::Pivot).is_ok();
        world.kill(1);
        let x = get(&mut world.client(), "x").expect("one node is gone");
        let is_new = x == bytes(2, 6000);
        assert!(is_new || !done && x == bytes(1, 5000), "operation {at}");
        world.revive(1);
        let found = world.client().scrub(&mut |_, _| true).expect("all are there");
        assert!(found.failed.is_empty() && found.inconsistent == 0, "{at}: {found:?}");
        world.assert_tidy(&format!("operation {at}"));
        [0, 2].into_iter().for_each(|node| world.kill(node));
        let again = get(&mut world.client(), "x").expect("two nodes are gone");
        assert!(again == x, "operation {at}: another object after recovery");
        outcomes[usize::from(is_new)] += 1;
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

#[test]
fn a_power_cut_at_any_operation_leaves_the_object_whole() {
    SEEDS.into_iter().for_each(power_is_cut)
}

fn power_is_cut(seed: u64) {
    let (first, last) = operations(seed);
    for at in first..=last {
        let (world, _) = prepared(seed);
        for disk in &world.disks {
            disk.set_crash(Crash { after: Some(at), capacity: None })
        }
        let done = put(&mut world.client(), "x", &bytes(2, 6000), 256, Strategy::Pivot).is_ok();
        (0..4).for_each(|node| world.kill(node));
        (0..4).for_each(|node| world.revive(node));
        world.client().scrub(&mut |_, _| true).expect("all are there");
        let x = get(&mut world.client(), "x").expect("one of them");
        assert!(x == bytes(2, 6000) || !done && x == bytes(1, 5000), "operation {at}");
        world.assert_tidy(&format!("operation {at}"));
    }
}

/// Also during the first write, which makes the cluster: the next write completes it.
#[test]
fn a_cluster_that_was_half_made_is_made_by_the_next_write() {
    let world = World::new(4, 2);
    put(&mut world.client(), "x", &bytes(1, 3000), 256, Strategy::Pivot).expect("no faults");
    let last = world.disks[1].done();
    for at in 0..=last {
        let world = World::new(4, 2);
        world.disks[1].set_crash(Crash { after: Some(at), capacity: None });
        let done = put(&mut world.client(), "x", &bytes(1, 3000), 256, Strategy::Pivot).is_ok();
        world.kill(1);
        world.revive(1);
        if done {
            assert!(get(&mut world.client(), "x").expect("acknowledged") == bytes(1, 3000), "{at}");
        }
        let again = put(&mut world.client(), "y", &bytes(2, 4000), 256, Strategy::Pivot);
        again.unwrap_or_else(|e| panic!("operation {at}: {e}"));
        world.client().scrub(&mut |_, _| true).expect("all are there");
        assert!(get(&mut world.client(), "y").expect("just written") == bytes(2, 4000), "{at}");
        world.assert_tidy(&format!("operation {at}"));
    }
}
