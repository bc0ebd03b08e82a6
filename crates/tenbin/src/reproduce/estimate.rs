//! Numbers with their 95 % intervals, and the rules that turn them into verdicts.
use reading::Stat;
use serde::Serialize;

/// Below this relative difference two values are called equal, as everywhere in Tenbin.
pub use reading::stat::SAME;

/// A claim's fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The statement holds in every place where the document makes it.
    Reproduced,
    /// In some.
    Partly,
    /// In none.
    Refuted,
}

/// A statement looked at in one place (one N, one disk, one policy).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Place {
    /// Where.
    pub place: String,
    /// Mean over seeds.
    pub ours: f64,
    /// Half width of its 95 % interval.
    pub spread: f64,
    /// Whether the statement holds here.
    pub holds: bool,
    /// Seed by seed, for the claim's own mean.
    #[serde(skip)]
    pub per_seed: Vec<f64>,
}

impl Place {
    /// A value per seed, and the rule that it is held against.
    pub fn new(place: String, per_seed: Vec<f64>, rule: impl Fn(&Stat) -> bool) -> Place {
        let stat = reading::stat(&per_seed);
        Place { place, ours: stat.mean, spread: stat.ci95, holds: rule(&stat), per_seed }
    }
}

/// Seed by seed a/b: equal seeds have the same fate, so their ratio is paired.
pub fn ratio(a: &[f64], b: &[f64]) -> Vec<f64> {
    assert_eq!(a.len(), b.len(), "paired over the same seeds");
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

/// Above `level`, interval and all.
pub fn above(level: f64) -> impl Fn(&Stat) -> bool {
    move |s| s.mean - s.ci95 > level
}

/// Below `level`, interval and all.
pub fn below(level: f64) -> impl Fn(&Stat) -> bool {
    move |s| s.mean + s.ci95 < level
}

/// Within 5 % of `value`, or the interval contains it.
pub fn equals(value: f64) -> impl Fn(&Stat) -> bool {
    move |s| (s.mean / value - 1.0).abs() <= SAME || (s.mean - value).abs() <= s.ci95
}

/// The interval meets `low..=high`.
pub fn within(low: f64, high: f64) -> impl Fn(&Stat) -> bool {
    move |s| s.mean + s.ci95 >= low && s.mean - s.ci95 <= high
}

/// A ratio to a rival that is no clear advantage: under 5 %, or the interval contains 1.
pub fn no_advantage() -> impl Fn(&Stat) -> bool {
    |s| s.mean < 1.0 + SAME || s.mean - s.ci95 <= 1.0
}

/// All, some or none.
pub fn verdict(places: &[Place]) -> Verdict {
    let holds = places.iter().filter(|p| p.holds).count();
    match holds {
        n if n == places.len() => Verdict::Reproduced,
        0 => Verdict::Refuted,
        _ => Verdict::Partly,
    }
}

/// The mean over places of each seed, then over seeds.
pub fn pooled(places: &[Place]) -> Stat {
    let seeds = places.first().map_or(0, |p| p.per_seed.len());
    let of_seed =
        |i: usize| places.iter().map(|p| p.per_seed[i]).sum::<f64>() / places.len() as f64;
    reading::stat(&(0..seeds).map(of_seed).collect::<Vec<f64>>())
}

/// The place with the smallest mean, and the one with the largest.
pub fn extremes(places: &[Place]) -> (&Place, &Place) {
    let by_mean = |a: &&Place, b: &&Place| a.ours.total_cmp(&b.ours);
    let low = places.iter().min_by(by_mean).expect("a claim looks at one place at least");
    let high = places.iter().max_by(by_mean).expect("as above");
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(mean: f64, ci95: f64) -> Stat {
        Stat { mean, ci95, min: mean, max: mean }
    }

    #[test]
    fn rules_look_at_the_interval() {
        assert!(above(1.0)(&stat(1.1, 0.05)) && !above(1.0)(&stat(1.1, 0.2)));
        assert!(below(1.0)(&stat(0.9, 0.05)) && !below(1.0)(&stat(0.9, 0.2)));
        assert!(equals(1.62)(&stat(1.60, 0.0)) && !equals(1.62)(&stat(1.5, 0.01)));
        assert!(equals(1.62)(&stat(1.5, 0.2)), "too wide to tell apart");
        assert!(within(1.2, 1.25)(&stat(1.19, 0.02)) && !within(1.2, 1.25)(&stat(1.17, 0.02)));
        assert!(no_advantage()(&stat(1.04, 0.0)) && !no_advantage()(&stat(1.1, 0.05)));
        assert!(no_advantage()(&stat(1.1, 0.2)));
    }

    #[test]
    fn the_verdict_is_all_some_or_none() {
        let place = |holds| Place {
            place: String::new(),
            ours: 0.0,
            spread: 0.0,
            holds,
            per_seed: Vec::new(),
        };
        assert_eq!(verdict(&[place(true), place(true)]), Verdict::Reproduced);
        assert_eq!(verdict(&[place(true), place(false)]), Verdict::Partly);
        assert_eq!(verdict(&[place(false), place(false)]), Verdict::Refuted);
    }

    #[test]
    fn pooling_keeps_the_pairing_of_seeds() {
        // Two places that differ by seed in opposite ways: their mean does not differ at all.
        let a = Place::new("a".into(), vec![1.0, 3.0], |_| true);
        let b = Place::new("b".into(), vec![3.0, 1.0], |_| true);
        let pooled = pooled(&[a, b]);
        assert_eq!((pooled.mean, pooled.ci95), (2.0, 0.0));
    }
}
