//! Where a plan's search looks, stage by stage.
use crate::plan_goals::{CLIENTS, SMALL, event};
use crate::tenbin::Place;
use hdfs::job;
use hdfs::plan::answer::Answer;
use hdfs::plan::fragment::{self, Site};
use hdfs::plan::goals::Goals;
use hdfs::plan::knob::Knob;
use hdfs::plan::point::Point;
use hdfs::plan::space::{RECOVERY, Settings};
use hdfs::plan::{answer_text, runbook, search};
use system::plan::{Bench, Budget};

/// The answer to a scenario, and all points that were run.
fn planned(
    (name, text): (&str, &str),
    goals: &Goals,
    seeds: &[u64],
    budget: Budget,
) -> (Answer, Vec<Point>) {
    let place = Place::new(name);
    let file = place.dir.join("small.toml");
    std::fs::write(&file, text).expect("a file");
    let read = |sets: &[(String, String)]| job::lab().read(&file, sets);
    let settings = Settings::new(&read).expect("a scenario");
    let mut bench = Bench::new(job::lab(), &settings, &goals.of(RECOVERY), budget);
    let answer = search::search(&mut bench, goals, RECOVERY, seeds, &|_, _| ()).expect("a plan");
    (answer.expect("an answer"), bench.points().cloned().collect())
}

/// A second node falls silent while blocks of the first are copied to it; but in the first of the
/// seeds fast settings are done by then, so that what holds their mean up is nothing there. Its
/// values are tried with those settings, from all seeds.
#[test]
fn what_holds_the_mean_up_is_tried_with_the_other_settings() {
    let two = format!(
        "{SMALL}[hdfs-site]\n\"dfs.namenode.heartbeat.recheck-interval\" = \"20s\"\n{}{}",
        event("node-lost", "dn-r1-01").replace("120s", "0s"),
        event("node-lost", "dn-r2-01").replace("120s", "90s")
    );
    let budget = Budget::of(u64::MAX / 1024);
    let (answer, _) = planned(("stages-mean", &two), &Goals::default(), &[2, 4, 6], budget);
    let now = &answer.now;
    let (holder, _) = now.limiting.as_ref().expect("a holder");
    assert_eq!(Knob::of_holder(holder), Some(Knob::Pending), "{holder}");
    let fast = answer.whole.iter().find(|t| {
        let first = t.runs().next().and_then(|run| run.recovery_s()).expect("it ends");
        first + 200.0 < t.recovery.unwrap().mean
    });
    assert!(fast.is_some(), "not in the first seed");
    let of = |point: &Point, knob| point.get(knob) != now.point.get(knob);
    let both = answer.whole.iter().filter(|t| of(&t.point, Knob::Pending));
    let both: Vec<_> = both.filter(|t| of(&t.point, Knob::MaxStreams)).collect();
    assert!(
        both.len() >= 3,
        "{}",
        answer_text::text(&answer, answer_text::AnswerContext::default())
    );
    assert!(of(&answer.settings.point, Knob::Pending));
    let best = answer.settings.recovery.unwrap();
    assert!(best.ci95 < now.recovery.unwrap().mean - best.mean, "its gain is no chance")
}

/// Fewest copies, rarer rounds, slower copies, and all at once, before anything is made faster.
#[test]
fn for_clients_all_that_is_gentler_is_tried() {
    let text = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    let goal = Goals { slowdown: Some(0.0), ..Goals::default() };
    let (answer, points) =
        planned(("stages-gentle", &text), &goal, &[1, 2, 3], Budget::of(6_000_000));
    let fewest = |p: &&Point| p.get(Knob::Multiplier) == 1 && p.get(Knob::MaxStreams) == 1;
    let rare = |p: &Point| p.get(Knob::Interval) > 3;
    let slow = |p: &Point| p.get(Knob::Bandwidth) > 0;
    let all: Vec<&Point> = points.iter().filter(fewest).collect();
    let says = answer_text::text(&answer, answer_text::AnswerContext::default());
    assert!(all.iter().filter(|p| rare(p) && !slow(p)).count() >= 3, "{says}");
    assert!(all.iter().filter(|p| slow(p) && !rare(p)).count() >= 3, "{says}");
    assert!(all.iter().any(|p| slow(p) && rare(p)), "{says}");
    // None that has all seeds is gentler than what is called the gentlest by more than 10 %.
    let slowdown = |t: &hdfs::plan::answer::PointResult| t.slowdown.map_or(f64::MAX, |s| s.mean);
    let least = answer.whole.iter().map(slowdown).fold(f64::MAX, f64::min);
    let best = answer.recommended();
    assert!(
        best.point == answer.now.point || 1.0 + slowdown(best) <= 1.1 * (1.0 + least),
        "{says}"
    );
    assert!(slowdown(&answer.settings) < 0.5 * slowdown(&answer.now), "{says}");
    assert!(says.contains("busiest disk"), "{says}")
}

/// The limit of the balancer's moves is tried where the balancer runs, and nowhere else.
#[test]
fn the_balancer_is_slowed_down_where_it_runs() {
    let lost = event("node-lost", "dn-r1-01");
    let runs = "[workload.balancer]\nstart = \"800s\"\nnew_nodes_per_rack = 1\n";
    for (balancer, tried) in [("", false), (runs, true)] {
        let text = format!("{SMALL}{balancer}{lost}");
        let budget = Budget::of(u64::MAX / 1024);
        let (answer, points) =
            planned(("stages-balancer", &text), &Goals::default(), &[1, 2], budget);
        let now = answer.now.point.get(Knob::Balance);
        assert_eq!(now > 0, tried);
        let less = points.iter().filter(|p| p.get(Knob::Balance) < now).count();
        assert!(if tried { less >= 2 } else { less == 0 }, "{less} points");
    }
    let now = tenbin_point(&format!("{SMALL}{runs}{lost}"));
    let line =
        &fragment::lines(&now.with(Knob::Balance, 10_000_000), &now, fragment::Place::default())[0];
    assert_eq!(line.key, "dfs.datanode.balance.bandwidthPerSec");
    assert_eq!(line.how, "live: hdfs dfsadmin -setBalancerBandwidth 10000000");
}

fn tenbin_point(text: &str) -> Point {
    let place = Place::new("stages-point");
    let file = place.dir.join("small.toml");
    std::fs::write(&file, text).expect("a file");
    Point::of(&job::read(&file, &[]).expect("a scenario"))
}

/// Even with little time, the best policy has as many seeds as the settings. It is reported as
/// research and is not in the fragment.
#[test]
fn a_policy_without_code_is_research() {
    let text = format!("{SMALL}{}", event("node-lost", "dn-r1-01"));
    let (answer, _) = planned(
        ("stages-plugin", &text),
        &Goals::default(),
        &[1, 2, 3, 4, 5, 6],
        Budget::of(100_000),
    );
    assert!(answer.cut);
    let plugin = answer.plugin.clone().expect("a policy");
    assert_eq!(plugin.seeds(), answer.now.seeds());
    let without = answer.without.clone().expect("its settings");
    assert_eq!(without.point.policy, answer.now.point.policy);
    assert_eq!(without.point.with_policy(&plugin.point.policy), plugin.point);
    let said = answer_text::text(&answer, answer_text::AnswerContext::default());
    let research = format!("HDFS has no code for {}", plugin.point.policy);
    assert!(said.contains(&research), "{said}");
    assert!(!answer.recommended().point.needs_plugin(&answer.now.point));
    let runbook = runbook::runbook(&answer, fragment::Place::default(), &Site::default());
    assert!(!runbook.fragment().contains(&plugin.point.policy))
}
