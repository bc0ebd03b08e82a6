//! The planned number of servers meets the offered load, and one server fewer does not.
use super::{near, read};
use ppmds::PPMDS;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use system::Failure;
use system::lab::Lab;

static NUMBER: AtomicU32 = AtomicU32::new(0);

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(name)
}

fn asked(
    name: &str,
    more: &[&str],
    read: impl Fn(&Path) -> String,
) -> (Result<(), Failure>, String) {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let place = std::env::temp_dir().join(format!("ppmds-plan-{}-{number}", std::process::id()));
    let action = PPMDS.plans[0];
    let (file, out) = (file(name).display().to_string(), place.display().to_string());
    let line =
        ["metadata", &file, "-o", &out, "--seeds", "2"].into_iter().chain(more.iter().copied());
    let result = action.run(&action.command().get_matches_from(line));
    let text = read(&place);
    if place.exists() {
        std::fs::remove_dir_all(&place).expect("it is ours")
    }
    (result, text)
}

fn plan(name: &str, more: &[&str]) -> (Result<(), Failure>, Value) {
    let json = |place: &Path| std::fs::read_to_string(place.join("plan.json")).expect("written");
    let (result, text) = asked(name, more, json);
    (result, serde_json::from_str(&text).expect("it is JSON"))
}

/// The 99th percentile \[ms\] and the answered share of operations offered at this rate, with a
/// seed that the plan has not used.
fn offered(rate: &str, servers: u64, sets: &[(&str, &str)]) -> (f64, f64) {
    let (servers, lab) = (servers.to_string(), Lab::of(&PPMDS).unwrap());
    let mut all = vec![
        ("cluster.servers", servers.as_str()),
        ("workload.loop", "open"),
        ("workload.start", "warm"),
        ("workload.rate", rate),
        ("workload.duration", "0.6s"),
    ];
    all.extend(sets);
    let metrics = lab.measure(&read(&all).unwrap(), 77).unwrap().metrics;
    let part = metrics["operations_per_s"] / metrics["operations_wanted_per_s"];
    (metrics["latency_ms_p99"], part)
}

#[test]
fn one_server_fewer_misses_the_target_at_that_load() {
    let clients = ("cluster.clients", "2000");
    let (result, plan) =
        plan("ppmds.toml", &["--target", "100k/s", "--clients", "2000", "--p99", "5ms"]);
    result.expect("there is an answer");
    // 30.9 k/s a server: at least 4, busy for 81 % of the time.
    assert_eq!(plan["servers"], 4, "{plan}");
    assert_eq!(plan["limiting"], "server NIC");
    let (p99, part) = offered("100000", 4, &[clients]);
    assert!(p99 <= 5.0 && part > 0.995, "{p99} ms, {part}");
    near(plan["margin"].as_f64().unwrap(), 1.0 - p99 / 5.0, 0.1);
    let (p99, part) = offered("100000", 3, &[clients]);
    assert!(p99 > 5.0 || part < 0.995, "{p99} ms, {part}");
}

#[test]
fn seeds_are_added_until_one_server_fewer_misses_the_target_or_is_enough() {
    let of = |target: &str| {
        let (result, plan) =
            plan("ppmds.toml", &["--target", target, "--p99", "5ms", "--clients", "4096"]);
        result.expect("there is an answer");
        plan
    };
    let rates = ["60k/s", "60.6k/s", "60.8k/s", "61k/s", "61.2k/s", "61.5k/s", "90k/s", "91k/s"];
    for target in rates {
        let plan = of(target);
        let row = |servers: u64| {
            let rows = plan["rows"].as_array().unwrap();
            rows.iter().find(|row| row["servers"] == servers).expect("it was tried").clone()
        };
        let servers = plan["servers"].as_u64().unwrap();
        let (here, fewer) = (row(servers), row(servers - 1));
        assert_eq!(here["meets"], true, "{target}: {plan}");
        assert!(here["seeds"].as_u64() >= Some(4), "more than those that chose it: {plan}");
        let p99 = fewer["latency_ms_p99"].as_f64().unwrap();
        match plan["one_fewer"].as_str().unwrap() {
            "misses" => assert!(p99 > 5.0, "{target}: only by its interval: {plan}"),
            _ => assert!(fewer["seeds"].as_u64() >= Some(16), "{target}: undecided: {plan}"),
        }
    }
}

#[test]
fn what_is_to_be_changed_was_simulated_and_has_its_price() {
    let (result, plan) = plan("ppmds.toml", &["--target", "60k/s", "--p99", "5ms"]);
    result.expect("there is an answer");
    let first = &plan["change_first"];
    assert_eq!((&first["key"], &first["value"]), (&"network.startup".into(), &"16us".into()));
    assert!(!first["price"].as_str().unwrap().is_empty(), "{plan}");
    // Hardware, not a setting: no setting saves a server here.
    assert_eq!(first["hardware"], true, "{plan}");
    let servers = first["servers"].as_u64().unwrap();
    assert!(servers < plan["servers"].as_u64().unwrap(), "{plan}");
    let (p99, part) = offered("60000", servers, &[("network.startup", "16us")]);
    assert!(p99 <= 5.0 && part > 0.995, "{p99} ms, {part}");
    // A store that only delays answers never limits the number of servers.
    let tried = plan["changes_tried"].as_array().unwrap();
    let store = tried.iter().find(|change| change["key"] == "store.latency").expect("tried");
    assert!(store["servers"].is_null(), "{store}");
}

#[test]
fn more_is_wanted_of_more_servers() {
    let servers = |target: &str, p99: &str| {
        let (result, plan) = plan("ppmds.toml", &["--target", target, "--p99", p99]);
        result.expect("there is an answer");
        plan["servers"].as_u64().unwrap()
    };
    let by_target = ["20k/s", "50k/s", "90k/s"].map(|target| servers(target, "5ms"));
    assert!(by_target.is_sorted() && by_target[0] < by_target[2], "{by_target:?}");
    assert!(servers("50k/s", "0.9ms") >= by_target[1]);
}

#[test]
fn what_forbids_a_target_is_named() {
    let single = ["--target", "60k/s", "--set", "network.switch=single"];
    let (result, plan) = plan("ppmds.toml", &single);
    assert_eq!((&plan["meets"], &plan["limiting"]), (&false.into(), &"switch".into()), "{plan}");
    assert!(plan["margin"].as_f64().unwrap() < 0.0, "{plan}");
    let Err(Failure::BadInput(why)) = result else { panic!("an answer: {plan}") };
    assert!(why.contains("switch") && why.contains("--target"), "{why}");
    assert_eq!(plan["change_first"]["key"], "network.switch", "{plan}");
}

#[test]
fn what_has_a_rhythm_of_its_own_is_not_planned_for() {
    for (file, word) in [("ppmds/job.toml", "its own times"), ("ppmds/io500-hard.toml", "mdtest")] {
        let (result, _) = asked(file, &["--target", "10k/s"], |_| String::new());
        let Err(Failure::BadInput(why)) = result else { panic!("{file}: an answer") };
        assert!(why.contains("workload.kind") && why.contains(word), "{file}: {why}")
    }
}

#[test]
fn a_latency_below_the_round_trip_is_refused_with_it() {
    let line = ["--target", "50k/s", "--p99", "0.6ms"];
    let (result, _) = asked("ppmds.toml", &line, |_| String::new());
    let Err(Failure::BadInput(why)) = result else { panic!("an answer") };
    // Six start-ups of 32 us and transmissions, and 0.5 ms in the store.
    for word in ["--p99", "0.701 ms", "0.500 ms in the store", "clients"] {
        assert!(why.contains(word), "{word}: {why}");
    }
}
