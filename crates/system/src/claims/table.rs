//! All claims of a paper: plans the runs, makes each once, and judges.
use super::row::Row;
use super::runs::{Run, Runs, Store};
use super::{Asked, Claim, Reproduction};
use crate::failure::Failure;
use crate::lab::{self, Lab};
use crate::partial;
use crate::seam::System;
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
pub type Extra = fn(&Asked<'_>, &mut Vec<Claim>, &mut Vec<Section>) -> Result<(), Failure>;

impl Table {
    pub fn reproduce(&self, asked: &Asked<'_>, parameters: Value) -> Result<Reproduction, Failure> {
        let rows = (self.rows)();
        let ids: Vec<&str> = rows.iter().map(|row| row.id).collect();
        asked.unknown(&ids).map_or(Ok(()), Err)?;
        let mut store = self.store(asked)?;
        let made = self.make(&rows, asked, &mut store);
        let runs = store.runs();
        let (mut claims, mut figures) = self.judged(&rows, asked, &runs);
        let made = made.and_then(|()| (self.extra)(asked, &mut claims, &mut figures));
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
                let missing = format!("{moves}{}", asked.lacks(&claims, &ids));
                let asked = Asked { seeds, ..*asked };
                Err(asked.kept_with(why, partial::of_lab(&made), &claims, &missing))
            }
        }
    }

    /// The claims as the first N seeds decide them, for each N in `few`.
    pub fn by_few(&self, asked: &Asked<'_>, few: &[u32]) -> Result<Vec<Vec<Claim>>, Failure> {
        let (rows, mut store) = ((self.rows)(), self.store(asked)?);
        self.make(&rows, asked, &mut store)?;
        let judged = |seeds: &u32| self.judged(&rows, asked, &store.runs().under(&[], *seeds)).0;
        Ok(few.iter().map(judged).collect())
    }

    fn store(&self, asked: &Asked<'_>) -> Result<Store, Failure> {
        Ok(Store::of(Lab::of(self.system)?, self.what, self.needs, asked))
    }

    /// Makes every run that the requested claims and figures read, once.
    fn make(&self, rows: &[Row], asked: &Asked<'_>, store: &mut Store) -> Result<(), Failure> {
        loop {
            self.judged(rows, asked, &store.runs());
            let wanted = store.wanted();
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
        asked: &Asked<'_>,
        runs: &Runs<'_>,
    ) -> (Vec<Claim>, Vec<Section>) {
        let wanted = rows.iter().filter(|row| asked.wants(row.id) && !row.figures.is_empty());
        let claims = wanted.filter_map(|row| row.judged(runs)).collect();
        let all = asked.claim.is_none();
        (claims, if all { (self.figures)(runs) } else { Vec::new() })
    }

    /// The first runs that the requested claims and figures need. Fails if a setting of the user is
    /// invalid.
    pub fn plan(&self, asked: &Asked<'_>) -> Result<Vec<(Run, lab::Row)>, Failure> {
        let store = self.store(asked)?;
        self.judged(&(self.rows)(), asked, &store.runs());
        let wanted: Vec<Run> = store.wanted();
        let rows = store.rows(&wanted)?;
        Ok(wanted.into_iter().zip(rows).collect())
    }
}
