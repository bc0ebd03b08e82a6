//! The variables of a plan: number of servers, width of a directory, one more change.
use super::goals::Goals;
use super::load;
use cluster::Sheet;
use std::path::{Path, PathBuf};
use system::assumed::{AssumptionVariants, Assumptions};
use system::lab::{Lab, SeedRun};
use system::plan::{Effort, Space};
use system::vary::Set;
use system::{Failure, SimulatedRun};

/// Metric: the share of the offered operations that is unanswered at the end of the window, beyond
/// those at its start.
pub const UNANSWERED: &str = "unanswered";

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    pub servers: u32,
    /// Servers of each directory (`hash-k`).
    pub spread: u32,
    pub change: Option<Set>,
}

/// A scenario under the goal's load.
pub struct Servers {
    pub lab: Lab,
    file: PathBuf,
    sets: Vec<Set>,
    pub sheet: Sheet,
}

impl Servers {
    /// # Errors
    /// Bad input, or a p99 goal below the round trip of an idle service.
    pub fn of(lab: Lab, file: &Path, mut sets: Vec<Set>, goal: &Goals) -> Result<Servers, Failure> {
        let read = lab.read(file, &sets)?;
        load::is_offered(&read)?;
        sets.extend(load::sets(&read, goal));
        let sheet = lab.read(file, &sets)?;
        load::check(&sheet, goal)?;
        Ok(Servers { lab, file: file.to_path_buf(), sets, sheet })
    }
}

/// Seeds of the runs at half and double of each assumption.
const SEEDS: [u64; 3] = [1, 2, 3];

impl Servers {
    /// The effect of half and double of each assumption on the 99th percentile.
    pub fn assumed(&self, servers: u32, spread: u32) -> Result<Assumptions, Failure> {
        let sheet = self.sheet(&Point { servers, spread, change: None })?;
        AssumptionVariants::measured(&self.lab, &sheet, "latency_ms_p99", &SEEDS)
    }
}

impl Space for Servers {
    type Point = Point;

    fn now(&self) -> Point {
        let servers: u32 = units::narrow(self.sheet.count("cluster.servers"));
        Point { servers, spread: servers, change: None }
    }

    fn sheet(&self, point: &Point) -> Result<Sheet, Failure> {
        let mut set = self.sets.clone();
        set.push(("cluster.servers".into(), point.servers.to_string()));
        set.push(("policy.servers_per_directory".into(), point.spread.to_string()));
        set.extend(point.change.clone());
        self.lab.read(&self.file, &set)
    }

    /// Empty: the search doubles and bisects.
    fn coarse(&self) -> Vec<Point> {
        Vec::new()
    }

    fn near(&self, _point: &Point, _holder: Option<&str>) -> Vec<Point> {
        Vec::new()
    }

    fn without(&self, point: &Point) -> Vec<Point> {
        let plain = Point { change: None, ..point.clone() };
        point.change.iter().map(|_| plain.clone()).collect()
    }

    fn effort(&self, point: &Point) -> Effort {
        let changes = usize::from(point.change.is_some());
        Effort { restarts: 0, changes, distance: f64::from(point.servers) }
    }

    /// Keeps the metrics only, and adds [`UNANSWERED`].
    fn keep(&self, seed: u64, done: &SimulatedRun) -> SeedRun {
        let mut run = SeedRun { seed, reading: done.reading.clone(), own: None };
        (run.reading.curves, run.reading.loads) = (Vec::new(), Vec::new());
        let of = |name: &str| done.reading.metrics.get(name).copied().unwrap_or(0.0);
        let answered = of("operations_per_s") / of("operations_wanted_per_s").max(1e-9);
        run.reading.metrics.insert(UNANSWERED.into(), 1.0 - answered);
        run
    }
}
