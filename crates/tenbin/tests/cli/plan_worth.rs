//! What a plan recommends is worth it: it meets the goal, and each of its changes gains something.
use crate::plan_goals::{CLIENTS, SMALL, event};
use crate::tenbin::{Place, root};
use hdfs::job;
use hdfs::plan::answer::{Answer, PointResult};
use hdfs::plan::goals::Goals;
use hdfs::plan::knob::Knob;
use hdfs::plan::point::Point;
use hdfs::plan::space::{LAST_COPY, RECOVERY, RepairBench, SLOWDOWN, Settings};
use hdfs::plan::{answer_text, fragment, grid, search};
use std::sync::atomic::{AtomicU32, Ordering};
use system::plan::{self, Bench, Budget, Judge, SearchResult, Space};

const SEEDS: [u64; 6] = [1, 2, 3, 4, 5, 6];

/// Does something with a bench for that scenario, of which nothing is cut.
fn with_bench<T>(text: &str, act: impl FnOnce(&mut RepairBench<'_, '_>) -> T) -> T {
    let whole = Budget::of(u64::MAX / 1024);
    with_objective(text, (RECOVERY, None, whole), act)
}

fn with_objective<T>(
    text: &str,
    (objective, hadoop, budget): (&str, Option<&str>, Budget),
    act: impl FnOnce(&mut RepairBench<'_, '_>) -> T,
) -> T {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let place = Place::new(&format!("plan-worth-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    let file = place.dir.join("small.toml");
    std::fs::write(&file, text).expect("a file");
    let read = |sets: &[(String, String)]| job::lab().read(&file, sets);
    let mut settings = Settings::new(&read).expect("a scenario");
    settings.hadoop = hadoop.map(str::to_string);
    let goals = Goals::default().of(objective);
    act(&mut Bench::new(job::lab(), &settings, &goals, budget))
}

fn answer(bench: &mut RepairBench<'_, '_>, goals: &Goals) -> Answer {
    answer_to(bench, goals, RECOVERY)
}

fn answer_to(bench: &mut RepairBench<'_, '_>, goals: &Goals, objective: &str) -> Answer {
    let found = search::search(bench, goals, objective, &SEEDS, &|_, _| ()).expect("a plan");
    found.expect("an answer")
}

/// Judges what was run by goals.
fn judged<T>(
    bench: &RepairBench<'_, '_>,
    goals: &Goals,
    act: impl FnOnce(Judge<'_, '_, Settings<'_>>) -> T,
) -> T {
    act(Judge::new(bench, &goals.of(RECOVERY)))
}

fn so_far(bench: &RepairBench<'_, '_>, goals: &Goals) -> Point {
    judged(bench, goals, |judge| judge.so_far())
}

fn is_worth(bench: &RepairBench<'_, '_>, point: &Point, than: &Point) -> bool {
    judged(bench, &Goals::default(), |judge| judge.is_worth(point, than))
}

/// The answer if these points are what a search has found.
fn found_answer(bench: &RepairBench<'_, '_>, goals: &Goals, best: Point) -> Answer {
    let (asked, fastest) = (goals.of(RECOVERY), best.clone());
    let judge = Judge::new(bench, &asked);
    let plugin = judge.choose(SEEDS.len(), false);
    let told = plugin.needs_plugin(bench.now()) && judge.helps(&plugin);
    let research = told.then_some(plugin);
    let found = SearchResult { answer: best, fastest, half: None, research, seeds: SEEDS.len() };
    Answer::new(judge, goals, &found)
}

fn text(answer: &Answer) -> String {
    answer_text::text(
        answer,
        answer_text::AnswerContext {
            event: "a node is lost",
            ..answer_text::AnswerContext::default()
        },
    )
}

fn slowed_by(part: f64) -> Goals {
    Goals { slowdown: Some(part), ..Goals::default() }
}

/// As after Ctrl-C: one seed of what is fast, all of what is gentle.
#[test]
fn the_best_so_far_is_held_against_the_wishes() {
    let scenario = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    with_bench(&scenario, |bench| {
        let now = bench.now().clone();
        let fast = now.with(Knob::Multiplier, 32).with(Knob::MaxStreams, 32);
        let gentle = now.with(Knob::Multiplier, 1).with(Knob::MaxStreams, 1);
        let mut run =
            |point: &Point, seeds| bench.run(std::slice::from_ref(point), seeds).expect("runs");
        run(&now, &SEEDS[..1]);
        run(&fast, &SEEDS[..1]);
        assert_eq!(so_far(bench, &Goals::default()), fast);
        let mut run =
            |point: &Point, seeds| bench.run(std::slice::from_ref(point), seeds).expect("runs");
        run(&now, &SEEDS);
        run(&gentle, &SEEDS);
        let slow = bench.metric(&gentle, SLOWDOWN).expect("clients");
        let between = (slow.mean + slow.ci95 + bench.metric(&now, SLOWDOWN).unwrap().mean) / 2.0;
        assert_eq!(so_far(bench, &slowed_by(between)), gentle, "{slow:?}");
        // Nothing meets it: the gentlest.
        assert_eq!(so_far(bench, &slowed_by(0.0)), gentle);
        let recovery = bench.value(&now).expect("it ends");
        let met = Goals { within: Some(2.0 * recovery.mean), ..Goals::default() };
        assert_eq!(so_far(bench, &met), now, "the present settings meet it");
    })
}

/// As after Ctrl-C: settings that help clients but lose blocks that the present ones save are not
/// an answer.
#[test]
fn the_best_so_far_loses_no_more_blocks() {
    // By then the present settings have repaired the first loss.
    let more: String =
        ["dn-r2-01", "dn-r2-02"].map(|n| event("node-lost", n).replace("120s", "1150s")).concat();
    let scenario = format!("{SMALL}{CLIENTS}{}{more}", event("node-lost", "dn-r1-01"));
    with_bench(&scenario, |bench| {
        let now = bench.now().clone();
        let slow = now.with(Knob::Multiplier, 1).with(Knob::MaxStreams, 1).with(Knob::Interval, 60);
        bench.run(&[now.clone(), slow.clone()], &SEEDS[..3]).expect("runs");
        let lost = |point: &Point| bench.metric(point, "blocks_lost").map_or(0.0, |s| s.mean);
        assert!(lost(&slow) > lost(&now), "{} and {}", lost(&slow), lost(&now));
        let upper = bench.metric(&slow, SLOWDOWN).map(|s| s.mean + s.ci95).expect("clients");
        for goals in [Goals::default(), slowed_by(upper.max(0.0) + 0.01)] {
            assert_eq!(so_far(bench, &goals), now);
        }
    })
}

/// As after Ctrl-C before the present settings have a second seed: the error is unknown, so no goal
/// is known to be met, and slower settings are not an answer.
#[test]
fn of_one_seed_no_wish_is_known_to_be_met() {
    let scenario = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    with_bench(&scenario, |bench| {
        let now = bench.now().clone();
        let fast = now.with(Knob::Multiplier, 32).with(Knob::MaxStreams, 32);
        let gentle = now.with(Knob::Multiplier, 1).with(Knob::MaxStreams, 1);
        bench.run(&[now.clone(), fast.clone(), gentle.clone()], &SEEDS[..1]).expect("runs");
        let slow = |bench: &RepairBench<'_, '_>, p: &Point| {
            bench.metric(p, SLOWDOWN).expect("clients").mean
        };
        let spared = slowed_by(slow(bench, &gentle) + 0.01);
        assert!(slow(bench, &gentle) < slow(bench, &now) && slow(bench, &now) < slow(bench, &fast));
        let within = |s: f64| Goals { within: Some(s), ..Goals::default() };
        let of = |bench: &RepairBench<'_, '_>, goals: &Goals| {
            found_answer(bench, goals, so_far(bench, goals))
        };
        // Faster, but harder on clients, or slower: neither is better on the face of it.
        for (goals, best) in [(spared, &now), (within(1e4), &fast), (within(1.0), &fast)] {
            let answer = of(bench, &goals);
            assert_eq!(&answer.settings.point, best, "{goals:?}");
            assert!(
                !judged(bench, &goals, |judge| judge.meets(&gentle))
                    && !answer.met_now
                    && answer.open
            );
            assert_eq!(answer.json()["meets"], serde_json::Value::Null);
            let said = text(&answer);
            assert!(said.contains("does not show whether") && !said.contains("at most:"), "{said}");
        }
        bench.run(&[now.clone(), gentle.clone()], &SEEDS).expect("runs");
        for (goals, meets) in [(slowed_by(1e3), true), (within(1.0), false)] {
            let answer = of(bench, &goals);
            assert_eq!((answer.open, &answer.json()["meets"]), (false, &meets.into()));
        }
    })
}

/// A plug-in slower than the present settings is reported only if it meets the goal for clients.
#[test]
fn a_slower_plug_in_is_none_to_tell_of() {
    let scenario = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    with_bench(&scenario, |bench| {
        let now = bench.now().clone();
        let slow = now.with(Knob::Multiplier, 1).with(Knob::MaxStreams, 1);
        let plugin = slow.with_policy("ring-priority");
        bench.run(&[now.clone(), plugin.clone()], &SEEDS).expect("runs");
        let mean = |p: &Point| bench.value(p).expect("it ends").mean;
        assert!(mean(&plugin) > mean(&now));
        let upper =
            |p: &Point| bench.metric(p, SLOWDOWN).map(|s| s.mean + s.ci95).expect("clients");
        assert!(upper(&plugin) < upper(&now), "else another goal");
        let between = slowed_by(f64::midpoint(upper(&plugin), upper(&now)));
        for (goals, told) in [(Goals::default(), false), (slowed_by(1e3), false), (between, true)] {
            let answer = found_answer(bench, &goals, now.clone());
            assert_eq!(answer.plugin.is_some(), told, "{}", text(&answer));
            assert_eq!(answer.recommended().point, now, "{}", text(&answer));
        }
    })
}

/// The knee: the nearest settings that gain 80 % of what the fastest gain; and the ladder goes from
/// the present settings to the fastest, each step faster and further away.
#[test]
fn the_knee_is_recommended_and_every_step_has_its_price() {
    with_bench(&format!("{SMALL}{}", event("node-lost", "dn-r1-01")), |bench| {
        let answer = answer(bench, &Goals::default());
        let mean = |tried: &PointResult| tried.recovery.expect("it ends").mean;
        let steps = answer.ladder();
        assert!(steps.len() > 2, "else another scenario: {}", text(&answer));
        assert!(steps.windows(2).all(|two| mean(two[1]) < mean(two[0])), "{}", text(&answer));
        let far = |tried: &PointResult| tried.point.distance(&answer.now.point);
        assert!(steps.windows(2).all(|two| far(two[1]) > far(two[0])), "{}", text(&answer));
        let best = answer.faster.as_ref().unwrap_or(&answer.settings);
        let gain = |tried: &PointResult| mean(&answer.now) - mean(tried);
        assert!(gain(&answer.settings) >= 0.75 * gain(best), "{}", text(&answer));
        let fastest = Goals { fastest: true, ..Goals::default() };
        let chosen = judged(bench, &fastest, |judge| judge.choose(SEEDS.len(), true));
        assert!(chosen.distance(bench.now()) >= answer.settings.point.distance(bench.now()));
    })
}

/// With two nodes lost and the goal of no block at one replica, the answer is at most as slow in
/// that as the answer without a goal.
#[test]
fn the_last_copy_can_be_what_is_asked_for() {
    let two = event("node-lost", "dn-r1-01") + &event("node-lost", "dn-r2-01");
    let last = |objective: &'static str| {
        let asked = (objective, None, Budget::of(u64::MAX / 1024));
        with_objective(&format!("{SMALL}{two}"), asked, |bench| {
            let fastest = Goals { fastest: true, ..Goals::default() };
            let answer = answer_to(bench, &fastest, objective);
            let of = |tried: &PointResult| tried.last_copy.expect("it ends").mean;
            assert!(of(&answer.settings) <= of(&answer.now) * 1.05 || objective == RECOVERY);
            of(&answer.settings)
        })
    };
    let (asked, not) = (last(LAST_COPY), last(RECOVERY));
    assert!(asked <= 1.05 * not, "{asked} s, asked for the repair {not} s")
}

/// Where no goal can be met, of what is as gentle as the gentlest the fastest wins.
#[test]
fn of_what_is_as_gentle_the_fastest_wins() {
    let scenario = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    with_bench(&scenario, |bench| {
        let now = bench.now().clone();
        let fewest = now.with(Knob::Multiplier, 1).with(Knob::MaxStreams, 1);
        let rarer = |s: u64| fewest.with(Knob::Interval, s);
        let points: Vec<Point> = [3, 6, 9, 15, 30, 60].map(rarer).to_vec();
        bench.run(&points, &SEEDS).expect("runs");
        bench.run(std::slice::from_ref(&now), &SEEDS).expect("runs");
        let none = slowed_by(-0.5);
        let chosen = judged(bench, &none, |judge| judge.choose(SEEDS.len(), true));
        let slow = |p: &&Point| bench.metric(p, SLOWDOWN).expect("clients").mean;
        let least = points.iter().min_by(|a, b| slow(a).total_cmp(&slow(b))).expect("some");
        let mean = |p: &Point| bench.value(p).expect("it ends").mean;
        assert!(mean(&chosen) < 0.9 * mean(least), "{} {}", mean(&chosen), mean(least));
        let goals = none.of(RECOVERY);
        let (judge, guard) = (Judge::new(bench, &goals), goals.guard().expect("one"));
        assert!(judge.is_gentler(&chosen, &now, guard));
        assert!(judge.is_as_gentle(&chosen, least, guard));
        let same = points.iter().filter(|p| judge.is_as_gentle(p, least, guard));
        let fastest = same.map(mean).fold(f64::INFINITY, f64::min);
        assert!(mean(&chosen) <= 1.1 * fastest, "{} {fastest}", mean(&chosen));
    })
}

/// The best of sixty settings is biased: an answer must also gain with seeds that did not select
/// it.
#[test]
fn a_lucky_winner_is_none() {
    let file = root().join("scenarios/faults/ec-node.toml");
    let read = |sets: &[(String, String)]| job::lab().read(&file, sets);
    let settings = Settings::new(&read).expect("a scenario");
    let goals = Goals::default().of(RECOVERY);
    let mut bench = Bench::new(job::lab(), &settings, &goals, Budget::of(u64::MAX / 1024));
    let seeds: Vec<u64> = (1..=10).collect();
    let found = plan::search(&mut bench, &goals, &seeds, &|_, _| ()).expect("a plan");
    let (found, judge) = (found.expect("an answer"), Judge::new(&bench, &goals));
    let (now, answer) = (bench.now(), &found.answer);
    let of = |point: &Point| {
        let runs = bench.fresh_runs(point).into_iter();
        runs.map(|run| bench.need(run).expect("it ends")).collect::<Vec<f64>>()
    };
    assert_eq!(of(now).len(), seeds.len(), "figures are from as many seeds again");
    assert!(answer == now || judge.is_worth(answer, now));
    for point in bench.points().filter(|p| bench.is_fresh(p) && *p != now) {
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let gain = 1.0 - mean(of(point)) / mean(of(now));
        assert!(judge.is_refuted(point) || gain > 0.04, "{point:?} gains {gain}");
    }
}

/// The best of sixty looks better in the seeds that chose it than it is: each row is from others,
/// the same for all rows, and so is the trace of the page.
#[test]
fn figures_are_from_seeds_that_chose_nothing() {
    with_bench(&format!("{SMALL}{}", event("node-lost", "dn-r1-01")), |bench| {
        let answer = answer(bench, &Goals::default());
        let told: Vec<u64> = SEEDS.iter().map(|seed| SEEDS[5] + seed).collect();
        let others = [&answer.plugin, &answer.without, &answer.half, &answer.faster];
        let mut rows = vec![&answer.now, &answer.settings];
        rows.extend(others.into_iter().flatten().filter(|row| row.seeds() > 0));
        assert!(answer.fresh && answer.settings.point != *bench.now() && rows.len() > 2);
        for row in rows {
            let seeds: Vec<u64> = row.row.runs.iter().map(|run| run.seed).collect();
            assert_eq!(seeds, told, "{}", text(&answer));
            let chose = bench.runs(&row.point).into_iter().all(|run| SEEDS.contains(&run.seed));
            assert!(chose, "what chose is kept apart");
        }
        let first = bench.first_fresh.as_ref().expect("a trace");
        assert_eq!(first.trace.about("seed"), Some(told[0].to_string().as_str()));
        assert!(!text(&answer).contains("from the seeds of the search"), "{}", text(&answer));
    })
}

/// By the test of `tenbin compare`, against the present settings and against what is left of it
/// without any one change.
#[test]
fn each_change_gains_more_than_chance() {
    let lost = event("node-lost", "dn-r1-01");
    // The node is back before its repair is over.
    let back = "[[event]]\nat = \"765s\"\nkind = \"node-back\"\ntarget = \"dn-r1-01\"\n";
    let disk = event("disk-lost", "dn-r1-01/0");
    for tail in [lost.clone(), lost + back, disk] {
        with_bench(&format!("{SMALL}{tail}"), |bench| {
            let answer = answer(bench, &Goals::default());
            let (now, best) = (bench.now().clone(), answer.settings.point.clone());
            assert!(best == now || is_worth(bench, &best, &now), "{}", text(&answer));
            for fewer in grid::points_without(&now, &best) {
                let known = bench.runs(&fewer).len() == SEEDS.len();
                assert!(!known || is_worth(bench, &best, &fewer), "{fewer:?}\n{}", text(&answer));
            }
            // A recommendation has a significant gain, or is marked as unproven.
            let open: Vec<Knob> = answer.unproven.clone();
            let recommended = answer.recommended().point.clone();
            let shown =
                |fewer: &Point| bench.is_hopeless(fewer) || is_worth(bench, &recommended, fewer);
            for (knob, fewer) in grid::points_without_each(&now, &recommended) {
                let of = |point: &Point| bench.runs(point).len();
                let known = bench.is_hopeless(&fewer) || of(&fewer).min(of(&recommended)) > 1;
                assert_eq!(known && shown(&fewer), !open.contains(&knob), "{}", text(&answer));
                let said = text(&answer).contains(&format!("Not shown: a gain of {}", knob.key()));
                assert_eq!(said, open.contains(&knob));
            }
            let mean = |tried: &PointResult| tried.recovery.expect("it ends").mean;
            let told = answer.plugin.as_ref().is_none_or(|p| mean(p) < mean(&answer.now));
            assert!(told, "{}", text(&answer));
        })
    }
}

/// Round what keeps a limit nothing is left untried.
#[test]
fn near_a_limit_is_looked_closer() {
    let scenario = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    with_bench(&scenario, |bench| {
        let answer = answer(bench, &slowed_by(0.3));
        assert!(answer.meets_goals(), "{}", text(&answer));
        let mut near = bench.space.near(&answer.settings.point, None);
        near.retain(|point| !bench.has_run(point));
        assert_eq!(near, [], "{}", text(&answer));
    })
}

/// The copy limit is one of Hadoop 3.4.
#[test]
fn an_older_hadoop_is_not_told_of_the_copy_limit() {
    let scenario = format!("{SMALL}{CLIENTS}{}", event("node-lost", "dn-r1-01"));
    for (hadoop, tried) in [(None, true), (Some("3.3.6"), false), (Some("3.4.1"), true)] {
        with_objective(&scenario, (RECOVERY, hadoop, Budget::of(3_000_000)), |bench| {
            let answer = answer(bench, &slowed_by(0.1));
            let limited = bench.points().any(|p| p.get(Knob::Bandwidth) > 0);
            assert_eq!(limited, tried, "{hadoop:?}: {}", text(&answer));
        })
    }
    let now = with_bench(&scenario, |bench| bench.now().clone());
    let limited = now.with(Knob::Bandwidth, 40_000_000);
    let line = &fragment::lines(&limited, &now, fragment::Place::default())[0];
    assert!(line.how.starts_with("only with Hadoop 3.4.0 or later: live"), "{}", line.how);
    let back = &fragment::lines(&now, &limited, fragment::Place::default())[0];
    assert_eq!(back.undo, "40000000, in the same way", "as Hadoop takes it");
}

/// A shorter pending timeout has its price under its old name, too.
#[test]
fn what_a_shorter_timeout_costs_is_said_for_every_release() {
    let scenario = format!("{SMALL}{}", event("node-lost", "dn-r1-01"));
    let mut answer = with_bench(&scenario, |bench| answer(bench, &Goals::default()));
    answer.settings.point = answer.now.point.with(Knob::Pending, 60);
    for (hadoop, named) in [(None, "reconstruction"), (Some("2.7.3"), "replication")] {
        let place = fragment::Place { hadoop, ..fragment::Place::default() };
        let said = answer_text::text(
            &answer,
            answer_text::AnswerContext { place, ..answer_text::AnswerContext::default() },
        );
        let line = format!("longer than dfs.namenode.{named}.pending.timeout-sec is made twice.");
        assert!(said.contains(&line), "{hadoop:?}: {said}");
    }
}

/// What passes before the last loss is noticed is no measure of what settings gain.
#[test]
fn a_late_loss_does_not_hide_what_settings_gain() {
    let tail = event("maintenance", "dn-r2-01") + &event("node-lost", "dn-r1-01");
    with_bench(&format!("{SMALL}{tail}"), |bench| {
        let answer = answer(bench, &Goals::default());
        let (now, best) = (&answer.now.recovery.unwrap(), &answer.settings.recovery.unwrap());
        assert!(answer.unnoticed.is_some_and(|s| s > 600.0), "{}", text(&answer));
        let left = |mean: f64| mean - answer.unnoticed.unwrap();
        assert!(left(best.mean) < 0.8 * left(now.mean), "{}", text(&answer));
        assert!(text(&answer).contains("The rest: "), "{}", text(&answer));
    })
}

/// What a node in maintenance holds is no source, and yet it is not gone.
#[test]
fn what_rests_in_maintenance_is_not_called_lost() {
    let gone: String = ["dn-r1-01", "dn-r2-01", "dn-r2-02", "dn-r3-01", "dn-r3-02"]
        .map(|node| event("node-lost", node))
        .concat();
    for (tail, lost) in [("", true), (&event("maintenance", "dn-r1-02")[..], false)] {
        with_bench(&format!("{SMALL}{gone}{tail}"), |bench| {
            bench.budget = Budget::of(200_000);
            let said = text(&answer(bench, &Goals::default()));
            assert_eq!(said.contains("blocks are lost, in"), lost, "{said}");
            let back = "except replicas on the node in maintenance, which return with it";
            assert_eq!(said.contains(back), !lost, "{said}");
        })
    }
}
