//! What figures `/proc` gives, as vectors on which the plug-in for YARN is tested, too; what rules
//! withhold is in `policy/tests/vectors.rs`. `TENBIN_BLESS=1` writes them.
use mapreduce::curves::NodeSample;
use mapreduce::curves::monitor::{Counters, between};
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The committed file equals the generated one.
fn holds(name: &str, lines: &[String]) {
    let (path, text) = (folder().join(name), lines.join("\n") + "\n");
    if std::env::var_os("TENBIN_BLESS").is_some() {
        fs::write(&path, &text).expect("a writable tree")
    }
    let expected = fs::read_to_string(&path).expect("a vector");
    assert!(text == expected, "{name}: TENBIN_BLESS=1 rewrites it: read the difference")
}

fn figures(line: &NodeSample) -> Vec<(String, Option<f64>)> {
    let disks = line.disks.iter().map(|disk| (format!("disk {}", disk.name), disk.busy));
    let nics = line.nics.iter().map(|nic| (format!("nic {}", nic.name), Some(nic.received)));
    disks.chain(nics).chain([("pressure io".to_string(), line.pressure.io)]).collect()
}

#[test]
fn counters_of_the_kernel_give_the_figures_that_the_vectors_say() {
    let mut lines = vec!["# sample\tinterval ms\tfigure\tvalue".to_string()];
    for (sample, interval) in [("many-disks", 3000), ("no-pressure", 1000), ("wrapped", 1000)] {
        let at = |when: &str| {
            Counters::now(&folder().join("proc").join(sample).join(when)).expect("a sample")
        };
        let line = between("n", 0, interval, &at("before"), &at("after"));
        for (figure, value) in figures(&line) {
            let value = value.map_or("-".into(), |value| value.to_string());
            lines.push(format!("{sample}\t{interval}\t{figure}\t{value}"))
        }
    }
    holds("figures.tsv", &lines)
}
