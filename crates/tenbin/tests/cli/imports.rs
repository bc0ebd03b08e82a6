//! A cluster that was only counted, and a loss that really happened: both open as any run does.
use crate::tenbin::{Place, root};
use serde_json::Value;

const SCENARIO: &str = r#"
[cluster]
import = "prod.toml"

[[event]]
at = "0s"
kind = "node-lost"
target = "dn-r2-05"
"#;

fn example(name: &str) -> String {
    root().join("examples/shop").join(name).to_string_lossy().into_owned()
}

fn report(place: &Place, folder: &str) -> Value {
    let text = std::fs::read(place.dir.join(folder).join("report.json")).expect("a report");
    serde_json::from_slice(&text).expect("JSON")
}

#[test]
fn jmx_has_the_keys_of_other_imports_and_its_pages_say_what_is_synthesised() {
    let place = Place::new("jmx");
    let (jmx, conf) = (example("nn-jmx.json.gz"), example("hdfs-site.xml"));
    let counted =
        place.json(&["import", "hdfs", "--jmx", &jmx, "--conf", &conf, "-o", "prod.toml"]);
    let (fsck, report_txt) =
        (example("fsck-files-blocks-replicaDetails.txt.gz"), example("dfsadmin-report.txt"));
    let listed =
        place.json(&["import", "hdfs", "--fsck", &fsck, "--report", &report_txt, "-o", "l.toml"]);
    let keys = |of: &Value| -> Vec<String> {
        of.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(keys(&counted), keys(&listed));
    assert_eq!(
        (&counted["blocks"], &counted["replicas"]),
        (&listed["blocks"], &listed["replicas"])
    );
    assert_eq!(counted["files"], Value::Null, "what JMX does not tell is not 0");
    place.write("s.toml", SCENARIO);
    let done = place.ok(&["run", "s.toml", "-o", "result"]);
    assert!(done.out.contains("block map synthesised"), "{}", done.out);
    let report = report(&place, "result");
    assert_eq!(report["head"]["tags"][0], "block map synthesised");
    let run = std::fs::read_to_string(place.dir.join("result/run.json")).expect("figures");
    assert!(run.contains("\"block_map\":\"synthesised\""), "{run}");
    let compared = place.json(&["compare", "s.toml", "--seeds", "2", "-o", "two"]);
    assert_eq!(compared["block_map"], "synthesised");
    let parted = place.ok(&["diff", "result", "two", "-o", "parted"]);
    assert!(parted.out.contains("block map synthesised"), "{}", parted.out);
    let rows = report["foot"]["provenance"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["name"] == "Block map");
    assert!(row.is_some_and(|row| row["value"].as_str().expect("a text").contains("synthesised")));
}

/// A plan states what was removed, and how to handle an existing property.
#[test]
fn a_plan_of_a_counted_cluster_says_so_and_replaces_properties() {
    let place = Place::new("jmx-plan");
    let (jmx, conf) = (example("nn-jmx.json.gz"), example("hdfs-site.xml"));
    let args = ["import", "hdfs", "--jmx", &jmx, "--conf", &conf, "-o", "prod.toml"];
    place.ok(&args);
    let cluster = std::fs::read_to_string(place.dir.join("prod.toml")).expect("a cluster");
    assert!(cluster.contains("\nfinal = [\"dfs.namenode.replication.max-streams-hard-limit\"]\n"));
    let lose = ["plan", "rebuild", "prod.toml", "--lose", "dn-r2-05", "--seeds", "2", "-o", "p"];
    let said = place.ok(&lose);
    assert!(said.out.contains("Note: block map synthesised."), "{}", said.out);
    let plan = std::fs::read_to_string(place.dir.join("p/plan.json")).expect("figures");
    assert!(plan.contains("\"block_map\":\"synthesised\""), "{plan}");
    let fragment = std::fs::read_to_string(place.dir.join("p/hdfs-site.fragment.xml"));
    let fragment = fragment.expect("a fragment");
    assert!(fragment.contains("<!-- block map synthesised"), "{fragment}");
    let of = |key: &str| {
        let (before, after) = fragment.split_once(&format!("<name>{key}</name>")).expect(key);
        let comment = before.rsplit("<!--").next().unwrap_or("").to_string();
        (comment, after.split("</property>").next().unwrap_or("").to_string())
    };
    let (said, property) = of("dfs.namenode.replication.max-streams-hard-limit");
    assert!(said.contains("replace the existing property: it is final"), "{said}");
    assert!(property.contains("<final>true</final>"), "{property}");
    let (said, property) = of("dfs.namenode.replication.max-streams");
    assert!(said.contains("replace the existing property, do not add a second one"), "{said}");
    assert!(!property.contains("final"), "{property}");
    let (said, _) = of("dfs.namenode.replication.work.multiplier.per.iteration");
    assert!(said.contains("not in the imported site file: add the property"), "{said}");
}

/// A log that is cut proves nothing of what came after it.
#[test]
fn a_log_that_ends_in_mid_repair_says_so() {
    let place = Place::new("cut-log");
    let log = root().join("systems/hdfs/trace/tests/data/hdfs_log/default-nn+dn.log.gz");
    let mut whole = String::new();
    let packed = std::fs::File::open(log).expect("the sample");
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(packed), &mut whole)
        .expect("text");
    let lines: Vec<&str> = whole.lines().collect();
    let declared = lines.iter().position(|line| line.contains("removeDeadDatanode")).expect("it");
    place.write("cut.log", lines[..(declared + lines.len()) / 2].join("\n"));
    let done = place.ok(&["import", "hdfs-log", "cut.log", "-o", "run"]);
    assert!(done.out.contains("blocks are not safe again when the log ends."), "{}", done.out);
    assert!(done.out.contains("The log ends there."));
    assert!(!done.out.contains("never"), "{}", done.out);
    assert!(done.out.contains("note: the logs end at 20"), "{}", done.out);
    let page = report(&place, "run");
    assert_eq!(page["head"]["certainty"]["level"], "low");
    // Settings missing in the log are marked as assumed on the page and in the scenario.
    let key = "dfs.namenode.replication.work.multiplier.per.iteration";
    assert!(
        page["head"]["assumed"]["note"].to_string().contains(key),
        "{}",
        page["head"]["assumed"]
    );
    let scenario = std::fs::read_to_string(place.dir.join("run/scenario.toml")).expect("it");
    let line = scenario.lines().find(|line| line.contains(key)).expect("a line");
    assert!(line.contains("= \"2\"") && line.ends_with("# ASSUMED"), "{line}");
    let told = place.ok(&["check", "run/scenario.toml"]).out;
    let told = told.lines().find(|line| line.contains(key)).expect("a setting").to_string();
    assert!(told.contains("ASSUMED"), "{told}");
}

/// Rotated logs begin at any time: only what they prove is reported.
#[test]
fn a_log_that_begins_at_the_loss() {
    let place = Place::new("rolled-log");
    let log = root().join("systems/hdfs/trace/tests/data/hdfs_log/default-nn+dn.log.gz");
    let mut whole = String::new();
    let packed = std::fs::File::open(log).expect("the sample");
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(packed), &mut whole)
        .expect("text");
    let after = || whole.lines().skip(10_639).map(|line| format!("{line}\n"));
    place.write("after.log", after().collect::<String>());
    let logged = place.json(&["import", "hdfs-log", "after.log", "-o", "run"]);
    let recovery = logged["metrics"]["recovery_s"].as_f64().expect("a number");
    assert!((recovery - 25.57).abs() < 0.3, "{recovery}");
    assert_eq!(logged["certainty"], "medium");
    let verdict = report(&place, "run")["head"]["verdict"].to_string();
    assert!(verdict.contains("All 208\u{a0}blocks are safe again"), "{verdict}");
    place.write("info.log", after().filter(|line| !line.contains(" DEBUG ")).collect::<String>());
    let logged = place.json(&["import", "hdfs-log", "info.log", "-o", "info"]);
    assert_eq!((&logged["certainty"], logged["metrics"].get("recovery_s")), (&"low".into(), None));
    let verdict = report(&place, "info")["head"]["verdict"].to_string();
    assert!(verdict.contains("The logs do not have the loss"), "{verdict}");
}

#[test]
fn a_logged_loss_is_a_run_and_its_scenario_runs() {
    let place = Place::new("hdfs-log");
    let log = root().join("systems/hdfs/trace/tests/data/hdfs_log/default-nn+dn.log.gz");
    let log = log.to_string_lossy().into_owned();
    let logged = place.json(&["import", "hdfs-log", &log, "-o", "run"]);
    assert_eq!(logged["origin"], "logged");
    assert_eq!(logged["metrics"]["blocks_copied"], 208.0);
    let recovery = logged["metrics"]["recovery_s"].as_f64().expect("a number");
    assert!((recovery - 25.57).abs() < 0.3, "{recovery}");
    for file in ["report.html", "run.json", "trace", "trace.perfetto.json.gz", "cluster.toml"] {
        assert!(place.dir.join("run").join(file).exists(), "{file}");
    }
    let page = report(&place, "run");
    assert_eq!(
        (&page["head"]["tags"][0], &page["head"]["certainty"]["level"]),
        (&"from logs".into(), &"high".into())
    );
    let simulated = place.json(&["run", "run/scenario.toml", "-o", "simulated"]);
    assert_eq!(simulated["metrics"]["blocks_copied"], 208.0);
    let simulated = simulated["metrics"]["recovery_s"].as_f64().expect("a number");
    assert!(
        (simulated / recovery - 1.0).abs() < 0.25,
        "{simulated} s simulated, {recovery} s real"
    );
}

#[test]
fn what_is_no_log_leaves_nothing() {
    let place = Place::new("no-log");
    place.write("prose.txt", "Once upon a time\n");
    let done = place.tenbin(&["import", "hdfs-log", "prose.txt", "-o", "run"]);
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("prose.txt: no line with a time"), "{}", done.err);
    assert_eq!(place.names(), ["prose.txt"]);
}

/// Logs of entire clusters are too large for this repository. `TENBIN_HDFS_LOGS` is a folder of
/// `NAME.log.gz`, each with one loss, and `NAME.seconds`: the time from declared to safe, measured
/// independently.
#[test]
fn logs_at_hand_tell_what_was_measured() {
    let Some(folder) = std::env::var_os("TENBIN_HDFS_LOGS") else {
        eprintln!("skipped: TENBIN_HDFS_LOGS names no folder of NAME.log.gz and NAME.seconds");
        return;
    };
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("it").path());
    let logs: Vec<_> = files.filter(|file| file.to_string_lossy().ends_with(".log.gz")).collect();
    assert!(!logs.is_empty(), "no NAME.log.gz");
    for log in logs {
        let place = Place::new("hdfs-logs");
        let log = log.to_string_lossy().into_owned();
        let logged = place.json(&["import", "hdfs-log", &log, "-o", "run"]);
        let recovery = logged["metrics"]["recovery_s"].as_f64().expect("a number");
        let measured = std::fs::read_to_string(log.replace(".log.gz", ".seconds"));
        let measured: f64 = measured.expect("NAME.seconds").trim().parse().expect("seconds");
        assert!((recovery - measured).abs() < 0.3, "{log}: {recovery} s, measured {measured} s");
        assert_eq!(report(&place, "run")["head"]["certainty"]["level"], "high", "{log}");
        place.ok(&["run", "run/scenario.toml", "--seeds", "2", "-o", "simulated"]);
        place.ok(&["diff", "run", "simulated", "-o", "parted"]);
    }
}
