//! The export for Perfetto: valid JSON, slices nested, one lane for each that overlaps.
mod drawn;
use serde_json::Value;
use std::path::Path;
use trace2::chrome;

#[test]
fn a_drawn_operation() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walks/rename.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let drawn = drawn::Drawn::of(text.split("---\n").next().unwrap());
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
        "\"store\" 0.057 +1.369 \"store\"",
        "\"backoff\" 1.462 +0.134 \"contention\"",
        "\"attempt\" 1.596 +2.287 \"unexplained\"",
    ];
    assert_eq!(told, expected)
}

#[test]
fn what_overlaps_lies_in_lanes_of_its_own() {
    let drawing = "entities: a\n0 run of a 0-10 phase\n1 run of a 5-20 phase\n\
                   2 run of a 10-12 phase\n3 run of a 11-30 phase\n";
    let json = chrome::write_to(&drawn::Drawn::of(drawing).trace, Vec::new()).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let slices = json["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X");
    let lanes: Vec<u64> = slices.map(|e| e["tid"].as_u64().unwrap() % 100_000).collect();
    assert_eq!(lanes, [0, 1, 0, 2])
}
