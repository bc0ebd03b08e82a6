//! Changes to try: the scenario's variants, other values of keys that time is charged to, and the
//! candidates of [`Key`](cluster::keys::Key). Most relief comes first.
use crate::lab::{Lab, Row, SeedRun};
use crate::vary::Set;
use cluster::Sheet;
use cluster::keys::Candidate;
use std::collections::BTreeMap;
use trace::reading::Role;

/// Most keys that are tried because time is charged to them.
const KEYS: usize = 3;
/// Smallest share of a charged key, except the first.
const WORTH: f64 = 0.05;

/// Variants that the command did not name.
#[derive(Default)]
pub struct Tries {
    /// From the scenario file.
    pub own: Vec<Row>,
    /// Most relief first; the first values of all keys, then the second values.
    pub listed: Vec<Row>,
}

impl Tries {
    /// Variants in `asked` are left out.
    pub fn of(lab: &Lab, base: &Sheet, runs: &[SeedRun], asked: &[Row]) -> Tries {
        let mut tries = Tries::default();
        let own = base.variants.iter().map(|row| (Some(row.name.clone()), row.set.clone()));
        let listed = sets(base, runs).into_iter().map(|set| (None, set));
        for (name, set) in own.chain(listed) {
            // Skip changes that no operator can make, and values that exclude each other.
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

/// Name by the changed settings: "limit 4, scm-reopened".
pub(super) fn named(base: &Sheet, set: &[Set]) -> String {
    let changes = set.iter().filter(|(key, value)| base.distance(key, value) > 0.0);
    let names = changes.map(|(key, value)| base.vocabulary().row_name(key, value));
    names.collect::<Vec<String>>().join(", ")
}

/// Settings with their companions: the first value of each key, then the second.
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

/// Candidates and at most `KEYS` charged keys, with companion settings; most relief first. Charged
/// keys after the first need a share of `WORTH`.
fn keys(base: &Sheet, runs: &[SeedRun]) -> Vec<(&'static str, CompanionSets)> {
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
    let mut all: Vec<(f64, &'static str, CompanionSets)> =
        worth.map(|(_, (share, key))| (share, key, &[][..])).collect();
    all.extend(candidates.into_iter().map(|(key, candidate)| {
        let relieved: f64 = candidate.relieves.iter().map(|part| of(part)).sum();
        (relieved + of(&format!("{key} = ")), key, candidate.with)
    }));
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, key, with)| (key, with)).collect()
}

/// Settings that a key needs in addition.
type CompanionSets = &'static [(&'static str, &'static str)];

/// Mean share of each bottleneck over the runs.
fn shares(runs: &[SeedRun]) -> BTreeMap<(&str, Role), f64> {
    let mut shares = BTreeMap::new();
    for held in runs.iter().flat_map(|run| &run.reading.held) {
        *shares.entry((held.holder.as_str(), held.role)).or_default() +=
            held.share / runs.len() as f64
    }
    shares
}
