//! Refuses plans with client loads that are too large for a run to end, or too small for
//! percentiles.
use super::goals::Goals;
use super::space::{RepairBench, SLOWDOWN};
use crate::failure::Failure;
use crate::job;
use hdfs_scenario::{Foreground, Scenario};

/// Fewest requests for a percentile.
const ENOUGH: usize = hdfs_reading::foreground::ENOUGH;

/// For clients with whom the first run timed out or leaves no time for others.
///
/// # Errors
/// Bad input if the clock, not the user, ended the run.
pub fn refuse_too_many(scenario: &Scenario, bench: &RepairBench<'_, '_>) -> Result<(), Failure> {
    let late = bench.budget.is_late() && bench.runs(bench.now()).is_empty();
    let Some(clients) = scenario.foreground.as_ref().filter(|_| late) else {
        return Ok(());
    };
    Err(job::bad(format!(
        "workload.foreground: one run with {} does not end within {:.0} s of computing, and a plan \
         needs dozens; expected fewer clients, or fewer requests: longer pauses (think) or larger \
         requests (read_bytes, write_bytes); nothing was written",
        words(clients),
        bench.budget.elapsed().as_secs_f64()
    )))
}

/// # Errors
/// Bad input if there is a goal for clients but no measured slowdown.
pub fn refuse_too_few(
    scenario: &Scenario,
    bench: &RepairBench<'_, '_>,
    goals: &Goals,
) -> Result<(), Failure> {
    let known = bench.metric(bench.now(), SLOWDOWN).is_some();
    let asked = goals.slowdown.is_some() && !known;
    let Some(clients) = scenario.foreground.as_ref().filter(|_| asked) else {
        return Ok(());
    };
    Err(job::bad(format!(
        "--foreground-slowdown: {} make fewer than {ENOUGH} requests before or during the repair, \
         too few for a 99th percentile; expected more clients, or a plan without this goal; \
         nothing was written",
        words(clients)
    )))
}

/// "reads = 60, writes = 2"
fn words(clients: &Foreground) -> String {
    let Foreground { reads, writes, readers, writers, .. } = clients;
    let all = [
        ("reads", reads.to_string(), *reads > 0.0),
        ("writes", writes.to_string(), *writes > 0.0),
        ("readers", readers.to_string(), *readers > 0),
        ("writers", writers.to_string(), *writers > 0),
    ];
    let given = all.iter().filter(|(.., is)| *is).map(|(key, n, _)| format!("{key} = {n}"));
    given.collect::<Vec<String>>().join(", ")
}
