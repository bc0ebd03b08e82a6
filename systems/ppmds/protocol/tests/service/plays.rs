//! Plays of the protocol alone.
use crate::play::{BAD, BEGIN, CALM, Mix, faults, of_shared_names, operation, play, play_of};
use crate::world::{Bad, Planted};
use ppmds_check::brute;

fn plays(mix: Mix, seeds: std::ops::Range<u64>, bad: Bad) {
    for seed in seeds {
        let world = play_of(mix, seed, bad, Planted::Nothing, (5, 60));
        let faults = faults(&world);
        assert!(faults.is_empty(), "seed {seed}: {}", faults.join("\n"))
    }
}

#[test]
fn operations_could_have_been_one_after_the_other() {
    plays(operation, 0..1_000, CALM);
    plays(of_shared_names, 1_000..1_300, CALM)
}

#[test]
fn the_same_whatever_crashes_and_whatever_the_network_does() {
    plays(operation, 10_000..12_000, BAD);
    plays(of_shared_names, 12_000..12_300, BAD)
}

#[test]
fn short_histories_pass_the_trial_of_all_orders() {
    for seed in 5_000..5_500 {
        let world = play(seed, BAD, Planted::Nothing, 4, 12);
        assert!(faults(&world).is_empty(), "seed {seed}");
        assert!(brute::possible(&world.events, &BEGIN), "seed {seed}")
    }
}

/// `make soak`.
#[test]
#[ignore = "takes a minute"]
fn ten_thousand_plays() {
    plays(operation, 100_000..110_000, BAD);
    plays(of_shared_names, 200_000..202_000, BAD)
}
