//! A finished run's folder, and who explains it.
use super::SYSTEMS;
use crate::failure::Failure;
use std::path::Path;
use system::Explains;
use trace2::Trace;

/// A finished run.
pub struct Finished {
    /// Whose it is.
    pub explains: &'static dyn Explains,
    /// Its trace.
    pub trace: Trace,
}

/// Reads a run's folder.
///
/// # Errors
/// Bad input: no such folder, none of ours, a system that does not explain its runs.
pub fn finished(run: &Path) -> Result<Finished, Failure> {
    let bad = |why: &str| {
        Failure::BadInput(format!(
            "{}: {why}. Expected a folder that tenbin import mapreduce wrote",
            run.display()
        ))
    };
    let folder = if run.join("trace").is_dir() { run.join("trace") } else { run.to_path_buf() };
    if !folder.is_dir() {
        return Err(bad("it is no folder"));
    }
    if !folder.join("run.parquet").is_file() {
        return Err(bad("no trace is in it"));
    }
    let trace = trace2::tables::read(&folder).map_err(|e| Failure::BadInput(e.to_string()))?;
    let name =
        trace.about("system").ok_or_else(|| bad("its trace does not say of which system"))?;
    let system = SYSTEMS.find(name);
    let explains = system.and_then(|system| system.explains());
    let explains = explains
        .ok_or_else(|| bad(&format!("it is of system \"{name}\", which does not explain runs")))?;
    Ok(Finished { explains, trace })
}
