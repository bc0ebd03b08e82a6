//! HDFS's runs on disk.
use crate::traces::small;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use trace::parquet_io::{self, Column};

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stored").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn what_is_stored_comes_back() {
    let folder = place("round-trip");
    for trace in [hdfs_trace::begin(), small()] {
        trace::tables::write(&trace, &folder).unwrap();
        assert!(hdfs_trace::read(&folder).unwrap() == trace, "it differs on disk")
    }
}

/// The error names what HDFS could not have written.
#[test]
fn a_run_of_another_system() {
    let refused = |change: fn(&mut hdfs_trace::Trace)| {
        let (folder, mut trace) = (place("other"), small());
        change(&mut trace);
        trace::tables::write(&trace, &folder).unwrap();
        hdfs_trace::read(&folder).unwrap_err().to_string()
    };
    let of_ppmds = refused(|trace| trace.run[0].1 = "ppmds".into());
    assert!(of_ppmds.contains("is a run of another system (\"ppmds\")"), "{of_ppmds}");
    let odd = refused(|trace| {
        trace.kinds.iter_mut().filter(|kind| kind.name == "held").for_each(|k| k.name = "?".into())
    });
    assert!(odd.contains("has an unknown kind \"?\"") && odd.contains("HDFS"), "{odd}");
    let nowhere = refused(|trace| trace.intervals[6].peer = None);
    assert!(nowhere.contains("has a request without a client or a node"), "{nowhere}");
    assert!(refused(|trace| trace.nodes[1].rack = None).contains("a node without a rack"));
}

/// Tables of an older version give an error that names the version.
#[test]
fn a_run_of_an_older_version() {
    let folder = place("older");
    fs::create_dir_all(&folder).unwrap();
    let table = |_| ["key", "value"].map(|name| Column::text(name, ["seed"].into_iter())).into();
    let file = File::create(folder.join("run.parquet")).unwrap();
    parquet_io::write(file, &[("tenbin.kind", "trace 1")], &[], 1, table).unwrap();
    let error = hdfs_trace::read(&folder).unwrap_err().to_string();
    assert!(error.contains("is of another version of tenbin (\"trace 1\""), "{error}");
}

/// What the small trace looks like in Perfetto, one line an event.
#[test]
fn the_small_trace_as_a_timeline() {
    let text = trace::chrome::write_to(&small(), Vec::new()).unwrap();
    let whole: Value = serde_json::from_slice(&text).unwrap();
    let lines: Vec<String> = whole["traceEvents"].as_array().unwrap().iter().map(line).collect();
    let expected = include_str!("chrome.txt");
    if std::env::var_os("TENBIN_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chrome.txt");
        fs::write(file, lines.join("\n") + "\n").unwrap();
        return;
    }
    assert_eq!(lines.join("\n") + "\n", expected, "TENBIN_BLESS=1 rewrites it: read the difference")
}

fn line(event: &Value) -> String {
    let number = |key: &str| event[key].as_f64().map_or("".into(), |n| format!(" {key}={n}"));
    let numbers: String = ["pid", "tid", "ts", "dur"].iter().map(|key| number(key)).collect();
    format!("{}{numbers} {} {}", event["ph"].as_str().unwrap(), event["name"], event["args"])
}
