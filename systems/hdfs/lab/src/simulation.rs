//! Runs of HDFS in the lab.
use crate::failure::Failure;
use crate::memory::MemoryNeed;
use crate::repair_run::RepairRun;
use crate::{about, blocks, interrupt};
use analysis::Steps;
use cluster::listing::About;
use cluster::{Problem, Sheet, SystemData};
use engine::Execution;
use hdfs_model::hdfs::{self, Options};
use hdfs_reading::Run;
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use hdfs_without::{RemovedLimit, Repair};
use serde_json::json;
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::lab::bad;
use system::{Footprint, Progress, Reporter, RunOptions, SimulatedRun, Simulation};
use trace::reading::{Completions, Curve, Objective, Reading, loads};
use trace::{Better, Outcome, Trace};
use units::{Nanos, floored_u64, usize_of};

pub(crate) struct Hdfs;

impl Simulation for Hdfs {
    fn reporter(&self) -> &dyn Reporter {
        self
    }

    fn about(&self, sheet: &Sheet) -> About {
        hdfs_scenario::check::about(Scenario::of(sheet))
    }

    fn footprint(&self, sheet: &Sheet) -> Option<Footprint> {
        MemoryNeed::of(Scenario::of(sheet)).map(|need| need.footprint())
    }

    fn too_large(&self, sheet: &Sheet, physical: u64) -> Option<Problem> {
        let (key, problem, expected) = MemoryNeed::of(Scenario::of(sheet))?.refusal(physical)?;
        Some(sheet.problem(key, problem, expected))
    }

    /// Key of a shared map: its file, and the number of disks per node if no input has the disks,
    /// since replicas are distributed over them.
    fn shares(&self, sheet: &Sheet) -> Option<String> {
        let scenario = Scenario::of(sheet);
        let Blocks::Parquet { path, .. } = &scenario.blocks else { return None };
        let disks = scenario.cluster.nodes.iter().map(|node| node.disks).min().unwrap_or(0);
        Some(format!("{} on {disks} disks", path.display()))
    }

    fn load(&self, sheet: &Sheet, seed: u64) -> Result<SystemData, Failure> {
        let map: Arc<dyn Any + Send + Sync> = blocks::load(Scenario::of(sheet), seed)?;
        Ok(Some(map))
    }

    fn run(&self, sheet: &Sheet, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, Failure> {
        let scenario = Scenario::of(sheet);
        let RunOptions {
            execution,
            keep_trace,
            check,
            observer,
            progress: mut tell,
            loaded,
            history: _,
        } = how;
        let map = match loaded {
            Some(map) => map.downcast::<BlockMap>().expect("what was loaded"),
            None => blocks::load(scenario, seed)?,
        };
        let (blocks, is_first) = (u64::from(map.len()), Execution::is_first(&execution));
        let mut progress = |p: hdfs::Progress| {
            if let Some(tell) = &mut tell {
                let standing = standing(&p, scenario.hdfs.pending_timeout);
                tell(Progress { now: p.now, events: p.events, standing })?
            }
            match interrupt::is_requested() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let options = Options { execution, check, observer };
        let done = hdfs::simulate(scenario, map, seed, options, &mut progress).map_err(bad)?;
        let run = (is_first && !done.interrupted).then(|| Run::of(seed, &done.trace));
        let records = done.records;
        let (mut trace, keep_trace) = (done.trace, keep_trace && run.is_some());
        trace.run.extend(about::drawn_map(scenario));
        trace.objectives = vec![hdfs_reading::objective(&trace)];
        Ok(SimulatedRun {
            reading: reading(&trace, run.as_ref()),
            trace: if keep_trace { trace } else { Trace::default() },
            events: done.events,
            trace_hash: done.trace_hash,
            simulated: done.simulated,
            interrupted: done.interrupted,
            effort: done.effort,
            violations: done.violations.iter().map(ToString::to_string).collect(),
            own: run.map(|run| Arc::new(RepairRun { run, blocks, records, busiest: None }) as _),
            event_seconds: Some((done.seconds, done.worked_s)),
        })
    }

    fn reading(&self, trace: &Trace) -> Reading {
        let seed = trace.about("seed").and_then(|seed| seed.parse().ok()).unwrap_or(0);
        reading(trace, Some(&Run::of(seed, trace)))
    }

    fn pack(&self, own: &SystemData) -> serde_json::Value {
        json!(RepairRun::in_own(own))
    }

    fn unpack(&self, packed: serde_json::Value) -> SystemData {
        let run: RepairRun = serde_json::from_value(packed).ok()?;
        Some(Arc::new(run))
    }

    /// Predicted repair time without each resource or limit.
    fn replays(
        &self,
        sheet: &Sheet,
        loaded: &SystemData,
        done: &SimulatedRun,
    ) -> Vec<(String, f64)> {
        let map = loaded.as_ref().and_then(|map| map.downcast_ref()).expect("what was loaded");
        let Some(repair) = Repair::of(Scenario::of(sheet), map, &done.trace) else {
            return Vec::new();
        };
        let all: Vec<RemovedLimit> = repair.all().collect();
        let end =
            |away: &RemovedLimit| Some((away.metric().to_string(), repair.predict_without(*away)));
        crate::pool::run(&all, end, |_| ()).into_iter().flatten().collect()
    }
}

/// "3 blocks not safe", with the copies given up: some repairs repeat them for ever.
fn standing(p: &hdfs::Progress, timeout: Nanos) -> String {
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let open = format!("{} block{} not safe", p.at_risk, plural(p.at_risk));
    match p.given_up {
        0 => open,
        copies => format!(
            "{open}, {copies} cop{} given up after dfs.namenode.reconstruction.pending.timeout-sec \
             = {timeout}",
            if copies == 1 { "y" } else { "ies" }
        ),
    }
}

/// Reading common to all systems. The objective is the repair time, or the balancer's time if only
/// it ran.
fn reading(trace: &Trace, run: Option<&Run>) -> Reading {
    let balances = run.is_some_and(Run::is_balancing);
    let value = run.and_then(Run::duration_s);
    let window = run.map_or((Nanos::ZERO, Nanos::ZERO), |run| {
        let to = run.moments.repaired();
        (run.moments.zero().unwrap_or_default().min(to), to)
    });
    Reading {
        // Repairs have no hot key.
        hotspots: Vec::new(),
        objective: Objective {
            metric: if balances { "balancer_s" } else { "recovery_s" }.into(),
            unit: "s".into(),
            better: Better::Less,
        },
        window,
        value,
        outcome: if value.is_some() { Outcome::Ok } else { Outcome::Cut },
        held: run.map(|run| run.attribution.shares.clone()).unwrap_or_default(),
        path: Vec::new(),
        metrics: run.map(|run| run.metrics.clone()).unwrap_or_default(),
        curves: run.iter().flat_map(|run| curves(run, window)).collect(),
        latencies: Vec::new(),
        stall: None,
        completions: run.and_then(|run| completions(run, window)),
        loads: run.map(|_| loads(trace)).unwrap_or_default(),
    }
}

/// Times at which blocks became safe.
fn completions(run: &Run, (from, to): (Nanos, Nanos)) -> Option<Completions> {
    let mut before = run.at_risk.at(from);
    let mut ends: Vec<Nanos> = Vec::new();
    for (at, _, left) in run.at_risk.pieces(from, Nanos(to.0.saturating_add(1))) {
        let safe = usize_of(floored_u64(f64::max(before - left, 0.0)));
        ends.extend(std::iter::repeat_n(at, safe));
        before = left
    }
    Completions::of("block", &ends, (from, to))
}

/// Most points of a curve: each seed of a repair of millions of blocks keeps its curves.
const POINTS: u64 = 1200;

/// Blocks at risk, and copies made.
fn curves(run: &Run, window: (Nanos, Nanos)) -> [Curve; 2] {
    let all = [("at_risk", "blocks", &run.at_risk), ("made", "copies", &run.made)];
    all.map(|(name, unit, steps)| Curve {
        name: name.into(),
        unit: unit.into(),
        role: None,
        capacity: None,
        points: thinned(steps, window),
    })
}

/// The value at the beginning, then the last one of each bin of time.
fn thinned(steps: &Steps, (from, to): (Nanos, Nanos)) -> Vec<(f64, f64)> {
    let bin = to.saturating_sub(from).0.div_ceil(POINTS).max(1);
    let mut points = vec![(from.as_secs(), steps.at(from))];
    let mut last = None;
    // Includes changes at the very end.
    for (at, _, value) in steps.pieces(from, Nanos(to.0.saturating_add(1))) {
        if last.replace((at - from).0 / bin) == Some((at - from).0 / bin) {
            points.pop();
        }
        points.push((at.as_secs(), value))
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_said_while_a_run_goes_on() {
        let said = |at_risk, given_up| {
            let p = hdfs::Progress { now: Nanos::ZERO, events: 9, records: 9, at_risk, given_up };
            standing(&p, Nanos::secs(5))
        };
        assert_eq!(said(1, 0), "1 block not safe");
        assert_eq!(
            said(62, 900),
            "62 blocks not safe, 900 copies given up after \
             dfs.namenode.reconstruction.pending.timeout-sec = 5s"
        )
    }
}
