//! A document's claims for real, in the small: `tenbin reproduce NAME --real`.
use super::{Asked, Band, Verdict};
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
    /// Of shares, judged by the band that the measured one should lie in, and said in per cent.
    pub fn share(
        (id, unit): (&'static str, &'static str),
        (measured, predicted): (&Stat, &Stat),
        places: impl IntoIterator<Item = Option<bool>>,
        (runs, reason): (u32, String),
    ) -> Measured {
        Measured {
            id,
            measured: 100.0 * measured.mean,
            spread: 100.0 * measured.ci95,
            predicted: 100.0 * predicted.mean,
            predicted_spread: 100.0 * predicted.ci95,
            unit,
            runs,
            verdict: Verdict::of(places),
            reason,
        }
    }

    /// Of a ratio, judged by a band if it can be judged.
    pub fn ratio(
        (id, unit): (&'static str, &'static str),
        (measured, predicted): (&Stat, &Stat),
        band: Option<Band>,
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
            verdict: Verdict::of([band.and_then(|band| band.holds(measured))]),
            reason,
        }
    }
}
