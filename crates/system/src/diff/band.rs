//! The range over the seeds of one scenario: curves on one grid, metrics, load of each node. Stored
//! next to the trace of the first seed, to compare another run with all of them
//! (`docs/compare.md`).
use crate::failure::Failure;
use crate::lab::{SeedRun, bad};
use crate::output::Output;
use analysis::stat::further;
use analysis::{Bins, Span, Steps, stat};
use page::words::capital;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use trace::Trace;
use trace::reading::{Completions, Curve, End, Load, Reading};
use units::Nanos;

/// In the result folder.
pub const FILE: &str = "band.json";

const VERSION: u32 = 2;

/// Most samples of a curve.
pub(super) const SAMPLES: usize = 600;

/// Most progress curves of a run.
const CURVES: usize = 4;

/// Several seeds of one scenario; time 0 is where the objective begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Band {
    version: u32,
    scenario_hash: String,
    /// Hash of the first seed's trace.
    trace_hash: String,
    /// In the order of the lists below; at least two.
    pub(super) seeds: Vec<u64>,
    /// Time between samples of a curve \[s\]; sample i is at i · `step_s`.
    pub(super) step_s: f64,
    /// Curves that every seed has.
    pub(super) curves: BTreeMap<String, BandCurve>,
    /// One value per seed, for metrics that every seed has.
    pub(super) metrics: BTreeMap<String, Vec<f64>>,
    pub(super) loads: Vec<LoadBand>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct BandCurve {
    pub low: Vec<f64>,
    pub median: Vec<f64>,
    pub high: Vec<f64>,
    /// For each seed: time outside the range of the others \[s\].
    pub outside_s: Vec<f64>,
}

/// Work of one kind over the seeds; nodes in the order of the trace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct LoadBand {
    pub work: String,
    pub end: End,
    pub times: Vec<Spread>,
    /// Moved or done by each node: mean over seeds.
    pub amount: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Spread {
    pub mean: f64,
    /// Half width of the 95 % prediction interval of another run.
    pub further: f64,
}

/// Progress of a run over time.
pub(super) struct Progress {
    pub key: String,
    pub title: String,
    pub unit: String,
    pub steps: Steps,
}

/// Completed operations first, then counters of the whole run.
pub(super) fn progress(reading: &Reading) -> Vec<Progress> {
    let ended = reading.completions.iter().map(|ended| Progress {
        key: "ended".into(),
        title: ended_title(ended),
        unit: String::new(),
        steps: ended.count.clone(),
    });
    let is_counter = |curve: &&Curve| curve.role.is_none() && !curve.points.is_empty();
    let counters = reading.curves.iter().filter(is_counter).map(|curve| Progress {
        key: curve.name.clone(),
        title: capital(&curve.name.replace('_', " ")),
        unit: curve.unit.clone(),
        steps: Steps::new(curve.points.iter().map(|(at, value)| (Nanos::from_secs(*at), *value))),
    });
    ended.chain(counters).take(CURVES).collect()
}

fn ended_title(ended: &Completions) -> String {
    let from = if ended.is_sample { ", from a sample" } else { "" };
    format!("{}s ended{from}", capital(&ended.operation))
}

/// Length of the objective's window.
pub(super) fn length(reading: &Reading) -> Nanos {
    reading.window.1.saturating_sub(reading.window.0)
}

impl Band {
    /// `trace` is that of the first run. `None` for fewer than two runs.
    pub fn of(trace: &Trace, runs: &[SeedRun]) -> Option<Band> {
        if runs.len() < 2 {
            return None;
        }
        let about = |key| trace.about(key).unwrap_or_default().to_string();
        let longest = runs.iter().map(|run| length(&run.reading)).max().unwrap_or_default();
        let grid = Bins::round(Nanos::ZERO, longest, SAMPLES);
        Some(Band {
            version: VERSION,
            scenario_hash: about("scenario_hash"),
            trace_hash: about("trace_hash"),
            seeds: runs.iter().map(|run| run.seed).collect(),
            step_s: grid.width.as_secs(),
            curves: curves(runs, grid),
            metrics: metrics(runs),
            loads: runs[0].reading.loads.iter().filter_map(|load| load_band(runs, load)).collect(),
        })
    }

    /// Writes nothing for fewer than two runs.
    pub fn write(out: &Output, trace: &Trace, runs: &[SeedRun]) -> Result<(), Failure> {
        let Some(band) = Band::of(trace, runs) else { return Ok(()) };
        let text = serde_json::to_string(&band).expect("numbers and names");
        out.write(FILE, format!("{text}\n").as_bytes())
    }

    /// `None` if the file does not exist: one seed, or a log. Fails if it is damaged, or has
    /// another version or trace.
    pub(super) fn read(file: &Path, trace: &Trace) -> Result<Option<Band>, Failure> {
        let refused = |what: String| {
            let expected = "a file that `tenbin run --seeds N` wrote with this trace. Run it again";
            bad(format!("{}: {what}: expected {expected}", file.display()))
        };
        let text = match fs::read(file) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(refused(format!("cannot be read ({e})"))),
        };
        let whole: Value = serde_json::from_slice(&text)
            .map_err(|e| refused(format!("is incomplete or damaged ({e})")))?;
        match whole.get("version").and_then(Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(other) => return Err(refused(format!("has version {other}, not {VERSION}"))),
            None => return Err(refused("has no version".into())),
        }
        let band: Band = serde_json::from_value(whole)
            .map_err(|e| refused(format!("is not a valid band ({e})")))?;
        if trace.about("trace_hash") != Some(band.trace_hash.as_str()) {
            return Err(refused("belongs to another trace (different trace_hash)".into()));
        }
        match band.flaw(trace.nodes.len()) {
            Some(flaw) => Err(refused(flaw)),
            None => Ok(Some(band)),
        }
    }

    /// The first inconsistency between its lists, or with the trace's nodes.
    fn flaw(&self, nodes: usize) -> Option<String> {
        let seeds = self.seeds.len();
        let fits = |curve: &BandCurve| {
            let n = curve.low.len();
            let same = curve.median.len() == n && curve.high.len() == n;
            let ordered = curve.low.iter().zip(&curve.high).all(|(low, high)| low <= high);
            n > 0 && same && ordered && curve.outside_s.len() == seeds
        };
        if seeds < 2 {
            return Some(format!("has {seeds} seeds"));
        }
        if self.step_s.is_nan() || self.step_s <= 0.0 {
            return Some(format!("has step_s = {}", self.step_s));
        }
        if let Some((name, _)) = self.curves.iter().find(|(_, curve)| !fits(curve)) {
            return Some(format!("has no complete curve \"{name}\""));
        }
        let fits = |load: &&LoadBand| load.times.len() == nodes && load.amount.len() == nodes;
        if let Some(load) = self.loads.iter().find(|load| !fits(load)) {
            return Some(format!("has {} nodes of \"{}\"", load.times.len(), load.work));
        }
        let short = self.metrics.iter().find(|(_, values)| values.len() != seeds);
        short.map(|(name, n)| format!("has {} values of \"{name}\" of {seeds} seeds", n.len()))
    }
}

/// Curves that every run has: minimum, median and maximum on the grid, including its end; and for
/// each run the time outside the range of the others.
fn curves(runs: &[SeedRun], grid: Bins) -> BTreeMap<String, BandCurve> {
    let all: Vec<Vec<Progress>> = runs.iter().map(|run| progress(&run.reading)).collect();
    let of = |key: &str| {
        let find = |(run, own): (&SeedRun, &'_ Vec<Progress>)| {
            let one = own.iter().find(|one| one.key == key)?;
            Some((one.steps.clone(), run.reading.window.0))
        };
        let steps = runs.iter().zip(&all).map(find).collect::<Option<Vec<(Steps, Nanos)>>>()?;
        let steps: Vec<(&Steps, Nanos)> =
            steps.iter().map(|(steps, from)| (steps, *from)).collect();
        let Span { low, median, high, outside_s } = Span::of(&steps, grid.width, grid.count);
        Some(BandCurve { low, median, high, outside_s })
    };
    all[0].iter().filter_map(|one| Some((one.key.clone(), of(&one.key)?))).collect()
}

/// Metrics that every run has, including the objective.
fn metrics(runs: &[SeedRun]) -> BTreeMap<String, Vec<f64>> {
    let first = &runs[0].reading;
    let of = |name: &String| {
        let values = runs.iter().map(|run| run.reading.metrics.get(name).copied());
        Some((name.clone(), values.collect::<Option<Vec<f64>>>()?))
    };
    let values: Option<Vec<f64>> = runs.iter().map(|run| run.reading.value).collect();
    let objective = values.map(|values| (first.objective.metric.clone(), values));
    first.metrics.keys().filter_map(of).chain(objective).collect()
}

/// A load over all seeds; a seed without it counts as 0.
fn load_band(runs: &[SeedRun], of: &Load) -> Option<LoadBand> {
    let same = |load: &&Load| load.work == of.work && load.end == of.end;
    let all: Vec<Option<&Load>> =
        runs.iter().map(|run| run.reading.loads.iter().find(same)).collect();
    let nodes = of.times.len();
    if all.iter().flatten().any(|load| load.times.len() != nodes) {
        return None;
    }
    let over = |value: &dyn Fn(&Load) -> f64| -> Vec<f64> {
        all.iter().map(|load| load.map_or(0.0, value)).collect()
    };
    let spread = |node: usize| {
        let values = over(&|load| load.times[node]);
        Spread { mean: stat(&values).mean, further: further(&values).unwrap_or_default() }
    };
    Some(LoadBand {
        work: of.work.clone(),
        end: of.end,
        times: (0..nodes).map(spread).collect(),
        amount: (0..nodes).map(|node| stat(&over(&|load| load.amount[node])).mean).collect(),
    })
}
