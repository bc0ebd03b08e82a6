//! Which changes are tried: the scenario's own rows, other values of the keys that hold the run up,
//! and the candidates of its system, which are data on [`Key`](cluster::keys::Key). What relieves
//! more of what is waited for comes first.
use crate::lab::{Lab, Row, SeedRun};
use crate::vary::Set;
use cluster::Sheet;
use cluster::keys::Candidate;
use std::collections::BTreeMap;
use trace::reading::Role;

/// Settings that are tried because time is charged to them, at most.
const KEYS: usize = 3;
/// Extra the first, what holds so much is tried, too.
const WORTH: f64 = 0.05;

/// Rows that nobody asked for.
#[derive(Default)]
pub struct Tries {
    /// The scenario's own.
    pub own: Vec<Row>,
    /// What relieves most first; of each key its first value before any other's second.
    pub listed: Vec<Row>,
}

impl Tries {
    /// Of a scenario that was run; of `asked` none is made again.
    pub fn of(lab: &Lab, base: &Sheet, runs: &[SeedRun], asked: &[Row]) -> Tries {
        let mut tries = Tries::default();
        let own = base.variants.iter().map(|row| (Some(row.name.clone()), row.set.clone()));
        let listed = sets(base, runs).into_iter().map(|set| (None, set));
        for (name, set) in own.chain(listed) {
            // What is in no cluster's power needs no try, and a value that does not go together
            // with the others is no row.
            let mut changes = set.iter().filter(|(key, value)| base.distance(key, value) > 0.0);
            let possible = changes.all(|(key, value)| base.change(key, value).is_possible());
            let Some(sheet) = possible.then(|| lab.with(base, &set).ok()).flatten() else {
                continue;
            };
            let mut all = asked.iter().chain(&tries.own).chain(&tries.listed);
            if all.any(|row| row.sheet.hash == sheet.hash) || sheet.hash == base.hash {
                continue;
            }
            match name {
                Some(name) => tries.own.push(Row { name, set, sheet }),
                None => tries.listed.push(Row { name: named(base, &set), set, sheet }),
            }
        }
        tries
    }
}

/// "limit 4, scm-reopened": by what is changed.
pub(super) fn named(base: &Sheet, set: &[Set]) -> String {
    let changes = set.iter().filter(|(key, value)| base.distance(key, value) > 0.0);
    let names = changes.map(|(key, value)| base.vocabulary().row_name(key, value));
    names.collect::<Vec<String>>().join(", ")
}

/// What is set, with what has to be set along: the first value of each key, then the second.
fn sets(base: &Sheet, runs: &[SeedRun]) -> Vec<Vec<Set>> {
    let mut all: Vec<(usize, Vec<Set>)> = Vec::new();
    for (key, with) in keys(base, runs) {
        for (round, value) in base.tries(key).into_iter().enumerate() {
            let along = with.iter().map(|(key, value)| (key.to_string(), value.to_string()));
            all.push((round, std::iter::once((key.to_string(), value)).chain(along).collect()))
        }
    }
    all.sort_by_key(|(round, _)| *round);
    all.into_iter().map(|(_, set)| set).collect()
}

/// Keys with what has to be set along, what relieves most first: candidates, and of others that
/// time is charged to the first whatever it holds, the next if they are worth it.
fn keys(base: &Sheet, runs: &[SeedRun]) -> Vec<(&'static str, Along)> {
    let shares = shares(runs);
    let of = |part: &str| -> f64 {
        let held = shares.iter().filter(|((holder, _), _)| holder.contains(part));
        held.map(|(_, share)| *share).sum()
    };
    let candidates: Vec<(&str, Candidate)> = base.candidates().collect();
    let mut charged: Vec<(f64, &'static str)> = shares
        .iter()
        .filter(|((_, role), share)| *role == Role::Setting && **share > 0.0)
        .filter_map(|((holder, _), share)| {
            let (key, _) = holder.split_once(" = ")?;
            Some((*share, base.vocabulary().find_setting(key)?.name))
        })
        .filter(|(_, key)| candidates.iter().all(|(one, _)| one != key))
        .filter(|(_, key)| !base.tries(key).is_empty())
        .collect();
    charged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let worth = charged.into_iter().enumerate();
    let worth = worth.filter(|(place, (share, _))| *place == 0 || *share >= WORTH).take(KEYS);
    let mut all: Vec<(f64, &'static str, Along)> =
        worth.map(|(_, (share, key))| (share, key, &[][..])).collect();
    all.extend(candidates.into_iter().map(|(key, candidate)| {
        let relieved: f64 = candidate.relieves.iter().map(|part| of(part)).sum();
        (relieved + of(&format!("{key} = ")), key, candidate.with)
    }));
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, key, with)| (key, with)).collect()
}

/// What has to be set along with a key.
type Along = &'static [(&'static str, &'static str)];

/// What holds the runs up, mean over them.
fn shares(runs: &[SeedRun]) -> BTreeMap<(&str, Role), f64> {
    let mut shares = BTreeMap::new();
    for held in runs.iter().flat_map(|run| &run.reading.held) {
        *shares.entry((held.holder.as_str(), held.role)).or_default() +=
            held.share / runs.len() as f64
    }
    shares
}
