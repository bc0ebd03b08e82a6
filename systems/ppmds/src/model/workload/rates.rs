//! Rates that mdtest measured.
use std::fmt;

/// Phases by their names in mdtest's SUMMARY.
pub const WHATS: [&str; 10] = [
    "Directory creation",
    "Directory stat",
    "Directory rename",
    "Directory removal",
    "File creation",
    "File stat",
    "File read",
    "File removal",
    "Tree creation",
    "Tree removal",
];

/// Operations per second by phase: `File creation 13000.5, File stat 85000`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rates(pub Vec<(String, f64)>);

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (name, rate)) in self.0.iter().enumerate() {
            write!(f, "{}{name} {rate}", if n == 0 { "" } else { ", " })?
        }
        Ok(())
    }
}

impl Rates {
    /// # Errors
    /// The part that is not a phase with a rate above 0.
    pub fn of(text: &str) -> Result<Rates, String> {
        let of = |part: &str| {
            let (name, rate) = part.trim().rsplit_once(' ')?;
            let rate = rate.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0)?;
            WHATS.contains(&name).then(|| (name.to_string(), rate))
        };
        let parts = text.split(',').filter(|part| !part.trim().is_empty());
        let all = parts.map(|part| of(part).ok_or_else(|| part.trim().to_string()));
        all.collect::<Result<Vec<_>, String>>().map(Rates)
    }

    pub fn rate(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(is, _)| is == name).map(|(_, rate)| *rate)
    }
}
