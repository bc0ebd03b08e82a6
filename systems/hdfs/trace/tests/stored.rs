//! HDFS's trace as that of all systems, and back.
use crate::traces::{drawn, small};
use hdfs_trace::{Trace, stored};
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
    for trace in [Trace::default(), small(), drawn(1, 50), drawn(2, 30_000)] {
        let there = stored::to(&trace);
        let back = stored::from(&there).unwrap();
        assert!(back == trace, "a trace of {} intervals differs", trace.intervals.len());
        trace::tables::write(&there, &folder).unwrap();
        let read = stored::read(&folder).unwrap();
        assert!(read == trace, "a trace of {} intervals differs on disk", trace.intervals.len())
    }
}

/// Rows that refer to nothing come back as rows that do not refer, and nothing panics.
#[test]
fn what_dangles_is_gone() {
    let mut trace = small();
    trace.intervals[4].parent = Some(u64::MAX);
    trace.intervals[5].cause = hdfs_trace::Cause::Interval(900);
    trace.intervals[1].cause = hdfs_trace::Cause::Setting(2);
    trace.intervals[2].node = Some(4);
    let back = stored::from(&stored::to(&trace)).unwrap();
    assert_eq!((back.intervals[4].parent, back.intervals[2].node), (None, None));
    assert_eq!(back.intervals[5].cause, hdfs_trace::Cause::Unexplained);
    assert_eq!(back.intervals[1].cause, hdfs_trace::Cause::Unexplained);
    assert_eq!(back.intervals[2].disk, None, "of no node")
}

#[test]
fn a_run_of_another_system() {
    let mut stored = stored::to(&small());
    for (value, says) in [("ppmds", "is a run of another system (\"ppmds\")"), ("hdfs", "")] {
        stored.run[0].1 = value.into();
        assert_eq!(stored::from(&stored).err().unwrap_or_default(), says)
    }
    let folder = place("other");
    stored.kinds.iter_mut().filter(|kind| kind.name == "held").for_each(|k| k.name = "?".into());
    trace::tables::write(&stored, &folder).unwrap();
    let error = stored::read(&folder).unwrap_err().to_string();
    assert!(error.contains("has an unknown kind \"?\"") && error.contains("HDFS"), "{error}");
}

/// The tables that HDFS's runs had before say so.
#[test]
fn a_run_of_an_older_version() {
    let folder = place("older");
    fs::create_dir_all(&folder).unwrap();
    let table = |_| ["key", "value"].map(|name| Column::text(name, ["seed"].into_iter())).into();
    let file = File::create(folder.join("run.parquet")).unwrap();
    parquet_io::write(file, &[("tenbin.kind", "trace 1")], &[], 1, table).unwrap();
    let error = stored::read(&folder).unwrap_err().to_string();
    assert!(error.contains("is of another version of tenbin (\"trace 1\""), "{error}");
}

/// What the small trace looks like in Perfetto, one line an event.
#[test]
fn the_small_trace_as_a_timeline() {
    let text = trace::chrome::write_to(&stored::to(&small()), Vec::new()).unwrap();
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
