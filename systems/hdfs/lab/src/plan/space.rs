//! The settings of HDFS that a plan may change.
use super::grid;
use super::jar;
use super::knob::Knob;
use super::lost;
use super::point::Point;
use crate::about;
use crate::failure::Failure;
use crate::kept::{Busiest, Kept};
use cluster::Sheet;
use hdfs_reading::Run;
use hdfs_reading::advice::{Apply, apply_key};
use hdfs_scenario::{Pacing, Scenario};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use system::Simulated;
use system::lab::SeedRun;
use system::plan::{Bench, Budget, Effort, Space};
use units::Nanos;

/// Makes a scenario of keys and their values.
pub type Read<'a> = dyn Fn(&[(String, String)]) -> Result<Sheet, Failure> + Sync + 'a;

/// From the declaration until every block that can be repaired has its replicas.
pub const RECOVERY: &str = "recovery_s";

/// From the declaration until no block stands at one replica.
pub const LAST_COPY: &str = "last_copy_s";

/// Clients' 99th percentile during the repair \[ms\].
pub const P99: &str = "foreground_p99_ms";

/// By what part that is longer than before the repair.
pub const SLOWDOWN: &str = "foreground_slowdown";

/// A run that takes so many times as long as the present settings' is not followed to its end.
const HOPELESS: f64 = 4.0;

/// A cluster of no more nodes than this is not large: what takes long there are clients, and any
/// number of them can be given.
const SMALL: usize = 400;

/// Beside clients most events are theirs: so many times as many are a plan's usual.
const CLIENTS: u64 = 3;

/// Records that cost as much as an event.
const RECORDS: u64 = 10;

/// So long the first run beside clients may take on a cluster that is not large.
const FIRST: Duration = Duration::from_secs(15);

const PATIENCE: Duration = Duration::from_secs(600);

/// What can be set, from how the cluster is set now.
pub struct Settings<'a> {
    read: &'a Read<'a>,
    /// As the cluster is set.
    pub now: Point,
    /// The version that runs there, as far as the import told.
    pub hadoop: Option<String>,
    /// Whether clients are given, whether or not they ask for anything meanwhile.
    pub clients: bool,
    /// Nodes that rest in maintenance, or will: what they hold comes back with them.
    pub resting: usize,
    nodes: usize,
    pacing: Pacing,
}

impl<'a> Settings<'a> {
    /// Those of the scenario that is read without anything set.
    ///
    /// # Errors
    /// Bad input.
    pub fn new(read: &'a Read<'a>) -> Result<Settings<'a>, Failure> {
        let sheet = read(&[])?;
        let base = Scenario::of(&sheet);
        Ok(Settings {
            read,
            now: Point::of(base),
            hadoop: about::imported(base).and_then(|file| file.hadoop),
            clients: base.foreground.is_some(),
            resting: lost::resting(base),
            nodes: base.cluster.nodes.len(),
            pacing: base.policy.pacing,
        })
    }

    pub fn budget(&self) -> Budget {
        match (self.clients, self.nodes > SMALL) {
            (false, _) => Budget::start(),
            (true, false) => Budget::start().times(CLIENTS).patient_for(FIRST),
            (true, true) => Budget::start().times(CLIENTS).patient_for(PATIENCE),
        }
    }

    /// A point under the policies that the jar has. They are tried beside what is research: a
    /// search of settings finds the same with and without them.
    fn with_jar(&self, point: &Point) -> Vec<Point> {
        let policies = jar::policies(self.pacing, &self.now.policy, self.hadoop.as_deref());
        let tried = policies.iter().filter(|_| !point.changes_policy(&self.now));
        tried.map(|policy| point.with_policy(policy)).collect()
    }

    /// Whether a point changes what the Hadoop that runs there does not know.
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
        self.known(grid::coarse(&self.now, self.clients))
    }

    fn near(&self, point: &Point, holder: Option<&str>) -> Vec<Point> {
        let holder = holder.and_then(Knob::of_holder);
        self.known(grid::near(&self.now, point, holder, self.clients))
    }

    fn without(&self, point: &Point) -> Vec<Point> {
        let policy = point.changes_policy(&self.now).then(|| point.with_policy(&self.now.policy));
        policy.into_iter().chain(grid::without(&self.now, point)).collect()
    }

    fn effort(&self, point: &Point) -> Effort {
        let apply = |knob: Knob| apply_key(knob.key(), self.hadoop.as_deref());
        let all = point.changes(&self.now).map(|(knob, ..)| apply(knob));
        let restarts = all.filter(|apply| matches!(apply, Apply::NameNode | Apply::DataNodes));
        let policy = point.changes_policy(&self.now);
        let restarts = restarts.chain(policy.then_some(Apply::NameNode));
        Effort {
            restarts: restarts.collect::<BTreeSet<Apply>>().len(),
            changes: grid::without(&self.now, point).len() + usize::from(policy),
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

    /// Where many copies share, an event has many records: ten of them cost as much as it does.
    fn cost(&self, done: &Simulated) -> u64 {
        done.events + Kept::in_own(&done.own).records / RECORDS
    }

    fn keep(&self, seed: u64, done: &Simulated) -> SeedRun {
        let mut kept = SeedRun::of(seed, done);
        let Kept { run, blocks, records, .. } = Kept::of(&kept);
        let (mut run, blocks, records) = (run.clone(), *blocks, *records);
        count_repairable(&mut run);
        let busiest = || hdfs_reading::metrics::busiest(&done.trace, &run.moments);
        let busiest = if self.clients { busiest() } else { None };
        let busiest = busiest.map(|(disk, network)| Busiest {
            disk: disk.unwrap_or(0.0),
            network: network.unwrap_or(0.0),
        });
        kept.reading.metrics.clone_from(&run.metrics);
        kept.reading.value = kept.reading.value.or(run.recovery_s());
        kept.own = Some(Arc::new(Kept { run, blocks, records, busiest }));
        kept
    }

    /// Clients beside a slow repair cost time, and tell nothing.
    fn hopeless(&self, now: &SeedRun) -> Option<Nanos> {
        let run = &Kept::of(now).run;
        let repair = run.metrics.get(RECOVERY)?;
        Some(run.moments.declared? + Nanos::from_secs(HOPELESS * repair))
    }

    /// From the declaration of the first loss to that of the last \[s\].
    fn fixed(&self, now: &[&SeedRun]) -> f64 {
        let runs: Vec<&Run> = now.iter().map(|run| &Kept::of(run).run).collect();
        unnoticed(&runs)
    }

    fn trade(&self) -> Option<&str> {
        self.clients.then_some(P99)
    }

    fn never_more(&self) -> Option<&str> {
        Some("blocks_lost")
    }
}

pub type Tested<'s, 'a> = Bench<'s, Settings<'a>>;

/// From the declaration of the first loss to that of the last, the mean over runs \[s\].
pub fn unnoticed(runs: &[&Run]) -> f64 {
    let between = |run: &&Run| {
        let moments = &run.moments;
        Some(moments.noticed?.saturating_sub(moments.declared?).as_secs())
    };
    let all: Option<Vec<f64>> = runs.iter().map(between).collect();
    all.filter(|all| !all.is_empty()).map_or(0.0, |all| hdfs_reading::stat(&all).mean)
}

/// A plan is about what can be repaired: where blocks are lost the repair ends when all others are
/// safe. What is lost is counted beside it.
fn count_repairable(run: &mut Run) {
    if let (Some(declared), Some(mended)) = (run.moments.declared, run.moments.mended) {
        let repair = mended.saturating_sub(declared).as_secs();
        run.metrics.entry(RECOVERY.into()).or_insert(repair);
    }
}
