//! Operations checked a second: `cargo bench -p ppmds-check --bench million -- [OPERATIONS]`.
//!
//! The history has 200 concurrent clients in 1 000 directories of 40 names. The goal is a minute
//! for a million operations.
#![allow(clippy::cast_possible_truncation)]
#![allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
use ppmds_check::{After, Call, Entry, Event, Files, Outcome, Saw, Version, check};
use std::collections::BTreeMap;
use std::time::Instant;

/// Concurrent clients: an operation is answered after this many more have started.
const CLIENTS: u64 = 200;

/// Numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// A sequential service that states the rows seen.
struct Service {
    files: Files,
    versions: BTreeMap<Entry, Version>,
    removals: u64,
    given: u64,
}

impl Service {
    fn work(&mut self, call: &Call, version: Version) -> (Outcome, Vec<Saw>) {
        let entries = call.entries();
        let before: Vec<_> =
            entries.iter().map(|entry| self.versions.get(entry).copied()).collect();
        self.given += 1;
        let outcome = self.files.apply(call, 1_000_000 + self.given);
        let writes = !matches!(outcome, Outcome::Error(_))
            && !matches!(call, Call::Lookup { .. } | Call::Stat { .. });
        let mut saw = Vec::new();
        for (row, before) in entries.into_iter().zip(before) {
            let there = self.files.get(&row).is_some();
            let after = match (writes, there, before) {
                (false, ..) | (_, false, None) => After::Kept,
                (_, true, _) => After::Written,
                (_, false, Some(_)) => After::Removed,
            };
            match after {
                After::Kept => {}
                After::Written => drop(self.versions.insert(row.clone(), version)),
                After::Removed => {
                    self.removals += 1;
                    self.versions.remove(&row);
                }
            }
            saw.push(Saw { row, server: 0, before, removals: self.removals, after })
        }
        (outcome, saw)
    }
}

fn history(operations: u64, directories: &[(u64, u64)]) -> Vec<Event> {
    let mut dice = Dice(1);
    let (files, versions) = (Files::new(directories), BTreeMap::new());
    let mut service = Service { files, versions, removals: 0, given: 0 };
    let mut entry = || (2 + dice.below(1_000), format!("file.mdtest.{}", dice.below(40)));
    let event = |n: u64| {
        let (one, two) = (entry(), entry());
        let call = match n * 7 % 20 {
            0..=8 => Call::Create { entry: one, mode: 0o644 },
            9..=12 => Call::Lookup { entry: one },
            13..=14 => Call::Stat { entry: one },
            15 => Call::Setattr { entry: one, mode: None, size: Some(n) },
            16..=18 => Call::Unlink { entry: one },
            _ => Call::Rename { from: one, to: two },
        };
        let (client, number) = ((n % CLIENTS) as u32, (n / CLIENTS) as u32);
        let (result, saw) = service.work(&call, (client, number));
        let (invoked_ns, completed_ns) = (n * 10, Some((n + CLIENTS - 1) * 10 + 5));
        Event { client, number, call, invoked_ns, completed_ns, result: Some(result), saw }
    };
    (0..operations).map(event).collect()
}

fn main() {
    let operations = std::env::args().find_map(|a| a.parse().ok()).unwrap_or(1_000_000);
    let directories: Vec<(u64, u64)> = (1..1_002).map(|ino| (ino, 1)).collect();
    let history = history(operations, &directories);
    let started = Instant::now();
    let verdict = check(&history, &directories);
    let wall = started.elapsed().as_secs_f64();
    assert!(verdict.faults.is_empty(), "{:?}", verdict.faults);
    println!("{operations} operations in {wall:.1} s: {:.0}/s", operations as f64 / wall)
}
