//! What no input says, at half and at double: rows that are run beside the others.
use crate::lab::{Lab, Row, RowRuns};
use crate::say::spaced;
use crate::vary::Set;
use analysis::stat;
use cluster::{Setting, Sheet};
use page::AssumedRow;

/// Rows at half and double of what is assumed.
pub struct Assumed {
    settings: Vec<Setting>,
    /// The place of each row's setting, and whether it is the half.
    places: Vec<(usize, bool)>,
    /// The rows themselves.
    pub rows: Vec<Row>,
}

impl Assumed {
    /// For each assumed key of `base`; `sets` stand over the scenario's file.
    pub fn of(lab: &Lab, base: &Sheet, sets: &[Set]) -> Assumed {
        let settings: Vec<Setting> = base.assumed().cloned().collect();
        let (mut places, mut rows) = (Vec::new(), Vec::new());
        for (place, setting) in settings.iter().enumerate() {
            for (is_half, by, over) in [(true, 1, 2), (false, 2, 1)] {
                let Some(scaled) = base.scaled(&setting.key, by, over) else { continue };
                let all: Vec<Set> = sets.iter().chain(&scaled).cloned().collect();
                // Twelve log disks have no half as many disks: such a value is no row.
                let Ok(sheet) = lab.read(&base.file, &all) else { continue };
                places.push((place, is_half));
                rows.push(Row { name: setting.key.clone(), set: scaled, sheet })
            }
        }
        Assumed { settings, places, rows }
    }

    /// The page's rows, from those that were run, what matters most first; `now` is the objective
    /// as assumed.
    pub fn finish(&self, now: f64, finished: &[RowRuns]) -> Vec<AssumedRow> {
        let empty = |setting: &Setting| AssumedRow {
            name: setting.key.clone(),
            value: spaced(&setting.value),
            key: setting.key.clone(),
            half: None,
            now,
            double: None,
        };
        let mut all: Vec<AssumedRow> = self.settings.iter().map(empty).collect();
        let seeds = finished.iter().map(|row| row.runs.len()).max().unwrap_or(0);
        for (&(place, is_half), row) in self.places.iter().zip(finished) {
            // Where the user has stopped them half way they tell nothing.
            let whole = row.runs.len() == seeds;
            let values = row.values().filter(|values| whole && !values.is_empty());
            let mean = values.map(|values| stat(&values).mean);
            match is_half {
                true => all[place].half = mean,
                false => all[place].double = mean,
            }
        }
        all.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
        all
    }
}

/// How far the objective moves.
fn moved(row: &AssumedRow) -> f64 {
    let from_now = |other: Option<f64>| other.map_or(0.0, |other| (other - row.now).abs());
    from_now(row.half).max(from_now(row.double))
}
