//! Real jobs with a planted cause: what `tenbin why` names first is what was planted.
//!
//! Hadoop 3.4.3, four nodes, 24 maps of one 4 MB block, 4 reduces; one run each, on two cores.
use crate::made::Made;
use mapreduce::why::Why;
use std::path::PathBuf;

fn explained(name: &str) -> Why {
    let file = format!("{}/tests/planted/{name}.jhist.gz", env!("CARGO_MANIFEST_DIR"));
    let found =
        mapreduce::import::found(&[PathBuf::from(file)]).unwrap_or_else(|_| panic!("{name}"));
    let imported = mapreduce::import::import(&found.jobs, &[]).unwrap_or_else(|_| panic!("{name}"));
    Why::of(&imported.trace)
}

#[test]
fn the_first_cause_is_the_planted_one() {
    for (name, cause, holder) in [
        ("skew", "skew", "r_000002 got 80 % of the records"),
        ("slow-source", "slow source", "blocks of worker3"),
        ("few", "few containers", "2 tasks ran at once"),
        ("lost-node", "lost node", "worker2 was lost"),
        ("early-reduces", "early reduces", "slowstart.completedmaps"),
        ("cpu", "unexplained", "points to CPU starvation"),
        ("clean", "nothing stands out", "24 maps in 4 waves of 7"),
    ] {
        let why = explained(name);
        let first = &why.jobs[0].verdicts[0];
        let holder_found = first.holder.replace(['\u{a0}', '\u{202f}'], " ");
        assert_eq!(first.cause, cause, "{name}: {}", mapreduce::why::text(&why, 1));
        assert!(holder_found.contains(holder), "{name}: {holder_found}");
    }
}

/// A job whose tasks are asked for so late, with a map that fails first or does not, and a commit.
fn short(asked: f64, fails: bool, commit: f64) -> Vec<String> {
    let failed = if fails { 5.5 } else { 0.0 };
    let mut made = Made::job(71, 1, 0).task("m_000000", asked);
    if fails {
        made = made.starts("m_000000_0", "n1", asked + 0.5, "");
        made = made.ends("m_000000_0", "FAILED", asked + failed, "")
    }
    let name = if fails { "m_000000_1" } else { "m_000000_0" };
    let end = asked + failed + 6.5;
    let made = made
        .starts(name, "n2", asked + failed + 0.5, "")
        .ends(name, "FINISHED", end, "")
        .over("m_000000", "SUCCEEDED", end)
        .done("SUCCEEDED", end + commit);
    made.why().verdicts.into_iter().map(|verdict| verdict.cause).collect()
}

#[test]
fn what_every_job_has_comes_first_only_where_it_is_most_of_it_or_all_there_is() {
    // 9 of 21.5 s are the start, 5.5 s a failed attempt.
    let causes = short(9.0, true, 0.5);
    assert_eq!(causes[..2], ["failed attempts", "AM start"], "{causes:?}");
    let causes = short(4.0, true, 8.0);
    assert_eq!(causes[..3], ["failed attempts", "job commit", "AM start"], "{causes:?}");
    assert_eq!(short(40.0, true, 0.5)[..2], ["AM start", "failed attempts"], "most of it");
    assert_eq!(short(5.0, false, 0.5)[0], "AM start", "nothing else stands out")
}

#[test]
fn no_resource_is_blamed_without_evidence_and_no_bound_is_below_its_estimate() {
    for name in ["skew", "slow-source", "few", "lost-node", "early-reduces", "cpu", "clean"] {
        for verdict in &explained(name).jobs[0].verdicts {
            assert!(!["disk", "network", "CPU"].contains(&&*verdict.cause), "{name}: {verdict:?}");
            assert!(
                verdict.share_high >= verdict.share && verdict.share_high <= 1.0,
                "{verdict:?}"
            );
            assert!(!verdict.evidence.is_empty(), "{name}: {verdict:?}");
        }
    }
}

#[test]
fn every_cause_has_a_page_with_its_evidence_and_what_would_confirm_it() {
    for rule in mapreduce::why::causes::ALL {
        let page = rule.page();
        assert!(page.contains("# What it looks at"), "{}", rule.name);
        assert!(page.contains("# The bound") || rule.name == "job killed", "{}", rule.name);
    }
}
