//! Experiments on a real cluster, scaled down: `tenbin reproduce NAME --real`.
use super::{ReproduceRequest, Verdict};
use crate::failure::Failure;
use analysis::Stat;
use page::Section;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

#[derive(Clone, Copy, Debug)]
pub struct RealRunOptions<'r> {
    pub runs: u32,
    /// The simulation of the same cluster uses seeds 1 to N.
    pub seeds: u32,
    pub hadoop: &'r str,
    /// Tenbin's plug-in, if the experiment needs it.
    pub jar: Option<&'r Path>,
    /// Folder for the data of the disks; `None`: in memory.
    pub store: Option<&'r Path>,
    pub place: &'r Path,
}

/// A paper's experiments on a real cluster.
#[derive(Clone, Copy)]
pub struct RealExperiment {
    pub document: &'static str,
    /// Default number of runs per arm.
    pub runs: u32,
    /// Whether the runs need Tenbin's plug-in.
    pub needs_jar: bool,
    /// Makes the runs that the requested claims need and judges them.
    pub make: fn(&ReproduceRequest<'_>, &RealRunOptions<'_>) -> Result<MeasuredClaims, Failure>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeasuredClaims {
    pub claims: Vec<MeasuredClaim>,
    /// The paper's figures as measured, next to the simulation of the same cluster.
    pub figures: Vec<Section>,
    /// Measured values for `--json`; null if the claims contain all of them.
    pub numbers: Value,
}

impl From<Vec<MeasuredClaim>> for MeasuredClaims {
    fn from(claims: Vec<MeasuredClaim>) -> MeasuredClaims {
        MeasuredClaims { claims, ..MeasuredClaims::default() }
    }
}

/// A claim measured on a real cluster, next to the simulation of the same small cluster.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MeasuredClaim {
    #[serde(skip)]
    pub id: &'static str,
    /// Mean of the real runs, in `unit`.
    pub measured: f64,
    /// Half width of the 95 % interval.
    pub spread: f64,
    pub predicted: f64,
    /// Half width of the 95 % interval.
    pub predicted_spread: f64,
    pub unit: &'static str,
    /// Runs per arm.
    pub runs: u32,
    #[serde(flatten)]
    pub verdict: Verdict,
    pub reason: String,
}

impl MeasuredClaim {
    pub fn of(
        (id, unit): (&'static str, &'static str),
        (measured, predicted): (&Stat, &Stat),
        verdict: Verdict,
        (runs, reason): (u32, String),
    ) -> MeasuredClaim {
        MeasuredClaim {
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
