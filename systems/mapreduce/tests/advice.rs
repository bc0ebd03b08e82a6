//! What is advised: of drawn campaigns, and of a small run.
use cluster::keys::Change;
use mapreduce::MAPREDUCE;
use std::collections::BTreeMap;
use std::path::Path;
use system::advice::{Advice, Price, Tries};
use system::lab::{Lab, RowRuns, SeedRun};
use trace::reading::{Objective, Reading};
use trace::{Better, TraceBuilder};
use units::Nanos;

/// Slow-start holds these jobs up: their reduces sit in all slots of all nodes from the first map
/// on.
const SCENARIO: &str = r#"
[model]
system = "mapreduce"
[cluster]
nodes = 4
disks = "4"
[workload]
jobs = 3
input_bytes = "1GB"
maps = 8
reduces = 6
"#;

static PRICES: [Price; 2] =
    [Price::less("makespan_s", "all jobs", "s"), Price::less("jobs_failed", "failed", "").never()];

/// SplitMix64.
struct Dice(u64);

impl Dice {
    /// Mean 0, deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn run(seed: u64, value: f64, makespan: f64, failed: f64) -> SeedRun {
    let mut reading = Reading::of(&TraceBuilder::new().finish(Nanos(1)));
    reading.objective =
        Objective { metric: "job_s_mean".into(), unit: "s".into(), better: Better::Less };
    reading.value = Some(value);
    reading.metrics =
        BTreeMap::from([("makespan_s".to_string(), makespan), ("jobs_failed".to_string(), failed)]);
    SeedRun { seed, reading, own: None }
}

/// Draws results of variants; each seed has random events that all variants share.
struct Drawn {
    dice: Dice,
    fates: Vec<f64>,
}

impl Drawn {
    fn new(seed: u64) -> Drawn {
        let mut dice = Dice(seed);
        let fates = (0..5).map(|_| 20.0 * dice.normal()).collect();
        Drawn { dice, fates }
    }

    fn row(&mut self, set: &[(&str, &str)], (value, makespan, failed): (f64, f64, f64)) -> RowRuns {
        let set: Vec<_> = set.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let name = set.iter().map(|(k, v)| format!("{k} {v}")).collect::<Vec<_>>().join(", ");
        let mut runs = Vec::new();
        for (seed, fate) in (1..).zip(self.fates.clone()) {
            let noise = self.dice.normal();
            runs.push(run(seed, value + fate + noise, makespan + fate + noise, failed))
        }
        RowRuns { name, set, runs }
    }
}

fn advice(now: &RowRuns, asked: &[RowRuns], tried: &[RowRuns]) -> Advice {
    let lab = Lab::of(&MAPREDUCE).expect("it is simulated");
    let sheet = lab.read_text(SCENARIO, Path::new("scenario.toml"), &[]).expect("a scenario");
    Advice::of(&sheet, now, (asked, tried), &PRICES)
}

const SLOW: &str = "task.slow_start";

#[test]
fn of_noise_nothing_is_advised() {
    let mut advised = 0;
    for campaign in 0..200 {
        let mut drawn = Drawn::new(campaign);
        let now = drawn.row(&[], (20.0, 30.0, 0.0));
        let rows: Vec<RowRuns> =
            ["0.5", "0.8", "1"].map(|value| drawn.row(&[(SLOW, value)], (20.0, 30.0, 0.0))).into();
        advised += usize::from(advice(&now, &[], &rows).follow.is_some())
    }
    assert!(advised <= 8, "{advised} of 200: one side of 95 % are 5");
}

/// If some seeds never end, a variant that ends for all seeds is advised.
#[test]
fn a_row_that_ends_is_followed_where_the_present_does_not() {
    let mut drawn = Drawn::new(7);
    let mut now = drawn.row(&[], (200.0, 300.0, 0.0));
    now.runs[2].reading.value = None;
    let mut open = drawn.row(&[(SLOW, "1")], (100.0, 300.0, 0.0));
    open.runs[4].reading.value = None;
    let slower = drawn.row(&[(SLOW, "0.5")], (400.0, 300.0, 0.0));
    let ends = drawn.row(&[(SLOW, "0.8")], (250.0, 300.0, 0.0));
    let breaks = drawn.row(&[(SLOW, "0.9")], (150.0, 300.0, 1.0));
    let advice = advice(&now, &[], &[open, slower, ends, breaks]);
    let one = advice.followed().expect("slow-start 0.8");
    assert_eq!(one.figures.set, [(SLOW.to_string(), "0.8".to_string())]);
    assert_eq!(advice.now.as_ref().expect("it was run").some.len(), 4);
    assert_eq!(one.against(), None, "there is nothing to compare with");
}

#[test]
fn one_effect_is_followed_with_its_price() {
    for campaign in 0..50 {
        let mut drawn = Drawn::new(1_000 + campaign);
        let now = drawn.row(&[], (200.0, 300.0, 0.0));
        let rule = drawn.row(&[("policy.scheduling", "fair+per-disk")], (120.0, 300.0, 0.0));
        let half = drawn.row(&[(SLOW, "0.5")], (200.0, 300.0, 0.0));
        let most = drawn.row(&[(SLOW, "0.8")], (150.0, 390.0, 0.0));
        let breaks = drawn.row(&[(SLOW, "1")], (100.0, 300.0, 1.0));
        let disks = drawn.row(&[("cluster.disks", "8")], (90.0, 300.0, 0.0));
        let advice = advice(&now, &[rule, disks], &[half, most, breaks]);
        let one = advice.followed().expect("slow-start 0.8");
        assert_eq!(one.figures.set, [(SLOW.to_string(), "0.8".to_string())]);
        let price: Vec<&str> = one.harms.iter().map(|harm| harm.price.metric).collect();
        assert_eq!(price, ["makespan_s"], "jobs end sooner, the last of them later");
        let words = one.harms[0].words();
        assert!(words.starts_with("all jobs ") && words.contains(" instead of "), "{words}");
        let rule = &advice.candidates[0];
        assert!(rule.is_research() && !rule.is_possible(), "no code exists for it");
        assert!(!advice.candidates[1].is_possible(), "other disks are a question");
        assert!(
            advice.candidates[4].unacceptable_harm().is_some(),
            "nothing is worth a failed job"
        );
    }
}

/// Also combined with delay scheduling, which Hadoop has; not with rules without code.
#[test]
fn rules_of_the_jar_are_advised_with_its_steps() {
    let mut drawn = Drawn::new(3);
    let now = drawn.row(&[], (200.0, 300.0, 0.0));
    for (rule, step) in [
        ("fair+disk-rate", "TenbinFairScheduler"),
        ("fifo+delay+disk-rate-auto", "TenbinAppPlacementAllocator"),
        ("fifo+receive-rate+potential-reception", "TenbinAppPlacementAllocator"),
        ("fair+disk-rate+per-disk", ""),
    ] {
        let row = drawn.row(&[("policy.scheduling", rule)], (120.0, 300.0, 0.0));
        let advice = advice(&now, &[row], &[]);
        let one = &advice.candidates[0];
        assert_eq!(one.is_research(), step.is_empty(), "{rule}");
        assert_eq!(advice.follow.is_some(), !step.is_empty(), "{rule}");
        if let Change::Setting { when, .. } = one.changes[0].1 {
            assert!(when.contains(step) && when.contains("To undo"), "{when}")
        }
    }
}

#[test]
fn one_seed_advises_nothing() {
    let mut drawn = Drawn::new(7);
    drawn.fates.truncate(1);
    let now = drawn.row(&[], (200.0, 300.0, 0.0));
    let half = drawn.row(&[(SLOW, "0.5")], (100.0, 300.0, 0.0));
    assert_eq!(advice(&now, &[half], &[]).follow, None)
}

#[test]
fn the_first_setting_that_holds_a_run_up_is_among_what_is_tried() {
    let lab = Lab::of(&MAPREDUCE).expect("it is simulated");
    let file = std::env::temp_dir().join(format!("tenbin-advice-{}.toml", std::process::id()));
    std::fs::write(&file, SCENARIO).expect("a file");
    let sheet = lab.read(&file, &[]).expect("a scenario");
    let reading = lab.measure(&sheet, 1).expect("a run");
    let first = reading.held.iter().find_map(|held| held.holder.split_once(" = "));
    assert_eq!(first, Some((SLOW, "0.05")), "{:?}", reading.held);
    let tries = Tries::of(&lab, &sheet, &[SeedRun { seed: 1, reading, own: None }], &[]);
    let names: Vec<&str> =
        tries.own.iter().chain(&tries.listed).map(|row| row.name.as_str()).collect();
    // Others relieve more of the time; it comes before the second value of any.
    assert!(names[..4].contains(&"slow-start 0.5"), "{names:?}");
    for name in ["slow-start 0.8", "slow-start 1", "12 reduces", "fifo"] {
        assert!(names.contains(&name), "{names:?}")
    }
    std::fs::remove_file(&file).expect("it was there")
}
