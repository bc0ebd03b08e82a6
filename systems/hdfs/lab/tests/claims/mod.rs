//! The claims of Higai et al. 2014: a golden of every verdict and its basis, and fewer seeds
//! improve no verdict.
use std::fmt::Write;
use std::path::Path;
use system::claims::{Claim, ReproduceRequest, Seeds, Sensitivity, Verdict, VerdictKind};

/// Seeds of all runs here: few, since this is a debug build.
const SEEDS: u32 = 4;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/claims/claims.expected.txt");

/// Decimals by size.
fn decimals(value: f64) -> usize {
    if value.abs() >= 100.0 { 0 } else { 2 }
}

fn golden(claims: &[Claim]) -> String {
    let mut out = format!(
        "Written by TENBIN_BLESS=1 cargo test -p hdfs-lab --test hdfs_lab claims: {SEEDS} seeds, \
         of other readings 2.\n"
    );
    for claim in claims {
        let (ours, spread) = (claim.ours.expect("a value"), claim.spread.expect("several seeds"));
        let (digits, word) = (decimals(ours), claim.verdict.word.text());
        let _ = writeln!(out, "\n{} {word}: {ours:.digits$} ± {spread:.digits$}", claim.id);
        for group in claim.sensitivity.chunk_by(|a, b| a.what == b.what) {
            let at =
                |one: &Sensitivity| format!("{:.*} at {}", decimals(one.ours), one.ours, one.value);
            let at = group.iter().map(at).collect::<Vec<_>>().join(", ");
            let _ = writeln!(out, "  {}: {at}", group[0].what);
        }
    }
    out
}

fn rank(verdict: Verdict) -> u8 {
    match verdict.word {
        VerdictKind::Reproduced
        | VerdictKind::ByConstruction
        | VerdictKind::WithTheseAssumptions => 3,
        VerdictKind::Partly => 2,
        VerdictKind::Refuted => 1,
        VerdictKind::Undecided => 0,
    }
}

#[test]
fn every_verdict_is_as_it_was_read_and_fewer_seeds_give_no_better() {
    let asked = ReproduceRequest {
        seeds: Seeds::fixed(SEEDS),
        sets: &[],
        claim: None,
        place: Path::new("claims"),
    };
    let judged = hdfs::reproduce::claims().by_seed_counts(&asked, &[SEEDS, 3, 2]).expect("S0 runs");
    for fewer in &judged[1..] {
        for (few, all) in fewer.iter().zip(&judged[0]) {
            let (few, word) = (few.verdict, all.verdict);
            assert!(rank(few) <= rank(word), "{}: {few:?} of few seeds, {word:?} of all", all.id);
        }
    }
    let (text, file) = (golden(&judged[0]), GOLDEN);
    if std::env::var_os("TENBIN_BLESS").is_some() {
        return std::fs::write(file, text).expect("a writable tree");
    }
    let written = std::fs::read_to_string(file).expect(GOLDEN);
    assert_eq!(text, written, "if it should change: TENBIN_BLESS=1, and read what changed");
}
