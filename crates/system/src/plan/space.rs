//! What a plan may change.
use crate::advice::Price;
use crate::failure::Failure;
use crate::lab::SeedRun;
use crate::seam::Simulated;
use cluster::Sheet;
use std::cmp::Ordering;
use std::fmt::Debug;
use units::Nanos;

/// A place in the space of settings.
pub trait Point: Clone + Ord + Debug + Send + Sync {}

impl<T: Clone + Ord + Debug + Send + Sync> Point for T {}

/// The settings of a system that a plan may change, and what a change of them asks for.
pub trait Space: Sync {
    /// Values of all its settings.
    type Point: Point;

    fn now(&self) -> Self::Point;

    /// The scenario with these settings.
    ///
    /// # Errors
    /// Bad input: values that do not go together.
    fn sheet(&self, point: &Self::Point) -> Result<Sheet, Failure>;

    /// Where a search begins, what tells most first: where there is no time for all, the last ones
    /// are left out.
    fn coarse(&self) -> Vec<Self::Point>;

    /// What lies round a point; `holder` is what holds it up most.
    fn near(&self, point: &Self::Point, holder: Option<&str>) -> Vec<Self::Point>;

    /// A point with each of its changes taken back; of one that is not ready first its settings
    /// alone, without what nobody can set.
    fn without(&self, point: &Self::Point) -> Vec<Self::Point>;

    /// What it takes to come from the present settings to a point.
    fn effort(&self, point: &Self::Point) -> Effort;

    /// Whether somebody can set that today; else it is research.
    fn is_ready(&self, _point: &Self::Point) -> bool {
        true
    }

    /// What is not ready, with each of these settings.
    fn research(&self, _settings: &[Self::Point]) -> Vec<Self::Point> {
        Vec::new()
    }

    /// Whether what is kept of a run is read from its trace.
    fn reads_traces(&self) -> bool {
        false
    }

    fn cost(&self, done: &Simulated) -> u64 {
        done.events
    }

    fn keep(&self, seed: u64, done: &Simulated) -> SeedRun {
        SeedRun::of(seed, done)
    }

    /// The simulated time after which nobody waits for a run of one seed; `now` is the present
    /// settings' run from that seed.
    fn hopeless(&self, _now: &SeedRun) -> Option<Nanos> {
        None
    }

    /// The part of the objective that no setting changes, by runs of the present settings.
    fn fixed(&self, _now: &[&SeedRun]) -> f64 {
        0.0
    }

    /// A measure that grows as the objective shrinks: what clients wait beside a repair. Where it
    /// is known, what is best for either is looked at.
    fn trade(&self) -> Option<&str> {
        None
    }

    /// Other measures that a point may make worse: what makes one much worse for a little of the
    /// objective is no answer.
    fn prices(&self) -> &'static [Price] {
        &[]
    }

    /// A measure of which no answer may have more than the present settings.
    fn never_more(&self) -> Option<&str> {
        None
    }
}

/// What it takes to come from the present settings to a point.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    /// Kinds of processes that must be restarted.
    pub restarts: usize,
    pub changes: usize,
    /// By how many times each changes, summed.
    pub distance: f64,
}

impl Effort {
    /// Fewer restarts first, then what is nearer.
    pub fn order(&self, other: &Effort) -> Ordering {
        self.restarts.cmp(&other.restarts).then(self.distance.total_cmp(&other.distance))
    }

    /// Asks for no more of anything that counts, and for less of something.
    pub fn is_less(&self, other: &Effort) -> bool {
        let no_more = self.restarts <= other.restarts && self.changes <= other.changes;
        let less = self.restarts < other.restarts || self.changes < other.changes;
        no_more && (less || self.distance < other.distance)
    }
}
