//! The settings that a plan may change.
use crate::advice::Price;
use crate::failure::Failure;
use crate::interface::SimulatedRun;
use crate::lab::SeedRun;
use cluster::Sheet;
use std::cmp::Ordering;
use std::fmt::Debug;
use units::Nanos;

/// Values of all settings in a search space.
pub trait Point: Clone + Ord + Debug + Send + Sync {}

impl<T: Clone + Ord + Debug + Send + Sync> Point for T {}

pub trait Space: Sync {
    type Point: Point;

    fn now(&self) -> Self::Point;

    /// Fails if the values exclude each other.
    fn sheet(&self, point: &Self::Point) -> Result<Sheet, Failure>;

    /// The first points of a search, most informative first: a small budget drops the last ones.
    fn coarse(&self) -> Vec<Self::Point>;

    /// Neighbours of a point; `holder` is its largest bottleneck.
    fn near(&self, point: &Self::Point, holder: Option<&str>) -> Vec<Self::Point>;

    /// The point without each of its changes. For a research point the first is its settings alone,
    /// without the part that cannot be set.
    fn without(&self, point: &Self::Point) -> Vec<Self::Point>;

    fn effort(&self, point: &Self::Point) -> Effort;

    /// Whether the settings exist today; else the point is research.
    fn is_ready(&self, _point: &Self::Point) -> bool {
        true
    }

    /// Research points with each of these settings.
    fn research(&self, _settings: &[Self::Point]) -> Vec<Self::Point> {
        Vec::new()
    }

    /// Whether [`keep`](Self::keep) needs the trace.
    fn reads_traces(&self) -> bool {
        false
    }

    fn cost(&self, done: &SimulatedRun) -> u64 {
        done.events
    }

    fn keep(&self, seed: u64, done: &SimulatedRun) -> SeedRun {
        SeedRun::of(seed, done)
    }

    /// Simulated time after which a run with one seed is stopped; `now` is the run of the present
    /// settings with that seed.
    fn hopeless(&self, _now: &SeedRun) -> Option<Nanos> {
        None
    }

    /// The part of the objective that no setting changes, from runs of the present settings.
    fn fixed(&self, _now: &[&SeedRun]) -> f64 {
        0.0
    }

    /// A metric that grows as the objective shrinks, such as clients' waiting time during a repair.
    /// The search explores the front of both.
    fn trade(&self) -> Option<&str> {
        None
    }

    /// Other metrics that a point may make worse. A large harm for a small gain is not an answer.
    fn prices(&self) -> &'static [Price] {
        &[]
    }

    /// A metric that no answer may increase above that of the present settings.
    fn never_more(&self) -> Option<&str> {
        None
    }
}

/// Effort to change from the present settings to a point.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    /// Kinds of processes to restart.
    pub restarts: usize,
    pub changes: usize,
    /// Sum of the factors by which settings change.
    pub distance: f64,
}

impl Effort {
    /// Fewer restarts first, then smaller distance.
    pub fn order(&self, other: &Effort) -> Ordering {
        self.restarts.cmp(&other.restarts).then(self.distance.total_cmp(&other.distance))
    }

    /// No more restarts and changes, and less of at least one, or a smaller distance.
    pub fn is_less(&self, other: &Effort) -> bool {
        let no_more = self.restarts <= other.restarts && self.changes <= other.changes;
        let less = self.restarts < other.restarts || self.changes < other.changes;
        no_more && (less || self.distance < other.distance)
    }
}
