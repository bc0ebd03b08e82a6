//! What of a metadata service a plan may change: how many servers, and one thing more.
use super::goals::Goals;
use super::load;
use cluster::Sheet;
use std::path::{Path, PathBuf};
use system::assumed::{Assumed, Assumptions};
use system::lab::{Lab, SeedRun};
use system::plan::{Effort, Space};
use system::vary::Set;
use system::{Failure, Simulated};

/// The part of what is offered that is not answered, more as the window ends than as it began.
pub const UNANSWERED: &str = "unanswered";

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    pub servers: u32,
    /// On how many of them a directory lies.
    pub spread: u32,
    /// A setting that is otherwise.
    pub change: Option<Set>,
}

/// Counts of servers for a scenario that is offered a goal.
pub struct Servers {
    pub lab: Lab,
    file: PathBuf,
    sets: Vec<Set>,
    pub sheet: Sheet,
}

impl Servers {
    /// Of a scenario.
    ///
    /// # Errors
    /// Bad input; a latency that no operation can have.
    pub fn of(lab: Lab, file: &Path, mut sets: Vec<Set>, goal: &Goals) -> Result<Servers, Failure> {
        let read = lab.read(file, &sets)?;
        load::is_offered(&read)?;
        sets.extend(load::sets(&read, goal));
        let sheet = lab.read(file, &sets)?;
        load::check(&sheet, goal)?;
        Ok(Servers { lab, file: file.to_path_buf(), sets, sheet })
    }
}

/// Seeds of what is assumed.
const SEEDS: [u64; 3] = [1, 2, 3];

impl Servers {
    /// What half and double of what no file says do to the 99th percentile of a count.
    ///
    /// # Errors
    /// As a run; interrupted.
    pub fn assumed(&self, servers: u32, spread: u32) -> Result<Assumptions, Failure> {
        let sheet = self.sheet(&Point { servers, spread, change: None })?;
        Assumed::measured(&self.lab, &sheet, "latency_ms_p99", &SEEDS)
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

    /// Counts are doubled and halved, not tried at once.
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

    /// Its metrics alone, and the part that is not answered.
    fn keep(&self, seed: u64, done: &Simulated) -> SeedRun {
        let mut run = SeedRun { seed, reading: done.reading.clone(), own: None };
        (run.reading.curves, run.reading.loads) = (Vec::new(), Vec::new());
        let of = |name: &str| done.reading.metrics.get(name).copied().unwrap_or(0.0);
        let answered = of("operations_per_s") / of("operations_wanted_per_s").max(1e-9);
        run.reading.metrics.insert(UNANSWERED.into(), 1.0 - answered);
        run
    }
}
