//! Verdicts under all combinations of what a paper leaves open, by the means of a few seeds.
use super::row::{Estimates, Row};
use super::runs::{Runs, owned};
use super::{Verdict, VerdictKind};
use serde::Serialize;

/// Keys to combine, and the claims to judge under each combination.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// Two to four keys; the first value of each is the assumed one.
    pub keys: &'static [(&'static str, &'static [&'static str])],
    pub claims: &'static [&'static str],
    pub seeds: u32,
}

/// One combination of values, judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reading {
    pub values: Vec<&'static str>,
    pub verdicts: Vec<Verdict>,
    /// Whether it is the assumed combination.
    pub assumed: bool,
}

/// The combination with most claims comes first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Readings {
    pub keys: Vec<&'static str>,
    pub claims: Vec<&'static str>,
    pub seeds: u32,
    pub readings: Vec<Reading>,
}

impl Joint {
    fn combinations(&self) -> Vec<Vec<&'static str>> {
        let none = vec![Vec::new()];
        self.keys.iter().fold(none, |all, (_, values)| {
            let longer = |one: &Vec<&'static str>| {
                let one = one.clone();
                values.iter().map(move |value| [&one[..], &[*value]].concat())
            };
            all.iter().flat_map(longer).collect()
        })
    }

    /// Combinations whose runs are missing are left out.
    pub(super) fn judged(&self, rows: &[Row], runs: &Runs<'_>) -> Readings {
        let claims = rows.iter().filter(|row| self.claims.contains(&row.id));
        let claims: Vec<&Row> = claims.collect();
        let one = |(at, values): (usize, Vec<&'static str>)| {
            let all = self.keys.iter().zip(values.iter().copied());
            // Assumed values are those of the claims' runs, which are shared.
            let other = all.filter(|((_, known), value)| known[0] != *value);
            let sets: Vec<(&str, &str)> = other.map(|((key, _), value)| (*key, value)).collect();
            let runs = runs.under(&owned(&sets), self.seeds).by_means();
            let verdict =
                |row: &&Row| Estimates::of(&row.figures, &runs).map(|of| (row.verdict)(&of));
            // Every row plans its runs before the first missing one ends the reading.
            let verdicts: Vec<Option<Verdict>> = claims.iter().map(verdict).collect();
            let verdicts = verdicts.into_iter().collect::<Option<Vec<Verdict>>>()?;
            Some(Reading { values, verdicts, assumed: at == 0 })
        };
        let mut readings: Vec<Reading> =
            self.combinations().into_iter().enumerate().filter_map(one).collect();
        readings.sort_by_key(|reading| std::cmp::Reverse(reading.score()));
        Readings {
            keys: self.keys.iter().map(|(key, _)| *key).collect(),
            claims: claims.iter().map(|row| row.id).collect(),
            seeds: self.seeds,
            readings,
        }
    }
}

impl Reading {
    fn count(&self, words: &[VerdictKind]) -> usize {
        self.verdicts.iter().filter(|verdict| words.contains(&verdict.word)).count()
    }

    pub fn holds(&self) -> usize {
        self.count(&[VerdictKind::Reproduced, VerdictKind::WithTheseAssumptions])
    }

    /// Claims that hold, those that hold partly, and those that may yet.
    fn score(&self) -> [usize; 3] {
        let [partly, open] =
            [VerdictKind::Partly, VerdictKind::Undecided].map(|w| self.count(&[w]));
        [self.holds(), partly, open]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_values_of_all_keys_are_combined() {
        const KEYS: &[(&str, &[&str])] = &[("a", &["1", "2"]), ("b", &["x", "y", "z"])];
        let all = Joint { keys: KEYS, claims: &[], seeds: 2 }.combinations();
        assert_eq!((all.len(), &all[0], &all[5]), (6, &vec!["1", "x"], &vec!["2", "z"]));
    }
}
