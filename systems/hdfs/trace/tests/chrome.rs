//! The Chrome trace is read back and held to the format's rules.
mod traces;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use trace::{Trace, chrome};
use traces::{drawn, small};

fn events(trace: &Trace) -> Vec<Value> {
    let text = chrome::write_to(trace, Vec::new()).unwrap();
    let whole: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(whole["displayTimeUnit"], "ms");
    whole["traceEvents"].as_array().unwrap().clone()
}

fn ns(value: &Value) -> u64 {
    (value.as_f64().unwrap() * 1e3).round() as u64
}

/// On a track a slice lies inside of the one above it or behind it.
fn assert_nested(events: &[Value]) {
    let mut tracks = BTreeMap::<(u64, u64), Vec<(u64, Reversed, String)>>::new();
    for event in events.iter().filter(|e| e["ph"] == "X") {
        let (start, duration) = (ns(&event["ts"]), ns(&event["dur"]));
        let track = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
        let slice = (start, std::cmp::Reverse(start + duration), event["name"].to_string());
        tracks.entry(track).or_default().push(slice)
    }
    for (track, slices) in tracks {
        // They are written in this order already: parents first.
        assert!(slices.is_sorted_by_key(|(start, _, _)| *start), "track {track:?}");
        let mut open = Vec::<u64>::new();
        for (start, std::cmp::Reverse(end), name) in slices {
            while open.last().is_some_and(|above| *above <= start) {
                open.pop();
            }
            let above = open.last().copied().unwrap_or(u64::MAX);
            assert!(
                end <= above,
                "{name} ends at {end}, what is above it at {above}, track {track:?}"
            );
            open.push(end)
        }
    }
}

type Reversed = std::cmp::Reverse<u64>;

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
        assert!(names.contains(&(pid(event), None)), "{event}: no process");
        if event["ph"] == "X" {
            assert!(names.contains(&(pid(event), tid(event))), "{event}: no track")
        }
    }
}

#[test]
fn rules_of_the_format() {
    for trace in [Trace::default(), small(), drawn(1, 100), drawn(2, 5_000)] {
        let events = events(&trace);
        assert_nested(&events);
        assert_named(&events);
        let transfers =
            trace.intervals.iter().filter(|i| i.kind == trace::IntervalKind::Transfer).count();
        assert_eq!(events.iter().filter(|e| e["cat"] == "transfer").count(), transfers);
        assert!(events.iter().all(|e| ["M", "X", "C"].contains(&e["ph"].as_str().unwrap())))
    }
}

#[test]
fn waiting_ends_at_nought() {
    let mut last = BTreeMap::new();
    for event in events(&drawn(3, 2_000)).iter().filter(|e| e["ph"] == "C") {
        if event["name"].as_str().unwrap().starts_with("waiting") {
            let blocks = event["args"]["blocks"].as_i64().unwrap();
            assert!(blocks >= 0);
            last.insert((event["pid"].as_u64(), event["name"].to_string()), blocks);
        }
    }
    assert!(last.len() > 2 && last.values().all(|blocks| *blocks == 0), "{last:?}")
}

/// What the small trace looks like, one line an event.
#[test]
fn the_small_trace() {
    let lines: Vec<String> = events(&small()).iter().map(line).collect();
    let expected = include_str!("chrome.txt");
    if std::env::var_os("TENBIN_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chrome.txt");
        std::fs::write(file, lines.join("\n") + "\n").unwrap();
        return;
    }
    assert_eq!(
        lines.join("\n") + "\n",
        expected,
        "TENBIN_BLESS=1 writes it anew: read the difference"
    )
}

fn line(event: &Value) -> String {
    let number = |key: &str| event[key].as_f64().map_or("".into(), |n| format!(" {key}={n}"));
    let numbers: String = ["pid", "tid", "ts", "dur"].iter().map(|key| number(key)).collect();
    format!("{}{numbers} {} {}", event["ph"].as_str().unwrap(), event["name"], event["args"])
}
