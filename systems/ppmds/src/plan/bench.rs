//! Counts of servers, simulated with the wanted load.
use super::change::Change;
use super::goals::Goals;
use super::load;
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
/// No more seeds than this are spent on an interval that does not decide.
const MOST_SEEDS: u32 = 16;
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
    /// Whether it is enough, as far as the intervals of its seeds say.
    pub verdict: Verdict,
    /// How many seeds it was run with, and in how many of them it is enough.
    pub seeds: usize,
    pub meeting: usize,
}

impl Tried {
    /// Whether its seeds show that it is enough.
    pub fn meets(&self) -> bool {
        self.verdict == Verdict::Meets
    }
}

/// What the seeds of a count say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The whole interval meets the goal.
    Meets,
    /// The whole interval of the rate, or of the latency, misses it.
    Misses,
    /// The goal lies in an interval.
    Open,
}

/// What is otherwise in a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Point {
    servers: u32,
    spread: u32,
    change: Option<Set>,
}

/// Metrics that an answer needs, a value a seed.
type Runs = BTreeMap<&'static str, Vec<f64>>;

const NAMES: [&str; 7] = [
    "operations_per_s",
    "operations_wanted_per_s",
    "latency_ms_p99",
    "utilisation_max_store",
    "utilisation_max_server_nic",
    "utilisation_max_switch",
    "utilisation_max_client_nic",
];

/// Runs counts.
pub struct Bench {
    lab: Lab,
    file: PathBuf,
    sets: Vec<Set>,
    seeds: u32,
    pub goal: Goals,
    pub sheet: Sheet,
    runs: BTreeMap<Point, Runs>,
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
        goal: Goals,
    ) -> Result<Bench, Failure> {
        sets.extend(load::sets(&lab.read(file, &sets)?, &goal));
        let sheet = lab.read(file, &sets)?;
        load::check(&sheet, &goal)?;
        let file = file.to_path_buf();
        Ok(Bench { lab, file, sets, seeds, goal, sheet, runs: BTreeMap::new() })
    }

    /// Whether a directory lies on some of the servers, and how many is a question, too.
    pub fn is_hash_k(&self) -> bool {
        self.sheet.text("policy.metadata") == "hash-k"
    }

    /// What so many servers give, with a directory on `spread` of them (hash-k).
    pub fn at(&mut self, servers: u32, spread: u32) -> Result<Tried, Failure> {
        self.point(Point { servers, spread, change: None }, self.seeds)
    }

    /// The same with seeds until the interval decides, or until there are so many that it will
    /// not. A count that is enough is so with twice the seeds: it may have been lucky with those
    /// that chose it.
    pub fn decided(&mut self, servers: u32) -> Result<Tried, Failure> {
        self.decide(Point { servers, spread: servers, change: None }, 2 * self.seeds)
    }

    /// Likewise with a setting otherwise.
    pub fn with(&mut self, servers: u32, change: &Change) -> Result<Tried, Failure> {
        let change = Some(change.set.clone());
        self.decide(Point { servers, spread: servers, change }, self.seeds)
    }

    fn decide(&mut self, point: Point, least: u32) -> Result<Tried, Failure> {
        let (mut seeds, most) = (self.seeds, MOST_SEEDS.max(least));
        loop {
            let tried = self.point(point.clone(), seeds)?;
            let had: u32 = units::narrow(tried.seeds);
            match tried.verdict {
                Verdict::Misses => return Ok(tried),
                Verdict::Meets if had >= least => return Ok(tried),
                Verdict::Open if had >= most => return Ok(tried),
                _ => seeds = (2 * had).min(most),
            }
        }
    }

    /// A point with so many seeds at least: those that it lacks are run.
    fn point(&mut self, point: Point, seeds: u32) -> Result<Tried, Failure> {
        let had = self.runs.get(&point).map_or(0, |runs| runs[NAMES[0]].len() as u64);
        if had < u64::from(seeds) {
            let mut set = self.sets.clone();
            set.push(("cluster.servers".into(), point.servers.to_string()));
            set.push(("policy.servers_per_directory".into(), point.spread.to_string()));
            set.extend(point.change.clone());
            let sheet = self.lab.read(&self.file, &set)?;
            let row = Row { name: format!("{} servers", point.servers), set, sheet };
            let more: Vec<u64> = (had + 1..=u64::from(seeds)).collect();
            let done = self.lab.run(&[row], &more, false, "plan metadata")?;
            system::interrupt::check()?;
            let runs = self.runs.entry(point.clone()).or_default();
            for name in NAMES {
                let values = done.rows[0].metric(name).expect("each run has it");
                runs.entry(name).or_default().extend(values)
            }
        }
        Ok(tried(&self.goal, point.servers, &self.runs[&point]))
    }

    /// Counts that were tried with nothing else changed, by their number.
    pub fn rows(&self) -> Vec<Tried> {
        let plain = self.runs.iter().filter(|(at, _)| at.change.is_none());
        let mut rows: Vec<(u32, u32, Tried)> = plain
            .map(|(at, runs)| (at.servers, at.spread, tried(&self.goal, at.servers, runs)))
            .collect();
        // Of one count that with the directory on all servers.
        rows.sort_by_key(|(servers, spread, _)| (*servers, u32::MAX - spread));
        rows.dedup_by_key(|(servers, ..)| *servers);
        rows.into_iter().map(|(.., tried)| tried).collect()
    }
}

fn tried(goal: &Goals, servers: u32, runs: &Runs) -> Tried {
    let of = |name: &str| stat(&runs[name]);
    let (rate, p99_ms) = (of("operations_per_s"), of("latency_ms_p99"));
    let wanted = of("operations_wanted_per_s").mean;
    let (limiting, busy) = limiting(&|name| of(name).mean);
    let parts: Vec<f64> = runs["operations_per_s"]
        .iter()
        .zip(&runs["operations_wanted_per_s"])
        .map(|(rate, wanted)| rate / wanted.max(1e-9))
        .collect();
    let verdict = verdict(goal, stat(&parts), p99_ms);
    let is_enough = |(part, p99): (&f64, &f64)| {
        *part >= 1.0 - SHORT && goal.p99_ms.is_none_or(|most| *p99 <= most)
    };
    let meeting = parts.iter().zip(&runs["latency_ms_p99"]).filter(|run| is_enough(*run)).count();
    let keeps_up = stat(&parts).mean >= 1.0 - SHORT;
    let margin = margin(goal, keeps_up, (rate.mean, wanted), p99_ms.mean, busy);
    let seeds = parts.len();
    Tried { servers, rate, wanted, p99_ms, limiting, busy, margin, verdict, seeds, meeting }
}

/// Of the part of what comes that is answered, and of the latency.
fn verdict(goal: &Goals, part: Stat, p99_ms: Stat) -> Verdict {
    let late = |ms: f64| goal.p99_ms.is_some_and(|most| ms > most);
    let short = |part: f64| part < 1.0 - SHORT;
    if short(part.mean + part.ci95) || late(p99_ms.mean - p99_ms.ci95) {
        Verdict::Misses
    } else if short(part.mean - part.ci95) || late(p99_ms.mean + p99_ms.ci95) {
        Verdict::Open
    } else {
        Verdict::Meets
    }
}

/// How far from the goal, at the wanted load: where queues grow, answered / offered − 1; else
/// 1 − p99 / its goal; without such a goal the part of the time in which the busiest is idle.
fn margin(goal: &Goals, keeps_up: bool, rates: (f64, f64), p99_ms: f64, busy: f64) -> f64 {
    match goal.p99_ms {
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
