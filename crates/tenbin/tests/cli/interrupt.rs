//! Ctrl-C: 130, and nothing half-written.
#![cfg(unix)]
use crate::plan_goals::{CLIENTS, SMALL, event};
use crate::tenbin::{Done, Place, done};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::process::Stdio;
use std::time::Duration;

/// Starts, waits, sends the signal.
fn stopped(place: &Place, args: &[&str], after: Duration, signal: Signal) -> Done {
    let mut command = place.command(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(after);
    kill(Pid::from_raw(child.id() as i32), signal).expect("it still runs");
    done(child.wait_with_output().expect("it ends"))
}

/// Starts, waits, sends SIGINT; waits longer until the command leaves `file`.
fn stopped_with(place: &Place, args: &[&str], file: &str) -> Done {
    for doublings in 0..6 {
        let done = stopped(place, args, Duration::from_millis(2500 << doublings), Signal::SIGINT);
        if place.dir.join(file).exists() {
            return done;
        }
    }
    panic!("{args:?}: no {file} after 80 s")
}

/// A run of minutes in a debug build.
const LONG: [&str; 4] =
    ["--set", "cluster.nodes_per_rack=200", "--set", "workload.blocks_on_lost_node=100000"];

#[test]
fn a_stopped_run_leaves_nothing() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let place = Place::with_s0("stop-run");
        let args = [&["run", "s0.toml"][..], &LONG].concat();
        let done = stopped(&place, &args, Duration::from_millis(700), signal);
        assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
        assert!(done.err.contains("interrupted"), "{}", done.err);
        assert_eq!(place.names(), ["s0.toml"]);
    }
}

fn json(place: &Place, file: &str) -> serde_json::Value {
    let text =
        std::fs::read_to_string(place.dir.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_stopped_comparison_keeps_its_runs_beside_an_older_result() {
    let place = Place::with_s0("stop-compare");
    let blocks = "workload.blocks_on_lost_node=20,40";
    place.ok(&["compare", "s0.toml", "--seeds", "1", "--vary", blocks]);
    let older = json(&place, "out/s0/compare.json");
    // The first row takes a moment, the second minutes.
    let vary = "workload.blocks_on_lost_node=560,400000";
    let args = ["compare", "s0.toml", "--seeds", "1", "--vary", vary];
    let done = stopped_with(&place, &args, "out/s0.partial/partial.json");
    assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
    let kept = json(&place, "out/s0.partial/partial.json");
    assert_eq!(kept["interrupted"], true);
    assert_eq!(kept["block_map"], older["block_map"], "as the whole result has it");
    assert!(kept["block_map"].is_string());
    assert_eq!(kept["rows"].as_array().expect("rows").len(), 1);
    let run = &kept["runs"][0];
    assert_eq!((&run["seed"], &run["metrics"]["blocks_copied"]), (&1.into(), &560.0.into()));
    assert!(done.err.contains("1 of 2 runs finished"), "{}", done.err);
    assert!(done.err.contains("out/s0.partial/partial.json"), "{}", done.err);
    assert_eq!(json(&place, "out/s0/compare.json"), older, "the older result stays");
    assert!(place.dir.join("out/s0/report.html").exists());
}

#[test]
fn a_stopped_comparison_of_any_system_keeps_its_runs() {
    let place = Place::with_everything("stop-compare-echo");
    // The first row takes a moment, the second hours.
    let vary = "workload.requests=1000,1000000000";
    let args = ["compare", "scenarios/echo.toml", "--seeds", "2", "--vary", vary];
    let done = stopped_with(&place, &args, "out/echo.partial/partial.json");
    assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
    assert!(done.err.contains("2 of 4 runs finished"), "{}", done.err);
    let kept = json(&place, "out/echo.partial/partial.json");
    assert_eq!(kept["rows"].as_array().expect("rows").len(), 1, "{kept:#}");
    assert_eq!(kept["rows"][0]["seeds"], 2);
    assert!(kept["rows"][0]["value"]["mean"].as_f64() > Some(0.0), "{kept:#}");
    assert_eq!(kept["runs"].as_array().expect("runs").len(), 2);
    assert_eq!(kept["runs"][1]["set"]["workload.requests"], "1000");
    assert!(!place.dir.join("out/echo").exists());
    let small = ["compare", "scenarios/echo.toml", "--seeds", "1", "--vary", "cluster.clients=1,2"];
    place.ok(&small);
    assert!(!place.dir.join("out/echo.partial").exists(), "the whole result is there");
    place.ok(&["run", "scenarios/echo.toml", "-o", "out/echo.partial"]);
    let done = place.tenbin(&small);
    assert_eq!(done.code, Some(2), "a whole result lies where runs would be kept");
    assert!(done.err.contains("out/echo.partial"), "{}", done.err);
    assert!(place.dir.join("out/echo.partial/report.html").exists())
}

#[test]
fn a_stopped_reproduction_keeps_its_runs_beside_an_older_result() {
    for document in ["s0", "s1", "s3", "s4"] {
        let place = Place::new("stop-reproduce");
        std::fs::create_dir_all(place.dir.join("older")).expect("a folder");
        place.write("older/.tenbin-output", "");
        place.write("older/reproduce.json", "{}");
        let args = ["reproduce", document, "--seeds", "1000", "-o", "older"];
        let done = stopped_with(&place, &args, "older.partial/partial.json");
        assert_eq!(done.code, Some(130), "{document}: {}{}", done.out, done.err);
        let kept = json(&place, "older.partial/partial.json");
        assert!(!kept["runs"].as_array().expect("runs").is_empty());
        assert!(done.err.contains("older.partial"), "{document}: {}", done.err);
        assert!(place.dir.join("older/reproduce.json").exists(), "the older result stays");
    }
}

/// Experiments outside the paper run last, when the claims are already decided.
#[test]
fn a_reproduction_that_is_stopped_late_keeps_its_claims() {
    // A claim is decided when its runs are complete, before runs outside the paper.
    for ms in (0..9).map(|doublings| 1500 << doublings) {
        let place = Place::new("stop-late");
        let args = ["reproduce", "s0", "--seeds", "2", "-o", "ours"];
        let done = stopped(&place, &args, Duration::from_millis(ms), Signal::SIGINT);
        assert_eq!(done.code, Some(130), "{ms} ms: {}{}", done.out, done.err);
        if place.names().is_empty() {
            // No run was finished.
            continue;
        }
        let kept = json(&place, "ours.partial/partial.json");
        let claims = kept["claims"].as_array().expect("claims");
        if claims.is_empty() {
            continue;
        }
        let ids: Vec<&str> = claims.iter().filter_map(|claim| claim["id"].as_str()).collect();
        let missing = kept["missing"].as_str().expect("what is missing");
        for id in (1..=9).map(|n| format!("C0.{n}")) {
            assert_ne!(ids.contains(&id.as_str()), missing.contains(&id), "{id}: {kept:#}")
        }
        assert!(claims.iter().all(|claim| claim["verdict"].is_string()), "{claims:#?}");
        assert!(missing.contains("leaves open"), "{kept:#}");
        let decided = format!("decided by then: {}", ids.join(", "));
        assert!(done.err.contains(&decided), "{}", done.err);
        return;
    }
    panic!("six minutes are not enough for the document's own runs")
}

#[test]
fn an_import_that_waits_for_standard_input_ends_at_once() {
    let imports = [
        &["import", "hdfs", "--fsck", "-", "-o", "c.toml"][..],
        &["import", "hdfs-log", "-", "-o", "run"],
        &["import", "mapreduce", "-", "-o", "run"],
        &["import", "ozone", "--pipelines", "-", "-o", "c.toml"],
    ];
    for args in imports {
        let place = Place::new("stop-import");
        let mut command = place.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let open = child.stdin.take();
        std::thread::sleep(Duration::from_millis(500));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it still runs");
        let done = done(child.wait_with_output().expect("it ends"));
        drop(open);
        assert_eq!(done.code, Some(130), "{args:?}: {}{}", done.out, done.err);
        assert!(place.names().is_empty(), "{:?}", place.names());
    }
}

/// A second signal ends a hanging run, here a scenario without an end.
#[test]
fn a_second_signal_ends_it_at_once() {
    let place = Place::new("stop-twice");
    let mut command = place.command(&["run", "/dev/stdin"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let open = child.stdin.take();
    let signal = || {
        std::thread::sleep(Duration::from_millis(700));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it still runs")
    };
    signal();
    signal();
    let done = done(child.wait_with_output().expect("it ends"));
    drop(open);
    assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
    assert!(done.err.contains("interrupted again: stopped at once"), "{}", done.err);
    assert!(place.names().is_empty(), "{:?}", place.names())
}

#[test]
fn a_benchmark_can_be_stopped() {
    let place = Place::new("stop-bench");
    let args = ["bench", "phold", "--events", "1000000000000"];
    let done = stopped(&place, &args, Duration::from_millis(500), Signal::SIGINT);
    assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
}

#[test]
fn a_map_that_is_being_drawn_can_be_stopped() {
    let place = Place::with_s0("stop-draw");
    // Minutes of drawing in a debug build, and nothing else happens before it is done.
    let huge = ["--set", "workload.blocks_on_lost_node=3000000"];
    let args = [&["run", "s0.toml"][..], &huge].concat();
    let done = stopped(&place, &args, Duration::from_millis(700), Signal::SIGINT);
    assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
    assert_eq!(place.names(), ["s0.toml"]);
}

#[test]
fn a_stopped_plan_keeps_the_best_so_far() {
    let place = Place::with_everything("stop-plan");
    // Long enough to be stopped in the middle, on a busy machine after some tries.
    let seeds = ["--seeds", "100", "-o", "planned"];
    let args = [&["plan", "rebuild", "examples/shop/shop.toml", "--lose", "dn-r2-05"][..], &seeds]
        .concat();
    for seconds in [2, 4, 8, 16] {
        let done = stopped(&place, &args, Duration::from_secs(seconds), Signal::SIGINT);
        assert_eq!(done.code, Some(130), "{}{}", done.out, done.err);
        if !place.dir.join("planned").exists() {
            assert!(done.err.contains("nothing was written"), "{}", done.err);
            continue;
        }
        let answer = json(&place, "planned/plan.json");
        assert_eq!(answer["interrupted"], true);
        assert!(answer["recommended"]["recovery_s"].as_f64() > Some(0.0), "{answer:#}");
        assert!(place.dir.join("planned/report.html").exists());
        return;
    }
    panic!("16 s are not enough for the present settings");
}

/// Whenever it is stopped, what it keeps is checked against the goal as a complete answer is.
#[test]
fn a_stopped_plan_obeys_the_wish() {
    let place = Place::new("stop-goal");
    let scenario = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    place.write("small.toml", &scenario);
    // Long enough to be stopped in the middle, on a busy machine after some tries.
    let goal = ["--foreground-slowdown", "30%", "--seeds", "100", "-o", "planned"];
    let args = [&["plan", "rebuild", "small.toml"][..], &goal].concat();
    let mut kept = 0;
    for ms in [700, 1500, 3000, 6000, 12_000, 24_000] {
        let done = stopped(&place, &args, Duration::from_millis(ms), Signal::SIGINT);
        assert_eq!(done.code, Some(130), "{ms} ms: {}{}", done.out, done.err);
        if !place.dir.join("planned").exists() {
            assert!(done.err.contains("nothing was written"), "{}", done.err);
            continue;
        }
        let answer = json(&place, "planned/plan.json");
        assert_eq!(answer["interrupted"], true, "{ms} ms");
        kept += 1;
        let number = |row: &serde_json::Value, key: &str| row[key].as_f64().unwrap_or(0.0);
        let gentle = |row: &serde_json::Value| {
            let slow = number(row, "foreground_slowdown");
            row["seeds"].as_u64() > Some(1) && slow + number(row, "foreground_slowdown_ci95") <= 0.3
        };
        if answer["meets"].is_null() {
            // Of one seed nothing is known: what is recommended is at least no slower.
            assert_eq!(answer["current"]["seeds"], 1, "{answer:#}");
            let time = |row: &str| number(&answer[row], "recovery_s");
            assert!(time("recommended") <= time("current"), "{answer:#}");
            assert!(done.err.contains("unknown so far"), "{}", done.err)
        } else if answer["meets"] == false {
            assert!(!answer["pareto"].as_array().unwrap().iter().any(gentle), "{answer:#}");
            let said = "does not meet the goals";
            assert!(done.err.contains(said), "{}", done.err);
        } else {
            assert!(number(&answer["recommended"], "foreground_slowdown") <= 0.3, "{answer:#}");
        }
        std::fs::remove_dir_all(place.dir.join("planned")).expect("it is there");
        if kept == 3 {
            return;
        }
    }
    assert!(kept > 0, "24 s are not enough for the present settings")
}
