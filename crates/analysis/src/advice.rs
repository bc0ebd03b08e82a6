//! Which of several changes that were tried is worth following: numbers alone, whatever they are
//! of.
//!
//! A change is followed that gains more than chance does, with so many tried: of twenty changes
//! that do nothing one gains more than its own 95 % interval. Of those that gain [`KNEE`] of what
//! the best does the smallest: there is the knee. What is bought gains the more the more is bought:
//! of it the fewest pieces are followed that each bring [`KNEE`] of what the best bring each, and
//! only where no setting brings half as much.
use crate::stat::{SAME, Stat, is_open, jointly, stat};

/// What gains this part of what the best does is as good, and the smallest of those is followed.
pub const KNEE: f64 = 0.8;

/// A setting that gains this part of what is bought comes first.
const HALF: f64 = 0.5;

/// What a change does to what is measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// Less is needed, by more than chance and by 5 % of the present.
    Gains,
    /// As the present, within 5 % of it.
    Same,
    /// Cannot be told from the present, and may be 5 % more or less: more seeds would tell.
    Undecided,
    Loses,
    /// Not known: of one seed there is no interval; or not every run came to an end.
    Unknown,
}

/// A change that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// What it needs, seed by seed, the seeds in the order of the present's: less is better.
    pub needs: Option<Vec<f64>>,
    /// Whether it may be followed: it can be done, and harms nothing that must not be harmed.
    pub allowed: bool,
    /// How large it is: of changes that are alike the smallest is followed. What it costs, how many
    /// settings, how far they go.
    pub size: Size,
}

/// How large a change is, what weighs most first.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default, Debug)]
pub struct Size {
    /// Other measures that become worse.
    pub harms: usize,
    pub keys: usize,
    pub far: f64,
    /// What is bought, in pieces; 0: nothing. It is weighed apart.
    pub pieces: f64,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Advice {
    /// The place of the change that is worth it, if any.
    pub follow: Option<usize>,
    pub fates: Vec<Fate>,
    /// Which of them cannot be told from the one that is followed.
    pub ties: Vec<bool>,
}

/// What to follow of `tried`, against what the present needs, seed by seed.
pub fn advise(now: &[f64], tried: &[Tried]) -> Advice {
    // What may not be followed misleads nobody, however many there are.
    let at_once = tried.iter().filter(|one| one.allowed).count();
    let fates: Vec<Fate> =
        tried.iter().map(|one| fate(now, one.needs.as_deref(), at_once)).collect();
    let gains = |&at: &usize| tried[at].allowed && fates[at] == Fate::Gains;
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
        matches!(fate(needs(a), Some(needs(b)), 1), Fate::Same | Fate::Undecided)
    };
    let tie = |at: usize| {
        follow.is_some_and(|one| one != at && fates[at] == Fate::Gains && alike(one, at))
    };
    Advice { follow, ties: (0..tried.len()).map(tie).collect(), fates }
}

/// The smallest of those that gain [`KNEE`] of what the best does.
fn knee(all: &[usize], tried: &[Tried], gain: impl Fn(usize) -> f64) -> Option<usize> {
    let most = all.iter().map(|at| gain(*at)).fold(0.0, f64::max);
    let near = all.iter().copied().filter(|at| gain(*at) >= KNEE * most);
    near.min_by(|a, b| {
        let by_size = tried[*a].size.partial_cmp(&tried[*b].size).expect("no NaN");
        by_size.then(gain(*b).total_cmp(&gain(*a)))
    })
}

/// What a change does, where so many are tried at once.
pub fn fate(now: &[f64], then: Option<&[f64]>, at_once: usize) -> Fate {
    let Some(then) = then.filter(|then| then.len() == now.len() && now.len() > 1) else {
        return Fate::Unknown;
    };
    let differences = paired(now, then);
    let (present, sure) = (stat(now).mean, jointly(now.len(), at_once) * differences.ci95);
    let size = differences.mean.abs();
    if size == 0.0 || size < SAME * present.abs() || size <= sure {
        let open = is_open(&differences, present);
        return if open { Fate::Undecided } else { Fate::Same };
    }
    if differences.mean < 0.0 { Fate::Gains } else { Fate::Loses }
}

/// The second less the first, seed by seed. There is one seed at least.
pub fn paired(now: &[f64], then: &[f64]) -> Stat {
    let all: Vec<f64> = then.iter().zip(now).map(|(then, now)| then - now).collect();
    stat(&all)
}
