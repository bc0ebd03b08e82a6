//! Prints quantities in a short, exact form that [`std::str::FromStr`] reads.
use crate::{Bytes, BytesPerSec, Nanos};
use std::fmt::{Display, Formatter, Result};

const SIZES: [(&str, u64); 5] =
    [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1)];
const BINARY: [(&str, u64); 4] =
    [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
const TIMES: [(&str, u64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];

impl Display for Bytes {
    /// "67MB", "128MiB": the shorter of the two.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(&size(self.0))
    }
}

impl Display for BytesPerSec {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(&format!("{}/s", size(self.0)))
    }
}

impl Display for Nanos {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.0 == 0 { f.pad("0s") } else { f.pad(&decimal(self.0, &TIMES)) }
    }
}

fn size(value: u64) -> String {
    let ten = decimal(value, &SIZES);
    let two = BINARY.iter().find(|(_, unit)| value >= *unit && value.is_multiple_of(*unit));
    match two.map(|(name, unit)| format!("{}{name}", value / unit)) {
        Some(two) if two.len() < ten.len() => two,
        _ => ten,
    }
}

/// `value` in the largest unit not above it, with all decimals.
fn decimal(value: u64, units: &[(&str, u64)]) -> String {
    let last = units.last().expect("a unit of 1");
    let (name, unit) = units.iter().find(|(_, unit)| value >= *unit).unwrap_or(last);
    let rest = value % unit;
    if rest == 0 {
        return format!("{}{name}", value / unit);
    }
    let width = unit.ilog10() as usize;
    let decimals = format!("{rest:0width$}");
    format!("{}.{}{name}", value / unit, decimals.trim_end_matches('0'))
}
