//! Searches settings for the recommended one.
pub use super::space::{LIMIT, LOG_DISKS};
use super::space::{Sets, Setting, Settings};
use crate::change::Change;
use crate::price;
use analysis::{Stat, stat};
use cluster::Sheet;
use page::{AssumedRow, Do};
use serde_json::Value;
use std::path::Path;
use system::Failure;
use system::assumed::{AssumptionVariants, Assumptions};
use system::lab::{Lab, Row, RowRuns, SeedRun};
use system::plan::{self, Bench, Budget, Goals};
use system::progress::Progress;
use trace::reading::Role;

const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

#[derive(Clone, Debug)]
pub struct LimitResult {
    pub limit: u64,
    /// Number of disks with a Raft log directory.
    pub logs: u64,
    /// All pipelines are closed, and SCM opens others.
    pub reopened: bool,
    /// \[1/s\]
    pub writes: Stat,
    pub gain: Stat,
    pub seeds: usize,
    /// 99th percentile of latency \[ms\].
    pub p99: f64,
    pub worse: Vec<String>,
    /// Bottlenecks: name, role, fraction of the writes' time.
    pub held: Vec<(String, Role, f64)>,
}

pub struct Plan {
    /// The scenario without changes.
    pub sheet: Sheet,
    pub now: LimitResult,
    pub tried: Vec<LimitResult>,
    /// Index of the recommended setting in `tried`; `None`: nothing gains.
    pub best: Option<usize>,
    /// Index in `tried` of the setting with most writes.
    pub fastest: usize,
    /// Assumptions that matter under the recommendation, halved and doubled.
    pub tested: Assumptions,
    /// Assumptions under which the recommendation writes no more than the present setting.
    pub doubtful: Vec<String>,
    pub price: Vec<String>,
    pub again: Option<Change>,
    /// Advice of `tenbin run`; the text only if the plan recommends something else.
    pub advice: (Option<Do>, Value),
}

type PipelineBench<'s, 'a> = Bench<'s, Settings<'a>>;

impl Plan {
    /// Runs all settings, with `besides` set in addition to the file.
    pub fn search(lab: &Lab, path: &Path, besides: Sets, fastest: bool) -> Result<Plan, Failure> {
        let sheet = lab.read(path, &besides)?;
        let settings = Settings::of(*lab, path, &besides, &sheet);
        let goals = Goals { fastest, ..Goals::more("writes_per_s") };
        let mut bench = Bench::new(*lab, &settings, &goals, Budget::start());
        let progress = Progress::run();
        let tell = |bench: &PipelineBench<'_, '_>, _: Option<&Setting>| {
            progress.note(&format!("{} points tried", bench.tried()))
        };
        let found = plan::search(&mut bench, &goals, &SEEDS, &tell)?;
        progress.end();
        system::interrupt::check()?;
        let found = found.expect("not interrupted");
        let now = settings.now;
        let (doing, advice) = system::advice::alone(lab, &sheet)?;
        // Use the advice of `tenbin run` if the plan can set it, so that both commands agree.
        let advised = settings.advised(&advice).filter(|_| !fastest);
        if let Some(point) = &advised {
            bench.run(&[*point], &SEEDS)?;
            bench.run_fresh(&[now, *point], &SEEDS, SEEDS.len())?;
        }
        let doing = doing.filter(|_| advised.is_none());
        let answer = advised.unwrap_or(found.answer);
        let points: Vec<Setting> = bench.points().copied().filter(|p| *p != now).collect();
        let place = |point: &Setting| points.iter().position(|other| other == point);
        let best = place(&answer);
        let mut plan = Plan {
            sheet,
            now: LimitResult::of(&bench, &now),
            tried: points.iter().map(|point| LimitResult::of(&bench, point)).collect(),
            best,
            fastest: place(&found.fastest).or(best).unwrap_or(0),
            tested: Assumptions::default(),
            doubtful: Vec::new(),
            price: Vec::new(),
            advice: (doing, advice),
            again: best.and_then(|_| confirm_gain(&bench, &answer)),
        };
        if let Some(best) = best {
            plan.price = price::of_all(&changed(&settings, &answer)).unwrap_or_default();
            let worse = plan.tried[best].worse.clone();
            plan.price.extend(worse)
        }
        let sets = [&now, &answer].map(|point| settings.sets(point));
        plan.test(lab, path, sets)?;
        Ok(plan)
    }

    /// Halves and doubles assumptions, under the present and the recommended setting.
    fn test(&mut self, lab: &Lab, path: &Path, sets: [Sets; 2]) -> Result<(), Failure> {
        let (mut values, mut tested) = (Vec::new(), Assumptions::default());
        for (set, tried) in sets.iter().zip([&self.now, self.recommended()]) {
            let sheet = lab.read(path, set)?;
            let assumed = AssumptionVariants::of(lab, &sheet);
            let now = Row { name: String::new(), set: Vec::new(), sheet: sheet.clone() };
            let rows: Vec<Row> = assumed.rows.iter().cloned().chain([now]).collect();
            let mut done = lab.run(&rows, &SEEDS, false, "plan pipelines: assumed")?.rows;
            system::interrupt::check()?;
            let stands = done.pop().expect("it was run");
            values.push(assumed.finish(tried.writes.mean, &done));
            tested = assumed.report(&sheet, &stands, &done)
        }
        let (best, now) = (values.remove(1), values.remove(0));
        self.tested = tested;
        let worse = |row: &&AssumedRow| {
            let before = now.iter().find(|other| other.key == row.key);
            let no_more = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a <= b);
            before.is_some_and(|b| no_more(row.half, b.half) || no_more(row.double, b.double))
        };
        if self.changes() {
            self.doubtful = best.iter().filter(worse).map(|row| row.key.clone()).collect()
        }
        Ok(())
    }

    /// The recommended setting, or the present one if nothing gains.
    pub fn recommended(&self) -> &LimitResult {
        self.best.map_or(&self.now, |best| &self.tried[best])
    }

    pub fn changes(&self) -> bool {
        self.best.is_some()
    }

    /// Relative gain of the recommendation in writes per second.
    pub fn margin(&self) -> f64 {
        self.recommended().writes.mean / self.now.writes.mean.max(1e-9) - 1.0
    }
}

/// Settings that differ from the present ones.
fn changed(settings: &Settings<'_>, answer: &Setting) -> Sets {
    let now = settings.sets(&settings.now);
    settings.sets(answer).into_iter().filter(|set| !now.contains(set)).collect()
}

/// The gain with seeds that the search did not use.
fn confirm_gain(bench: &PipelineBench<'_, '_>, answer: &Setting) -> Option<Change> {
    let [now, then] = [bench.now(), answer].map(|point| row(bench.fresh_runs(point)));
    Change::of_writes(&now, &then)
}

fn row(runs: Vec<&SeedRun>) -> RowRuns {
    let runs = runs.into_iter().cloned().collect();
    RowRuns { name: String::new(), set: Vec::new(), runs }
}

impl LimitResult {
    /// Results with the seeds of the search, compared with the present setting for the same seeds.
    fn of(bench: &PipelineBench<'_, '_>, point: &Setting) -> LimitResult {
        let then = row(bench.runs(point));
        let mut now = row(bench.runs(bench.now()));
        now.runs.truncate(then.runs.len());
        let held = then.runs[0].reading.held.iter().filter(|held| held.share >= 0.02);
        let change = Change::of_writes(&now, &then);
        LimitResult {
            limit: point.limit,
            logs: point.logs,
            reopened: point.reopened,
            writes: stat(&then.metric("writes_per_s").unwrap_or_default()),
            gain: change.map_or(stat(&[0.0]), |change| change.by),
            seeds: then.runs.len(),
            p99: stat(&then.metric("latency_ms_p99").unwrap_or_default()).mean,
            worse: price::worse(&now, &then),
            held: held.map(|h| (h.holder.clone(), h.role, h.share)).collect(),
        }
    }
}
