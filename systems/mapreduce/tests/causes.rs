//! Real jobs with a planted cause: what `tenbin why` names first is what was planted.
//!
//! Hadoop 3.4.3, four nodes, 24 maps of one 4 MB block, 4 reduces; one run each, on two cores.
//! `one-reduce`, `big-gz` and `slow-shuffle`: Hadoop 3.3.6, three to six nodes; see below.
use crate::made::Made;
use mapreduce::import::{Imported, find_files, import};
use mapreduce::why::Explanation;
use std::path::PathBuf;

fn planted(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/planted", name].iter().collect()
}

fn imported(name: &str) -> Imported {
    let found =
        find_files(&[planted(&format!("{name}.jhist.gz"))]).unwrap_or_else(|_| panic!("{name}"));
    import(&found.jobs, &[]).unwrap_or_else(|_| panic!("{name}"))
}

fn explained(name: &str) -> Explanation {
    Explanation::of(&imported(name).trace)
}

fn share(why: &Explanation, cause: &str) -> (f64, f64) {
    let found = why.jobs[0].verdicts.iter().find(|verdict| verdict.cause == cause);
    found.map_or((0.0, 0.0), |verdict| (verdict.share, verdict.share_high))
}

/// With 4 reduces the job took 55 s instead of 70, on the same two cores; of its 71 s the reduce
/// computed for 50.
#[test]
fn one_reduce_that_computes_gains_by_more_reduces() {
    let (about, most) = share(&explained("one-reduce"), "few reduces");
    assert!((0.21..0.70).contains(&about) && most >= about, "{about} {most}")
}

/// Its input even, the job would take 60 to 70 s instead of 161.
#[test]
fn a_file_that_cannot_be_split_costs_what_an_even_input_gains() {
    let why = explained("big-gz");
    let (about, most) = share(&why, "skew");
    assert!((0.54..0.65).contains(&about) && most >= 0.6, "{about} {most}");
    assert_eq!(share(&why, "straggler"), (0.0, 0.0))
}

/// The shuffle service of worker4 waited for 6 s before each map output.
#[test]
fn reducers_logs_name_the_host_that_serves_slowly() {
    let mut histories = imported("slow-shuffle");
    histories.fetches(&[planted("slow-shuffle")]).unwrap_or_else(|e| panic!("{e:?}"));
    let why = Explanation::of(&histories.trace);
    let first = &why.jobs[0].verdicts[0];
    let by = first.by.replace(['\u{a0}', '\u{202f}'], " ");
    assert_eq!(first.cause, "shuffle");
    assert!(by.starts_with("the shuffle: worker4 serves a map output in 6.0"), "{by}");
    assert!(first.remedy.what.contains("worker4"), "{:?}", first.remedy);
    let served = mapreduce::why::ServingTimes::of(&why.jobs[0].job).expect("a host stands out");
    assert!((23.0..25.0).contains(&served.longest) && served.usual < 0.1, "{served:?}");
    let page = mapreduce::words::page(&histories.trace, &why);
    let fetches = page.sections.iter().find(|section| section.id == "fetches").expect("a picture");
    let page::Body::Latency(fetches) = &fetches.body else { panic!("{fetches:?}") };
    // Of the others ten took less than a millisecond.
    assert_eq!(fetches.series.iter().map(|line| line.count).collect::<Vec<_>>(), [16, 54])
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
        ("one-reduce", "few reduces", "r_000000 does all the work"),
        ("big-gz", "skew", "m_000000 got 82 % of the"),
        ("slow-shuffle", "shuffle", "reduces copy map outputs for up to 27.8 s"),
    ] {
        let why = explained(name);
        crate::experts::well_said(&why.jobs[0]);
        let first = &why.jobs[0].verdicts[0];
        let holder_found = first.holder.replace(['\u{a0}', '\u{202f}'], " ");
        assert_eq!(first.cause, cause, "{name}: {}", mapreduce::why::text(&why, 1));
        assert!(holder_found.contains(holder), "{name}: {holder_found}");
    }
}

/// A job with its first task request at `asked`, a map that may fail once, and a commit time.
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
fn the_largest_gain_comes_first_and_what_every_job_has_is_none() {
    // 9 of 21.5 s are the start, of which 6 s are every job's; 5.5 s a failed attempt.
    let causes = short(9.0, true, 0.5);
    assert_eq!(causes[..2], ["failed attempts", "AM start"], "{causes:?}");
    let causes = short(4.0, true, 8.0);
    assert_eq!(causes[..3], ["job commit", "failed attempts", "AM start"], "{causes:?}");
    assert_eq!(short(40.0, true, 0.5)[..2], ["AM start", "failed attempts"], "most of it");
    assert_eq!(short(5.0, false, 0.5)[0], "nothing stands out", "every job starts")
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
        assert!(page.contains("# What to do"), "{}", rule.name);
        assert!(page.contains("# The bound") || rule.name == "job killed", "{}", rule.name);
        assert!(
            page.contains("# What would confirm it") || rule.name == "recorded",
            "{}",
            rule.name
        );
    }
}
