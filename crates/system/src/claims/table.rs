//! All claims of a paper: plans the runs, makes each once, and judges.
use super::row::Row;
use super::runs::{Run, Runs, Store};
use super::{Claim, ReproduceRequest, Reproduction};
use crate::failure::Failure;
use crate::interface::System;
use crate::lab::{self, Lab};
use crate::partial;
use page::Section;
use serde_json::Value;

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
}

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
        let made = self.make(&rows, request, &mut store);
        let runs = store.runs();
        let (mut claims, mut figures) = self.judged(&rows, request, &runs);
        let made = made.and_then(|()| (self.extra)(request, &mut claims, &mut figures));
        claims.sort_by_key(|claim| ids.iter().position(|id| *id == claim.id));
        match made {
            Ok(()) => Ok(Reproduction { claims, parameters, figures }),
            Err(why) => {
                let (seeds, made) = store.most();
                let fewer = |row: &Row, claim: &Claim| {
                    row.id == claim.id && claim.sensitivity.len() < row.alternatives.len()
                };
                let moves = rows.iter().any(|row| claims.iter().any(|claim| fewer(row, claim)));
                let moves = if moves { MOVES } else { "" };
                let missing = format!("{moves}{}", request.missing_parts(&claims, &ids));
                let request = ReproduceRequest { seeds, ..*request };
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
        self.make(&rows, request, &mut store)?;
        let judged = |seeds: &u32| self.judged(&rows, request, &store.runs().under(&[], *seeds)).0;
        Ok(few.iter().map(judged).collect())
    }

    fn store(&self, request: &ReproduceRequest<'_>) -> Result<Store, Failure> {
        Ok(Store::of(Lab::of(self.system)?, self.what, self.needs, request))
    }

    /// Makes every run that the requested claims and figures read, once.
    fn make(
        &self,
        rows: &[Row],
        request: &ReproduceRequest<'_>,
        store: &mut Store,
    ) -> Result<(), Failure> {
        loop {
            self.judged(rows, request, &store.runs());
            let wanted = store.take_missing();
            if wanted.is_empty() {
                return Ok(());
            }
            store.make(&wanted)?
        }
    }

    /// Requested claims that the runs decide, and the figures.
    fn judged(
        &self,
        rows: &[Row],
        request: &ReproduceRequest<'_>,
        runs: &Runs<'_>,
    ) -> (Vec<Claim>, Vec<Section>) {
        let wanted = rows.iter().filter(|row| request.includes(row.id) && !row.figures.is_empty());
        let claims = wanted.filter_map(|row| row.judged(runs)).collect();
        let all = request.claim.is_none();
        (claims, if all { (self.figures)(runs) } else { Vec::new() })
    }

    /// The first runs that the requested claims and figures need. Fails if a setting of the user is
    /// invalid.
    pub fn plan(&self, request: &ReproduceRequest<'_>) -> Result<Vec<(Run, lab::Row)>, Failure> {
        let store = self.store(request)?;
        self.judged(&(self.rows)(), request, &store.runs());
        let wanted: Vec<Run> = store.take_missing();
        let rows = store.rows(&wanted)?;
        Ok(wanted.into_iter().zip(rows).collect())
    }
}
