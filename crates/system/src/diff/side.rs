//! A run's folder, read back: its trace, what its seeds span, and its settings.
use super::band::{self, Band};
use super::data::{Changed, Shown};
use crate::failure::Failure;
use crate::finished::Finished;
use crate::lab::bad;
use crate::seam::System;
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

/// The trace's folder in it.
const TRACE: &str = "trace";

/// What a run's folder is.
const EXPECTED: &str = "a folder that `tenbin run`, `compare` or an import of logs wrote";

/// Keys that say how a scenario is called or compared, not what happens in it.
const NAMES: [&str; 3] = ["cluster.name", "cluster.import", "run.seeds"];

/// One of the two runs.
pub(super) struct Side {
    pub name: String,
    /// Its trace; of several seeds the first's.
    pub trace: Trace,
    pub reading: Reading,
    /// What its seeds span, if it was run from several.
    pub band: Option<Band>,
    /// Every key with its value; `None` where neither a scenario nor a log says it.
    pub settings: Option<BTreeMap<String, String>>,
    /// What it was, of real work whose logs say that.
    pub finished: Option<Finished>,
}

impl Side {
    /// Reads a run; people call it `name`.
    ///
    /// # Errors
    /// Bad input: no such folder, none of a run of this system, one that is damaged, or of another
    /// version.
    pub fn read(system: &System, folder: &Path, name: String) -> Result<Side, Failure> {
        let tables = folder.join(TRACE);
        if !tables.is_dir() {
            return Err(no_run(folder));
        }
        let trace = trace::tables::read(&tables).map_err(bad)?;
        let whose = trace.about("system").unwrap_or("another system");
        if whose != system.name {
            let what = format!("it is a run of {whose}, and the other of {}", system.name);
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

    /// Values of a metric: seed by seed, or the one run's.
    pub fn values(&self, key: &str) -> Option<Vec<f64>> {
        match &self.band {
            Some(band) => band.metrics.get(key).cloned(),
            None if key == self.reading.objective.metric => self.reading.value.map(|v| vec![v]),
            None => self.reading.metrics.get(key).map(|value| vec![*value]),
        }
    }

    /// The objective, seed by seed.
    pub fn objective(&self) -> Option<Vec<f64>> {
        self.values(&self.reading.objective.metric)
    }

    /// Names of its metrics, the objective's among them.
    pub fn metrics(&self) -> Vec<&str> {
        let objective = self.reading.objective.metric.as_str();
        let keys: Vec<&String> = match &self.band {
            Some(band) => band.metrics.keys().collect(),
            None => self.reading.metrics.keys().collect(),
        };
        keys.into_iter().map(String::as_str).chain([objective]).collect()
    }

    /// A value of its run table; "" where it has none.
    pub fn about(&self, key: &str) -> &str {
        self.trace.about(key).unwrap_or_default()
    }

    pub fn logged(&self) -> bool {
        self.about("origin") == "logged"
    }

    /// How many seeds; 0 of a log.
    fn seeds(&self) -> u32 {
        let one = u32::from(!self.logged());
        self.band.as_ref().map_or(one, |band| u32_of(band.seeds.len()))
    }

    pub fn shown(&self) -> Shown {
        let lost = self.trace.nodes.iter().filter(|node| !node.alive);
        let value: Option<Stat> = self.objective().map(|values| stat(&values));
        Shown {
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

/// Keys that have another value in the second; `None` where one of them is not known.
pub(super) fn changed([first, second]: &[Side; 2]) -> Option<Vec<Changed>> {
    let all = [first.settings.as_ref()?, second.settings.as_ref()?];
    let keys: BTreeSet<&String> = all.iter().flat_map(|of| of.keys()).collect();
    let keys = keys.into_iter().filter(|key| !NAMES.contains(&key.as_str()));
    let pair =
        |key: &String| Changed { key: key.clone(), values: all.map(|of| of.get(key).cloned()) };
    Some(keys.map(pair).filter(|one| one.values[0] != one.values[1]).collect())
}

/// Every key of the scenario beside a trace; of a comparison, of its first row.
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

/// What `run.json` has besides what is read of the trace: figures of replays.
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
            "is the trace of a run: give the folder above it".into()
        }
        Ok(_) if folder.join("reproduce.json").is_file() => {
            "`tenbin reproduce` keeps no trace, so that there is nothing to compare".into()
        }
        Ok(_) => format!("is not a run’s folder: there is no {TRACE}/ in it"),
    };
    bad(format!("{}: {what}: expected {EXPECTED}", folder.display()))
}
