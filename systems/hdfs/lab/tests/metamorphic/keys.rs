//! Every key of a scenario at half and at double: it runs and ends, or fails with a reason.
use super::{drawn, try_run};
use ::hdfs::job;
use hdfs_scenario::keys::{self, Key, KeyDefault, Kind};
use std::path::Path;
use system::Failure;

/// Tables to add to a random text so that more keys have an effect.
const BESIDE: [&str; 3] = [
    "",
    "workload.foreground.reads = \"2\"\nworkload.foreground.writes = \"0.1\"\n\
     workload.foreground.read_bytes = \"1MB\"\nworkload.foreground.write_bytes = \"1MB\"\n\
     workload.foreground.readers = 2\nworkload.foreground.writers = 1\n\
     workload.foreground.think = \"9s\"\n",
    "workload.balancer.start = \"0s\"\nworkload.balancer.new_nodes_per_rack = 1\n",
];

/// Numbers at half and at double, in the table or in the text.
fn both(key: &Key, text: &str) -> Vec<Vec<(String, String)>> {
    let Ok(sheet) = job::lab().read_text(text, Path::new("drawn.toml"), &[]) else { return vec![] };
    let scaled = [(1, 2), (2, 1)].map(|(times, over)| sheet.scaled(key.name, times, over));
    let number = |value: f64| vec![(key.name.to_string(), value.to_string())];
    match (key.kind, key.absent) {
        (Kind::Number | Kind::Share, KeyDefault::Default(value)) => {
            let value: f64 = value.parse().expect("a number");
            vec![number(value / 2.0), number(value * 2.0)]
        }
        _ => scaled.into_iter().flatten().collect(),
    }
}

#[test]
fn half_and_double_of_every_key_run_or_say_why() {
    let texts = drawn();
    let mut ran: Vec<&str> = Vec::new();
    for (number, key) in keys::all().enumerate() {
        let (name, text) = &texts[number % texts.len()];
        for beside in BESIDE {
            let text = format!("run.until = \"1500s\"\n{beside}{text}");
            for sets in both(key, &text) {
                match try_run(&text, &sets, 1) {
                    Ok(done) => {
                        assert!(done.simulated_s <= 1501.0, "{name} {sets:?}");
                        ran.push(key.name)
                    }
                    Err(Failure::BadInput(why)) => {
                        let told = why.contains("expected") && why.len() < 2000;
                        assert!(told, "{name} {sets:?}: {why}")
                    }
                    Err(other) => panic!("{name} {sets:?}: {other:?}\n{text}"),
                }
            }
        }
    }
    ran.dedup();
    assert!(ran.len() > 40, "{} keys ran: {ran:?}", ran.len());
}
