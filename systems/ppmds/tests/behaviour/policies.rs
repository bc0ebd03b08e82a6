//! Each policy has a scenario in which it is the best.
use ppmds::PPMDS;
use std::path::Path;
use system::lab::Lab;

fn rates(file: &str) -> Vec<(String, f64)> {
    let lab = Lab::of(&PPMDS).expect("it is simulated");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(file);
    let rate = |policy: &str| {
        let set = [("policy.metadata".to_string(), policy.to_string())];
        let sheet = lab.read(&path, &set).unwrap_or_else(|e| panic!("{e:?}"));
        let reading = lab.measure(&sheet, 1).unwrap_or_else(|e| panic!("{e:?}"));
        (policy.to_string(), reading.value.expect("a rate"))
    };
    ["hash", "hash-k", "directory", "giga+", "range", "load"].map(rate).to_vec()
}

#[test]
fn each_policy_is_best_in_its_scenario() {
    // Where no directory grows large, giga+ and range never split: one server per directory.
    for (file, best) in [
        ("ppmds/listed.toml", &["hash-k"][..]),
        ("ppmds/homes.toml", &["directory", "giga+", "range", "load"]),
        // Policies that split find the number of servers that hash-k needs as a setting.
        ("ppmds/growing.toml", &["giga+", "range", "hash-k"]),
        ("ppmds/hot.toml", &["load", "hash-k"]),
    ] {
        let rates = rates(file);
        let (good, bad): (Vec<_>, Vec<_>) =
            rates.iter().partition(|(name, _)| best.contains(&name.as_str()));
        let least = good.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
        let most = bad.iter().map(|row| row.1).fold(0.0, f64::max);
        assert!(least > 1.04 * most, "{file}: {rates:?}")
    }
}
