//! All claims of a paper: plans the runs, makes each once, and judges.
use super::joint::{Joint, Readings};
use super::looks::{LATEST, Seeds};
use super::row::Row;
use super::runs::{Run, Runs, Store};
use super::{Claim, ReproduceRequest, Reproduction, VerdictKind};
use crate::failure::Failure;
use crate::interface::System;
use crate::lab::{self, Lab};
use crate::partial;
use page::Section;
use serde_json::Value;
use std::collections::BTreeMap;

/// Part of "missing": some alternatives did not run.
const MOVES: &str = "how claims change with what the paper leaves open, ";

pub struct Table {
    pub system: &'static System,
    /// Label of the progress bar: "reproduce s4".
    pub what: &'static str,
    /// Metrics of every run that ended.
    pub needs: &'static [&'static str],
    /// In the paper's order.
    pub rows: fn() -> Vec<Row>,
    /// Figures from runs, for a request of all claims.
    pub figures: fn(&Runs<'_>) -> Vec<Section>,
    pub extra: Extra,
    /// Keys that the paper leaves open, to be combined.
    pub joint: Option<Joint>,
}

struct Judged {
    claims: Vec<Claim>,
    figures: Vec<Section>,
    readings: Option<Readings>,
}

/// Runs are made in this order: looks until claims are decided, then what decides no claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Looks,
    Alternatives,
    Joint,
}

/// Seeds of each claim's runs; absent: those of the first look.
type SeedsByClaim = BTreeMap<&'static str, u32>;

/// Judges requested claims without figures, and adds sections without runs.
pub type Extra =
    fn(&ReproduceRequest<'_>, &mut Vec<Claim>, &mut Vec<Section>) -> Result<(), Failure>;

impl Table {
    pub fn reproduce(
        &self,
        request: &ReproduceRequest<'_>,
        parameters: Value,
    ) -> Result<Reproduction, Failure> {
        let rows = (self.rows)();
        let ids: Vec<&str> = rows.iter().map(|row| row.id).collect();
        request.unknown_claim(&ids).map_or(Ok(()), Err)?;
        let mut store = self.store(request)?;
        let mut seeds = SeedsByClaim::new();
        let made = self.make(&rows, request, &mut store, (&mut seeds, Stage::Joint));
        let Judged { mut claims, mut figures, readings } =
            self.judged(&rows, request, &store, &seeds, Stage::Joint);
        let made = made.and_then(|()| (self.extra)(request, &mut claims, &mut figures));
        claims.sort_by_key(|claim| ids.iter().position(|id| *id == claim.id));
        match made {
            Ok(()) => Ok(Reproduction { claims, parameters, figures, readings }),
            Err(why) => {
                let (seeds, made) = store.most();
                let fewer = |row: &Row, claim: &Claim| {
                    row.id == claim.id && claim.sensitivity.len() < row.alternatives.len()
                };
                let moves = rows.iter().any(|row| claims.iter().any(|claim| fewer(row, claim)));
                let moves = if moves { MOVES } else { "" };
                let missing = format!("{moves}{}", request.missing_parts(&claims, &ids));
                let request = ReproduceRequest { seeds: Seeds::fixed(seeds), ..*request };
                Err(request.keep_partial(why, partial::of_lab(&made), &claims, &missing))
            }
        }
    }

    /// The claims as the first N seeds decide them, for each N in `few`.
    pub fn by_seed_counts(
        &self,
        request: &ReproduceRequest<'_>,
        few: &[u32],
    ) -> Result<Vec<Vec<Claim>>, Failure> {
        let (rows, mut store) = ((self.rows)(), self.store(request)?);
        let until = (&mut SeedsByClaim::new(), Stage::Alternatives);
        self.make(&rows, request, &mut store, until)?;
        let judged = |seeds: &u32| {
            let all = rows.iter().map(|row| (row.id, *seeds)).collect();
            self.judged(&rows, request, &store, &all, Stage::Alternatives).claims
        };
        Ok(few.iter().map(judged).collect())
    }

    fn store(&self, request: &ReproduceRequest<'_>) -> Result<Store, Failure> {
        Ok(Store::of(Lab::of(self.system)?, self.what, self.needs, request))
    }

    /// Makes every run that the requested claims and figures read, once, and more seeds for claims
    /// that are not decided.
    fn make(
        &self,
        rows: &[Row],
        request: &ReproduceRequest<'_>,
        store: &mut Store,
        (seeds, last): (&mut SeedsByClaim, Stage),
    ) -> Result<(), Failure> {
        let started = crate::clock::now();
        let mut stage = Stage::Looks;
        loop {
            let judged = self.judged(rows, request, store, seeds, stage);
            let wanted = store.take_missing();
            if !wanted.is_empty() {
                store.make(&wanted)?;
                continue;
            }
            stage = match stage {
                Stage::Looks => {
                    let before = seeds.clone();
                    if started.elapsed() < LATEST {
                        look_again(&judged.claims, request.seeds, seeds)
                    }
                    if *seeds == before { Stage::Alternatives } else { Stage::Looks }
                }
                done if done == last => return Ok(()),
                _ => Stage::Joint,
            }
        }
    }

    /// Requested claims that the runs decide, and the figures.
    fn judged(
        &self,
        rows: &[Row],
        request: &ReproduceRequest<'_>,
        store: &Store,
        seeds: &SeedsByClaim,
        stage: Stage,
    ) -> Judged {
        let first = store.runs(request.seeds.first);
        let wanted = rows.iter().filter(|row| request.includes(row.id) && !row.figures.is_empty());
        let judged = |row: &Row| {
            let seeds = seeds.get(row.id).copied().unwrap_or(request.seeds.first);
            row.judged(&store.runs(seeds), stage >= Stage::Alternatives)
        };
        let claims = wanted.filter_map(judged).collect();
        let all = request.claim.is_none();
        let joint = self.joint.filter(|_| all && stage == Stage::Joint);
        Judged {
            claims,
            figures: if all { (self.figures)(&first) } else { Vec::new() },
            readings: joint.map(|joint| joint.judged(rows, &first)),
        }
    }

    /// The first runs that the requested claims and figures need. Fails if a setting of the user is
    /// invalid.
    pub fn plan(&self, request: &ReproduceRequest<'_>) -> Result<Vec<(Run, lab::Row)>, Failure> {
        let store = self.store(request)?;
        self.judged(&(self.rows)(), request, &store, &SeedsByClaim::new(), Stage::Looks);
        let wanted: Vec<Run> = store.take_missing();
        let rows = store.rows(&wanted)?;
        Ok(wanted.into_iter().zip(rows).collect())
    }
}

/// Gives claims that are not decided the seeds of the next look. Those without chance get none.
fn look_again(claims: &[Claim], all: Seeds, seeds: &mut SeedsByClaim) {
    let open = claims.iter().filter(|claim| claim.verdict.word == VerdictKind::Undecided);
    for claim in open {
        let now = seeds.get(claim.id).copied().unwrap_or(all.first);
        let grew = claim.seeds.is_some_and(|used| used >= now);
        if let Some(next) = all.next(now).filter(|_| grew) {
            seeds.insert(claim.id, next);
        }
    }
}
