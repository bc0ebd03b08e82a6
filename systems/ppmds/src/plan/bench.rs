//! Counts of servers, simulated with the wanted load.
use super::change::Change;
use super::load;
use super::wish::Wish;
use analysis::{Stat, stat};
use cluster::Sheet;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use system::Failure;
use system::lab::{Lab, Row};
use system::vary::Set;

/// So much of what is offered may be unanswered as the window ends, more than as it began: the
/// queues grow.
const SHORT: f64 = 0.005;
/// Busy for less than this part of the time: round trips are all that an operation waits for.
const IDLE: f64 = 0.5;

/// A count that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// How many servers.
    pub servers: u32,
    /// Operations that were answered, and that came, a second of the window.
    pub rate: Stat,
    pub wanted: f64,
    /// The 99th percentile of those that came in it \[ms\].
    pub p99_ms: Stat,
    /// What is busy for the largest part of the time, and for which.
    pub limiting: &'static str,
    pub busy: f64,
    /// What of the goal is left, as a part; below 0 where it is missed ([`margin`]).
    pub margin: f64,
    /// Whether it is enough.
    pub meets: bool,
}

/// What is otherwise in a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Point {
    servers: u32,
    spread: u32,
    change: Option<Set>,
    again: bool,
}

/// Runs counts.
pub struct Bench {
    lab: Lab,
    file: PathBuf,
    sets: Vec<Set>,
    seeds: u32,
    pub wish: Wish,
    pub sheet: Sheet,
    tried: BTreeMap<Point, Tried>,
}

impl Bench {
    /// Of a scenario.
    ///
    /// # Errors
    /// Bad input; a latency that no operation can have.
    pub fn new(
        lab: Lab,
        file: &Path,
        mut sets: Vec<Set>,
        seeds: u32,
        wish: Wish,
    ) -> Result<Bench, Failure> {
        sets.extend(load::sets(&lab.read(file, &sets)?, &wish));
        let sheet = lab.read(file, &sets)?;
        load::check(&sheet, &wish)?;
        let file = file.to_path_buf();
        Ok(Bench { lab, file, sets, seeds, wish, sheet, tried: BTreeMap::new() })
    }

    /// Whether a directory lies on some of the servers, and how many is a question, too.
    pub fn is_hash_k(&self) -> bool {
        self.sheet.text("policy.metadata") == "hash-k"
    }

    /// What so many servers give, with a directory on `spread` of them (hash-k).
    pub fn at(&mut self, servers: u32, spread: u32) -> Result<Tried, Failure> {
        self.point(Point { servers, spread, change: None, again: false })
    }

    /// The same from seeds of its own.
    pub fn again(&mut self, servers: u32, spread: u32) -> Result<Tried, Failure> {
        self.point(Point { servers, spread, change: None, again: true })
    }

    /// The same with a setting otherwise.
    pub fn with(&mut self, servers: u32, change: &Change) -> Result<Tried, Failure> {
        let change = Some(change.set.clone());
        self.point(Point { servers, spread: servers, change, again: false })
    }

    fn point(&mut self, point: Point) -> Result<Tried, Failure> {
        if let Some(tried) = self.tried.get(&point) {
            return Ok(tried.clone());
        }
        let mut set = self.sets.clone();
        set.push(("cluster.servers".into(), point.servers.to_string()));
        set.push(("policy.servers_per_directory".into(), point.spread.to_string()));
        set.extend(point.change.clone());
        let sheet = self.lab.read(&self.file, &set)?;
        let row = Row { name: format!("{} servers", point.servers), set, sheet };
        let first = if point.again { u64::from(self.seeds) } else { 0 };
        let seeds: Vec<u64> = (first + 1..=first + u64::from(self.seeds)).collect();
        let done = self.lab.run(&[row], &seeds, false, "plan metadata")?;
        system::interrupt::check()?;
        let of = |name: &str| stat(&done.rows[0].metric(name).expect("each run has it"));
        let tried = tried(&self.wish, point.servers, &of);
        self.tried.insert(point, tried.clone());
        Ok(tried)
    }

    /// Counts that were tried with nothing else changed, by their number.
    pub fn rows(&self) -> Vec<Tried> {
        let plain = self.tried.iter().filter(|(at, _)| at.change.is_none() && !at.again);
        let mut rows: Vec<(u32, u32, Tried)> =
            plain.map(|(at, tried)| (at.servers, at.spread, tried.clone())).collect();
        // Of one count that with the directory on all servers.
        rows.sort_by_key(|(servers, spread, _)| (*servers, u32::MAX - spread));
        rows.dedup_by_key(|(servers, ..)| *servers);
        rows.into_iter().map(|(.., tried)| tried).collect()
    }
}

fn tried(wish: &Wish, servers: u32, of: &dyn Fn(&str) -> Stat) -> Tried {
    let (rate, p99_ms) = (of("operations_per_s"), of("latency_ms_p99"));
    let wanted = of("operations_wanted_per_s").mean;
    let (limiting, busy) = limiting(&|name| of(name).mean);
    let keeps_up = rate.mean >= wanted * (1.0 - SHORT);
    let in_time = wish.p99_ms.is_none_or(|most| p99_ms.mean + p99_ms.ci95 <= most);
    let margin = margin(wish, keeps_up, (rate.mean, wanted), p99_ms.mean, busy);
    Tried { servers, rate, wanted, p99_ms, limiting, busy, margin, meets: keeps_up && in_time }
}

/// How far from the goal, at the wanted load: where queues grow, answered / offered − 1; else
/// 1 − p99 / its goal; without such a goal the part of the time in which the busiest is idle.
fn margin(wish: &Wish, keeps_up: bool, rates: (f64, f64), p99_ms: f64, busy: f64) -> f64 {
    match wish.p99_ms {
        _ if !keeps_up => rates.0 / rates.1.max(1e-9) - 1.0,
        Some(most) => 1.0 - p99_ms / most,
        None => 1.0 - busy,
    }
}

/// What is busy most of the time; where nothing is, operations wait for round trips.
fn limiting(of: &dyn Fn(&str) -> f64) -> (&'static str, f64) {
    let busy = [
        ("store", of("utilisation_max_store")),
        ("server NIC", of("utilisation_max_server_nic")),
        ("switch", of("utilisation_max_switch")),
        ("client NIC", of("utilisation_max_client_nic")),
    ];
    // Of equal ones the first.
    let most = busy.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).expect("four");
    (if most.1 >= IDLE { most.0 } else { "round trip" }, most.1)
}
