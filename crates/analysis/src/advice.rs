//! Selects which of several tried changes to follow, by numbers only.
//!
//! A change must gain beyond chance for this number of tries: of twenty changes without effect, one
//! exceeds its own 95 % interval. The knee is the smallest change with [`KNEE`] of the best gain. A
//! larger purchase gains more, so for purchases the gain per piece counts. A purchase is followed
//! only if no setting gains half as much.
use crate::stat::{SAME, Stat, is_open, jointly, stat};

/// Fraction of the best gain that is enough.
pub const KNEE: f64 = 0.8;

/// A setting with this fraction of a purchase's gain has priority.
const HALF: f64 = 0.5;

/// Effect of a change on the objective.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Less is needed, beyond chance and by at least 5 % of the present.
    Gains,
    /// Within 5 % of the present.
    Same,
    /// Not distinguishable from the present, and may differ by 5 %: more seeds decide.
    Undecided,
    Loses,
    /// One seed only, or a run did not end.
    Unknown,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TriedChange {
    /// Objective by seed, in the seed order of the present; less is better. `None` if a run did not
    /// end.
    pub needs: Option<Vec<f64>>,
    /// The change is possible and harms no protected metric.
    pub allowed: bool,
    /// Among equivalent changes the smallest is followed.
    pub size: Size,
}

/// Size of a change; fields in order of priority.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default, Debug)]
pub struct Size {
    /// Number of other metrics that become worse.
    pub harms: usize,
    pub keys: usize,
    pub far: f64,
    /// Number of pieces bought; 0: a setting. Purchases compare separately.
    pub pieces: f64,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Advice {
    /// Index of the change to follow.
    pub follow: Option<usize>,
    pub fates: Vec<Effect>,
    /// For each change: not distinguishable from the followed one.
    pub ties: Vec<bool>,
}

/// `now` and the needs of `tried` are by seed.
pub fn advise(now: &[f64], tried: &[TriedChange]) -> Advice {
    // Changes that cannot be followed do not weaken the test of the others.
    let at_once = tried.iter().filter(|one| one.allowed).count();
    let fates: Vec<Effect> =
        tried.iter().map(|one| fate(now, one.needs.as_deref(), at_once)).collect();
    let gains = |&at: &usize| tried[at].allowed && fates[at] == Effect::Gains;
    let needs = |at: usize| tried[at].needs.as_deref().unwrap_or_default();
    let gain = |at: usize| stat(now).mean - stat(needs(at)).mean;
    let (bought, set): (Vec<usize>, Vec<usize>) =
        (0..tried.len()).filter(gains).partition(|at| tried[*at].size.pieces > 0.0);
    let set = knee(&set, tried, gain);
    let bought = knee(&bought, tried, |at| gain(at) / tried[at].size.pieces);
    let follow = match (set, bought) {
        (Some(set), Some(bought)) if gain(set) < HALF * gain(bought) => Some(bought),
        (set, bought) => set.or(bought),
    };
    let alike = |a: usize, b: usize| {
        matches!(fate(needs(a), Some(needs(b)), 1), Effect::Same | Effect::Undecided)
    };
    let tie = |at: usize| {
        follow.is_some_and(|one| one != at && fates[at] == Effect::Gains && alike(one, at))
    };
    Advice { follow, ties: (0..tried.len()).map(tie).collect(), fates }
}

/// The smallest change with [`KNEE`] of the best gain.
fn knee(all: &[usize], tried: &[TriedChange], gain: impl Fn(usize) -> f64) -> Option<usize> {
    let most = all.iter().map(|at| gain(*at)).fold(0.0, f64::max);
    let near = all.iter().copied().filter(|at| gain(*at) >= KNEE * most);
    near.min_by(|a, b| {
        let by_size = tried[*a].size.partial_cmp(&tried[*b].size).expect("no NaN");
        by_size.then(gain(*b).total_cmp(&gain(*a)))
    })
}

/// Effect of a change, with a joint test for `at_once` changes.
pub fn fate(now: &[f64], then: Option<&[f64]>, at_once: usize) -> Effect {
    let Some(then) = then.filter(|then| then.len() == now.len() && now.len() > 1) else {
        return Effect::Unknown;
    };
    let differences = paired(now, then);
    let (present, sure) = (stat(now).mean, jointly(now.len(), at_once) * differences.ci95);
    let size = differences.mean.abs();
    if size == 0.0 || size < SAME * present.abs() || size <= sure {
        let open = is_open(&differences, present);
        return if open { Effect::Undecided } else { Effect::Same };
    }
    if differences.mean < 0.0 { Effect::Gains } else { Effect::Loses }
}

/// `then` − `now`, paired by seed; at least one seed.
pub fn paired(now: &[f64], then: &[f64]) -> Stat {
    let all: Vec<f64> = then.iter().zip(now).map(|(then, now)| then - now).collect();
    stat(&all)
}
