//! Traces: invalid ones, and drawn ones whose outcomes must be those of a file system in memory in
//! some order.
use super::run_in;
use engine::{Draw, Scheduler};
use ppmds::PPMDS;
use std::fmt::Write;
use std::path::PathBuf;
use system::{RunOptions, SimulatedRun};

/// A file that this test deletes at its end.
struct File(PathBuf);

impl File {
    fn of(name: &str, text: &str) -> File {
        let file = std::env::temp_dir().join(format!("ppmds-{}-{name}.jsonl", std::process::id()));
        std::fs::write(&file, text).expect("a temporary file");
        File(file)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("it is text")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn replay(sets: &[(&str, &str)], seed: u64, by: Scheduler) -> Result<SimulatedRun, String> {
    run_in(sets, seed, RunOptions { history: true, ..RunOptions::by(by) })
}

#[test]
fn what_is_wrong_with_a_line_is_said_with_its_number() {
    let good = r#"{"client":0,"op":"create","path":"/a"}"#;
    for (at, (line, word)) in [
        ("no JSON", "expected"),
        (r#"{"client":0,"op":"chmod","path":"/a"}"#, "setattr"),
        (r#"{"client":0,"op":"stat","path":"a"}"#, "from the root"),
        (r#"{"client":0,"op":"stat","path":"/a//b"}"#, "one / between"),
        (r#"{"client":0,"op":"stat","path":"/a/.."}"#, "without . and .."),
        (r#"{"client":0,"op":"stat","path":"/"}"#, "only readdir"),
        (r#"{"client":0,"op":"rename","path":"/a"}"#, "without \\\"to\\\""),
        (r#"{"client":0,"op":"stat","path":"/a","to":"/b"}"#, "with \\\"to\\\""),
        (r#"{"client":0,"op":"stat","path":"/a","size":1}"#, "unknown field"),
        (&format!(r#"{{"client":0,"op":"stat","path":"/{}"}}"#, "a".repeat(256)), "255 bytes"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = File::of(&format!("wrong-{at}"), &format!("{good}\n\n{line}\n"));
        let sets =
            [("workload.kind", "trace"), ("workload.trace", file.path()), ("cluster.clients", "1")];
        let error = replay(&sets, 1, Scheduler::Sequential).map(|_| ()).expect_err(line);
        assert!(error.contains(".jsonl:3: ") && error.contains(word), "{line}: {error}");
    }
}

#[test]
fn times_are_needed_at_their_times_alone_and_clients_are_enough() {
    let lines = "{\"client\":\"a\",\"op\":\"stat\",\"path\":\"/a\"}\n";
    let file = File::of("few", lines);
    let sets = |clients, way| {
        [
            ("workload.kind", "trace"),
            ("workload.trace", file.path()),
            ("cluster.clients", clients),
            ("workload.loop", way),
        ]
    };
    let run = |clients, way| replay(&sets(clients, way), 1, Scheduler::Sequential).map(|_| ());
    assert_eq!(run("1", "closed"), Ok(()));
    assert!(run("1", "open").is_err_and(|e| e.contains("invoked_ns")));
    assert!(run("2", "closed").is_err_and(|e| e.contains("at most 1")));
}

/// Some clients on few names in a small tree, so that they conflict.
fn drawn(seed: u64) -> String {
    let mut draw = Draw::keyed(seed, "trace", 0, 0);
    let mut of = |all: &[&str]| all[draw.below(all.len() as u64) as usize].to_string();
    let mut text = String::new();
    let all = ["create", "mkdir", "lookup", "stat", "setattr", "unlink", "rmdir", "rename", "link"];
    for at in 0..150 {
        let mut path = || {
            let (above, name) = (of(&["", "/d", "/d/e", "/f", "/f/d"]), of(&["a", "b", "d", "e"]));
            format!("{above}/{name}")
        };
        let (path, to) = (path(), path());
        let op = if at % 10 == 9 { "readdir".into() } else { of(&all) };
        let to = match op.as_str() {
            "rename" | "link" => format!(",\"to\":\"{to}\""),
            _ => String::new(),
        };
        let (client, ns) = (of(&["0", "1", "2", "3", "4"]), at * 400_000);
        let _ = writeln!(
            text,
            "{{\"client\":{client},\"op\":\"{op}\",\"path\":\"{path}\"{to},\"invoked_ns\":{ns}}}"
        );
    }
    text
}

#[test]
fn drawn_traces_are_strictly_serializable_under_every_scheduler() {
    let model = PPMDS.simulation.expect("it is simulated");
    for seed in 1..=12 {
        let file = File::of(&format!("drawn-{seed}"), &drawn(seed));
        let sets = [
            ("workload.kind", "trace"),
            ("workload.trace", file.path()),
            ("cluster.clients", "5"),
            ("cluster.servers", "3"),
            ("workload.loop", if seed % 2 == 0 { "open" } else { "closed" }),
            ("policy.metadata", ["hash", "directory", "giga+"][seed as usize % 3]),
        ];
        let one = replay(&sets, seed, Scheduler::Sequential).expect("it runs");
        let lines = model.history(&one).expect("it was wanted");
        let history = ppmds_check::read(&lines).expect("it is a history");
        let verdict = ppmds_check::check(&history.events, &history.directories);
        let place = |at: usize| format!("{}: ", history.lines[at]);
        let said = verdict.faults.iter().map(|f| f.say(&history.events, &place));
        let said: Vec<String> = said.collect();
        assert!(said.is_empty(), "seed {seed}: {said:?}");
        let failed = one.reading.metrics["operations_failed"];
        assert!(failed > 0.0 && failed < 150.0, "seed {seed}: {failed}");
        let two = replay(&sets, seed, Scheduler::Conservative { threads: 2 }).expect("it runs");
        assert_eq!(one.trace_hash, two.trace_hash, "seed {seed}");
    }
}
