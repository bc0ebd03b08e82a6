//! Counts of servers, simulated with the wanted load.
use super::change::Change;
use super::goals::Goals;
use super::space::{Point, Servers, UNANSWERED};
use analysis::Stat;
use cluster::Sheet;
use system::Failure;
use system::plan::{Bench, Budget, Judge, Limit, Verdict};
use system::progress::Progress;

/// So much of what is offered may be unanswered as the window ends, more than as it began: the
/// queues grow.
const SHORT: f64 = 0.005;
/// No more seeds than this are spent on an interval that does not decide.
const MOST_SEEDS: usize = 16;
/// Busy for less than this part of the time: round trips are all that an operation waits for.
const IDLE: f64 = 0.5;

/// A count that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// How many servers, and on how many of them a directory lies (`hash-k`).
    pub servers: u32,
    pub spread: u32,
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

pub struct Counts<'s> {
    bench: Bench<'s, Servers>,
    limits: system::plan::Goals,
    seeds: usize,
    pub goal: Goals,
    pub sheet: Sheet,
    progress: Progress,
}

impl<'s> Counts<'s> {
    /// Of a scenario, from so many seeds each.
    pub fn new(servers: &'s Servers, seeds: u32, goal: Goals) -> Counts<'s> {
        let limit =
            |metric: &str, most: f64| Limit { metric: metric.into(), most, measure: metric.into() };
        let late = goal.p99_ms.map(|most| limit("latency_ms_p99", most));
        let limits = std::iter::once(limit(UNANSWERED, SHORT)).chain(late).collect();
        let limits = system::plan::Goals { limits, ..system::plan::Goals::less(UNANSWERED) };
        Counts {
            bench: Bench::new(servers.lab, servers, &limits, Budget::start()),
            limits,
            seeds: seeds as usize,
            goal,
            sheet: servers.sheet.clone(),
            progress: Progress::run(),
        }
    }

    /// Whether a directory lies on some of the servers, and how many is a question, too.
    pub fn is_hash_k(&self) -> bool {
        self.sheet.text("policy.metadata") == "hash-k"
    }

    /// On how many of so many servers a directory may lie: of `hash-k` as many as the scenario
    /// says, all, twice and half as many. Wide is good for creates, narrow for what asks all of a
    /// directory's servers: readdir, mkdir, rmdir.
    fn spreads(&self, servers: u32) -> Vec<u32> {
        if !self.is_hash_k() {
            return vec![servers];
        }
        let now = self.sheet.count32("policy.servers_per_directory").min(servers);
        let mut all = Vec::new();
        for spread in [now, servers, (2 * now).min(servers), (now / 2).max(1)] {
            if !all.contains(&spread) {
                all.push(spread)
            }
        }
        all
    }

    /// Of the ways in which a directory may lie the first that is enough, or else the best.
    fn best(
        &mut self,
        servers: u32,
        mut attempt: impl FnMut(&mut Self, u32) -> Result<Tried, Failure>,
    ) -> Result<Tried, Failure> {
        let mut best: Option<Tried> = None;
        for spread in self.spreads(servers) {
            let tried = attempt(self, spread)?;
            if tried.meets() {
                return Ok(tried);
            }
            if best.as_ref().is_none_or(|best| tried.margin > best.margin) {
                best = Some(tried)
            }
        }
        Ok(best.expect("a directory lies somewhere"))
    }

    pub fn count(&mut self, servers: u32) -> Result<Tried, Failure> {
        self.best(servers, |bench, spread| bench.at(servers, spread))
    }

    /// The fewest servers for a directory with which so many are enough; `None`: no `hash-k`.
    pub fn narrowest(&mut self, servers: u32) -> Result<Option<u32>, Failure> {
        let mut spreads = self.spreads(servers);
        spreads.sort_unstable();
        for spread in spreads.into_iter().filter(|_| self.is_hash_k()).collect::<Vec<_>>() {
            let point = Point { servers, spread, change: None };
            if self.decide(point, 2 * self.seeds)?.meets() {
                return Ok(Some(spread));
            }
        }
        Ok(None)
    }

    /// Tries a count; of `hash-k` with a directory on so many of them.
    pub fn at(&mut self, servers: u32, spread: u32) -> Result<Tried, Failure> {
        let point = Point { servers, spread, change: None };
        let seeds: Vec<u64> = (1..=self.seeds as u64).collect();
        self.bench.run(std::slice::from_ref(&point), &seeds)?;
        system::interrupt::check()?;
        Ok(self.tried(&point))
    }

    /// The same with seeds until the interval decides, or until there are so many that it will
    /// not. A count that is enough is so with twice the seeds: it may have been lucky with those
    /// that chose it.
    pub fn decided(&mut self, servers: u32) -> Result<Tried, Failure> {
        let seeds = 2 * self.seeds;
        self.best(servers, |bench, spread| {
            bench.decide(Point { servers, spread, change: None }, seeds)
        })
    }

    pub fn with(&mut self, servers: u32, change: &Change) -> Result<Tried, Failure> {
        let (change, seeds) = (Some(change.set.clone()), self.seeds);
        self.best(servers, |bench, spread| {
            bench.decide(Point { servers, spread, change: change.clone() }, seeds)
        })
    }

    fn decide(&mut self, point: Point, least: usize) -> Result<Tried, Failure> {
        self.bench.decide(&point, &self.limits, least, MOST_SEEDS)?;
        Ok(self.tried(&point))
    }

    /// Counts that were tried with nothing else changed, by their number.
    pub fn rows(&self) -> Vec<Tried> {
        let plain = self.bench.points().filter(|at| at.change.is_none());
        let mut rows: Vec<Tried> = plain.map(|at| self.tried(at)).collect();
        // Of one count the best way in which a directory may lie.
        rows.sort_by(|a, b| a.servers.cmp(&b.servers).then(b.margin.total_cmp(&a.margin)));
        rows.dedup_by_key(|row| row.servers);
        rows
    }

    fn tried(&self, point: &Point) -> Tried {
        self.progress.note(&format!("{} counts tried", self.bench.tried()));
        let of = |name: &str| self.bench.metric(point, name).expect("each run has it");
        let (rate, p99_ms) = (of("operations_per_s"), of("latency_ms_p99"));
        let wanted = of("operations_wanted_per_s").mean;
        let (limiting, busy) = limiting(&|name| of(name).mean);
        let runs = self.bench.runs(point);
        let keeps = |metrics: &std::collections::BTreeMap<String, f64>| {
            self.limits.limits.iter().all(|limit| metrics[&limit.metric] <= limit.most)
        };
        let meeting = runs.iter().filter(|run| keeps(&run.reading.metrics)).count();
        let keeps_up = of(UNANSWERED).mean <= SHORT;
        let margin = margin(&self.goal, keeps_up, (rate.mean, wanted), p99_ms.mean, busy);
        let verdict = Judge::new(&self.bench, &self.limits).verdict(point);
        let (servers, spread, seeds) = (point.servers, point.spread, runs.len());
        Tried {
            servers,
            spread,
            rate,
            wanted,
            p99_ms,
            limiting,
            busy,
            margin,
            verdict,
            seeds,
            meeting,
        }
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
