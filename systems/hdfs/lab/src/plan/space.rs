//! The search space: settings of HDFS that a plan may change.
use super::grid;
use super::jar;
use super::knob::Knob;
use super::point::Point;
use super::unrepairable;
use crate::about;
use crate::failure::Failure;
use crate::repair_run::{PeakUse, RepairRun};
use cluster::Sheet;
use hdfs_reading::Run;
use hdfs_reading::advice::{ApplyMode, apply_key};
use hdfs_scenario::{Pacing, Scenario};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use system::SimulatedRun;
use system::lab::SeedRun;
use system::plan::{Bench, Budget, Effort, Space};
use units::Nanos;

/// Reads the scenario with these keys and values.
pub type ScenarioReader<'a> = dyn Fn(&[(String, String)]) -> Result<Sheet, Failure> + Sync + 'a;

/// From the declaration until every repairable block has its replicas \[s\].
pub const RECOVERY: &str = "recovery_s";

/// From the declaration until no block has a single replica \[s\].
pub const LAST_COPY: &str = "last_copy_s";

/// Clients' 99th percentile during the repair \[ms\].
pub const P99: &str = "foreground_p99_ms";

/// Relative increase of [`P99`] over the time before the repair.
pub const SLOWDOWN: &str = "foreground_slowdown";

/// Runs longer than this multiple of the present settings' run are cut.
const HOPELESS: f64 = 4.0;

/// Up to this number of nodes a cluster is small: only clients can make its runs long.
const SMALL: usize = 400;

/// Most events of a run with clients are theirs: factor of a plan's usual events.
const CLIENTS: u64 = 3;

/// Records that cost as much as an event.
const RECORDS: u64 = 10;

/// Longest first run with clients on a small cluster.
const FIRST: Duration = Duration::from_secs(15);

const PATIENCE: Duration = Duration::from_secs(600);

pub struct Settings<'a> {
    read: &'a ScenarioReader<'a>,
    pub now: Point,
    /// Hadoop's version, if the import has it.
    pub hadoop: Option<String>,
    /// A client load is given, even one without requests during the repair.
    pub clients: bool,
    /// Nodes in maintenance now or later: their replicas return with them.
    pub resting: usize,
    nodes: usize,
    pacing: Pacing,
}

impl<'a> Settings<'a> {
    /// # Errors
    /// If the scenario without changes is invalid.
    pub fn new(read: &'a ScenarioReader<'a>) -> Result<Settings<'a>, Failure> {
        let sheet = read(&[])?;
        let base = Scenario::of(&sheet);
        Ok(Settings {
            read,
            now: Point::of(base),
            hadoop: about::imported(base).and_then(|file| file.hadoop),
            clients: base.foreground.is_some(),
            resting: unrepairable::resting(base),
            nodes: base.cluster.nodes.len(),
            pacing: base.policy.pacing,
        })
    }

    pub fn budget(&self) -> Budget {
        match (self.clients, self.nodes > SMALL) {
            (false, _) => Budget::start(),
            (true, false) => Budget::start().scaled(CLIENTS).with_patience(FIRST),
            (true, true) => Budget::start().scaled(CLIENTS).with_patience(PATIENCE),
        }
    }

    /// The point with each policy of the jar. The search of settings runs without them, so its
    /// result does not depend on the jar.
    fn with_jar(&self, point: &Point) -> Vec<Point> {
        let policies = jar::policies(self.pacing, &self.now.policy, self.hadoop.as_deref());
        let tried = policies.iter().filter(|_| !point.changes_policy(&self.now));
        tried.map(|policy| point.with_policy(policy)).collect()
    }

    /// Whether a point changes a setting that this Hadoop version lacks.
    fn is_beyond(&self, point: &Point) -> bool {
        point.changes(&self.now).any(|(knob, ..)| !knob.is_in(self.hadoop.as_deref()))
    }

    fn known(&self, mut points: Vec<Point>) -> Vec<Point> {
        points.retain(|point| !self.is_beyond(point));
        points
    }
}

impl Space for Settings<'_> {
    type Point = Point;

    fn now(&self) -> Point {
        self.now.clone()
    }

    fn sheet(&self, point: &Point) -> Result<Sheet, Failure> {
        (self.read)(&point.sets(&self.now))
    }

    fn coarse(&self) -> Vec<Point> {
        self.known(grid::coarse_points(&self.now, self.clients))
    }

    fn near(&self, point: &Point, holder: Option<&str>) -> Vec<Point> {
        let holder = holder.and_then(Knob::of_holder);
        self.known(grid::near(&self.now, point, holder, self.clients))
    }

    fn without(&self, point: &Point) -> Vec<Point> {
        let policy = point.changes_policy(&self.now).then(|| point.with_policy(&self.now.policy));
        policy.into_iter().chain(grid::points_without(&self.now, point)).collect()
    }

    fn effort(&self, point: &Point) -> Effort {
        let apply = |knob: Knob| apply_key(knob.key(), self.hadoop.as_deref());
        let all = point.changes(&self.now).map(|(knob, ..)| apply(knob));
        let restarts =
            all.filter(|apply| matches!(apply, ApplyMode::NameNode | ApplyMode::DataNodes));
        let policy = point.changes_policy(&self.now);
        let restarts = restarts.chain(policy.then_some(ApplyMode::NameNode));
        Effort {
            restarts: restarts.collect::<BTreeSet<ApplyMode>>().len(),
            changes: grid::points_without(&self.now, point).len() + usize::from(policy),
            distance: point.distance(&self.now),
        }
    }

    fn is_ready(&self, point: &Point) -> bool {
        !point.needs_plugin(&self.now)
    }

    fn research(&self, settings: &[Point]) -> Vec<Point> {
        let with_jar = settings.iter().flat_map(|point| self.with_jar(point));
        grid::plugins(&self.now, settings)
            .into_iter()
            .chain(self.known(with_jar.collect()))
            .collect()
    }

    fn reads_traces(&self) -> bool {
        self.clients
    }

    /// With many flows in a resource an event has many records: `RECORDS` of them cost as much as
    /// it does.
    fn cost(&self, done: &SimulatedRun) -> u64 {
        done.events + RepairRun::in_own(&done.own).records / RECORDS
    }

    fn keep(&self, seed: u64, done: &SimulatedRun) -> SeedRun {
        let mut kept = SeedRun::of(seed, done);
        let RepairRun { run, blocks, records, .. } = RepairRun::of(&kept);
        let (mut run, blocks, records) = (run.clone(), *blocks, *records);
        count_repairable(&mut run);
        let busiest = || hdfs_reading::metrics::busiest(&done.trace, &run.moments);
        let busiest = if self.clients { busiest() } else { None };
        let busiest = busiest.map(|(disk, network)| PeakUse {
            disk: disk.unwrap_or(0.0),
            network: network.unwrap_or(0.0),
        });
        kept.reading.metrics.clone_from(&run.metrics);
        kept.reading.value = kept.reading.value.or(run.recovery_s());
        kept.own = Some(Arc::new(RepairRun { run, blocks, records, busiest }));
        kept
    }

    /// With clients the rest of a slow repair costs time and adds no information.
    fn hopeless(&self, now: &SeedRun) -> Option<Nanos> {
        let run = &RepairRun::of(now).run;
        let repair = run.metrics.get(RECOVERY)?;
        Some(run.moments.declared? + Nanos::from_secs(HOPELESS * repair))
    }

    /// From the declaration of the first loss to that of the last \[s\].
    fn fixed(&self, now: &[&SeedRun]) -> f64 {
        let runs: Vec<&Run> = now.iter().map(|run| &RepairRun::of(run).run).collect();
        detection_lag(&runs)
    }

    fn trade(&self) -> Option<&str> {
        self.clients.then_some(P99)
    }

    fn never_more(&self) -> Option<&str> {
        Some("blocks_lost")
    }
}

pub type RepairBench<'s, 'a> = Bench<'s, Settings<'a>>;

/// From the declaration of the first loss to that of the last, mean over runs \[s\].
pub fn detection_lag(runs: &[&Run]) -> f64 {
    let between = |run: &&Run| {
        let moments = &run.moments;
        Some(moments.noticed?.saturating_sub(moments.declared?).as_secs())
    };
    let all: Option<Vec<f64>> = runs.iter().map(between).collect();
    all.filter(|all| !all.is_empty()).map_or(0.0, |all| hdfs_reading::stat(&all).mean)
}

/// Sets the recovery time to the end of the repairable blocks; lost blocks are counted separately.
fn count_repairable(run: &mut Run) {
    if let (Some(declared), Some(mended)) = (run.moments.declared, run.moments.mended) {
        let repair = mended.saturating_sub(declared).as_secs();
        run.metrics.entry(RECOVERY.into()).or_insert(repair);
    }
}
