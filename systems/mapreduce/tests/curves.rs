//! Curves split what counters leave unexplained.
use mapreduce::curves::{Disk, NodeSample, attach};
use mapreduce::import::{import, index};
use mapreduce::why::Explanation;
use std::path::Path;

/// TeraSort, with one host's curves from its submission on.
fn terasort(cpu: f64, disk: f64) -> Explanation {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/terasort");
    let jobs = index::list(&[folder]).unwrap().jobs;
    let mut trace = import(&jobs, &[]).unwrap_or_else(|e| panic!("{e:?}")).trace;
    let line = |second: i64| NodeSample {
        node: "localhost".into(),
        unix_ms: 1_795_197_574_202 + 1000 * (second + 1),
        interval_ms: 1000,
        cpu_busy: Some(cpu),
        disks: vec![Disk { name: "sda".into(), busy: Some(disk), ..Disk::default() }],
        ..NodeSample::default()
    };
    let lines: Vec<NodeSample> = (0..60).map(line).collect();
    assert_eq!(attach(&mut trace, "n.json", &lines).used, 59, "the last begins after the run");
    Explanation::of(&trace)
}

#[test]
fn full_cores_explain_what_counters_do_not() {
    let why = terasort(0.98, 0.05);
    let first = &why.jobs[0].verdicts[0];
    assert_eq!((first.cause.as_str(), first.certainty), ("CPU", "medium"));
    assert_eq!(first.evidence[0].kind, "curve");
    let on_path = (27.684 + 10.911) / 58.099;
    assert!((on_path..on_path + 0.05).contains(&first.share_high), "{first:?}");
    assert!(first.share > 0.3 && first.share < first.share_high, "{first:?}");
    assert!(why.jobs[0].verdicts.iter().all(|v| v.cause != "unexplained"), "nothing is left");
}

#[test]
fn a_full_disk_without_bytes_is_one_clue_only() {
    let why = terasort(0.2, 1.0);
    let first = &why.jobs[0].verdicts[0];
    assert_eq!((first.cause.as_str(), first.certainty), ("disk", "low"));
}

#[test]
fn idle_nodes_leave_it_unexplained() {
    let why = terasort(0.1, 0.1);
    assert_eq!(why.jobs[0].verdicts[0].cause, "unexplained");
    assert!(why.jobs[0].split.seen > 200.0, "{:?}", why.jobs[0].split);
}
