//! Three sample pages, written to `ui/fixtures/pages/` for the UI's tests. Their figures are
//! examples, not results.
mod job;
mod metadata;
mod ozone;
use page::Page;
use std::path::Path;

/// (file name, page).
pub fn all() -> Vec<(&'static str, Page)> {
    vec![("metadata", metadata::page()), ("job", job::page()), ("ozone", ozone::page())]
}

#[test]
fn the_screens_fixtures_are_these() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/fixtures/pages");
    for (name, page) in all() {
        let file = folder.join(format!("{name}.json"));
        let wanted = serde_json::to_string(&page).expect("JSON") + "\n";
        if std::env::var_os("TENBIN_BLESS").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&file, wanted).expect("a file");
            continue;
        }
        let found = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(found == wanted, "{name}.json is not of these pages: bless it");
    }
}

/// Points at even steps from 0 on.
pub fn every(step: f64, values: impl IntoIterator<Item = f64>) -> Vec<(f64, f64)> {
    values.into_iter().enumerate().map(|(i, value)| (i as f64 * step, value)).collect()
}

/// A deterministic load that varies between 0 and 1.
pub fn wander(seed: u64, n: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut at = 0.5;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n)
        .map(|_| {
            at = (at + 0.35 * (next() - 0.5)).clamp(0.02, 0.98);
            libm::round(at * 1000.0) / 1000.0
        })
        .collect()
}
