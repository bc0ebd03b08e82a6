//! A finished run's folder, and who explains it.
use super::SYSTEMS;
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use system::Explains;
use trace::Trace;

/// A finished run.
pub struct Finished {
    folder: PathBuf,
    /// Its trace.
    pub trace: Trace,
}

impl Finished {
    /// Who explains it by its trace alone.
    ///
    /// # Errors
    /// Bad input: a system that does not, or one that nobody knows.
    pub fn explains(&self) -> Result<&'static dyn Explains, Failure> {
        let folder = self.folder.display();
        let bad = |why: String| Failure::BadInput(format!("{folder}: {why}"));
        let name = self.trace.about("system");
        let name =
            name.ok_or_else(|| bad("its trace does not say of which system it is".into()))?;
        let explains = SYSTEMS.find(name).and_then(|system| system.explains);
        explains.ok_or_else(|| {
            bad(format!(
                "it is a run of {name}, whose page is written with it: {folder}/report.html. \
                 Expected a run with jobs, that {} or run wrote",
                writers()
            ))
        })
    }
}

/// The imports that make runs: "tenbin import NAME".
fn writers() -> String {
    let explained = SYSTEMS.all().filter(|system| system.explains.is_some());
    let first = explained.filter_map(|system| system.imports.first());
    let named: Vec<String> = first.map(|one| format!("tenbin import {}", one.name())).collect();
    named.join(", ")
}

/// Reads a run's folder.
///
/// # Errors
/// Bad input: no such folder, none of ours.
pub fn finished(run: &Path) -> Result<Finished, Failure> {
    let bad = |why: &str| {
        let expected = format!("a folder that {}, run or compare wrote", writers());
        Failure::BadInput(format!("{}: {why}. Expected {expected}", run.display()))
    };
    let folder = if run.join("trace").is_dir() { run.join("trace") } else { run.to_path_buf() };
    if !folder.is_dir() {
        return Err(bad("it is no folder"));
    }
    if !folder.join("run.parquet").is_file() {
        return Err(bad("no trace is in it"));
    }
    let trace = trace::tables::read(&folder).map_err(|e| Failure::BadInput(e.to_string()))?;
    Ok(Finished { folder: run.to_path_buf(), trace })
}
