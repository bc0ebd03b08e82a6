//! Memory that a run needs, checked before anything is allocated.
use crate::console;
use std::fmt;

/// Smaller footprints are not announced \[bytes\].
const WORTH_SAYING: u64 = 1_000_000_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Bytes, within about a third.
    pub bytes: u64,
    /// What needs the memory: "1.2 million replicas".
    pub of: String,
    pub key: &'static str,
}

impl Footprint {
    /// Number of runs that fit into `bytes`, at least one.
    pub fn fit_into(&self, bytes: u64) -> usize {
        usize::try_from(bytes / self.bytes.max(1)).unwrap_or(usize::MAX).max(1)
    }

    /// Whether to announce it.
    pub fn is_large(&self) -> bool {
        self.bytes >= WORTH_SAYING
    }
}

impl fmt::Display for Footprint {
    /// "memory for 1.2 million replicas: about 70 MB a run"
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memory for {}: about {} a run", self.of, size(self.bytes))
    }
}

/// Prints the largest footprint on stderr if it is large.
pub fn announce(all: impl Iterator<Item = Footprint>) {
    let largest = all.max_by_key(|need| need.bytes);
    if let Some(need) = largest.filter(Footprint::is_large) {
        console::note(&need.to_string())
    }
}

/// "this machine has 24 GB"
pub fn machine_has(bytes: u64) -> String {
    format!("this machine has {}", size(bytes))
}

/// "1.2 million"
pub fn count(n: u64) -> String {
    match n {
        0..1_000_000 => n.to_string(),
        1_000_000..1_000_000_000 => format!("{:.1} million", n as f64 / 1e6),
        _ => format!("{:.1} billion", n as f64 / 1e9),
    }
}

/// "70 MB": an estimate has two digits.
pub fn size(bytes: u64) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")];
    let value = bytes as f64;
    let &(unit, name) = units.iter().find(|(unit, _)| value >= *unit).unwrap_or(&units[3]);
    if value / unit < 10.0 {
        format!("{:.1} {name}", value / unit)
    } else {
        format!("{:.0} {name}", value / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_needs_in_words() {
        let need = |bytes| Footprint { bytes, of: "3 objects".into(), key: "workload.objects" };
        let (small, large) = (need(70_400_000), need(4_760_000_000));
        assert_eq!(small.to_string(), "memory for 3 objects: about 70 MB a run");
        assert_eq!(large.to_string(), "memory for 3 objects: about 4.8 GB a run");
        assert_eq!((small.is_large(), large.is_large()), (false, true));
        assert_eq!([1, 5_000_000_000, 24_000_000_000].map(|b| large.fit_into(b)), [1, 1, 5]);
        assert_eq!(need(0).fit_into(7), 7, "no division by zero");
        assert_eq!(
            [999_999, 1_250_000, 80_150_700_000].map(count),
            ["999999", "1.2 million", "80.2 billion"]
        );
    }
}
