//! Plays of nodes. Their last states are loaded again from their disks.
use crate::host::Host;
use crate::play::{BAD, CALM, Mix, faults, of_shared_names, operation, play, play_of};
use crate::world::{Bad, Planted, World};
use std::panic::catch_unwind;

fn check(world: &mut World, seed: u64) {
    let faults = faults(world);
    assert!(faults.is_empty(), "seed {seed}: {}", faults.join("\n"));
    assert_eq!(world.free_locks(), 0, "seed {seed}");
    let faults = crate::play::faults(world);
    assert!(faults.is_empty(), "seed {seed}, after the locks: {}", faults.join("\n"));
    for host in &mut world.hosts {
        host.check_disk(&world.places, world.options)
    }
}

fn plays(mix: Mix, seeds: std::ops::Range<u64>, bad: Bad) {
    let (mut crashes, mut largest) = (0, 0);
    for seed in seeds.clone() {
        let mut world = play_of(mix, seed, bad, Planted::Nothing, (5, 60));
        check(&mut world, seed);
        crashes += world.crashes;
        let batches = world.hosts.iter().map(|host: &Host| host.largest_batch);
        largest = largest.max(batches.max().unwrap_or(0))
    }
    println!("{seeds:?}: {crashes} crashes of servers, largest batch {largest}")
}

#[test]
fn operations_could_have_been_one_after_the_other() {
    plays(operation, 0..100, CALM);
    plays(of_shared_names, 1_000..1_050, CALM)
}

#[test]
fn the_same_whatever_crashes_and_whatever_the_network_does() {
    plays(operation, 10_000..10_300, BAD);
    plays(of_shared_names, 12_000..12_100, BAD)
}

/// The checks detect a node whose messages leave before its disk is flushed.
#[test]
fn answers_that_leave_before_the_disk_are_found() {
    let often = Bad { server_crash: 20, ..BAD };
    let is_found = |seed| match catch_unwind(|| play(seed, often, Planted::EarlyAnswers, 5, 60)) {
        Ok(world) => !faults(&world).is_empty(),
        Err(_) => false,
    };
    assert!((0..300).any(is_found))
}

/// `make soak`.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_plays() {
    plays(operation, 100_000..108_000, BAD);
    plays(of_shared_names, 200_000..202_000, BAD)
}
