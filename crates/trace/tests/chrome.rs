//! The export for Perfetto: valid JSON, nested slices, separate lanes for overlaps.
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use trace::{IntervalRole, KindRole, Trace, chrome};

fn events(trace: &Trace) -> Vec<Value> {
    let text = chrome::write_to(trace, Vec::new()).unwrap();
    let whole: Value = serde_json::from_slice(&text).unwrap();
    whole["traceEvents"].as_array().unwrap().clone()
}

#[test]
fn a_drawn_operation() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walks/rename.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let drawn = crate::drawn::Drawn::of(text.split("---\n").next().unwrap());
    let json = chrome::write_to(&drawn.trace, Vec::new()).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let slices = json["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X");
    let told: Vec<String> = slices
        .map(|e| format!("{} {} +{} {}", e["name"], e["ts"], e["dur"], e["args"]["cause"]))
        .collect();
    let expected = [
        "\"client rename\" 0.0 +3.883 \"unexplained\"",
        "\"attempt\" 0.0 +1.462 \"unexplained\"",
        "\"branch\" 0.0 +1.462 \"unexplained\"",
        "\"store: store\" 0.057 +1.369 \"store\"",
        "\"backoff: contention\" 1.462 +0.134 \"contention\"",
        "\"attempt\" 1.596 +2.287 \"unexplained\"",
    ];
    assert_eq!(told, expected)
}

#[test]
fn what_overlaps_lies_in_lanes_of_its_own() {
    let drawing = "entities: a\n0 run of a 0-10 phase\n1 run of a 5-20 phase\n\
                   2 run of a 10-12 phase\n3 run of a 11-30 phase\n";
    let json = chrome::write_to(&crate::drawn::Drawn::of(drawing).trace, Vec::new()).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let slices = json["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X");
    let lanes: Vec<u64> = slices.map(|e| e["tid"].as_u64().unwrap() % 100_000).collect();
    assert_eq!(lanes, [0, 1, 0, 2])
}

fn ns(value: &Value) -> u64 {
    (value.as_f64().unwrap() * 1e3).round() as u64
}

/// A slice is nested in the one above it or follows it.
fn assert_nested(events: &[Value]) {
    let mut tracks = BTreeMap::<(u64, u64), Vec<(u64, Reverse<u64>, String)>>::new();
    for event in events.iter().filter(|e| e["ph"] == "X") {
        let (start, duration) = (ns(&event["ts"]), ns(&event["dur"]));
        let track = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
        let slice = (start, Reverse(start + duration), event["name"].to_string());
        tracks.entry(track).or_default().push(slice)
    }
    for (track, slices) in tracks {
        // Slices are written in this order: parents first.
        assert!(slices.is_sorted_by_key(|(start, _, _)| *start), "track {track:?}");
        let mut open = Vec::<u64>::new();
        for (start, Reverse(end), name) in slices {
            while open.last().is_some_and(|above| *above <= start) {
                open.pop();
            }
            let above = open.last().copied().unwrap_or(u64::MAX);
            assert!(end <= above, "{name} ends at {end}, above it {above}, track {track:?}");
            open.push(end)
        }
    }
}

/// Every process and track that is used has a name, each only once.
fn assert_named(events: &[Value]) {
    let mut names = BTreeSet::new();
    let (pid, tid) = (|e: &Value| e["pid"].as_u64().unwrap(), |e: &Value| e["tid"].as_u64());
    for event in events.iter().filter(|e| e["name"] == "process_name" || e["name"] == "thread_name")
    {
        assert!(names.insert((pid(event), tid(event))), "{event} again");
        assert!(!event["args"]["name"].as_str().unwrap().is_empty())
    }
    for event in events {
        assert!(names.contains(&(pid(event), Some(0))), "{event}: no process");
        if event["ph"] == "X" {
            assert!(names.contains(&(pid(event), tid(event))), "{event}: no track")
        }
    }
}

#[test]
fn rules_of_the_format() {
    for seed in 0..40 {
        let trace = crate::random::trace(seed, 5 + 10 * seed as usize, false);
        let events = events(&trace);
        assert_nested(&events);
        assert_named(&events);
        let wait = KindRole::Interval(IntervalRole::Wait);
        let of_none = trace.intervals.iter().filter(|row| row.parent.is_none());
        let drawn = of_none.filter(|row| trace.interval_kind(row.kind).role != wait).count();
        assert!(events.iter().filter(|e| e["ph"] == "X").count() >= drawn);
        assert!(events.iter().all(|e| ["M", "X", "C"].contains(&e["ph"].as_str().unwrap())))
    }
}

/// Waits end with the trace, and counts are never negative.
#[test]
fn waiting_ends_at_nought() {
    let mut last = BTreeMap::new();
    for event in events(&crate::random::trace(3, 400, false)).iter().filter(|e| e["ph"] == "C") {
        if let Some(waiting) = event["args"]["waiting"].as_i64() {
            assert!(waiting >= 0);
            last.insert((event["pid"].as_u64(), event["name"].to_string()), waiting);
        }
    }
    assert!(last.len() > 2 && last.values().all(|waiting| *waiting == 0), "{last:?}")
}
