//! Bounds of the engine and of the loop that it is compared with.
use crate::table::{Rates, ratio};
use crate::verdicts::Verdicts;
use std::process::ExitCode;

/// A size of PHOLD, and the minimum ratio of the ladder loop to the heap, below which the loop is
/// no yardstick.
pub(crate) struct Size {
    pub(crate) name: &'static str,
    pub(crate) lps: u32,
    heaps: f64,
    /// Minimum ratio of one kind of LP to the ladder loop.
    one: f64,
}

pub(crate) const SIZES: [Size; 3] = [
    Size { name: "1k", lps: 1000, heaps: 2.5, one: 0.60 },
    Size { name: "64k", lps: 64_000, heaps: 3.0, one: 0.75 },
    Size { name: "1M", lps: 1_000_000, heaps: 4.0, one: 0.60 },
];

/// Minimum ratio of three kinds to the ladder loop.
const THREE: f64 = 0.55;
/// Maximum bytes per LP with its pending event.
const BYTES: f64 = 300.0;

/// The bounds missed at a size, as text. A value that was not measured is not missed.
pub(crate) fn missed(name: &str, rates: &Rates, bytes: Option<f64>) -> Vec<String> {
    let size = SIZES.iter().find(|size| size.name == name);
    let (one, heaps) = size.map_or((0.0, 0.0), |size| (size.one, size.heaps));
    let ratios = [("one", "ladder", one), ("three", "ladder", THREE), ("ladder", "heap", heaps)];
    let mut all = vec![];
    for (who, base, least) in ratios {
        if let Some([_, median, _]) = ratio(rates, who, base).filter(|r| r[1] < least) {
            all.push(format!("{who}/{base} at {name} is {median:.3}, not {least}"))
        }
    }
    if let Some(bytes) = bytes.filter(|b| *b > BYTES) {
        all.push(format!("{bytes:.0} bytes at {name}, not {BYTES}"))
    }
    all
}

/// Prints the missed bounds, or that all are held.
pub(crate) fn print(missed: &[String]) -> ExitCode {
    let bounds = "one/ladder >= 0.60, 0.75, 0.60, three/ladder >= 0.55, ladder/heap >= 2.5, 3, 4, \
                  bytes <= 300";
    let mut verdicts = Verdicts::default();
    let verdict = verdicts.of(missed.is_empty());
    let which = if missed.is_empty() { "all bounds".into() } else { missed.join("; ") };
    println!("{verdict}: {which} (medians: {bounds})");
    verdicts.exit()
}
