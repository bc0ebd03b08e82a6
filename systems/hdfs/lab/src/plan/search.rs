//! Runs a plan's search, after the checks that refuse it.
use super::answer::{Answer, RepairJudge};
use super::goals::Goals;
use super::point::Point;
use super::space::RepairBench;
use super::{client_load, unrepairable};
use crate::failure::Failure;
use crate::repair_run::RepairRun;
use hdfs_reading::Run;
use hdfs_scenario::Scenario;
use system::plan::{self, Judge, PlanProgress, Space};

/// After Ctrl-C the best answer so far; `None` if there is none yet.
///
/// # Errors
/// Bad input, a loss that cannot be repaired, or a failed run.
pub fn search<'a>(
    bench: &mut RepairBench<'_, 'a>,
    goals: &Goals,
    objective: &str,
    seeds: &[u64],
    tell: &PlanProgress<'_, super::space::Settings<'a>>,
) -> Result<Option<Answer>, Failure> {
    let now = bench.now().clone();
    let sheet = bench.space.sheet(&now)?;
    let scenario = Scenario::of(&sheet);
    unrepairable::refuse_to_empty(scenario)?;
    let present = std::slice::from_ref(&now);
    bench.run(present, &seeds[..1])?;
    client_load::refuse_too_many(scenario, bench)?;
    if bench.runs(&now).is_empty() {
        return Ok(None);
    }
    if unrepairable::refuse(scenario, &runs(bench, &now)).is_err() {
        // Other seeds may draw another loss.
        bench.run(present, seeds)?;
        unrepairable::refuse(scenario, &runs(bench, &now))?
    }
    client_load::refuse_too_few(scenario, bench, goals)?;
    let asked = goals.of(objective);
    let found = plan::search(bench, &asked, seeds, tell)?;
    let judge: RepairJudge<'_, '_, '_> = Judge::new(bench, &asked);
    Ok(found.map(|found| Answer::new(judge, goals, &found)))
}

fn runs<'b>(bench: &'b RepairBench<'_, '_>, point: &Point) -> Vec<&'b Run> {
    bench.runs(point).into_iter().map(|run| &RepairRun::of(run).run).collect()
}
