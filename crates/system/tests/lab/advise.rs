//! Tenbin's own tries and the advice text, on a system whose optimum is known.
use cluster::Sheet;
use cluster::keys::{
    Candidate, Change, Key, KeyDefault::Default as Else, Kind, Vocabulary, shared,
};
use engine::{Effort, Nanos, Outcome};
use page::{Sentence, plain, say};
use std::path::Path;
use system::advice::{Price, alone};
use system::lab::Lab;
use system::reporter::{Case, Reporter};
use system::{Failure, RunOptions, SimulatedRun, Simulation, System};
use trace::reading::{Objective, Reading};
use trace::{Better, TraceBuilder};

const COUNT: Kind = Kind::count(0, 1_000_000_000_000);

static KEYS: [Key; 6] = [
    Key::new(
        "toy.order",
        Kind::Choice(&["slow", "fast", "dear", "broken"]),
        Else("slow"),
        "A policy",
    )
    .row("{}")
    .takes(|_, _| Change::setting("at once"))
    .candidate(Candidate::relieves(&[])),
    Key::new("toy.depth", COUNT, Else("2"), "Changes nothing")
        .setting("at once")
        .candidate(Candidate::relieves(&[])),
    Key::new("toy.servers", COUNT, Else("1"), "Each brings as much")
        .row("{} servers")
        .bought()
        .tries(&["2", "4"])
        .candidate(Candidate::relieves(&[])),
    Key::new("toy.unused", COUNT, Else("2"), "In another scenario")
        .setting("at once")
        .candidate(Candidate::relieves(&[]).applies(|values| values.count("toy.depth") > 9)),
    Key::new("toy.noise", COUNT, Else("0"), "How far seeds are apart, in percent"),
    Key::new("toy.events", COUNT, Else("10"), "Events of a run"),
];

static VOCABULARY: Vocabulary = Vocabulary::plain(
    "advised",
    &[&KEYS, &shared::SYSTEM, &shared::RUN, &shared::VARIANT],
    |values| values.text("toy.order").to_string(),
);

static ADVISED: System = System { simulation: Some(&Toy), ..System::new(&VOCABULARY) };

/// 100 answers a second and server; `fast` has 50 % more, `dear` twice as many at four times the
/// latency.
struct Toy;

static PRICES: [Price; 1] = [Price::less("p99", "99 of 100 end in", "ms")];

impl Simulation for Toy {
    fn reporter(&self) -> &dyn Reporter {
        self
    }

    fn run(&self, sheet: &Sheet, seed: u64, _how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let mixed = (seed + 97 * sheet.hash.bytes().map(u64::from).sum::<u64>())
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let luck = (mixed >> 40) as f64 / f64::from(1u32 << 24) - 0.5;
        let by = 1.0 + sheet.count("toy.noise") as f64 / 100.0 * luck;
        let (rate, p99) = match sheet.text("toy.order") {
            "fast" => (150.0, 10.0),
            "dear" => (200.0, 40.0),
            "broken" => return Err(Failure::BadInput("no node can be broken".into())),
            _ => (100.0, 10.0),
        };
        let end = Nanos::secs(1);
        let events = sheet.count("toy.events");
        let outcome = Outcome { events, trace_hash: 1, end, last: end, interrupted: false };
        let mut reading = Reading::of(&TraceBuilder::new().finish(end));
        let (metric, unit) = ("answers_per_s".into(), "1/s".into());
        reading.objective = Objective { metric, unit, better: Better::More };
        reading.value = Some(by * rate * sheet.count("toy.servers") as f64);
        reading.metrics.insert("p99".into(), by * p99);
        Ok(SimulatedRun::of(TraceBuilder::new().finish(end), reading, (outcome, Effort::default())))
    }
}

impl Reporter for Toy {
    fn verdict(&self, _case: &Case<'_>) -> Sentence {
        say("It answers.")
    }

    fn prices(&self) -> &'static [Price] {
        &PRICES
    }
}

/// *Do*, and the advice as JSON.
fn doing(lines: &str) -> (page::Do, serde_json::Value) {
    let lab = Lab::of(&ADVISED).expect("it is simulated");
    let text = format!("[model]\nsystem = \"advised\"\n[toy]\n{lines}");
    let sheet = lab.read_text(&text, Path::new("toy.toml"), &[]).expect("a scenario");
    let (doing, json) = alone(&lab, &sheet).expect("it runs");
    (doing.expect("advice"), json)
}

/// *Do* in words, and the advice as JSON.
fn advised(lines: &str) -> (String, String, serde_json::Value) {
    let (doing, json) = doing(lines);
    let words = |spans| plain(spans).replace(['\u{a0}', '\u{2060}'], " ");
    (words(&doing.point), words(&doing.more), json)
}

#[test]
fn a_policy_is_tried_though_no_time_is_charged_to_it() {
    let (point, _, json) = advised("");
    assert!(point.starts_with("Set toy.order = fast: 150 answers/s instead of 100"), "{point}");
    let tried: Vec<&str> = (json["tried"].as_array().expect("rows").iter())
        .map(|row| row["name"].as_str().expect("a name"))
        .collect();
    assert!(tried.contains(&"4 servers") && tried.contains(&"dear"), "{tried:?}");
    assert!(!tried.iter().any(|name| name.contains("unused")), "{tried:?}");
    assert_eq!(json["do"]["price"], serde_json::json!([]), "dear is too dear");
}

#[test]
fn what_the_model_refuses_is_named_and_the_others_are_tried() {
    for lines in ["", "events = 2500000\n"] {
        let (point, _, json) = advised(lines);
        assert!(point.starts_with("Set toy.order = fast"), "{point}");
        let failed = serde_json::json!([{ "name": "broken", "why": "no node can be broken" }]);
        assert_eq!(json["failed"], failed, "{lines}");
    }
}

#[test]
fn of_what_is_bought_the_fewest_are_advised() {
    let (point, more, _) = advised("order = \"fast\"\n");
    assert!(point.starts_with("Set toy.servers = 2:"), "{point}");
    assert!(more.contains("Price: 1 more servers") || more.contains("1 more server"), "{more}");
}

#[test]
fn what_chance_hides_is_not_decided() {
    let (point, more, _) = advised("noise = 400\n");
    assert_eq!(point, "Not decided.");
    assert!(more.contains("Add seeds"), "{more}");
}

#[test]
fn of_a_long_run_the_best_of_one_seed_are_run_from_all() {
    let (point, more, json) = advised("events = 2500000\n");
    assert!(point.starts_with("Set toy.order = fast"), "{point} {more}");
    let seeds: Vec<u64> = (json["tried"].as_array().expect("rows").iter())
        .map(|row| row["seeds"].as_u64().expect("seeds"))
        .collect();
    assert!(seeds.contains(&1) && seeds.contains(&5), "{seeds:?}");
}

#[test]
fn of_a_run_too_long_to_be_made_again_the_command_that_tries_is_named() {
    let (doing, json) = doing("events = 3500000\n");
    let (point, more) = (plain(&doing.point), plain(&doing.more));
    assert_eq!(point, "Not decided.");
    assert!(more.contains("to keep this run short: toy.order = fast, dear, broken"), "{more}");
    let command = "tenbin compare toy.toml --vary toy.order=fast,dear,broken";
    assert_eq!(doing.command.as_deref(), Some(command));
    assert_eq!(json["tried"], serde_json::json!([]));
}
