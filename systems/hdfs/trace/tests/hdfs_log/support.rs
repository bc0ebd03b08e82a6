//! Short ways to import logs.
use hdfs_trace::ingest::hdfs::{ImportError, Input};
use hdfs_trace::ingest::hdfs_log::{ImportedLogs, Sources, import};
use std::io::Read;
use std::path::PathBuf;

pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/hdfs_log").join(name)
}

/// A sample's lines.
pub fn text(name: &str) -> String {
    let bytes = std::fs::read(path(name)).expect(name);
    let mut out = String::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut out).expect(name);
    out
}

pub fn logs(texts: &[&str]) -> Result<ImportedLogs, ImportError> {
    let of = |(at, text): (usize, &&str)| Input::Memory {
        name: format!("{}.log", at + 1),
        bytes: text.as_bytes().to_vec(),
    };
    let logs = texts.iter().enumerate().map(of).collect();
    import(&Sources { name: "run".into(), logs, conf: None }, &mut |_| {})
}

pub fn about(logged: &ImportedLogs, key: &str) -> f64 {
    logged.trace.about(key).unwrap_or_else(|| panic!("no {key}")).parse().unwrap()
}
