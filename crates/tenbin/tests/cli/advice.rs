//! What is advised, of real scenarios, and what is not.
use crate::tenbin::{Place, root};
use serde_json::Value;

const TIMEOUT: &str = "ozone-site.hdds.ratis.client.request.watch.timeout";

/// A client that waits twice as long for a node that is gone ends more writes a second of others,
/// and an operator would not thank for it: nothing ends for six minutes instead of three.
#[test]
fn no_outage_is_made_longer_for_a_few_writes_more() {
    let place = Place::with_everything("longer-outage");
    let vary = format!("{TIMEOUT}=360s");
    let command = ["compare", "scenarios/ozone-lost-node.toml", "--vary", &vary];
    let rest = ["--set", "workload.objects=4000", "--seeds", "5", "--json", "-o", "out"];
    // The client's timeout decides only if the leader does not answer before.
    let leader = ["--set", "ozone-site.hdds.ratis.raft.server.watch.timeout=10m"];
    let run = place.ok(&[&command[..], &rest, &leader].concat());
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    let row = &answer["rows"][1];
    assert_eq!(
        (&row["name"], &row["against_now"]["verdict"]),
        (&"timeout 360s".into(), &"better".into())
    );
    let set = &answer["advice"]["do"]["set"];
    assert!(set.is_object() && set[TIMEOUT] != "360s", "{set}");
    let report = std::fs::read_to_string(place.dir.join("out/report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let said = report["head"].to_string();
    assert!(said.contains("Price too high: timeout 360s (no write ends for"), "{said}");
    assert_eq!(said.matches("No write ended for").count(), 1, "{said}");
}

/// "limit 4 208" would be read as one number.
#[test]
fn a_row_s_name_is_kept_apart_from_its_value() {
    let place = Place::new("name-apart");
    let file = root().join("scenarios/ppmds.toml");
    let args = ["compare", &file.to_string_lossy(), "--seeds", "2"];
    let small = ["--set", "workload.creates_per_client=20", "--set", "cluster.clients=44"];
    let said = place.ok(&[&args[..], &small].concat()).out;
    let row = said.lines().find(|line| line.starts_with("1 server ")).expect("a row");
    assert!(row.starts_with("1 server  "), "two spaces at least: {row}");
}

/// Settings that were not tried get no verdict.
#[test]
fn a_quick_run_names_what_it_did_not_try() {
    let place = Place::new("quick");
    for leave in [&["--quick"][..], &["--advice", "none"]] {
        let run = [&["run", "mapreduce-lab", "-o", "out"], leave].concat();
        let said = place.ok(&run).out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("Not decided. Not tried, to keep this run short: "), "{said}");
        assert!(said.contains("--vary policy.scheduling="), "{said}");
        let object = place.json(&run);
        assert_eq!(object["advice"]["do"], Value::Null);
        assert!(object["spent"]["run_s"].is_number(), "{}", object["spent"])
    }
}
