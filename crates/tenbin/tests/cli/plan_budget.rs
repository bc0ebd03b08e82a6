//! Plans with a limited budget, and their notes.
use crate::plan_goals::{CLIENTS, SMALL, event};
use crate::tenbin::Place;
use hdfs::job;
use hdfs::plan::answer::Answer;
use hdfs::plan::goals::Goals;
use hdfs::plan::space::{RECOVERY, RepairBench, Settings};
use hdfs::plan::{answer_text, search};
use serde_json::Value;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use system::Failure;
use system::plan::{Bench, Budget};

/// Answer of a search with this budget, and the number of intermediate answers.
fn answer(budget: Budget) -> (Answer, usize) {
    answer_to("", &Goals::default(), budget)
}

fn answer_to(clients: &str, goals: &Goals, budget: Budget) -> (Answer, usize) {
    let (found, told) = found(clients, goals, budget);
    (found.expect("a plan").expect("an answer"), told)
}

fn found(clients: &str, goals: &Goals, budget: Budget) -> (Result<Option<Answer>, Failure>, usize) {
    // Tests of one process run side by side.
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let place = Place::new(&format!("plan-budget-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    let file = place.dir.join("small.toml");
    std::fs::write(&file, format!("{SMALL}{clients}{}", event("node-lost", "dn-r1-01")))
        .expect("a file");
    let read = |sets: &[(String, String)]| job::lab().read(&file, sets);
    let settings = Settings::new(&read).expect("a scenario");
    let mut bench = Bench::new(job::lab(), &settings, &goals.of(RECOVERY), budget);
    let told = Cell::new(0);
    let tell = |_: &RepairBench<'_, '_>, best: Option<&_>| {
        told.set(told.get() + usize::from(best.is_some()))
    };
    let seeds: Vec<u64> = (1..=6).collect();
    let found = search::search(&mut bench, goals, RECOVERY, &seeds, &tell);
    (found, told.get())
}

fn text(answer: &Answer) -> String {
    answer_text::text(
        answer,
        answer_text::AnswerContext {
            event: "dn-r1-01 is lost",
            ..answer_text::AnswerContext::default()
        },
    )
}

const CUT: &str = "The search stopped at its budget";
const LATE: &str = "The time limit ended the search";

/// Work is counted, not seconds: the same is cut every time, and less work tries less.
#[test]
fn what_the_budget_cuts_is_told_and_the_same_every_time() {
    let (whole, _) = answer(Budget::start());
    assert!(!whole.cut && !whole.late, "{}", text(&whole));
    assert_eq!(whole.now.seeds(), 6);
    let object: Value = whole.json();
    assert_eq!((&object["cut_by_budget"], &object["cut_by_clock"]), (&false.into(), &false.into()));
    assert!(!text(&whole).contains(CUT) && !text(&whole).contains(LATE));
    let little = || answer(Budget::of(400_000)).0;
    let (one, other) = (little(), little());
    assert!(one.tried < whole.tried, "{} of {}", one.tried, whole.tried);
    assert_eq!(one.json(), other.json());
    assert_eq!((one.cut, one.late), (true, false));
    assert!(text(&one).contains(CUT) && !text(&one).contains(LATE), "{}", text(&one));
    assert_eq!(one.json()["cut_by_budget"], true);
    // Still a good answer: from fewer seeds, but several; two that chose nothing at least.
    assert!(one.settings.seeds() >= 2, "{}", text(&one));
    let mean = |tried: &hdfs::plan::answer::PointResult| tried.recovery.expect("it ends").mean;
    assert!(mean(&one.settings) < 0.8 * mean(&one.now), "{}", text(&one));
}

/// However little there is time for, the knee gets all seeds, and not the fastest alone: nothing is
/// recommended that changes far more than it has to.
#[test]
fn of_little_work_comes_no_large_change() {
    let (whole, _) = answer(Budget::start());
    let far = |answer: &Answer| answer.settings.point.distance(&answer.now.point);
    for work in [100_000, 200_000, 300_000, 400_000] {
        let (little, _) = answer(Budget::of(work));
        let (far, least) = (far(&little), far(&whole));
        assert!(far <= 1.5 * least, "{work}: {far} instead of {least}: {}", text(&little))
    }
}

/// A search has a time limit only on request.
#[test]
fn a_time_limit_is_asked_for() {
    let place = Place::new("plan-limit");
    let text = format!("{SMALL}{}", event("node-lost", "dn-r1-01"));
    std::fs::write(place.dir.join("small.toml"), text).expect("a file");
    let limited = ["plan", "rebuild", "small.toml", "--seeds", "2", "--time-limit", "0s"];
    assert_eq!(place.json(&limited)["cut_by_clock"], true);
    let free = [&limited[..5], &["-o", "free"]].concat();
    assert_eq!(place.json(&free)["cut_by_clock"], false);
}

/// Even without time, the present settings are evaluated and reported first.
#[test]
fn the_clock_ends_a_search_and_is_told() {
    let (none, told) = answer(Budget::of(u64::MAX / 1024).within(Duration::ZERO));
    assert_eq!((none.cut, none.late), (true, true));
    assert!(told >= 1);
    assert!(none.now.recovery.is_some());
    let said = text(&none);
    assert!(said.contains(CUT) && said.contains(LATE), "{said}");
    assert_eq!(none.json()["cut_by_clock"], true);
}

/// With any number of clients: a plan fails if the first run takes too long.
#[test]
fn clients_that_let_no_run_end_are_refused() {
    let budget = Budget::of(u64::MAX / 1024).with_patience(Duration::ZERO);
    let (found, _) = found(CLIENTS, &Goals::default(), budget);
    let Err(Failure::BadInput(said)) = found else { panic!("it is refused") };
    assert!(said.starts_with("workload.foreground: one run with reads = 8 does not end"), "{said}");
    assert!(said.contains("expected fewer clients"), "{said}");
}

/// The first seed of those that chose nothing, where six were chosen by.
const FRESH: u64 = 7;

/// Wherever it ends, what is known of a point is of the first seeds, and it has an answer.
#[test]
fn the_clock_may_end_a_search_anywhere() {
    let slowdown = Goals { slowdown: Some(0.0), ..Goals::default() };
    let within = Goals { within: Some(1.0), ..Goals::default() };
    let mut late = 0;
    for ms in [10, 30, 60, 100, 150, 250, 400, 700] {
        for (clients, goals) in
            [("", Goals::default()), ("", within), (CLIENTS, slowdown), (CLIENTS, within)]
        {
            let budget = Budget::of(u64::MAX / 1024).within(Duration::from_millis(ms));
            let (answer, _) = answer_to(clients, &goals, budget);
            late += u32::from(answer.late);
            for tried in answer.whole.iter().chain(&answer.front).chain([answer.recommended()]) {
                let seeds: Vec<u64> = tried.row.runs.iter().map(|run| run.seed).collect();
                // The first ones, or those that chose nothing.
                let first = seeds.first().copied().unwrap_or(1);
                let expected: Vec<u64> = (first..first + seeds.len() as u64).collect();
                assert!(seeds == expected && (first == 1 || first == FRESH), "{ms} ms: {seeds:?}");
            }
            assert!(!text(&answer).is_empty());
        }
    }
    assert!(late > 8, "{late} of 32")
}
