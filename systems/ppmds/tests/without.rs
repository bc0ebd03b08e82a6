//! Predictions without the network or the store, against simulations without them.
use engine::{Draw, Scheduler};
use ppmds::PPMDS;
use std::collections::BTreeMap;
use std::path::Path;
use system::RunOptions;
use system::lab::Lab;

const DRAWN: u64 = 40;

type Drawn = Vec<(&'static str, String)>;

fn any<'a>(draw: &mut Draw, values: &[&'a str]) -> &'a str {
    values[usize::try_from(draw.below(values.len() as u64)).expect("few")]
}

fn drawn(number: u64) -> Drawn {
    let draw = &mut Draw::keyed(number, "without", 0, 0);
    let us = |value: &str| format!("{value}us");
    let rate = |value: &str| format!("{value}MB/s");
    let mode = any(draw, &["delay", "delay", "threads"]);
    vec![
        ("cluster.servers", any(draw, &["1", "2", "4", "8"]).into()),
        ("cluster.clients", any(draw, &["8", "40", "160"]).into()),
        ("network.startup", us(any(draw, &["5", "32", "100"]))),
        ("network.client_bandwidth", rate(any(draw, &["25", "125"]))),
        ("network.server_bandwidth", rate(any(draw, &["125", "1250"]))),
        ("network.switch_bandwidth", "1250MB/s".into()),
        ("store.mode", mode.into()),
        ("store.latency", us(any(draw, &["50", "500", "3000"]))),
        ("store.each", "1us".into()),
        ("store.threads", any(draw, &["4", "16"]).into()),
        ("workload.creates_per_client", "300".into()),
    ]
}

fn metrics(scenario: &Drawn, without: &[(&'static str, &str)]) -> BTreeMap<String, f64> {
    let lab = Lab::of(&PPMDS).expect("simulated");
    let sets = scenario.iter().map(|(key, value)| ((*key).to_string(), value.clone()));
    let more = without.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string()));
    let sets: Vec<(String, String)> = sets.chain(more).collect();
    let text = "[model]\nsystem = \"ppmds\"\n[cluster]\nservers = 1\nclients = 1\n";
    let sheet = lab.read_text(text, Path::new("drawn.toml"), &sets);
    let sheet = sheet.unwrap_or_else(|why| panic!("{why:?}\n{sets:?}"));
    let done = lab.run_once(&sheet, 1, RunOptions::by(Scheduler::Sequential));
    done.expect("it runs").expect("not interrupted").reading.metrics
}

#[test]
fn the_prediction_holds_within_five_percent_of_the_whole() {
    let network = [
        ("network.startup", "1ns"),
        ("network.client_bandwidth", "1000000MB/s"),
        ("network.server_bandwidth", "1000000MB/s"),
        ("network.switch_bandwidth", "1000000MB/s"),
    ];
    let store = [("store.latency", "1ns"), ("store.each", "1ns")];
    let (mut held, mut all, mut worst) = (0, 0, (0.0, String::new()));
    for number in 0..DRAWN {
        let scenario = drawn(number);
        let now = metrics(&scenario, &[]);
        let whole = 1.0 / now["operations_per_s"];
        for (metric, keys) in [
            ("at_most_without_network_per_s", &network[..]),
            ("at_most_without_store_per_s", &store),
        ] {
            let truth = metrics(&scenario, keys)["operations_per_s"];
            let off = (1.0 / now[metric] - 1.0 / truth).abs() / whole;
            all += 1;
            held += u32::from(off <= 0.05);
            if off > worst.0 {
                let words =
                    format!("{metric} {:.0}, in truth {truth:.0}: {scenario:?}", now[metric]);
                worst = (off, words)
            }
        }
    }
    let (off, scenario) = worst;
    println!("{held} of {all} within 5 %; worst by {:.1} %: {scenario}", off * 100.0);
    assert!(f64::from(held) >= 0.9 * f64::from(all), "{held} of {all}; {scenario}");
}
