//! A document's claims for real, in the small: `tenbin reproduce NAME --real`.
use super::{Asked, Verdict};
use crate::failure::Failure;
use analysis::Stat;
use page::Section;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

#[derive(Clone, Copy, Debug)]
pub struct Real<'r> {
    pub runs: u32,
    /// Seeds 1 to N of the simulation of the same.
    pub seeds: u32,
    pub hadoop: &'r str,
    /// Tenbin's plug-in, where it is needed.
    pub jar: Option<&'r Path>,
    /// Folder for what disks hold; else memory.
    pub store: Option<&'r Path>,
    /// The folder of the runs.
    pub place: &'r Path,
}

/// A document's experiments for real.
#[derive(Clone, Copy)]
pub struct ForReal {
    pub document: &'static str,
    /// Runs of each arm, where nobody says how many.
    pub runs: u32,
    /// Whether they need Tenbin's plug-in.
    pub needs_jar: bool,
    /// Makes the runs that the wanted claims need, and judges them. Fails as every command.
    pub make: fn(&Asked<'_>, &Real<'_>) -> Result<Made, Failure>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Made {
    pub claims: Vec<Measured>,
    /// The document's figures as measured, beside the simulation of the same.
    pub figures: Vec<Section>,
    /// What was measured in numbers, for `--json`; nothing where claims say it all.
    pub numbers: Value,
}

impl From<Vec<Measured>> for Made {
    fn from(claims: Vec<Measured>) -> Made {
        Made { claims, ..Made::default() }
    }
}

/// A claim as real runs have it, beside the simulation of the same small cluster.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measured {
    #[serde(skip)]
    pub id: &'static str,
    /// By the runs, in `unit`.
    pub measured: f64,
    /// Half width of its 95 % interval.
    pub spread: f64,
    pub predicted: f64,
    /// Half width of its 95 % interval.
    pub predicted_spread: f64,
    pub unit: &'static str,
    /// How many runs of each arm there were.
    pub runs: u32,
    /// What the runs say of the claim.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// One sentence with the numbers.
    pub reason: String,
}

impl Measured {
    /// With a verdict, in the unit of the values.
    pub fn of(
        (id, unit): (&'static str, &'static str),
        (measured, predicted): (&Stat, &Stat),
        verdict: Verdict,
        (runs, reason): (u32, String),
    ) -> Measured {
        Measured {
            id,
            measured: measured.mean,
            spread: measured.ci95,
            predicted: predicted.mean,
            predicted_spread: predicted.ci95,
            unit,
            runs,
            verdict,
            reason,
        }
    }
}
