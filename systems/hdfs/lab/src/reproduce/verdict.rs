//! The one rule that turns intervals into verdicts, the same for all claims.
//!
//! A statement gives a band. In a place it holds if the 95 % interval of what we measured lies
//! wholly inside the band, and fails if it lies wholly outside; an interval that is neither says
//! nothing. So a wider interval, as fewer seeds give, decides less, and never otherwise.
use super::estimate::Place;
use hdfs_reading::Stat;
pub use system::claims::{Verdict, Word};

/// Below this relative difference two values are called equal, as everywhere in Tenbin.
pub use hdfs_reading::stat::SAME;

/// Where a value has to lie for a statement to hold; the ends are outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Band {
    low: f64,
    high: f64,
}

impl Band {
    /// Above `level`.
    pub fn above(level: f64) -> Band {
        Band { low: level, high: f64::INFINITY }
    }

    /// Below `level`.
    pub fn below(level: f64) -> Band {
        Band { low: f64::NEG_INFINITY, high: level }
    }

    /// "About `value`": less than 5 % from it.
    pub fn about(value: f64) -> Band {
        Band { low: value * (1.0 - SAME), high: value * (1.0 + SAME) }
    }

    /// From `low` to `high`.
    pub fn within(low: f64, high: f64) -> Band {
        Band { low, high }
    }

    /// A ratio to a rival that is no clear advantage: less than 5 % above it.
    pub fn no_advantage() -> Band {
        Band::below(1.0 + SAME)
    }

    /// Whether a statement with this band holds of a value that is known with its interval; none if
    /// the interval is too wide to tell.
    pub fn holds(self, value: &Stat) -> Option<bool> {
        let (from, to) = (value.mean - value.ci95, value.mean + value.ci95);
        if self.low < from && to < self.high {
            Some(true)
        } else if to <= self.low || self.high <= from {
            Some(false)
        } else {
            None
        }
    }
}

/// In how many places a statement holds, fails, and is not decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    holds: usize,
    fails: usize,
    open: usize,
}

fn count(places: &[Place]) -> Count {
    let of = |fate| places.iter().filter(|p| p.holds == fate).count();
    Count { holds: of(Some(true)), fails: of(Some(false)), open: of(None) }
}

/// What follows however the places that are not decided would come out; else nothing does.
pub fn verdict(places: &[Place]) -> Verdict {
    Verdict::of(places.iter().map(|place| place.holds))
}

/// "holds in 3 of 8 places, fails in 1, is not decided in 4".
pub fn tally(places: &[Place]) -> String {
    let Count { holds, fails, open } = count(places);
    let mut out = format!("holds in {holds} of {} places", places.len());
    for (number, what) in [(fails, "fails"), (open, "is not decided")] {
        if number > 0 {
            out += &format!(", {what} in {number}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(mean: f64, ci95: f64) -> Stat {
        Stat { mean, ci95, min: mean, max: mean }
    }

    #[test]
    fn a_band_decides_by_the_whole_interval() {
        let fate = |band: Band, mean, ci95| band.holds(&stat(mean, ci95));
        assert_eq!(fate(Band::above(1.0), 1.1, 0.05), Some(true));
        assert_eq!(fate(Band::above(1.0), 1.1, 0.2), None);
        assert_eq!(fate(Band::above(1.0), 0.9, 0.05), Some(false));
        assert_eq!(fate(Band::above(1.0), 1.0, 0.0), Some(false), "no growth at all");
        assert_eq!(fate(Band::below(1.0), 0.9, 0.05), Some(true));
        assert_eq!(fate(Band::about(1.62), 1.60, 0.0), Some(true));
        assert_eq!(fate(Band::about(1.62), 1.5, 0.01), Some(false));
        assert_eq!(fate(Band::about(1.62), 1.5, 0.2), None, "it contains 1.62 and says nothing");
        assert_eq!(fate(Band::within(1.2, 1.25), 1.22, 0.01), Some(true));
        assert_eq!(fate(Band::within(1.2, 1.25), 1.19, 0.02), None, "it meets the band");
        assert_eq!(fate(Band::no_advantage(), 1.1, 0.2), None);
        assert_eq!(fate(Band::no_advantage(), 0.7, 0.2), Some(true));
        assert_eq!(fate(Band::about(1.0), f64::NAN, f64::NAN), None);
    }

    /// Places with a fate each.
    fn places(fates: &[Option<bool>]) -> Vec<Place> {
        let place = |&holds: &Option<bool>| Place {
            place: String::new(),
            ours: 0.0,
            spread: 0.0,
            holds,
            per_seed: Vec::new(),
        };
        fates.iter().map(place).collect()
    }

    const FATES: [Option<bool>; 3] = [Some(true), Some(false), None];

    /// What all the ways of filling in what is not decided come to.
    fn possible(fates: [Option<bool>; 3]) -> Vec<Word> {
        let ways = |fate: Option<bool>| fate.map_or(vec![true, false], |one| vec![one]);
        let mut all = Vec::new();
        for a in ways(fates[0]) {
            for b in ways(fates[1]) {
                for c in ways(fates[2]) {
                    all.push(match (a as u8) + (b as u8) + (c as u8) {
                        3 => Word::Reproduced,
                        2 => Word::Partly,
                        _ => Word::Refuted,
                    })
                }
            }
        }
        all
    }

    #[test]
    fn a_verdict_is_given_only_if_nothing_else_is_possible() {
        for a in FATES {
            for b in FATES {
                for c in FATES {
                    let possible = possible([a, b, c]);
                    let one = possible.iter().all(|v| *v == possible[0]);
                    let expected = if one { possible[0] } else { Word::Undecided };
                    assert_eq!(verdict(&places(&[a, b, c])).word, expected, "{a:?} {b:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn a_tally_names_what_there_is() {
        let of = |fates: &[Option<bool>]| tally(&places(fates));
        assert_eq!(of(&[Some(true), Some(true)]), "holds in 2 of 2 places");
        let all = "holds in 1 of 3 places, fails in 1, is not decided in 1";
        assert_eq!(of(&FATES), all);
    }

    /// The same centres with wider intervals: as they are, or not decided; never otherwise.
    #[test]
    fn wider_intervals_decide_less_and_never_otherwise() {
        let bands = [
            Band::above(1.0),
            Band::below(1.0),
            Band::about(1.0),
            Band::within(1.2, 1.25),
            Band::no_advantage(),
        ];
        // Any sequence that fills 0..1 does; the golden ratio's is even.
        let mut drawn = 0.0;
        let mut draw = || {
            drawn = (drawn + 0.618_033_988_749_895_f64) % 1.0;
            drawn
        };
        let mut decided = 0;
        for _ in 0..20_000 {
            let mut places = [Vec::new(), Vec::new()];
            for _ in 0..1 + (draw() * 3.0) as usize {
                let band = bands[(draw() * bands.len() as f64) as usize];
                let (mean, ci95) = (0.8 + 0.6 * draw(), 0.1 * draw());
                let wider = ci95 * (1.0 + 4.0 * draw());
                for (places, ci95) in places.iter_mut().zip([ci95, wider]) {
                    let fate = band.holds(&stat(mean, ci95));
                    places.extend(self::places(&[fate]))
                }
            }
            let [narrow, wide] = places.map(|places| verdict(&places).word);
            assert!(wide == narrow || wide == Word::Undecided, "{narrow:?} became {wide:?}");
            decided += usize::from(wide != Word::Undecided);
        }
        assert!(decided > 1_000, "{decided}: nothing was put to the test");
    }
}
