//! Folder of a finished run: its page and its trace.
use super::SYSTEMS;
use crate::failure::Failure;
use page::Page;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use system::Jobs;
use trace::Trace;

const EXPECTED: &str = "a folder that `tenbin run`, `compare`, `plan`, `diff` or an import wrote";

pub struct FinishedRun {
    folder: PathBuf,
}

/// # Errors
/// Bad input: no folder, or neither a page nor a trace in it.
pub fn finished(folder: &Path) -> Result<FinishedRun, Failure> {
    let run = FinishedRun { folder: folder.to_path_buf() };
    match (folder.is_dir(), run.is_there()) {
        (_, true) => Ok(run),
        (true, false) => Err(run.bad("neither a page nor a trace in this folder")),
        (false, false) => Err(run.bad("not a folder")),
    }
}

/// The run in this folder, or all runs in its subfolders, by name.
pub fn finished_below(folder: &Path) -> Result<Vec<FinishedRun>, Failure> {
    let is_run = |folder: PathBuf| Some(FinishedRun { folder }).filter(FinishedRun::is_there);
    let inside = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<FinishedRun> = inside.filter_map(|entry| is_run(entry.path())).collect();
    runs.retain(|run| run.folder != folder.join("trace"));
    runs.sort_by(|a, b| a.folder.cmp(&b.folder));
    match is_run(folder.to_path_buf()).is_some() || runs.is_empty() {
        true => finished(folder).map(|one| vec![one]),
        false => Ok(runs),
    }
}

impl FinishedRun {
    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The page as written by the command, else built from the trace.
    ///
    /// # Errors
    /// Bad input: a damaged file; or only a trace, from which the system cannot build its page.
    pub fn page(&self) -> Result<Page, Failure> {
        let file = self.path("report.json");
        if file.is_file() {
            return read(&file);
        }
        let trace = self.trace()?;
        match jobs(&trace) {
            Some(jobs) => Ok((jobs.page)(&trace)),
            None => Err(self.bad("no report.json in this folder")),
        }
    }

    /// The command's `--json` output.
    ///
    /// # Errors
    /// Bad input: no such file, or a damaged one.
    pub fn json(&self) -> Result<Value, Failure> {
        let file = self.path("run.json");
        if file.is_file() { read(&file) } else { Err(self.bad("no run.json in this folder")) }
    }

    /// # Errors
    /// Bad input: no trace, or a damaged one.
    pub fn trace(&self) -> Result<Trace, Failure> {
        let folder = self.tables();
        if !folder.join("run.parquet").is_file() {
            return Err(self.bad("no trace in this folder"));
        }
        trace::tables::read(&folder).map_err(|e| Failure::BadInput(e.to_string()))
    }

    fn tables(&self) -> PathBuf {
        let inside = self.path("trace");
        if inside.is_dir() { inside } else { self.folder.clone() }
    }

    fn is_there(&self) -> bool {
        self.path("report.json").is_file() || self.tables().join("run.parquet").is_file()
    }

    pub fn bad(&self, why: &str) -> Failure {
        Failure::BadInput(format!("{}: {why}. Expected {EXPECTED}", self.folder.display()))
    }
}

/// `None`: not a run of jobs.
pub fn jobs(trace: &Trace) -> Option<&'static Jobs> {
    SYSTEMS.find(trace.about("system")?)?.jobs
}

fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    let bad = |why: String| Failure::BadInput(format!("{}: {why}", file.display()));
    let text = fs::read_to_string(file).map_err(|e| bad(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| bad(format!("{e}. Make the run again")))
}
