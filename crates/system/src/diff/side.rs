//! Reads a run's folder: trace, range over seeds, settings.
use super::band::{self, Band};
use super::data::{ChangedSetting, RunSummary};
use crate::failure::Failure;
use crate::finished::FinishedJob;
use crate::interface::System;
use crate::lab::bad;
use analysis::{Stat, stat};
use cluster::Sheet;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use trace::Trace;
use trace::reading::Reading;
use units::u32_of;

/// Subfolder of the trace.
const TRACE: &str = "trace";

const EXPECTED: &str = "a folder that `tenbin run`, `compare` or an import of logs wrote";

/// Keys that only name or compare a scenario.
const NAMES: [&str; 3] = ["cluster.name", "cluster.import", "run.seeds"];

pub(super) struct Side {
    pub name: String,
    /// With several seeds, that of the first.
    pub trace: Trace,
    pub reading: Reading,
    /// `None` for a single seed.
    pub band: Option<Band>,
    /// `None` if neither a scenario nor a log states them.
    pub settings: Option<BTreeMap<String, String>>,
    /// The work that ran, if logs of a real system record it.
    pub finished: Option<FinishedJob>,
}

impl Side {
    /// Fails if the folder is missing, is not a run of this system, is damaged, or has another
    /// version.
    pub fn read(system: &System, folder: &Path, name: String) -> Result<Side, Failure> {
        let tables = folder.join(TRACE);
        if !tables.is_dir() {
            return Err(no_run(folder));
        }
        let trace = trace::tables::read(&tables).map_err(bad)?;
        let whose = trace.about("system").unwrap_or("another system");
        if whose != system.name {
            let what = format!("{whose} made this run, {} the other", system.name);
            return Err(bad(format!("{}: {what}: expected runs of one system", folder.display())));
        }
        let band = Band::read(&folder.join(band::FILE), &trace)?;
        let mut reading = system.reading(&trace);
        reading.metrics.extend(figures(folder));
        let mut settings = settings(system, folder);
        let finished = system.jobs.and_then(|jobs| (jobs.finished)(&trace));
        if let Some(finished) = &finished {
            reading.metrics.extend(finished.figures.clone());
            if !finished.held.is_empty() {
                reading.held = finished.held.clone()
            }
            let said = Some(&finished.settings).filter(|said| !said.is_empty());
            settings = settings.or_else(|| said.cloned())
        }
        Ok(Side { name, trace, reading, band, settings, finished })
    }

    /// One value per seed.
    pub fn values(&self, key: &str) -> Option<Vec<f64>> {
        match &self.band {
            Some(band) => band.metrics.get(key).cloned(),
            None if key == self.reading.objective.metric => self.reading.value.map(|v| vec![v]),
            None => self.reading.metrics.get(key).map(|value| vec![*value]),
        }
    }

    /// One value per seed.
    pub fn objective(&self) -> Option<Vec<f64>> {
        self.values(&self.reading.objective.metric)
    }

    /// Includes the objective.
    pub fn metrics(&self) -> Vec<&str> {
        let objective = self.reading.objective.metric.as_str();
        let keys: Vec<&String> = match &self.band {
            Some(band) => band.metrics.keys().collect(),
            None => self.reading.metrics.keys().collect(),
        };
        keys.into_iter().map(String::as_str).chain([objective]).collect()
    }

    /// A value of the trace's run table; "" if missing.
    pub fn about(&self, key: &str) -> &str {
        self.trace.about(key).unwrap_or_default()
    }

    pub fn logged(&self) -> bool {
        self.about("origin") == "logged"
    }

    /// 0 for a log.
    fn seeds(&self) -> u32 {
        let one = u32::from(!self.logged());
        self.band.as_ref().map_or(one, |band| u32_of(band.seeds.len()))
    }

    pub fn shown(&self) -> RunSummary {
        let lost = self.trace.nodes.iter().filter(|node| !node.alive);
        let value: Option<Stat> = self.objective().map(|values| stat(&values));
        RunSummary {
            name: self.name.clone(),
            origin: self.about("origin").into(),
            scenario: self.about("scenario").into(),
            seeds: self.seeds(),
            nodes: u32_of(self.trace.nodes.len()),
            lost: lost.map(|node| node.name.clone()).collect(),
            value,
            finished: self.finished.clone(),
        }
    }
}

/// Keys with different values; `None` if a run's settings are unknown.
pub(super) fn changed([first, second]: &[Side; 2]) -> Option<Vec<ChangedSetting>> {
    let all = [first.settings.as_ref()?, second.settings.as_ref()?];
    let keys: BTreeSet<&String> = all.iter().flat_map(|of| of.keys()).collect();
    let keys = keys.into_iter().filter(|key| !NAMES.contains(&key.as_str()));
    let pair = |key: &String| ChangedSetting {
        key: key.clone(),
        values: all.map(|of| of.get(key).cloned()),
    };
    Some(keys.map(pair).filter(|one| one.values[0] != one.values[1]).collect())
}

/// Every key of the scenario next to the trace; for a comparison, of its first variant.
fn settings(system: &System, folder: &Path) -> Option<BTreeMap<String, String>> {
    let row = json(&folder.join("compare.json"));
    let set = row.as_ref().and_then(|all| all["rows"][0]["set"].as_object());
    let set = set.into_iter().flatten();
    let set: Vec<(String, String)> =
        set.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.into()))).collect();
    let file = folder.join("scenario.toml");
    let sheet = Sheet::read(file, &set, system.vocabulary, system.assembly).ok()?;
    Some(sheet.settings.into_iter().map(|one| (one.key, one.value)).collect())
}

/// Metrics of `run.json` that the trace lacks: figures of replays.
fn figures(folder: &Path) -> BTreeMap<String, f64> {
    let run = json(&folder.join("run.json"));
    let all = run.as_ref().and_then(|run| run["metrics"].as_object());
    let number = |(name, of): (&String, &Value)| Some((name.clone(), of.as_f64()?));
    all.into_iter().flatten().filter_map(number).collect()
}

fn json(file: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

fn no_run(folder: &Path) -> Failure {
    let what = match fs::metadata(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => "no such folder".into(),
        Err(e) => format!("cannot be read ({e})"),
        Ok(about) if about.is_file() => "is a file".into(),
        Ok(_) if folder.join("run.parquet").is_file() => {
            "is a run's trace: expected the folder above".into()
        }
        Ok(_) if folder.join("reproduce.json").is_file() => {
            "`tenbin reproduce` keeps no trace: nothing to compare".into()
        }
        Ok(_) => format!("is not a run’s folder: {TRACE}/ is missing"),
    };
    bad(format!("{}: {what}: expected {EXPECTED}", folder.display()))
}
