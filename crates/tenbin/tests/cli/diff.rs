//! Two runs against each other, through the real binary.
use crate::tenbin::{Place, root};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Small enough for a debug build.
const SMALL: [&str; 4] =
    ["--set", "cluster.nodes_per_rack=6", "--set", "workload.blocks_on_lost_node=40"];

fn run(place: &Place, out: &str, more: &[&str]) {
    place.ok(&[&["run", "s0.toml", "-o", out][..], &SMALL, more].concat());
}

/// One run, and four seeds of the same scenario.
fn two(name: &str) -> Place {
    let place = Place::with_s0(name);
    run(&place, "one", &["--seed", "3"]);
    run(&place, "four", &["--seeds", "4"]);
    place
}

#[track_caller]
fn refused(place: &Place, args: &[&str], says: &[&str]) {
    let before = place.names();
    let done = place.tenbin(args);
    assert_eq!(done.code, Some(2), "{args:?}\n{}{}", done.out, done.err);
    assert_eq!(done.out, "", "{args:?}: nothing on stdout");
    for part in says {
        assert!(done.err.contains(part), "{args:?}: no {part:?} in\n{}", done.err);
    }
    assert_eq!(place.names(), before, "{args:?}: nothing written");
}

/// Seed 3 is one of seeds 1 to 4: it cannot be outside of what they span.
#[test]
fn a_seed_stays_inside_its_own_band() {
    let place = two("diff-inside");
    let diff = place.json(&["diff", "one", "four", "-o", "apart"]);
    let runs = &diff["runs"];
    assert_eq!((&runs[0]["seeds"], &runs[1]["seeds"]), (&1.into(), &4.into()));
    for curve in diff["curves"].as_array().expect("curves") {
        assert_eq!(curve["parts"]["spans"], Value::Array(Vec::new()), "{}", curve["key"]);
    }
    let written = fs::read_to_string(place.dir.join("apart/diff.json")).expect("diff.json");
    assert_eq!(serde_json::from_str::<Value>(&written).expect("JSON"), diff, "the same numbers");
    let page = fs::read_to_string(place.dir.join("apart/report.html")).expect("a page");
    assert!(page.contains("\"crumbs\":[\"diff\",\"one\",\"four\"]"));
    assert_eq!(diff["settings"], Value::Array(Vec::new()));
    let said = place.ok(&["diff", "one", "four"]).out;
    assert!(said.contains("one stays inside the band of four's 4 seeds."), "{said}");
    assert_eq!(place.names(), ["apart", "four", "one", "s0.toml"], "without -o nothing is written");
}

#[test]
fn a_faster_disk_leaves_the_band() {
    let place = two("diff-outside");
    run(&place, "fast", &["--set", "hardware.disk=650MB/s", "--set", "hardware.nic=10Gbit/s"]);
    let diff = place.json(&["diff", "four", "fast"]);
    assert_eq!(diff["against"]["verdict"], "better");
    let says = ["With hardware.disk = 650MB/s", "hardware.nic = 10Gbit/s", "of fast is", "shorter"];
    let answer = diff["answer"].as_str().expect("a sentence");
    assert!(says.iter().all(|part| answer.contains(part)), "{answer}");
    let curves = diff["curves"].as_array().expect("curves");
    let at_risk = curves.iter().find(|curve| curve["key"] == "at_risk").expect("a curve");
    let parts = &at_risk["parts"];
    assert_eq!((&parts["bands"][0], &parts["alike"]), (&0.into(), &0.into()));
    assert!(parts["spans"][0]["from_s"].as_f64().expect("a time") > 0.0);
    assert_eq!(parts["spans"][0]["above"], false);
}

#[test]
fn seeds_make_the_same_band_every_time() {
    let place = two("diff-band");
    let band = |run: &str| fs::read(place.dir.join(run).join("band.json")).expect("a band");
    let first = band("four");
    run(&place, "four", &["--seeds", "4", "--scheduler", "rollback-check"]);
    assert!(first == band("four"), "under both schedulers");
    let text: Value = serde_json::from_slice(&first).expect("JSON");
    assert_eq!(text["seeds"], serde_json::json!([1, 2, 3, 4]));
    assert!(!place.dir.join("one/band.json").exists(), "one seed spans nothing");
    let args = ["compare", "s0.toml", "--seeds", "4", "-o", "compared"];
    place.ok(&[&args[..], &SMALL].concat());
    assert!(first == band("compared"), "a comparison's first row is the same scenario");
    let run = place.json(&[&["run", "s0.toml", "--seeds", "2"][..], &SMALL].concat());
    assert_eq!(run["seeds"], 2);
    assert!(run["over_seeds"]["recovery_s"]["ci95"].as_f64().is_some());
}

#[test]
fn what_is_no_run_is_refused() {
    let place = two("diff-bad");
    fs::create_dir(place.dir.join("empty")).expect("a folder");
    let wrote = "expected a folder that `tenbin run`, `compare` or an import of logs wrote";
    refused(&place, &["diff", "one", "missing"], &["missing: no such folder", wrote]);
    refused(&place, &["diff", "empty", "one"], &["empty: is not a run’s folder", "trace/", wrote]);
    refused(&place, &["diff", "one", "s0.toml"], &["s0.toml: is a file", wrote]);
    refused(&place, &["diff", "one/trace", "four"], &["one/trace: is a run's trace"]);
    refused(&place, &["diff", "one", "./one"], &["one and ./one are the same folder", "two runs"]);
    refused(&place, &["diff", "one"], &["<RUN>"]);
    let lost = "--out four: four is an input and would be deleted";
    refused(&place, &["diff", "one", "four", "-o", "four"], &[lost]);
    refused(
        &place,
        &["diff", "one", "four", "-o", "s0.toml"],
        &["--out s0.toml: a file of this name exists"],
    );
}

fn change(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("a text");
    assert!(text.contains(from), "{from}");
    fs::write(file, text.replacen(from, to, 1)).expect("writable");
}

#[test]
fn what_is_damaged_or_of_another_version_is_refused() {
    let place = two("diff-damaged");
    let diff = ["diff", "one", "four"];
    let band = place.dir.join("four/band.json");
    let whole = fs::read_to_string(&band).expect("a band");
    let again = "a file that `tenbin run --seeds N` wrote with this trace. Run it again";
    change(&band, "\"version\":2", "\"version\":9");
    refused(&place, &diff, &["four/band.json: has version 9, not 2", again]);
    fs::write(&band, &whole[..whole.len() / 2]).expect("writable");
    refused(&place, &diff, &["four/band.json: is incomplete or damaged", again]);
    fs::write(&band, &whole).expect("writable");
    change(&band, "\"trace_hash\":\"", "\"trace_hash\":\"0");
    refused(&place, &diff, &["four/band.json: belongs to another trace"]);
    fs::write(&band, &whole).expect("writable");
    change(&band, "\"seeds\":[1,2,3,4]", "\"seeds\":[1,2,3]");
    refused(&place, &diff, &["four/band.json: has no complete curve"]);
    fs::write(&band, &whole).expect("writable");
    let table = place.dir.join("one/trace/counters.parquet");
    let bytes = fs::read(&table).expect("a table");
    fs::write(&table, &bytes[..bytes.len() / 2]).expect("writable");
    refused(&place, &diff, &["one/trace/counters.parquet", "has changed since it was written"]);
    fs::remove_file(&table).expect("it goes");
    refused(&place, &diff, &["one/trace/counters.parquet", "cannot be read"]);
}

/// No node is declared dead before this run ends.
#[test]
fn a_run_that_does_not_end_has_no_value() {
    let place = two("diff-undeclared");
    run(&place, "short", &["--set", "policy.pacing=hdfs3", "--set", "run.until=60s"]);
    let diff = place.json(&["diff", "one", "short"]);
    assert_eq!((&diff["against"], &diff["runs"][1]["value"]), (&Value::Null, &Value::Null));
    let answer = diff["answer"].as_str().expect("a sentence");
    assert!(answer.ends_with("; short does not end."), "{answer}");
    fs::create_dir(place.dir.join("claims")).expect("a folder");
    place.write("claims/reproduce.json", "{}");
    refused(&place, &["diff", "claims", "claims2"], &["`tenbin reproduce` keeps no trace"]);
}

/// Scenarios made small by the line `# test:` of their files, two values of a key, and whether the
/// objective is larger with the second.
const CHANGED: [(&str, &str, [&str; 2], bool); 5] = [
    ("echo", "server.time", ["0.5ms", "1ms"], false),
    ("mapreduce-lab", "hardware.disk", ["100MB/s", "20MB/s"], true),
    ("ozone-small-files", "hardware.nic", ["1Gbit/s", "100Mbit/s"], false),
    ("ppmds", "network.startup", ["32us", "400us"], false),
    ("xor-write", "network.rate", ["200Mbit/s", "100Mbit/s"], false),
];

#[test]
fn any_system_names_the_setting_and_the_sign() {
    for (name, key, values, more) in CHANGED {
        let place = Place::new(&format!("diff-{name}"));
        let file = root().join("scenarios").join(name).with_extension("toml");
        let text = fs::read_to_string(&file).expect("a scenario");
        let small = text.lines().find_map(|line| line.strip_prefix("# test: ")).unwrap_or("");
        let small: Vec<&str> = small.split(' ').filter(|word| !word.is_empty()).collect();
        for (out, value) in ["one", "other"].into_iter().zip(values) {
            let set = format!("{key}={value}");
            let sets = small.iter().copied().chain([set.as_str()]);
            let sets: Vec<&str> = sets.flat_map(|set| ["--set", set]).collect();
            let file = file.to_string_lossy();
            place.ok(&[&["run", &file, "--seeds", "2", "-o", out][..], &sets].concat());
        }
        let diff = place.json(&["diff", "one", "other", "-o", "apart"]);
        let settings = diff["settings"].as_array().expect("both have a scenario");
        let keys: Vec<&Value> = settings.iter().map(|one| &one["key"]).collect();
        assert!(keys.contains(&&Value::from(key)), "{name}: {keys:?}");
        let answer = diff["answer"].as_str().expect("a sentence");
        assert!(answer.contains(&format!("{key} = {} instead of", values[1])), "{answer}");
        let mean = diff["against"]["mean"].as_f64().expect("both end");
        assert_eq!(mean > 0.0, more, "{name}: {answer}");
        assert_ne!(diff["against"]["verdict"], "no difference", "{name}: {answer}");
        let curves = diff["curves"].as_array().expect("curves");
        assert!(curves.iter().all(|curve| curve["parts"]["bands"][1] == 1), "{name}");
        assert!(!curves.is_empty(), "{name}: how far it is, over time");
        let report = fs::read_to_string(place.dir.join("apart/report.json")).expect("a page");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let first = report["sections"][0]["kind"].as_str();
        assert_eq!(first, Some("curves"), "{name}: the curves stand below the answer");
    }
}

/// Two simulations with one seed are equal until the changed setting has an effect.
#[test]
fn the_first_record_that_differs_is_named() {
    let place = two("diff-record");
    run(&place, "slow", &["--seed", "3", "--set", "hardware.disk=40MB/s"]);
    let diff = place.json(&["diff", "one", "slow"]);
    let records = diff["record"]["records"].as_array().expect("from one seed");
    let starts = [&records[0]["start_s"], &records[1]["start_s"]];
    assert_eq!((starts[0], &records[0]["what"]), (starts[1], &records[1]["what"]), "one copy");
    assert!(records[0]["end_s"].as_f64() < records[1]["end_s"].as_f64());
    assert_eq!(diff["record"]["at_s"], records[0]["end_s"]);
    run(&place, "other", &["--seed", "5"]);
    let other = place.json(&["diff", "one", "other"]);
    assert_eq!(other["record"], Value::Null, "another seed meets another fate");
    let chance = "Same settings: the difference is chance.";
    let answers = [&diff, &other].map(|diff| diff["answer"].as_str().expect("a sentence"));
    assert_eq!(answers.map(|answer| answer.starts_with(chance)), [false, true], "{answers:?}");
}

#[test]
fn runs_of_two_systems_are_refused() {
    let place = two("diff-systems");
    place.ok(&["run", "echo", "-o", "echo"]);
    let says = ["echo made this run, hdfs the other", "expected runs of one system"];
    refused(&place, &["diff", "one", "echo", "-o", "apart"], &says);
}

fn logged(place: &Place, sample: &str) {
    let log = root().join("systems/hdfs/trace/tests/data/hdfs_log").join(sample);
    place.ok(&["import", "hdfs-log", &log.to_string_lossy(), "-o", "logged"]);
}

/// A real loss against its simulation (`systems/hdfs/docs/validation.md`). A hundred seeds give a
/// precise 95 % range.
#[test]
fn a_real_loss_is_simulated() {
    let place = Place::new("diff-logged");
    logged(&place, "default-nn+dn.log.gz");
    place.ok(&["run", "logged/scenario.toml", "--seeds", "100", "-o", "simulated"]);
    let band = fs::read_to_string(place.dir.join("simulated/band.json")).expect("a band");
    let band: Value = serde_json::from_str(&band).expect("JSON");
    let recoveries = &band["metrics"]["recovery_s"].as_array().expect("seeds")[..20];
    let sum: f64 = recoveries.iter().map(|seed| seed.as_f64().expect("a time")).sum();
    assert!((sum / 20.0 / 25.57 - 1.0).abs() < 0.1, "{} s simulated, 25.57 s real", sum / 20.0);
    let diff = place.json(&["diff", "logged", "simulated"]);
    assert_eq!(diff["against"]["verdict"], "no difference");
    let nodes = diff["nodes"].as_array().expect("nodes");
    let of = |end: &str| nodes.iter().filter(|node| node["end"] == end).collect::<Vec<&Value>>();
    let (sent, received) = (of("node"), of("peer"));
    assert_eq!((sent.len(), received.len()), (6, 6), "joined by address");
    let inside = |of: &[&Value]| of.iter().filter(|node| node["inside"] == true).count();
    assert_eq!(inside(&received), 5, "copies received by each live node lie where the seeds do");
    // A node has one storage, as in the log: the NameNode scans a lost node by storage, and the
    // order in a round decides which blocks are skipped.
    assert_eq!(inside(&sent), 5, "copies sent: {sent:#?}");
    let count = |node: &Value, run: usize| node["counts"][run].as_f64().expect("a number");
    let apart = sent.iter().map(|node| (count(node, 0) - count(node, 1)).abs());
    let far = apart.fold(0.0, f64::max);
    assert!(far < 8.0, "{far} copies of 42");
}

/// A program moved the blocks while the NameNode sent none: such a simulation never ends.
#[test]
fn another_policy_parts_from_the_simulation() {
    let place = Place::new("diff-external");
    logged(&place, "external-nn+dn.log.gz");
    place.ok(&["run", "logged/scenario.toml", "--seeds", "3", "-o", "simulated"]);
    let said = place.ok(&["diff", "logged", "simulated"]).out;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let verdict = "logged has a recovery of 5.86 s; simulated does not end.";
    assert!(said.contains(verdict), "{said}");
    assert!(said.contains("logged leaves the band of simulated's 3 seeds at 5."), "{said}");
    assert!(said.contains("and does not return"), "{said}");
}

/// A trace that keeps a sample of its operations counts as many as there were.
#[test]
fn no_more_have_ended_than_there_were() {
    let place = Place::new("diff-sample");
    let file = root().join("scenarios/ppmds.toml").to_string_lossy().into_owned();
    for seed in ["1", "2"] {
        let small = ["--set", "workload.creates_per_client=200", "--seed", seed, "-o", seed];
        place.ok(&[&["run", &file][..], &small].concat());
    }
    let diff = place.json(&["diff", "1", "2"]);
    let ended = &diff["curves"][0];
    assert_eq!(ended["title"], "Creates ended, from a sample");
    for side in ended["sides"].as_array().expect("two") {
        let last = side["median"].as_array().expect("values").last().and_then(Value::as_f64);
        assert!(
            (last.expect("a number") - 17_600.0).abs() < 1e-6,
            "88 clients, 200 each: {last:?}"
        );
    }
    let said = place.ok(&["diff", "1", "2"]).out;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("Both have the same bottlenecks."), "{said}");
    assert!(!said.contains("Bottleneck that changed most"), "{said}");
}

#[test]
fn one_run_beside_seeds_is_called_so() {
    let place = two("diff-certainty");
    let said = place.ok(&["diff", "one", "four"]).out;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = "a model, one run with one seed; run it with --seeds 20, too.";
    assert!(said.contains(words), "{said}");
    assert!(!said.contains("has no seeds"), "{said}");
}
