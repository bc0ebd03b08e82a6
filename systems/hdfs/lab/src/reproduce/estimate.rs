//! Numbers with their 95 % intervals, place by place.
use super::verdict::Band;
use hdfs_reading::Stat;
use serde::Serialize;

/// A statement looked at in one place (one N, one disk, one policy).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Place {
    pub place: String,
    pub ours: f64,
    /// Half width of its 95 % interval.
    pub spread: f64,
    /// Whether the statement holds here; none if the interval is too wide to tell, as it always is
    /// of one seed.
    pub holds: Option<bool>,
    /// Seed by seed, for the claim's own mean.
    #[serde(skip)]
    pub per_seed: Vec<f64>,
}

impl Place {
    /// A value per seed, and the band that it is held against.
    pub fn new(place: String, per_seed: Vec<f64>, band: Band) -> Place {
        let stat = hdfs_reading::stat(&per_seed);
        let holds = if per_seed.len() > 1 { band.holds(&stat) } else { None };
        Place { place, ours: stat.mean, spread: stat.ci95, holds, per_seed }
    }
}

/// Seed by seed a/b: equal seeds have the same fate, so their ratio is paired.
pub fn ratio(a: &[f64], b: &[f64]) -> Vec<f64> {
    assert_eq!(a.len(), b.len(), "paired over the same seeds");
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

/// The mean over places of each seed, then over seeds.
pub fn pooled(places: &[Place]) -> Stat {
    let seeds = places.first().map_or(0, |p| p.per_seed.len());
    let of_seed =
        |i: usize| places.iter().map(|p| p.per_seed[i]).sum::<f64>() / places.len() as f64;
    hdfs_reading::stat(&(0..seeds).map(of_seed).collect::<Vec<f64>>())
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

    #[test]
    fn one_seed_decides_nothing() {
        let place = |per_seed| Place::new("here".into(), per_seed, Band::above(1.0));
        assert_eq!(place(vec![2.0]).holds, None);
        assert_eq!(place(vec![2.0, 2.0]).holds, Some(true));
    }

    #[test]
    fn pooling_keeps_the_pairing_of_seeds() {
        // Two places that differ by seed in opposite ways: their mean does not differ at all.
        let a = Place::new("a".into(), vec![1.0, 3.0], Band::above(0.0));
        let b = Place::new("b".into(), vec![3.0, 1.0], Band::above(0.0));
        let pooled = pooled(&[a, b]);
        assert_eq!((pooled.mean, pooled.ci95), (2.0, 0.0));
    }
}
