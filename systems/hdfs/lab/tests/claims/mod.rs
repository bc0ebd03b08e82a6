//! The claims of S0: every verdict and what it rests on, as somebody last read them; and that fewer
//! seeds make none come out better.
use hdfs::reproduce::cell::{self, Data};
use hdfs::reproduce::claims::{self, Claim, Judged};
use hdfs::reproduce::runs::{self, Asked};
use hdfs::reproduce::{
    reading,
    verdict::{Verdict, Word},
};
use std::fmt::Write;

/// Seeds of all runs here: few, since this is a debug build.
const SEEDS: u32 = 4;
/// Of those under other readings.
const READING_SEEDS: u32 = 1;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/claims/claims.expected.txt");

fn data(claims: &[Claim]) -> Data {
    let cells = cell::distinct(claims.iter().flat_map(|c| (c.needs)()));
    let asked: Vec<Asked> = cells.iter().map(|&cell| Asked { cell, besides: None }).collect();
    let rows = runs::run(&asked, SEEDS, &[], "claims").expect("S0 runs");
    let measured = runs::data(&rows).expect("all runs end");
    cells.into_iter().zip(measured).collect()
}

fn golden(judged: &[(&Claim, Judged)]) -> String {
    let mut out = format!(
        "Written by TENBIN_BLESS=1 cargo test -p hdfs-lab --test hdfs_lab claims: {SEEDS} seeds, \
         of other readings {READING_SEEDS}.\n"
    );
    for (claim, judged) in judged {
        let ours = claims::number_with_spread(judged.ours.mean, judged.ours.ci95);
        let _ = writeln!(out, "\n{} {}: {ours}", claim.id, judged.verdict.word.text());
        for (key, at) in reading::by_key(&judged.sensitivity) {
            let _ = writeln!(out, "  {key}: {at}");
        }
    }
    out
}

fn rank(verdict: Verdict) -> u8 {
    match verdict.word {
        Word::Reproduced | Word::ByConstruction | Word::WithTheseAssumptions => 3,
        Word::Partly => 2,
        Word::Refuted => 1,
        Word::Undecided => 0,
    }
}

#[test]
fn every_verdict_is_as_it_was_read_and_fewer_seeds_give_no_better() {
    let (claims, base) = (claims::all(), runs::base(&[]).expect("S0"));
    let data = data(&claims);
    let readings =
        reading::run(&claims, &base, &data, READING_SEEDS, &[]).expect("other readings run");
    let judged: Vec<(&Claim, Judged)> =
        claims.iter().map(|c| (c, reading::judge(c, &data, &readings))).collect();
    for fewer in 1..SEEDS as usize {
        let few: Data = data.iter().map(|(cell, m)| (*cell, m.first(fewer))).collect();
        for (claim, all) in &judged {
            let verdict = (claim.judge)(&few).verdict;
            let told =
                format!("{}: {verdict:?} of {fewer} seeds, {:?} of all", claim.id, all.verdict);
            assert!(rank(verdict) <= rank(all.verdict), "{told}");
            assert!(fewer > 1 || verdict.word == Word::Undecided, "{told}");
        }
    }
    let (text, file) = (golden(&judged), GOLDEN);
    if std::env::var_os("TENBIN_BLESS").is_some() {
        return std::fs::write(file, text).expect("a writable tree");
    }
    let written = std::fs::read_to_string(file).expect(GOLDEN);
    assert_eq!(text, written, "if it should change: TENBIN_BLESS=1, and read what changed");
}
