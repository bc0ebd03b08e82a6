//! What rules withhold, as vectors on which the plug-in for YARN is tested, too.
//! `TENBIN_BLESS=1` writes them.
use mapreduce_policy::{Candidate, DiskRateAuto, RULES, Report, Scheduling, Thresholds};
use std::fs;
use std::path::PathBuf;

/// Thresholds of Watanabe 2014 on EC2: bytes/s, bytes, busy fraction.
const LIMITS: (f64, u64, f64) = (37.5e6, 150_000_000, 0.4);

/// Alone, and combined in the order in which the plug-in asks them.
const ASKED: [&str; 7] = [
    "receive-rate",
    "potential-reception",
    "disk-rate",
    "per-disk",
    "receive-rate+disk-rate",
    "receive-rate+potential-reception+disk-rate",
    "receive-rate+potential-reception+per-disk",
];

/// What a heartbeat carries: nothing much, each figure at its threshold and above it, all above,
/// disks that are unevenly busy.
const REPORTS: [(f64, u64, &[f64]); 9] = [
    (0.0, 0, &[0.0]),
    (37.5e6, 150_000_000, &[0.4]),
    (37_500_001.0, 0, &[0.0, 0.0]),
    (0.0, 150_000_001, &[0.1, 0.3]),
    (1.0, 1, &[0.5, 0.3]),
    (1.0, 1, &[0.5, 0.5]),
    (1.0, 1, &[1.0, 1.0, 1.0, 0.1]),
    (1.0, 1, &[0.41, 1.0, 0.7]),
    (1e9, 1_000_000_000, &[1.0, 1.0]),
];

const TASKS: [(&str, bool, bool); 3] =
    [("local-map", true, true), ("remote-map", true, false), ("reduce", false, false)];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors")
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

/// YARN does not know the disk of a map's block.
#[test]
fn rules_withhold_what_the_vectors_say() {
    let (receive_rate, reception, disk_rate) = LIMITS;
    let limits = Thresholds {
        receive_rate,
        reception,
        outstanding: false,
        disk_rate,
        predicted: 0.0,
        locality_wait: 0.0,
        random: 0.0,
    };
    let mut lines = vec![
        format!("# thresholds\t{receive_rate}\t{reception}\t{disk_rate}"),
        "# rules\treceived\tfetching\tdisks\trequest\tlifted\twithheld by".into(),
    ];
    for asked in ASKED {
        let scheduling = Scheduling::named(&format!("fair+{asked}")).expect("rules");
        for (receive_rate, fetching, disks) in REPORTS {
            let disks = disks.to_vec();
            let words: Vec<_> = disks.iter().map(f64::to_string).collect();
            let report = Report { receive_rate, fetching, disks, ..Report::default() };
            for (name, map, local) in TASKS {
                let task = Candidate { map, local, ..Candidate::default() };
                for lifted in [false, true] {
                    let by = scheduling.withheld(&report, &task, &limits, lifted);
                    let by = by.map_or("-", |rule| RULES[rule].name());
                    let words = words.join(" ");
                    lines.push(format!(
                        "{asked}\t{receive_rate}\t{fetching}\t{words}\t{name}\t{lifted}\t{by}"
                    ))
                }
            }
        }
    }
    holds("rules.tsv", &lines)
}

/// Disks of nodes, the first of which asks: equally busy ones, one that is busier, at the floor and
/// at the margin and beyond, one alone, disks that are unevenly busy.
const CLUSTERS: [&[&[f64]]; 9] = [
    &[&[0.9], &[0.9], &[0.9]],
    &[&[0.9], &[0.1], &[0.2]],
    &[&[0.5], &[0.0], &[0.1]],
    &[&[0.5625], &[0.0], &[0.0]],
    &[&[0.75], &[0.5625]],
    &[&[0.8125], &[0.5625], &[0.75], &[0.5]],
    &[&[1.0]],
    &[&[1.0, 0.5], &[0.25, 0.75], &[0.0, 0.0]],
    &[&[1.0, 1.0], &[1.0, 0.5], &[0.75, 1.0], &[1.0, 1.0]],
];

#[test]
fn a_threshold_that_follows_the_mean_is_what_the_vectors_say() {
    let limits = Thresholds {
        receive_rate: f64::MAX,
        reception: u64::MAX,
        outstanding: false,
        disk_rate: 0.0,
        predicted: 0.0,
        locality_wait: 0.0,
        random: 0.0,
    };
    let scheduling = Scheduling::named("fair+disk-rate-auto").expect("a rule");
    let mut lines = vec!["# disks of nodes\trequest\tthreshold\twithheld by".to_string()];
    for nodes in CLUSTERS {
        let of = |disks: &[f64]| Report { disks: disks.to_vec(), ..Report::default() };
        let sum: f64 = nodes.iter().map(|disks| of(disks).disk_rate()).sum();
        let mean_disk_rate = sum / nodes.len() as f64;
        let report = Report { mean_disk_rate, ..of(nodes[0]) };
        let words = |disks: &&[f64]| disks.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let nodes = nodes.iter().map(words).collect::<Vec<_>>().join(", ");
        let threshold = DiskRateAuto::threshold(mean_disk_rate);
        for (name, map, local) in TASKS {
            let task = Candidate { map, local, ..Candidate::default() };
            let by = scheduling.withheld(&report, &task, &limits, false);
            let by = by.map_or("-", |rule| RULES[rule].name());
            lines.push(format!("{nodes}\t{name}\t{threshold}\t{by}"))
        }
    }
    holds("auto.tsv", &lines)
}

/// Disks of a node: idle, at the threshold, several of them, unevenly busy.
const PREDICTED: [&[f64]; 6] =
    [&[0.0], &[0.4], &[0.0, 0.0], &[0.1, 0.3], &[0.15, 0.15, 0.15, 0.15], &[1.0, 0.0, 0.0, 0.0]];

#[test]
fn a_predicted_load_is_what_the_vectors_say() {
    let (disk_rate, predicted) = (LIMITS.2, 0.5);
    let limits = Thresholds {
        receive_rate: f64::MAX,
        reception: u64::MAX,
        outstanding: false,
        disk_rate,
        predicted,
        locality_wait: 0.0,
        random: 0.0,
    };
    let scheduling = Scheduling::named("fair+predicted-load").expect("a rule");
    let mut lines = vec![
        format!("# thresholds\t{disk_rate}\t{predicted}"),
        "# disks\tgiven\trequest\twithheld by".into(),
    ];
    for disks in PREDICTED {
        let words = disks.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        for given in 0..4 {
            let report = Report { disks: disks.to_vec(), given, ..Report::default() };
            for (name, map, local) in TASKS {
                let task = Candidate { map, local, ..Candidate::default() };
                let by = scheduling.withheld(&report, &task, &limits, false);
                let by = by.map_or("-", |rule| RULES[rule].name());
                lines.push(format!("{words}\t{given}\t{name}\t{by}"))
            }
        }
    }
    holds("predicted.tsv", &lines)
}
