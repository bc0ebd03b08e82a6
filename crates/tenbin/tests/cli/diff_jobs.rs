//! Two real jobs against each other, through the real binary.
use crate::tenbin::{Place, root};
use serde_json::Value;
use std::fs;

/// Jobs of a real cluster, one with a cause planted in each.
const PLANTED: &str = "systems/mapreduce/tests/planted";
const DATA: &str = "systems/mapreduce/tests/data";

fn import(place: &Place, file: &str, out: &str) {
    let file = root().join(file);
    place.ok(&["import", "mapreduce", &file.to_string_lossy(), "-o", out]);
}

/// A real history, by the number of its job and the one of its cluster.
fn history(job: &str) -> std::path::PathBuf {
    let files = fs::read_dir(root().join(DATA)).expect("histories").flatten();
    let named = |name: &str| name.starts_with(job) && name.ends_with(".jhist");
    let mut paths = files.map(|file| file.path());
    let found = paths.find(|path| named(&path.file_name().unwrap_or_default().to_string_lossy()));
    found.expect("a history")
}

fn said(place: &Place, args: &[&str]) -> String {
    place.ok(args).out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn reasons(diff: &Value) -> Vec<&str> {
    let all = diff["not_comparable"].as_array().expect("a list");
    all.iter().map(|reason| reason.as_str().expect("words")).collect()
}

#[test]
fn what_the_longer_of_two_jobs_spends_more_on_is_named() {
    let place = Place::new("diff-jobs-skew");
    import(&place, &format!("{PLANTED}/clean.jhist.gz"), "clean");
    import(&place, &format!("{PLANTED}/skew.jhist.gz"), "skew");
    let said = said(&place, &["diff", "clean", "skew"]);
    for part in [
        "The job time of skew is 12.5 s longer than that of clean (15 %).",
        "What makes skew longer: runs of reduces, 37.2 s instead of",
        "skew on its own: event-stats was held up by skew: r_000002 got 80 % of the records",
        "Certainty low: two real runs",
    ] {
        assert!(said.contains(part), "no {part:?} in {said}");
    }
    let diff = place.json(&["diff", "clean", "skew"]);
    assert!(reasons(&diff).is_empty(), "one job, twice");
    let held = diff["held"].as_array().expect("holders");
    let unexplained = held.iter().filter(|one| one["role"] == "unexplained");
    let unexplained: f64 = unexplained.filter_map(|one| one["shares"][1].as_f64()).sum();
    assert!(unexplained < 0.01, "each step of the path has a name: {held:?}");
}

#[test]
fn two_different_jobs_are_not_comparable() {
    let place = Place::new("diff-jobs-other");
    import(&place, &format!("{PLANTED}/clean.jhist.gz"), "stats");
    let made = history("job_1795197530166_0001");
    place.ok(&["import", "mapreduce", &made.to_string_lossy(), "-o", "gen"]);
    let diff = place.json(&["diff", "stats", "gen"]);
    let why = "stats is event-stats and gen is TeraGen, two different jobs";
    assert_eq!(reasons(&diff), [why]);
    assert_eq!(diff["answer"], format!("Not comparable: {why}."));
    assert_eq!(diff["against"]["verdict"], "not decided");
    assert!(!said(&place, &["diff", "stats", "gen"]).contains("What makes"));
}

#[test]
fn a_job_that_failed_is_no_job_of_that_length() {
    let place = Place::new("diff-jobs-failed");
    let whole = history("job_1795197685182_0001");
    let text = fs::read_to_string(&whole).expect("a text");
    let failed = text.replace("\"SUCCEEDED\"", "\"FAILED\"").replace("JOB_FINISHED", "JOB_FAILED");
    place.write("failed.jhist", failed);
    place.ok(&["import", "mapreduce", &whole.to_string_lossy(), "-o", "whole"]);
    place.ok(&["import", "mapreduce", "failed.jhist", "-o", "failed"]);
    let diff = place.json(&["diff", "whole", "failed"]);
    let why = "failed failed, so its time is not that of a complete job";
    assert_eq!(reasons(&diff), [why]);
    assert_eq!(diff["runs"][1]["finished"]["broke_off"], "failed");
}

#[test]
fn an_import_says_its_job_s_name_once() {
    let place = Place::new("import-name");
    for (folder, name) in [("examples/terasort", "TeraSort"), (DATA, "TeraGen")] {
        let folder = root().join(folder);
        let said = place.ok(&["import", "mapreduce", &folder.to_string_lossy(), "-o", "a"]).out;
        let lines = said.lines().filter(|line| line.contains(name));
        let twice = |line: &&str| line.matches(name).count() > 1;
        assert_eq!(lines.filter(twice).count(), 0, "{said}");
    }
}
