//! Predictions without each resource or limit, compared with a simulation without it.
#[path = "../../lab/tests/metamorphic/hdfs.rs"]
mod drawn;
use engine::{Draw, Scheduler};
use hdfs_model::hdfs::{Options, load_blocks, simulate};
use hdfs_scenario::{BlockMap, Scenario};
use hdfs_trace::Trace;
use hdfs_without::{RemovedLimit, times_without_each};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Predictions and simulations are compared by their means over these.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=4;

const SITE: &str = "hdfs-site.dfs.namenode";

fn gone(away: RemovedLimit) -> Vec<(String, String)> {
    let fast = "1000000MB/s";
    let site = |key: &str| format!("{SITE}.{key}");
    let set: Vec<(String, &str)> = match away {
        RemovedLimit::Disks => {
            vec![("hardware.disk".into(), fast), ("hardware.disk_seek".into(), "0s")]
        }
        RemovedLimit::Nics => vec![("hardware.nic".into(), fast)],
        RemovedLimit::Uplinks => vec![("hardware.inter_rack".into(), fast)],
        RemovedLimit::MaxStreams => vec![
            (site("replication.max-streams"), "1000000"),
            (site("replication.max-streams-hard-limit"), "1000000"),
        ],
        RemovedLimit::Multiplier => {
            vec![(site("replication.work.multiplier.per.iteration"), "1000000")]
        }
        RemovedLimit::Heartbeat => vec![("hdfs-site.dfs.heartbeat.interval".into(), "10ms")],
        RemovedLimit::Interval => vec![(site("redundancy.interval.seconds"), "10ms")],
        RemovedLimit::Streams => vec![("policy.streams_per_source".into(), "1000")],
    };
    set.into_iter().map(|(key, value)| (key, value.to_string())).collect()
}

/// Simulates a scenario; last: the repair time \[s\].
fn run(text: &str, seed: u64, sets: &[(String, String)]) -> (Scenario, Arc<BlockMap>, Trace, f64) {
    let scenario = Scenario::from_str(text, Path::new("drawn.toml"), sets).expect("drawn well");
    let blocks = load_blocks(&scenario, seed).expect("it can be drawn");
    let options = Options { execution: Scheduler::Sequential.into(), check: false, observer: None };
    let go_on = &mut |_| ControlFlow::Continue(());
    let done = simulate(&scenario, Arc::clone(&blocks), seed, options, go_on).expect("it runs");
    let at = |key: &str| done.trace.about(key).expect("it ends").parse::<f64>().expect("a time");
    let took = at("redundant_s") - at("declared_s");
    (scenario, blocks, done.trace, took)
}

#[derive(Default)]
struct Tally {
    /// Per thing removed: predictions within 5 % of the run, and all.
    by: BTreeMap<RemovedLimit, (u32, u32)>,
    same: u32,
    /// Scenarios without a prediction.
    none: u32,
    worst: (f64, String),
}

impl Tally {
    fn add(&mut self, text: &str) {
        let now: Vec<_> = SEEDS.map(|seed| run(text, seed, &[])).collect();
        let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
        let whole = mean(&now.iter().map(|run| run.3).collect::<Vec<_>>());
        let ends: Vec<_> =
            now.iter().map(|(s, map, trace, _)| times_without_each(s, map, trace)).collect();
        if ends.iter().any(Vec::is_empty) {
            self.none += 1;
            return;
        }
        for (place, (away, _)) in ends[0].iter().enumerate() {
            let foretold = mean(&ends.iter().map(|end| end[place].1).collect::<Vec<_>>());
            let truth: Vec<f64> = SEEDS.map(|seed| run(text, seed, &gone(*away)).3).collect();
            let off = (foretold - mean(&truth)).abs() / whole;
            let (good, all) = self.by.entry(*away).or_default();
            (*good, *all) = (*good + u32::from(off <= 0.05), *all + 1);
            self.same += u32::from((foretold / whole - 1.0).abs() < 1e-9);
            if off > self.worst.0 {
                self.worst = (off, format!("{away:?} of\n{text}"))
            }
        }
    }

    fn of(&self, which: impl Fn(RemovedLimit) -> bool) -> (u32, u32) {
        let rows = self.by.iter().filter(|(away, _)| which(**away)).map(|(_, row)| row);
        rows.fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1))
    }
}

/// Of 24 scenarios from number `first` on every third, or all where MATRIX=whole (`make soak`):
/// predictions within 5 % of the run, and all.
fn held(first: u64) -> (u32, u32) {
    let share = if std::env::var("MATRIX").is_ok_and(|share| share == "whole") { 1 } else { 3 };
    let mut tally = Tally::default();
    for number in (first..first + 24).step_by(share) {
        tally.add(&drawn::plain(&mut Draw::keyed(number, "foretell", 0, 0)))
    }
    let (good, all) = tally.of(|_| true);
    let Tally { by, same, none, worst } = &tally;
    println!(
        "{good} of {all} within 5 %, {same} of them foretold to change nothing; {none} scenarios \
         not foretold; {by:?}; worst by {:.0} %: {}",
        worst.0 * 100.0,
        worst.1
    );
    // Removing these changes no random choice of a source.
    let steady =
        [RemovedLimit::Disks, RemovedLimit::Nics, RemovedLimit::Uplinks, RemovedLimit::Heartbeat];
    let (good_of_steady, steady) = tally.of(|away| steady.contains(&away));
    assert!(good_of_steady * 10 >= steady * 9, "{good_of_steady} of {steady}");
    assert!(good * 100 >= all * 80, "{good} of {all}");
    assert!(*none <= 4, "{none} not foretold");
    (good, all)
}

/// The predictor was tuned on the 24 scenarios from 100 on only.
#[test]
fn nine_of_ten_repairs_without_one_thing_are_foretold() {
    let [(good, all), (more, others)] = std::thread::scope(|scope| {
        [100, 900]
            .map(|first| scope.spawn(move || held(first)))
            .map(|set| set.join().expect("held"))
    });
    let (good, all) = (good + more, all + others);
    println!("{good} of {all}");
    assert!(good * 10 >= all * 9, "{good} of {all}");
}
