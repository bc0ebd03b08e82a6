//! A run's folder, read back: its trace, and what its seeds span.
use crate::failure::Failure;
use crate::files::BAND;
use crate::job::bad;
use hdfs_reading::{Band, Side, band};
use hdfs_trace::Trace;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The trace's folder in it.
const TRACE: &str = "trace";

/// What a run's folder is.
const EXPECTED: &str = "a folder that `tenbin run`, `compare` or `import hdfs-log` wrote";

/// Reads a run; people call it `name`.
///
/// # Errors
/// Bad input: no such folder, none of a run, one that is damaged, or of another version.
pub fn read(folder: &Path, name: String) -> Result<Side, Failure> {
    let tables = folder.join(TRACE);
    if !tables.is_dir() {
        return Err(no_run(folder));
    }
    let trace = hdfs_trace::read(&tables).map_err(bad)?;
    let seed = trace.about("seed").and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let band = read_band(&folder.join(BAND), &trace)?;
    Ok(Side { name, run: hdfs_reading::Run::of(seed, &trace), trace, band })
}

fn no_run(folder: &Path) -> Failure {
    let what = match fs::metadata(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => "no such folder".into(),
        Err(e) => format!("cannot be read ({e})"),
        Ok(about) if about.is_file() => "is a file".into(),
        Ok(_) if folder.join("run.parquet").is_file() => {
            "is the trace of a run: give the folder above it".into()
        }
        Ok(_) if folder.join("reproduce.json").is_file() => {
            "`tenbin reproduce` keeps no trace, so that there is nothing to compare".into()
        }
        Ok(_) => format!("is not a run’s folder: there is no {TRACE}/ in it"),
    };
    bad(format!("{}: {what}: expected {EXPECTED}", folder.display()))
}

/// `None` where there is none: one seed, or a log.
fn read_band(file: &Path, trace: &Trace) -> Result<Option<Band>, Failure> {
    let refused = |what: String| {
        let expected = "what `tenbin run --seeds N` wrote beside this trace. Run it again";
        bad(format!("{}: {what}: expected {expected}", file.display()))
    };
    let text = match fs::read(file) {
        Ok(text) => text,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(refused(format!("cannot be read ({e})"))),
    };
    let whole: serde_json::Value =
        serde_json::from_slice(&text).map_err(|e| refused(format!("is cut or damaged ({e})")))?;
    match whole.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(band::VERSION) => {}
        Some(other) => {
            return Err(refused(format!("has version {other}, not {}", band::VERSION)));
        }
        None => return Err(refused("has no version".into())),
    }
    let band: Band =
        serde_json::from_value(whole).map_err(|e| refused(format!("is no band ({e})")))?;
    if trace.about("trace_hash") != Some(band.trace_hash.as_str()) {
        return Err(refused("belongs to another trace (its trace_hash differs)".into()));
    }
    if band.nodes.len() != trace.nodes.len() {
        return Err(refused(format!("has {} nodes", band.nodes.len())));
    }
    match band.flaw() {
        Some(flaw) => Err(refused(flaw)),
        None => Ok(Some(band)),
    }
}
