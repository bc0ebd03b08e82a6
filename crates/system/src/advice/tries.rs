//! Which settings are tried: those that hold the run up, each at other values.
use crate::lab::{Lab, Row, SeedRun};
use cluster::Sheet;
use std::collections::BTreeMap;
use trace::reading::Role;

/// Settings that are tried, at most.
const KEYS: usize = 3;
/// Besides the first, what holds so much is tried, too.
const WORTH: f64 = 0.05;

/// Rows that nobody asked for.
#[derive(Default)]
pub struct Tries {
    /// Other values of what holds the run up, the most first.
    pub rows: Vec<Row>,
}

impl Tries {
    /// Of a scenario that was run; of `asked` none is made again.
    pub fn of(lab: &Lab, base: &Sheet, runs: &[SeedRun], asked: &[Row]) -> Tries {
        let mut rows: Vec<Row> = Vec::new();
        let values = |key: String| {
            base.tries(&key).into_iter().map(move |value| (key.clone(), value)).collect::<Vec<_>>()
        };
        let charged = keys(base, runs).into_iter().flat_map(values);
        for (key, value) in charged.chain(lab.words().tries(base, runs)) {
            let set = vec![(key.clone(), value)];
            // A value that does not go together with the others is no row.
            let Ok(sheet) = lab.with(base, &set) else { continue };
            let known = asked.iter().chain(&rows).any(|row| row.sheet.hash == sheet.hash);
            if !known && sheet.hash != base.hash {
                let name = base.vocabulary().row_name(&key, &set[0].1);
                rows.push(Row { name, set, sheet })
            }
        }
        Tries { rows }
    }
}

/// Settings that hold the runs up and can be tried, the most first: the first whatever it holds,
/// others if they are worth it.
fn keys(base: &Sheet, runs: &[SeedRun]) -> Vec<String> {
    let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
    for held in runs.iter().flat_map(|run| &run.reading.held) {
        if let Some((key, _)) = held.holder.split_once(" = ")
            && held.role == Role::Setting
        {
            *shares.entry(key).or_default() += held.share / runs.len() as f64
        }
    }
    let held = |(key, share): &(&str, f64)| *share > 0.0 && !base.tries(key).is_empty();
    let mut all: Vec<(&str, f64)> = shares.into_iter().filter(held).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let worth = all.iter().enumerate().filter(|(place, (_, share))| *place == 0 || *share >= WORTH);
    worth.take(KEYS).map(|(_, (key, _))| (*key).to_string()).collect()
}
