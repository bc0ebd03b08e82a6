//! The fewest servers are enough, and one fewer are not.
use crate::{near, read};
use ppmds::PPMDS;
use serde_json::Value;
use std::path::{Path, PathBuf};
use system::Failure;
use system::lab::Lab;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(name)
}

fn plan(name: &str, more: &[&str]) -> (Result<(), Failure>, Value) {
    let place =
        std::env::temp_dir().join(format!("ppmds-plan-{}-{}", std::process::id(), more.len()));
    let action = PPMDS.plans[0];
    let (file, out) = (file(name).display().to_string(), place.display().to_string());
    let line =
        ["metadata", &file, "-o", &out, "--seeds", "2"].into_iter().chain(more.iter().copied());
    let result = action.run(&action.command().get_matches_from(line));
    let text = std::fs::read_to_string(place.join("plan.json")).expect("it was written");
    std::fs::remove_dir_all(&place).expect("it is ours");
    (result, serde_json::from_str(&text).expect("it is JSON"))
}

#[test]
fn one_server_fewer_misses_the_target() {
    let creates = "workload.creates_per_client=150";
    let (result, plan) = plan(
        "ppmds.toml",
        &["--target", "100k/s", "--clients", "352", "--p99", "20ms", "--set", creates],
    );
    result.expect("there is an answer");
    let servers = plan["servers"].as_u64().expect("a number");
    // 30.9 k/s a server: 4 at least.
    assert_eq!(servers, 4, "{plan}");
    assert_eq!(plan["limiting"], "server NIC");
    let rate = |servers: u64| {
        let (servers, lab) = (servers.to_string(), Lab::of(&PPMDS).unwrap());
        let sets = [("cluster.servers", servers.as_str()), ("cluster.clients", "352")];
        lab.measure(&read(&sets).unwrap(), 1).unwrap().value.unwrap()
    };
    assert!(rate(servers) >= 100_000.0 && rate(servers - 1) < 100_000.0);
    near(plan["margin"].as_f64().unwrap(), rate(servers) / 100_000.0 - 1.0, 0.15);
}

#[test]
fn what_forbids_a_target_is_named() {
    let creates = "workload.creates_per_client=100";
    let cases: [(&[&str], &str); 2] = [
        (&["--target", "500k/s", "--set", creates], "clients"),
        (&["--target", "500k/s", "--set", creates, "--set", "network.switch=single"], "switch"),
    ];
    for (arguments, limiting) in cases {
        let (result, plan) = plan("ppmds.toml", arguments);
        assert_eq!(plan["meets"], false);
        assert_eq!(plan["limiting"], limiting, "{plan}");
        let Err(Failure::BadInput(why)) = result else { panic!("an answer: {plan}") };
        assert!(why.contains(limiting) && why.contains("--target"), "{why}");
    }
}
