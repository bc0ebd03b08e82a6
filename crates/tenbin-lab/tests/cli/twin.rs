//! Scenarios on real daemons (`make test-real`), and inputs rejected before a run.
use crate::tenbin::{Place, root};
use std::path::Path;

/// HDFS's twin, with one text replaced.
fn changed(from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(root().join("systems/hdfs/scenarios/twin.toml"));
    let text = text.expect("the scenario");
    assert!(text.contains(from), "{from} is not in twin.toml any more");
    text.replacen(from, to, 1)
}

#[test]
fn what_no_twin_can_do_is_refused() {
    let place = Place::new("twin-refused");
    let cases: [(&str, &str, &[&str]); 6] = [
        ("\"node-lost\"", "\"maintenance\"", &["x.toml: expected one [[event]]", "node-lost"]),
        ("[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget = \"dn-r1-01\"", "", &["x.toml"]),
        ("[workload]", "[policy]\nrereplication = \"ring\"\n[workload]", &["policy.rere", "--jar"]),
        ("[workload]", "[policy]\npacing = \"event-driven\"\n[workload]", &["policy.pacing"]),
        ("[workload]", "[run]\nuntil = \"20s\"\n[workload]", &["run.until", "redundant"]),
        ("[workload]", "[workload.foreground]\nreads = 1.0\n[workload]", &["foreground"]),
    ];
    for (from, to, says) in cases {
        std::fs::write(place.dir.join("x.toml"), changed(from, to)).expect("it is written");
        let done = place.tenbin(&["twin", "hdfs", "x.toml"]);
        assert_eq!(done.code, Some(2), "{to}: {}{}", done.out, done.err);
        for part in says {
            assert!(done.err.contains(part), "{to}: no {part:?} in\n{}", done.err)
        }
    }
    assert_eq!(place.names(), ["x.toml"], "nothing is written");
}

#[test]
fn what_no_twin_of_jobs_can_do_is_refused() {
    let place = Place::new("twin-jobs-refused");
    let file = root().join("systems/mapreduce/scenarios/twin.toml");
    let file = file.to_string_lossy();
    for (set, says) in [
        ("policy.scheduling=fifo;task.slow_start=0.5", "task.slow_start: cannot be run for real"),
        ("cluster.disks=2 1", "expected one number for all nodes"),
        ("workload.kind=grep", "expected sort, terasort or wordcount"),
        ("policy.scheduling=fair+disk-rate", "tenbin-yarn.jar"),
        ("policy.scheduling=fair+random", "of the rules receive-rate"),
        ("policy.reduces_a_heartbeat=1", "policy.reduces_a_heartbeat"),
    ] {
        let sets = set.split(';').flat_map(|set| ["--set", set]);
        let line: Vec<&str> = ["twin", "mapreduce", &file].into_iter().chain(sets).collect();
        let done = place.tenbin(&line);
        assert_eq!(done.code, Some(2), "{set}: {}{}", done.out, done.err);
        assert!(done.err.contains(says), "{set}: no {says:?} in\n{}", done.err)
    }
    assert!(place.names().is_empty(), "nothing is written");
}

/// A job's bytes must match exactly; its time depends on CPUs.
#[test]
#[ignore = "needs root, Maven, Java and a quiet machine: make test-real"]
fn twin_of_jobs_is_as_predicted() {
    let place = Place::new("twin-jobs");
    let file = root().join("systems/mapreduce/scenarios/twin.toml");
    let file = file.to_string_lossy();
    let name = format!("jobs-{}", std::process::id());
    let json = place.json(&["twin", "mapreduce", &file, "--runs", "1", "--name", &name]);
    let error = |metric: &str| json["error"][metric].as_f64().expect("an error");
    assert!(error("read_bytes").abs() < 0.01 && error("written_bytes").abs() < 0.01, "{json:#}");
    assert!(error("job_s_mean").abs() < 0.25, "{json:#}");
    assert!(!Path::new("/run/tenbin").join(&name).exists(), "the testbed is gone");
}

/// One run each: limited by disks, by the NameNode's rounds, a leaving node, and rebuilt groups.
#[test]
#[ignore = "needs root, Maven, Java and a quiet machine: make test-real"]
fn twin_of_hdfs_is_as_predicted() {
    let all = [("twin", 0.25), ("twin-paced", 0.15), ("twin-leaving", 0.25), ("twin-coded", 0.5)];
    for (scenario, within) in all {
        let place = Place::new(scenario);
        let file = root().join(format!("systems/hdfs/scenarios/{scenario}.toml"));
        let file = file.to_string_lossy();
        let name = format!("{scenario}-{}", std::process::id());
        let json = place.json(&["twin", "hdfs", &file, "--runs", "1", "--name", &name]);
        let error = json["error"]["recovery_s"].as_f64().expect("an error");
        assert!(error.abs() < within, "{scenario}: {error}: {json:#}");
        assert!(!Path::new("/run/tenbin").join(&name).exists(), "the testbed is gone");
    }
}

/// The median over all cells depends on CPUs, which nodes and clients share.
#[test]
#[ignore = "needs root and a quiet machine: make test-real"]
fn twin_of_the_service_is_as_predicted() {
    let place = Place::new("twin-service");
    let file = root().join("systems/ppmds/scenarios/twin.toml");
    let json = place.json(&["twin", "ppmds", &file.to_string_lossy(), "--seconds", "1"]);
    let error = json["median_error"].as_f64().expect("an error");
    assert!(error < 0.25, "{json:#}");
    assert!(json["loopback"].is_null(), "{json:#}");
}
