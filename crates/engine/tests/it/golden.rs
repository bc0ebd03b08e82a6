//! Golden hashes: equal on every machine, and in every version unless `golden.txt` changes.
use crate::systems::{CHECK, alone, cluster, servers};
use engine::{Outcome, Scheduler};

/// Runs a system under a scheduler with a seed.
type Run = fn(Scheduler, u64) -> Outcome;

#[test]
fn hashes_stay_what_they_are() {
    let runs: [(&str, Run); 3] = [
        ("servers", |s, seed| servers(s, seed).0),
        ("store", |s, seed| alone(s, seed).0),
        ("jobs", |s, seed| cluster(s, seed).0),
    ];
    let mut table = String::new();
    for (name, run) in runs {
        for seed in 1..4 {
            let outcome = run(Scheduler::Sequential, seed);
            assert_eq!(outcome, run(CHECK, seed), "{name} {seed}");
            let Outcome { events, trace_hash, end, .. } = outcome;
            table += &format!("{name} {seed} {events} {} {trace_hash:032x}\n", end.0)
        }
    }
    let golden = include_str!("golden.txt");
    assert!(
        table == golden,
        "a hash has changed; if it was meant to, this is the new table:\n{table}"
    );
}
