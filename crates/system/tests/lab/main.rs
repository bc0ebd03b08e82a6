//! The lab: variants share loaded data; a scenario is the file's text when it was read.
mod advise;
mod fleet;
mod plan;

use cluster::keys::{Key, KeyDefault::Default as Else, Kind, Vocabulary, shared};
use cluster::{Sheet, SystemData};
use engine::{Effort, Nanos, Outcome};
use page::{Sentence, say};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use system::lab::{Lab, Row};
use system::output::Output;
use system::reporter::{Case, Reporter};
use system::{Failure, RunOptions, SimulatedRun, Simulation, System, result};
use trace::TraceBuilder;
use trace::reading::Reading;

static KEYS: [Key; 2] = [
    Key::new("load.map", Kind::Name, Else("a"), "What a run loads"),
    Key::new("load.pace", Kind::Name, Else("slow"), "What it does with that"),
];

static VOCABULARY: Vocabulary = Vocabulary::plain(
    "loads",
    &[&KEYS, &shared::SYSTEM, &shared::RUN, &shared::VARIANT],
    |values| values.text("load.pace").to_string(),
);

static LOADS: System = System { simulation: Some(&Loads), ..System::new(&VOCABULARY) };

static LOADED: AtomicUsize = AtomicUsize::new(0);

/// Loads the file that a scenario names, and ignores it.
struct Loads;

impl Simulation for Loads {
    fn reporter(&self) -> &dyn Reporter {
        self
    }

    fn shares(&self, sheet: &Sheet) -> Option<String> {
        Some(sheet.text("load.map").to_string())
    }

    fn load(&self, sheet: &Sheet, _seed: u64) -> Result<SystemData, Failure> {
        LOADED.fetch_add(1, Ordering::Relaxed);
        Ok(Some(Arc::new(sheet.text("load.map").to_string())))
    }

    fn run(&self, sheet: &Sheet, _seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let map = how.loaded.expect("the lab has loaded it").downcast::<String>();
        assert_eq!(*map.expect("a name"), sheet.text("load.map"));
        let trace = TraceBuilder::new().finish(Nanos::secs(1));
        let end = Nanos::secs(1);
        let outcome = Outcome { events: 1, trace_hash: 1, end, last: end, interrupted: false };
        let reading = Reading::of(&trace);
        Ok(SimulatedRun::of(trace, reading, (outcome, Effort::default())))
    }
}

impl Reporter for Loads {
    fn verdict(&self, _case: &Case<'_>) -> Sentence {
        say("It loads.")
    }
}

const TEXT: &str = "[model]\nsystem = \"loads\"\n\n[load]\nmap = \"a\"\n";

fn set(key: &str, value: &str) -> Vec<(String, String)> {
    vec![(key.into(), value.into())]
}

#[test]
fn what_rows_share_is_loaded_once() {
    let lab = Lab::of(&LOADS).expect("it is simulated");
    let base = lab.read_text(TEXT, Path::new("x.toml"), &[]).expect("a scenario");
    let row = |key, value| {
        let set = set(key, value);
        Row { name: value.into(), sheet: lab.with(&base, &set).expect("a row"), set }
    };
    let rows = [row("load.map", "a"), row("load.pace", "fast"), row("load.map", "b")];
    let done = lab.run(&rows, &[1, 2, 3], false, "").expect("it runs");
    assert_eq!(done.rows.iter().map(|row| row.runs.len()).collect::<Vec<_>>(), [3, 3, 3]);
    assert_eq!(LOADED.load(Ordering::Relaxed), 2, "a map for both rows of it, and another one")
}

/// A long comparison uses one text, even if the file changes meanwhile.
#[test]
fn rows_and_the_copy_are_of_the_file_as_it_was_read() {
    let dir = std::env::temp_dir().join(format!("tenbin-lab-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let file = dir.join("x.toml");
    std::fs::write(&file, TEXT).expect("written");
    let lab = Lab::of(&LOADS).expect("it is simulated");
    let base = lab.read(&file, &set("load.pace", "fast")).expect("a scenario");
    std::fs::write(&file, "[model").expect("written");
    let row = lab.with(&base, &set("load.map", "b")).expect("a row");
    assert_eq!((row.text("load.map"), row.text("load.pace")), ("b", "fast"));
    let axes = [("load.map".to_string(), vec!["b".to_string(), "c".to_string()])];
    let names: Vec<String> =
        base.vary(&axes).expect("rows").into_iter().map(|row| row.name).collect();
    assert_eq!(names, ["map a (now)", "map b", "map c"]);
    let out = Output::at(&dir.join("out")).expect("a folder");
    result::scenario(&out, &base).expect("written");
    out.keep().expect("kept");
    let again = lab.read(&dir.join("out/scenario.toml"), &[]).expect("the same again");
    assert_eq!(again.hash, base.hash);
    std::fs::remove_dir_all(&dir).expect("removed")
}
