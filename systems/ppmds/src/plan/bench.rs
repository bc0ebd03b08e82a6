//! Simulates numbers of servers under the offered load.
use super::change::Change;
use super::goals::Goals;
use super::space::{Point, Servers, UNANSWERED};
use analysis::Stat;
use cluster::Sheet;
use system::Failure;
use system::plan::{Bench, Budget, Judge, Limit, Verdict};
use system::progress::Progress;

/// Share of the offered operations that may be unanswered at the end of the window, beyond those at
/// its start. Above it queues grow.
const SHORT: f64 = 0.005;
/// Limit on the seeds for an interval that does not decide.
const MOST_SEEDS: usize = 16;
/// Utilisation of the busiest part below which operations wait for round trips only.
const IDLE: f64 = 0.5;

#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// Servers, and how many of them a directory is on (`hash-k`).
    pub servers: u32,
    pub spread: u32,
    /// Operations answered and offered in the window \[1/s\].
    pub rate: Stat,
    pub wanted: f64,
    /// Latency of operations offered in the window \[ms\].
    pub p99_ms: Stat,
    /// The busiest part, and its utilisation.
    pub limiting: &'static str,
    pub busy: f64,
    /// Distance to the goal as a fraction, negative if it is missed ([`margin`]).
    pub margin: f64,
    /// Whether the confidence intervals meet the goal.
    pub verdict: Verdict,
    /// Seeds, and those of them that meet the goal.
    pub seeds: usize,
    pub meeting: usize,
}

impl Candidate {
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

    /// Whether the directory's width is a variable of the plan too.
    pub fn is_hash_k(&self) -> bool {
        self.sheet.text("policy.metadata") == "hash-k"
    }

    /// Widths of a directory to try, for `hash-k`: the scenario's, all servers, double, half. Wide
    /// suits creates; narrow suits readdir, mkdir and rmdir, which ask all servers of a directory.
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

    /// The first width that meets the goal, else the best.
    fn best(
        &mut self,
        servers: u32,
        mut attempt: impl FnMut(&mut Self, u32) -> Result<Candidate, Failure>,
    ) -> Result<Candidate, Failure> {
        let mut best: Option<Candidate> = None;
        for spread in self.spreads(servers) {
            let candidate = attempt(self, spread)?;
            if candidate.meets() {
                return Ok(candidate);
            }
            if best.as_ref().is_none_or(|best| candidate.margin > best.margin) {
                best = Some(candidate)
            }
        }
        Ok(best.expect("a directory lies somewhere"))
    }

    pub fn count(&mut self, servers: u32) -> Result<Candidate, Failure> {
        self.best(servers, |bench, spread| bench.at(servers, spread))
    }

    /// The smallest width that meets the goal; `None`: the policy is not `hash-k`.
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

    pub fn at(&mut self, servers: u32, spread: u32) -> Result<Candidate, Failure> {
        let point = Point { servers, spread, change: None };
        let seeds: Vec<u64> = (1..=self.seeds as u64).collect();
        self.bench.run(std::slice::from_ref(&point), &seeds)?;
        system::interrupt::check()?;
        Ok(self.candidate(&point))
    }

    /// Adds seeds, at least to twice the first number, until the interval decides or their limit is
    /// reached. The first seeds may have chosen this number by luck.
    pub fn decided(&mut self, servers: u32) -> Result<Candidate, Failure> {
        let seeds = 2 * self.seeds;
        self.best(servers, |bench, spread| {
            bench.decide(Point { servers, spread, change: None }, seeds)
        })
    }

    pub fn with(&mut self, servers: u32, change: &Change) -> Result<Candidate, Failure> {
        let (change, seeds) = (Some(change.set.clone()), self.seeds);
        self.best(servers, |bench, spread| {
            bench.decide(Point { servers, spread, change: change.clone() }, seeds)
        })
    }

    fn decide(&mut self, point: Point, least: usize) -> Result<Candidate, Failure> {
        self.bench.decide(&point, &self.limits, least, MOST_SEEDS)?;
        Ok(self.candidate(&point))
    }

    /// All numbers tried without another change, ascending.
    pub fn rows(&self) -> Vec<Candidate> {
        let plain = self.bench.points().filter(|at| at.change.is_none());
        let mut rows: Vec<Candidate> = plain.map(|at| self.candidate(at)).collect();
        // Of each number the best width.
        rows.sort_by(|a, b| a.servers.cmp(&b.servers).then(b.margin.total_cmp(&a.margin)));
        rows.dedup_by_key(|row| row.servers);
        rows
    }

    fn candidate(&self, point: &Point) -> Candidate {
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
        Candidate {
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

/// Distance to the goal: answered / offered − 1 if queues grow, else 1 − p99 / goal, or without a
/// p99 goal the idle share of the busiest part.
fn margin(goal: &Goals, keeps_up: bool, rates: (f64, f64), p99_ms: f64, busy: f64) -> f64 {
    match goal.p99_ms {
        _ if !keeps_up => rates.0 / rates.1.max(1e-9) - 1.0,
        Some(most) => 1.0 - p99_ms / most,
        None => 1.0 - busy,
    }
}

/// The busiest part, or round trips if no part is at least half busy.
fn limiting(of: &dyn Fn(&str) -> f64) -> (&'static str, f64) {
    let busy = [
        ("store", of("utilisation_max_store")),
        ("server NIC", of("utilisation_max_server_nic")),
        ("switch", of("utilisation_max_switch")),
        ("client NIC", of("utilisation_max_client_nic")),
    ];
    // Of equals the first.
    let most = busy.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).expect("four");
    (if most.1 >= IDLE { most.0 } else { "round trip" }, most.1)
}
