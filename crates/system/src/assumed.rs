//! Runs each assumed value at half and double. An effect within chance is named, not drawn.
use crate::console::spaced;
use crate::failure::Failure;
use crate::interrupt;
use crate::lab::{Lab, Row, RowRuns};
pub use crate::rows::{AssumptionTrial, Assumptions};
use analysis::advice::paired;
use analysis::stat;
use cluster::{Setting, Sheet};
use page::{AssumedRow, Sentence, say};
use std::collections::BTreeSet;

/// Most defaults that the note names.
const NAMED: usize = 6;

/// Rows with each assumed value at half and at double.
#[derive(Default)]
pub struct AssumptionVariants {
    settings: Vec<Setting>,
    /// For each row: index into `settings`, and whether it is the half.
    places: Vec<(usize, bool)>,
    pub rows: Vec<Row>,
}

impl AssumptionVariants {
    pub fn of(lab: &Lab, base: &Sheet) -> AssumptionVariants {
        let settings: Vec<Setting> = base.assumed().cloned().collect();
        let (mut places, mut rows) = (Vec::new(), Vec::new());
        for (place, setting) in settings.iter().enumerate() {
            for (is_half, by, over) in [(true, 1, 2), (false, 2, 1)] {
                let Some(scaled) = base.scaled(&setting.key, by, over) else { continue };
                // Half of an odd number of disks, for example, is not a valid value.
                let Ok(sheet) = lab.with(base, &scaled) else { continue };
                places.push((place, is_half));
                rows.push(Row { name: setting.key.clone(), set: scaled, sheet })
            }
        }
        AssumptionVariants { settings, places, rows }
    }

    /// The objective at half and double, largest effect first; `now` is the value as assumed.
    pub fn finish(&self, now: f64, finished: &[RowRuns]) -> Vec<AssumedRow> {
        let empty = |setting: &Setting| AssumedRow {
            name: setting.key.clone(),
            value: spaced(&setting.value),
            key: setting.key.clone(),
            half: None,
            now,
            double: None,
        };
        let mean = |row: Option<RowRuns>| Some(stat(&row?.values()?).mean);
        let row = |tried: AssumptionTrial| AssumedRow {
            half: mean(tried.half),
            double: mean(tried.double),
            ..empty(&tried.setting)
        };
        let mut all: Vec<AssumedRow> = self.tried(finished).into_iter().map(row).collect();
        all.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        all
    }

    pub fn tried(&self, finished: &[RowRuns]) -> Vec<AssumptionTrial> {
        let none = |setting: &Setting| AssumptionTrial {
            setting: setting.clone(),
            half: None,
            double: None,
        };
        let mut all: Vec<AssumptionTrial> = self.settings.iter().map(none).collect();
        let seeds = finished.iter().map(|row| row.runs.len()).max().unwrap_or(0);
        for (&(place, is_half), row) in self.places.iter().zip(finished) {
            // Rows that an interruption cut short have too few seeds.
            let whole = Some(row.clone()).filter(|row| row.runs.len() == seeds && seeds > 0);
            match is_half {
                true => all[place].half = whole,
                false => all[place].double = whole,
            }
        }
        all
    }

    /// Table and note. `finished` has the seeds of `now`. Values without an effect beyond chance
    /// are named in the note, not drawn.
    pub fn report(&self, base: &Sheet, now: &RowRuns, finished: &[RowRuns]) -> Assumptions {
        let present = now.values().filter(|values| !values.is_empty()).unwrap_or_default();
        let noise = self.noise(&present, finished);
        let mean = if present.is_empty() { 0.0 } else { stat(&present).mean };
        let (within, rows): (Vec<AssumedRow>, Vec<AssumedRow>) =
            self.finish(mean, finished).into_iter().partition(|row| noise.contains(&row.key));
        let within: Vec<String> =
            within.iter().map(|row| format!("{} {}", row.key, row.value)).collect();
        let how = how(finished, present.len());
        Assumptions {
            rows,
            note: how.then(within_noise(&within)).then(defaults(base)).then(left_out(base)),
            tried: self.tried(finished),
        }
    }

    /// Effect of half and double on a metric, for a scenario that has not run. A value without an
    /// effect on the first seed does not run with the others.
    pub fn measured(
        lab: &Lab,
        base: &Sheet,
        metric: &str,
        seeds: &[u64],
    ) -> Result<Assumptions, Failure> {
        let mut assumed = AssumptionVariants::of(lab, base);
        let now = Row { name: String::new(), set: Vec::new(), sheet: base.clone() };
        let run = |rows: &[Row], seeds: &[u64]| -> Result<Vec<RowRuns>, Failure> {
            let mut done = lab.run(rows, seeds, false, "assumed values")?.rows;
            interrupt::check()?;
            for run in done.iter_mut().flat_map(|row| &mut row.runs) {
                run.reading.value = run.reading.metrics.get(metric).copied()
            }
            Ok(done)
        };
        let all: Vec<Row> = std::iter::once(now).chain(assumed.rows.clone()).collect();
        let first = run(&all, &seeds[..1])?;
        let value = |row: &RowRuns| row.runs[0].reading.value;
        let moves: Vec<bool> =
            first[1..].iter().map(|row| value(row) != value(&first[0])).collect();
        let mut kept = moves.iter();
        assumed.rows.retain(|_| *kept.next().expect("one each"));
        let mut kept = moves.iter();
        assumed.places.retain(|_| *kept.next().expect("one each"));
        let many = if assumed.rows.is_empty() { &seeds[..1] } else { seeds };
        let now = all.into_iter().take(1);
        let rows = now.chain(assumed.rows.clone()).collect::<Vec<Row>>();
        let done = run(&rows, many)?;
        let still = assumed.unmoved();
        let report = assumed.report(base, &done[0], &done[1..]);
        Ok(Assumptions { note: report.note.then(still), ..report })
    }

    /// Removes keys without rows and names them as without effect.
    fn unmoved(&mut self) -> Sentence {
        let moved: BTreeSet<usize> = self.places.iter().map(|(place, _)| *place).collect();
        let still = self.settings.iter().enumerate().filter(|(place, _)| !moved.contains(place));
        let still: Vec<String> = still.map(|(_, setting)| named(setting)).collect();
        let mut place = 0..;
        let old = std::mem::take(&mut self.settings);
        let kept = old.into_iter().filter(|_| moved.contains(&place.next().expect("endless")));
        self.settings = kept.collect();
        let order: Vec<usize> = moved.into_iter().collect();
        for (place, _) in &mut self.places {
            *place = order.binary_search(place).expect("it is among them")
        }
        match still.as_slice() {
            [] => Sentence::default(),
            some => say(format!("No effect at half and double: {}.", page::words::list(some))),
        }
    }

    /// Keys whose half and double differ from the present by no more than chance.
    fn noise(&self, now: &[f64], finished: &[RowRuns]) -> BTreeSet<String> {
        let mut tried = BTreeSet::new();
        let mut matters = BTreeSet::new();
        for (&(place, _), row) in self.places.iter().zip(finished) {
            let key = self.settings[place].key.clone();
            let then = row.values().unwrap_or_default();
            match is_noise(now, &then) {
                true => tried.insert(key),
                false => matters.insert(key),
            };
        }
        tried.difference(&matters).cloned().collect()
    }
}

/// Whether the difference is within its interval; never for one seed.
fn is_noise(now: &[f64], then: &[f64]) -> bool {
    if now.len() != then.len() || now.len() < 2 {
        return false;
    }
    let difference = paired(now, then);
    difference.mean.abs() <= difference.ci95
}

fn distance(row: &AssumedRow) -> f64 {
    let from_now = |other: Option<f64>| other.map_or(0.0, |other| (other - row.now).abs());
    from_now(row.half).max(from_now(row.double))
}

fn named(setting: &Setting) -> String {
    format!("{} {}", setting.key, spaced(&setting.value))
}

fn how(finished: &[RowRuns], seeds: usize) -> Sentence {
    match (finished.is_empty(), seeds) {
        (true, _) => Sentence::default(),
        (false, 1) => say("Each assumption at half and at double, one seed: differences may be \
                           chance."),
        _ => say(format!("Each assumption at half and at double, {seeds} seeds.")),
    }
}

fn within_noise(keys: &[String]) -> Sentence {
    match keys {
        [] => Sentence::default(),
        some => say(format!("Within noise: {}.", page::words::list(some))),
    }
}

fn defaults(base: &Sheet) -> Sentence {
    let all: Vec<String> = base.machines_by_default().map(named).collect();
    let more = all.len().saturating_sub(NAMED);
    let mut some: Vec<String> = all.into_iter().take(NAMED).collect();
    if more > 0 {
        some.push(format!("{more} more"))
    }
    match some.is_empty() {
        true => Sentence::default(),
        false => say(format!("Defaults, not in your files: {}.", some.join(", "))),
    }
}

fn left_out(base: &Sheet) -> Sentence {
    say("Limits of the model: ")
        .code(format!("tenbin explain {}", base.vocabulary().system))
        .say(".")
}
